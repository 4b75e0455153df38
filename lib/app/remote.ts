/**
 * Commands that the server runs: words up, text and a status down.
 */
import { CodedError } from '../base/errors.ts';
import { connectServer, type ServerPeer } from '../client/connect.ts';
import type { Command } from '../wire/messages.ts';
import { callerToken, handshake, type AppContext } from './context.ts';

/** Commands that start a server where none runs. */
const STARTING: ReadonlySet<string> = new Set(['new', 'new-session']);

export interface RemoteOptions {
  /** Where the output goes instead of stdout and stderr. */
  readonly write?: (stream: 'out' | 'err', text: string) => void;
  /** Takes the pieces of a stream; the next one is sent when it resolves. */
  readonly bytes?: (piece: Buffer) => Promise<void>;
  /** After success wait until the server has ended. */
  readonly untilGone?: boolean;
  /** Start a server where none runs, whatever the command. */
  readonly start?: boolean;
  /** Refuse words that are wrong without a message: `UNCHECKED` is the exit then. */
  readonly exact?: boolean;
}

/** The connection ended before the answer came: the server has died or was exchanged. */
export class ServerLost extends CodedError {}

/** Exit for words that the server does not know by their exact name, or that are wrong: nothing was done or said. */
export const UNCHECKED = -1;

/** Runs `words` in the server and resolves with the exit status. Throws CodedError where it cannot be asked. */
export async function runRemote(
  context: AppContext,
  words: readonly string[],
  options: RemoteOptions = {},
): Promise<number> {
  const starts = options.start ?? STARTING.has(words[0] ?? '');
  const { peer } = await connectServer(context.place, handshake(context, [0, 0]), starts);
  let exit: number | undefined;
  return new Promise((resolve, reject) => {
    peer.onMessage(message => {
      if (message.type === 'output') (options.write ?? write)(message.payload.stream, message.payload.text);
      if (message.type === 'result') {
        exit = message.payload.unchecked ? UNCHECKED : message.payload.exit;
        if (options.untilGone && exit === 0) return;
        peer.end();
        resolve(exit);
      }
    });
    if (options.bytes) takeBytes(peer, options.bytes, reject);
    peer.onClose(() => {
      if (exit !== undefined) return resolve(exit);
      const hint = `its log is ${context.place.daemon.log}`;
      reject(new ServerLost('failed', 'server: it ended before it answered', hint));
    });
    const token = callerToken(context);
    const payload = commandOf(context, words, options.exact === true);
    peer.send({ type: 'command', payload, id: 1, ...(token ? { token } : {}) });
  });
}

/** Acknowledges each piece once it has been taken: the server sends the next one only then. */
function takeBytes(
  peer: ServerPeer,
  take: (piece: Buffer) => Promise<void>,
  fail: (error: unknown) => void,
): void {
  peer.onBytes(piece => {
    take(piece).then(
      () => peer.send({ type: 'ack', payload: {} }),
      (error: unknown) => {
        peer.dispose();
        fail(error);
      },
    );
  });
}

function commandOf(context: AppContext, words: readonly string[], exact: boolean): Command {
  const { env, cwd, json } = context;
  return {
    argv: words,
    cwd,
    json,
    pane: isOwn(context) ? (env.MUX_PANE ?? '') : '',
    session: isOwn(context) ? (env.MUX_SESSION ?? '') : '',
    terminal: Boolean(process.stdout.isTTY),
    columns: process.stdout.columns ?? 0,
    env,
    ...(exact ? { exact } : {}),
  };
}

/** Whether this runs in a pane of the server that is asked. */
function isOwn({ env, serverName }: AppContext): boolean {
  return env.MUX_SERVER === serverName;
}

function write(stream: 'out' | 'err', text: string): void {
  (stream === 'out' ? process.stdout : process.stderr).write(text);
}
