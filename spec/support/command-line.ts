/**
 * A connection to a running server that runs commands, as the command line does, without a process for each.
 */
import { readFileSync } from 'node:fs';
import { connectServer, type ServerPeer } from '../../lib/client/connect.ts';
import { muxPaths } from '../../lib/config/paths.ts';
import { PROTOCOL_VERSION } from '../../lib/wire/messages.ts';

/** What a command said and how it ended. */
export interface Answer {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export class CommandLine {
  readonly #peer: ServerPeer;
  readonly #env: Readonly<Record<string, string>>;
  readonly #cwd: string;
  readonly #running: { out: string; err: string; done: (answer: Answer) => void }[] = [];

  readonly #token: string;

  private constructor(peer: ServerPeer, env: Readonly<Record<string, string>>, cwd: string, token: string) {
    this.#token = token;
    this.#peer = peer;
    this.#env = env;
    this.#cwd = cwd;
    peer.onMessage(message => {
      const current = this.#running[0];
      if (!current) return;
      if (message.type === 'output') current[message.payload.stream] += message.payload.text;
      if (message.type === 'result') this.#finish(message.payload.exit);
    });
    peer.onClose(() => {
      while (this.#running.length > 0) this.#finish(-1);
    });
  }

  /** Connects to a server of `env.MUX_HOME`. Throws CodedError where it does not run. */
  static async open(
    env: Readonly<Record<string, string>>,
    cwd: string,
    name = 'default',
  ): Promise<CommandLine> {
    const paths = muxPaths(env, name);
    const { peer } = await connectServer(
      {
        name,
        socket: paths.socket,
        remedy: () => "start one with 'mux'",
        prepare: async () => undefined,
        daemon: { what: 'server', log: paths.log, command: [], home: undefined },
      },
      {
        version: PROTOCOL_VERSION,
        client_id: 'spec',
        size: [0, 0],
        cwd,
        term: '',
        colorterm: '',
        features: [],
      },
      false,
    );
    return new CommandLine(peer, env, cwd, readFileSync(paths.personToken, 'utf8').trim());
  }

  run(argv: readonly string[]): Promise<Answer> {
    return new Promise(done => {
      this.#running.push({ out: '', err: '', done });
      this.#peer.send({
        type: 'command',
        payload: {
          argv,
          cwd: this.#cwd,
          json: 'off',
          pane: '',
          session: '',
          terminal: false,
          columns: 0,
          env: this.#env,
        },
        id: 1,
        token: this.#token,
      });
    });
  }

  close(): void {
    this.#peer.dispose();
  }

  #finish(exit: number): void {
    const { out, err, done } = this.#running.shift()!;
    done({ exit, out, err });
  }
}
