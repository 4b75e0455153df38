/**
 * Commands that the server runs: words up, text and a status down.
 */
import { CodedError } from '../base/errors.ts';
import { connectServer } from '../client/connect.ts';
import { callerToken, handshake, type AppContext } from './context.ts';

/** Commands that start a server where none runs. */
const STARTING: ReadonlySet<string> = new Set(['new', 'new-session']);

export interface RemoteOptions {
  /** Where the output goes instead of stdout and stderr. */
  readonly write?: (stream: 'out' | 'err', text: string) => void;
  /** After success wait until the server has ended. */
  readonly untilGone?: boolean;
}

/** Runs `words` in the server and resolves with the exit status. Throws CodedError where it cannot be asked. */
export async function runRemote(
  context: AppContext,
  words: readonly string[],
  options: RemoteOptions = {},
): Promise<number> {
  const { env, cwd } = context;
  const { peer } = await connectServer(
    context.place,
    handshake(context, [0, 0]),
    STARTING.has(words[0] ?? ''),
  );
  const isOwn = context.isInside;
  const token = callerToken(context);
  let exit: number | undefined;
  return new Promise((resolve, reject) => {
    peer.onMessage(message => {
      if (message.type === 'output') (options.write ?? write)(message.payload.stream, message.payload.text);
      if (message.type === 'result') {
        exit = message.payload.exit;
        if (options.untilGone && exit === 0) return;
        peer.end();
        resolve(exit);
      }
    });
    peer.onClose(() => {
      if (exit !== undefined) return resolve(exit);
      reject(
        new CodedError(
          'failed',
          'server: it ended before it answered',
          `its log is ${context.place.daemon.log}`,
        ),
      );
    });
    peer.send({
      type: 'command',
      payload: {
        argv: words,
        cwd,
        json: context.json,
        pane: isOwn ? (env.MUX_PANE ?? '') : '',
        session: isOwn ? (env.MUX_SESSION ?? '') : '',
        terminal: Boolean(process.stdout.isTTY),
        columns: process.stdout.columns ?? 0,
        env,
      },
      id: 1,
      ...(token ? { token } : {}),
    });
  });
}

function write(stream: 'out' | 'err', text: string): void {
  (stream === 'out' ? process.stdout : process.stderr).write(text);
}
