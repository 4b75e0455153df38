/**
 * One connection: the handshake, then either commands or an attached terminal. Whatever goes wrong on it costs this
 * connection only.
 */
import type { Socket } from 'node:net';
import { CodedError, errorJson, errorLine } from '../base/errors.ts';
import type { Disposable } from '../base/event.ts';
import { splitCommands } from '../cmd/parse.ts';
import { checkExact, runCommand } from '../cmd/registry.ts';
import { findSession } from '../cmd/target.ts';
import { showSession } from '../cmd/session.ts';
import type { StreamPort } from '../cmd/drive-port.ts';
import { deriveCaps } from '../render/caps.ts';
import {
  HAND_OVER,
  isCompatible,
  parseClientMessage,
  PROTOCOL_VERSION,
  type Attach,
  type ClientMessage,
  type Command,
  type Handshake,
  type ServerMessage,
} from '../wire/messages.ts';
import { Peer } from '../wire/peer.ts';
import { audited, identified } from './access/audited.ts';
import { AttachedClient } from './client/client.ts';
import type { Farewell } from './clients.ts';
import { DirectInput } from './client/direct-input.ts';
import { DirectTty } from './client/direct-tty.ts';
import { interfaceCaller } from './command-context.ts';
import { failure } from './failure.ts';
import type { MuxServer } from './server.ts';

/** A peer that does not shake hands in this time is none of ours. */
const HANDSHAKE_MS = 10_000;
/** A peer that does not read what was sent last is let go all the same after this: descriptors are few. */
const GOODBYE_MS = 5000;
/** Characters of command output per message: far below the frame limit whatever JSON makes of them. */
const OUTPUT_CHUNK = 256 * 1024;

/** Serves one connection until it ends. */
export function serveConnection(server: MuxServer, socket: Socket, instanceId: string): void {
  const connection = new Connection(server, socket, instanceId);
  connection.start();
}

