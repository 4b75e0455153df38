/**
 * Commands that the server runs: words up, text and a status down.
 */
import { connectServer } from '../client/connect.ts';
import { handshake, type AppContext } from './context.ts';

/** Commands that start a server where none runs. */
const STARTING: ReadonlySet<string> = new Set(['new', 'new-session']);

/** Runs `words` in the server and resolves with the exit status. Throws CodedError `no_server` and the like. */
export async function runRemote(
  context: AppContext,
  words: readonly string[],
  options: { quiet?: boolean } = {},
): Promise<number> {
  const { env, cwd } = context;
  const { peer } = await connectServer(
    context.place,
    handshake(context, [0, 0]),
    STARTING.has(words[0] ?? ''),
  );
  const isOwn = env.MUX_SERVER === context.serverName;
  let isDone = false;
  return new Promise(resolve => {
    peer.onMessage(message => {
      if (message.type === 'output' && !options.quiet) write(message.payload.stream, message.payload.text);
      if (message.type === 'output' && options.quiet && message.payload.stream === 'err')
        write('err', message.payload.text);
      if (message.type === 'result') {
        isDone = true;
        peer.end();
        resolve(message.payload.exit);
      }
    });
    peer.onClose(() => {
      if (isDone) return;
      console.error('mux: server: it ended before it answered');
      resolve(1);
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
      ...(isOwn && env.MUX_TOKEN ? { token: env.MUX_TOKEN } : {}),
    });
  });
}

function write(stream: 'out' | 'err', text: string): void {
  (stream === 'out' ? process.stdout : process.stderr).write(text);
}
