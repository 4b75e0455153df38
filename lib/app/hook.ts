/**
 * `mux hook AGENT EVENT`: what agents' hooks call, many times a minute. It must be quick, so it loads next to nothing;
 * and it must never be in an agent's way: whatever goes wrong, it ends with 0, in time, and without a word.
 */
import { createConnection, type Socket } from 'node:net';
import { CHANNEL, encodeFrame, FrameDecoder } from '../wire/framing.ts';
import { encodeMessage } from '../wire/envelope.ts';
import { parseServerMessage, PROTOCOL_VERSION, type ClientMessage } from '../wire/messages.ts';

/** What is taken of the report: a tool's whole input fits, a file that it has read may not. */
const INPUT_MAX = 1024 * 1024;
/** An agent that does not close the pipe is not waited for longer. */
const INPUT_MS = 1000;
/** The server answers within a frame, unless it parses a flood. */
const ANSWER_MS = 2000;
/** Where a person may have to answer: longer than the server waits for them (ANSWER_MS in server/hooks.ts). */
const VERDICT_MS = 6 * 60_000;
const ASKING: ReadonlySet<string> = new Set(['PermissionRequest', 'permission']);

type Env = Readonly<Record<string, string | undefined>>;

/** Reports an event to the session's server and prints its decision. Always resolves with 0. */
export async function hookCommand(env: Env, words: readonly string[]): Promise<number> {
  const [agent = '', event = '', given] = words;
  try {
    const session = env.MUX_SESSION ?? '';
    if (session === '' || agent === '' || event === '') return 0;
    const socket = createConnection(await socketPath(env));
    const decision = await Promise.race([
      ask(socket, env, session, [agent, event, given]),
      after(ASKING.has(event) ? VERDICT_MS : ANSWER_MS),
    ]);
    socket.destroy();
    if (decision) process.stdout.write(decision);
  } catch {
    // No server, a bad name, a broken pipe: the agent goes on as it would without mux.
  }
  process.stdin.destroy();
  return 0;
}

/** Where the server of this session listens, as panes are told; else it is worked out. Throws CodedError for bad names. */
async function socketPath(env: Env): Promise<string> {
  if (env.MUX_SOCKET) return env.MUX_SOCKET;
  const { muxPaths, serverName } = await import('../config/paths.ts');
  const machine = { uid: process.getuid?.() ?? 0, cwd: '/' };
  return muxPaths(env, serverName(env, undefined), machine).socket;
}

/** Says who we are and what has happened; resolves with what the server prints. Rejects where it cannot be asked. */
function ask(
  socket: Socket,
  env: Env,
  session: string,
  [agent, event, given]: readonly [string, string, string | undefined],
): Promise<string> {
  const send = (message: ClientMessage): void =>
    void socket.write(encodeFrame(CHANNEL.control, encodeMessage(message)));
  const frames = new FrameDecoder();
  let printed = '';
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => resolve(''));
    socket.on('data', chunk => {
      try {
        for (const { payload } of frames.push(chunk)) {
          const message = parseServerMessage(payload);
          if (message.type === 'output' && message.payload.stream === 'out') printed += message.payload.text;
          if (message.type === 'result') resolve(message.payload.exit === 0 ? printed : '');
        }
      } catch (error) {
        reject(error);
      }
    });
    void (given === undefined ? input() : Promise.resolve(given.slice(0, INPUT_MAX))).then(report => {
      send({ type: 'handshake', payload: handshake() });
      send({
        type: 'command',
        payload: {
          argv: ['hook', agent, event, '--', report],
          cwd: '/',
          json: 'off',
          pane: '',
          session,
          terminal: false,
          columns: 0,
          env: {},
        },
        id: 1,
        ...(env.MUX_TOKEN ? { token: env.MUX_TOKEN } : {}),
      });
    }, reject);
  });
}

function handshake(): Extract<ClientMessage, { type: 'handshake' }>['payload'] {
  const client_id = `hook-${process.pid}`;
  return {
    version: PROTOCOL_VERSION,
    client_id,
    size: [0, 0],
    cwd: '/',
    term: '',
    colorterm: '',
    features: [],
  };
}

/** What comes on stdin; '' where it is too much: the event alone is worth a report. It is read to its end all the same. */
async function input(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  let size = 0;
  const read = new Promise<void>(resolve => {
    stdin.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= INPUT_MAX) chunks.push(chunk);
    });
    stdin.on('end', resolve);
    stdin.on('error', () => resolve());
  });
  await Promise.race([read, after(INPUT_MS)]);
  return size > INPUT_MAX ? '' : Buffer.concat(chunks).toString();
}

/** Resolves with nothing after a time, for which alone the process does not stay. */
function after(ms: number): Promise<undefined> {
  return new Promise(resolve => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