class Connection {
  readonly #server: MuxServer;
  readonly #peer: Peer<ClientMessage, ServerMessage>;
  readonly #instanceId: string;
  #handshake: Handshake | undefined;
  #client: AttachedClient | undefined;
  #tty: DirectTty | undefined;
  #input: DirectInput | undefined;
  #timer: Disposable | undefined;
  /** Pieces of streams that are on their way, oldest first: told whether they have arrived. */
  #sent: ((hasArrived: boolean) => void)[] = [];
  readonly #gone = new AbortController();
  readonly #stream: StreamPort = {
    send: bytes => {
      if (this.#peer.isClosed) return Promise.resolve(false);
      this.#peer.sendBytes(bytes);
      return new Promise(resolve => this.#sent.push(resolve));
    },
  };

  constructor(server: MuxServer, socket: Socket, instanceId: string) {
    this.#server = server;
    this.#instanceId = instanceId;
    this.#peer = new Peer<ClientMessage, ServerMessage>(socket, parseClientMessage);
  }

  start(): void {
    const { clock, logger } = this.#server.parts;
    this.#timer = clock.after(HANDSHAKE_MS, () => this.#peer.dispose());
    this.#peer.onMessage(message => this.#receive(message));
    this.#peer.onBytes(bytes => this.#client?.receive(bytes));
    this.#peer.onClose(({ error }) => {
      this.#timer?.dispose();
      if (error) logger.log('warn', 'connection ended', { error: error.message });
      this.#tty?.dispose();
      this.#input?.dispose();
      this.#gone.abort();
      for (const told of this.#sent.splice(0)) told(false);
      if (this.#client) this.#server.remove(this.#client);
    });
  }

  #receive(message: ClientMessage): void {
    if (!this.#handshake) return this.#shakeHands(message);
    switch (message.type) {
      case 'attach':
        return void this.#attach(this.#handshake, message.payload, message.token);
      case 'resize':
        return this.#client?.resize(message.payload);
      case 'ack':
        if (this.#client) return this.#client.screen.acknowledged();
        return this.#sent.shift()?.(true);
      case 'leave':
        return this.#letGo({ message: '', exit: 0 });
      case 'hand_over':
        return this.#input?.start();
      case 'take_back':
        return this.#input?.stop();
      case 'command':
        return void this.#command(message.payload, message.id, message.token);
      case 'handshake':
        return this.#refuse('protocol_mismatch', 'a second handshake');
    }
  }

  #shakeHands(message: ClientMessage): void {
    this.#timer?.dispose();
    if (message.type !== 'handshake')
      return this.#refuse('protocol_mismatch', 'the first message must be a handshake');
    if (!isCompatible(message.payload.version)) {
      return this.#refuse(
        'protocol_mismatch',
        `it speaks protocol ${PROTOCOL_VERSION}, this program ${message.payload.version.slice(0, 20)}`,
      );
    }
    // No answer: the connection closes with the process, and the client starts the next server.
    if (this.#server.isEnding) return;
    this.#handshake = message.payload;
    this.#peer.send({
      type: 'handshake_ok',
      payload: {
        version: PROTOCOL_VERSION,
        server_version: this.#server.parts.version,
        instance_id: this.#instanceId,
        pid: this.#server.parts.pid,
      },
    });
  }

  #refuse(code: string, reason: string): void {
    this.#peer.send({ type: 'handshake_err', payload: { code, reason } });
    this.#end();
  }

  async #attach(handshake: Handshake, attach: Attach, token: string | undefined): Promise<void> {
    if (this.#client) return this.#refuse('protocol_mismatch', 'attached already');
    const refused = this.#attachRefusal(token);
    if (refused) {
      this.#peer.send({ type: 'detached', payload: { message: errorLine(refused), exit: refused.exit } });
      return this.#end();
    }
    const [cols, rows] = handshake.size;
    const caps = deriveCaps({
      term: handshake.term,
      colorterm: handshake.colorterm,
      termProgram: attach.term_program,
      utf8: handshake.features.includes('utf8'),
    });
    const tty = (this.#tty = new DirectTty(attach.tty, attach.tty_id ?? ''));
    const client = new AttachedClient(this.#server.services, {
      id: this.#freeId(handshake.client_id),
      tty: attach.tty,
      size: { cols: Math.max(1, cols), rows: Math.max(1, rows) },
      caps,
      isReadOnly: attach.read_only,
      mark: this.#server.parts.newConversationId(),
      isInTmux:
        handshake.term.startsWith('tmux') || attach.term_program === 'tmux' || Boolean(attach.env.TMUX),
      send: bytes => this.#peer.sendBytes(bytes),
      sendDirect: bytes => tty.write(bytes),
    });
    this.#client = client;
    client.takeOver();
    if (handshake.features.includes(HAND_OVER)) this.#offerToRead(client, attach);
    this.#server.add(client, farewell => this.#letGo(farewell));
    try {
      await this.#open(client, handshake, attach);
      // Not before: of a client that is sent away at once nobody would read the answers.
      client.askColors();
    } catch (error) {
      const coded = failure(this.#server.parts.logger, 'attach', error);
      this.#letGo({ message: errorLine(coded), exit: coded.exit });
    }
  }

  /** Why a caller may not attach: at a terminal every key could be pressed. Undefined where it may. */
  #attachRefusal(token: string | undefined): CodedError | undefined {
    try {
      if (this.#server.parts.tokens.speaker(token).isPerson) return undefined;
      return new CodedError('refused', 'attach: only a person may do that', 'ask the person to do it');
    } catch (error) {
      return failure(this.#server.parts.logger, 'attach', error);
    }
  }

  /** Lets the client hand its terminal over, where it can be read here. */
  #offerToRead(client: AttachedClient, { tty, tty_id = '', pid }: Attach): void {
    const offer = (isGood: boolean): void =>
      this.#peer.send({ type: 'read', payload: { may_hand_over: isGood } });
    this.#input = new DirectInput(
      { path: tty, id: tty_id, pid },
      { clock: this.#server.parts.clock, received: bytes => client.receive(bytes), stopped: offer },
    );
    if (this.#input.isPossible) offer(true);
  }

  /** A client's own name for itself, made safe to print and different from all others. */
  #freeId(wanted: string): string {
    const base = wanted.replace(/[^\w-]/g, '').slice(0, 64) || 'client';
    let id = base;
    const taken = new Set(this.#server.clients.all().map(client => client.id));
    for (let n = 2; taken.has(id); n++) id = `${base}-${n}`;
    return id;
  }

  /** Shows what was asked for; a server without windows opens one. */
  async #open(client: AttachedClient, handshake: Handshake, attach: Attach): Promise<void> {
    const caller = interfaceCaller(handshake.cwd, attach.env);
    const context = this.#server.context(caller, { print: () => undefined, json: () => undefined });
    if (attach.exclusive) this.#sendOthersAway(client);
    if (attach.target) await showSession(context, findSession(context, attach.target));
    else if (this.#server.model.windows.all().length === 0)
      await runCommand(context, ['new-window', '-c', handshake.cwd]);
  }

  #sendOthersAway(client: AttachedClient): void {
    const others = this.#server.clients.all().filter(other => other !== client);
    this.#server.clients.detach(
      others.map(other => other.id),
      '[detached: another terminal has attached]',
    );
  }

  /** Closes once what was sent has left, or when that takes too long. */
  #end(): void {
    this.#peer.end();
    const late = this.#server.parts.clock.after(GOODBYE_MS, () => this.#peer.dispose());
    this.#peer.onClose(() => late.dispose());
  }

  /** Says goodbye and closes, once what was sent has left. */
  #letGo(farewell: Farewell): void {
    const client = this.#client;
    if (!client) return;
    this.#client = undefined;
    this.#tty?.dispose();
    // Before the answer: what is typed behind it is for whoever reads the terminal then.
    this.#input?.dispose();
    this.#server.remove(client);
    this.#peer.send({ type: 'detached', payload: farewell });
    this.#end();
  }

  async #command(given: Command, id: number | undefined, token: string | undefined): Promise<void> {
    const own = id === undefined ? {} : { id };
    const check = given.exact ? exactly(given) : undefined;
    if (check && !check.isExact)
      return this.#peer.send({ type: 'result', payload: { exit: 2, unchecked: true }, ...own });
    const command: Command = check?.isJson ? { ...given, json: 'on' } : given;
    const send = (stream: 'out' | 'err', text: string): void => this.#output(stream, text + '\n', id);
    const output = {
      print: (text: string) => send('out', text),
      json: (value: unknown) => send('out', JSON.stringify(value)),
      gone: this.#gone.signal,
      stream: this.#stream,
    };
    let exit = 0;
    const { parts } = this.#server;
    try {
      const speaker = identified(parts, command.argv, token);
      if (speaker.isPerson)
        for (const problem of this.#server.takeStartProblems()) send('err', `mux: ${problem}`);
      const context = this.#server.context({ ...command, speaker }, output);
      for (const line of splitCommands(command.argv))
        await audited(parts, speaker, line, () => runCommand(context, line));
    } catch (error) {
      const coded = failure(parts.logger, command.argv[0] ?? '', error);
      exit = coded.exit;
      if (command.json === 'off') send('err', errorLine(coded));
      else send('out', errorJson(coded));
    }
    this.#peer.send({ type: 'result', payload: { exit }, ...own });
  }

  #output(stream: 'out' | 'err', text: string, id: number | undefined): void {
    for (let at = 0; at < text.length; at += OUTPUT_CHUNK) {
      this.#peer.send({
        type: 'output',
        payload: { stream, text: text.slice(at, at + OUTPUT_CHUNK) },
        ...(id === undefined ? {} : { id }),
      });
    }
  }
}

/** Whether a caller's words can be carried out as they are. */
function exactly({ argv }: Command): ReturnType<typeof checkExact> {
  try {
    return checkExact(splitCommands(argv));
  } catch (error) {
    if (error instanceof CodedError) return { isExact: false, isJson: false };
    throw error;
  }
}
