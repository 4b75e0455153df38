/**
 * `mux kill-server` and `mux server …`: the server's life from outside.
 */
import { createInterface } from 'node:readline';
import { connectServer, ServerSilent } from '../client/connect.ts';
import { startDaemon, tryConnect } from '../client/daemon-process.ts';
import { CodedError } from '../base/errors.ts';
import { parseArgs } from '../cmd/args.ts';
import { findCommand } from '../cmd/registry.ts';
import { endHost } from '../pty/remote-host.ts';
import { sameMajor } from '../wire/envelope.ts';
import { HOST_PROTOCOL_VERSION } from '../wire/host-messages.ts';
import { handshake, isAgent, type AppContext } from './context.ts';
import { NEXT } from './next-server.ts';
import { unknownWord } from './own-commands.ts';
import { runRemote } from './remote.ts';
import { endSilentServer } from './silent-server.ts';

/** One that is loaded listens at once; after this it has died, and another is started. */
const EXCHANGE_MS = 2000;
const EXCHANGE_LOOK_MS = 20;

/** Asks on a terminal, unless -y; elsewhere -y is needed. */
export async function killServer(context: AppContext, words: readonly string[]): Promise<number> {
  const { hostSocket } = context.paths;
  const args = parseArgs(findCommand('kill-server'), words);
  if (!args.has('y')) {
    if (!process.stdin.isTTY)
      throw new CodedError(
        'usage',
        'kill-server: every session would be ended, and there is nobody to ask',
        'say -y',
      );
    const answer = await ask(`End server ${context.serverName} and every session in it? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CodedError('cancelled', 'kill-server: not done');
  }
  try {
    return await runRemote(context, ['kill-server', '-y'], { untilGone: true });
  } catch (error) {
    // What a server that died has left is ended too.
    if (!(error instanceof CodedError && error.code === 'no_server')) throw error;
    checkPerson(context, 'kill-server');
    const host = await tryConnect(hostSocket);
    if (!host) throw error;
    await endHost(host);
    return 0;
  }
}

/** Where no server could refuse it, or not by this name: an agent ends nothing that is not its own. Throws CodedError `refused`. */
function checkPerson({ env }: AppContext, what: string): void {
  if (!isAgent(env)) return;
  throw new CodedError(
    'refused',
    `${what}: this is for the person, not for an agent`,
    'ask the person to do it',
  );
}

/** `server run` is the server itself; `server status` asks it; `server restart` exchanges it. */
export async function serverCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [word, ...rest] = words;
  if (word === 'run') return (await import('./serve.ts')).serve(context, rest[0] === NEXT);
  if (word === 'status' && rest.length === 0) return runRemote(context, ['server-status']);
  if (word === 'restart' && rest.every(flag => flag === '--force')) return restart(context, rest.length > 0);
  throw unknownWord('server', words.join(' ') || undefined, 'server status|restart [--force]');
}

/**
 * Exchanges the running server for this version; sessions go on. With `force` they are ended, where this version could
 * not take them over, and a server that does not answer is killed; then its sessions go on.
 */
async function restart(context: AppContext, force: boolean): Promise<number> {
  checkPerson(context, 'server restart');
  const before = await status(context).catch((error: unknown) => {
    if (!force) throw error;
    return error instanceof ServerSilent ? error : undefined;
  });
  if (before instanceof ServerSilent) {
    await endSilentServer(context.place.socket);
  } else {
    const refused = await endRunning(context, before, force);
    // It has said why not.
    if (refused) return refused;
  }
  const { peer } = await connectServer(context.place, handshake(context, [0, 0]), true);
  peer.end();
  const after = await status(context);
  if (context.json === 'off') console.log(`server ${context.serverName} restarted: pid ${after.server_pid}`);
  else console.log(JSON.stringify(after));
  return 0;
}

/** Ends a server so that another can follow. Resolves with the exit status where it refuses, else with 0. */
async function endRunning(context: AppContext, before: Status | undefined, force: boolean): Promise<number> {
  const isOurs = before && sameMajor(before.host_protocol ?? HOST_PROTOCOL_VERSION, HOST_PROTOCOL_VERSION);
  if (!isOurs && !force)
    throw new CodedError(
      'protocol_mismatch',
      `server restart: the host of its terminals speaks protocol ${before?.host_protocol}, this version ${HOST_PROTOCOL_VERSION}`,
      "end its sessions with 'mux server restart --force'",
    );
  return isOurs ? exchange(context) : endAll(context);
}

/**
 * Has the running server replaced by one that is loaded already: that takes longer than everything else, and one that
 * cannot be loaded leaves the old one as it is. Resolves with 0 when the next one listens, or has had the time to; with
 * the exit status where the running one refuses, and then the loaded one ends by itself.
 */
async function exchange(context: AppContext): Promise<number> {
  const { daemon, socket } = context.place;
  await startDaemon({ ...daemon, command: [...daemon.command, NEXT] });
  const refused = await runRemote(context, ['server-hand-over'], { untilGone: true });
  if (refused) return refused;
  for (const deadline = Date.now() + EXCHANGE_MS; Date.now() < deadline;) {
    const next = await tryConnect(socket);
    next?.destroy();
    if (next) return 0;
    await new Promise(resolve => setTimeout(resolve, EXCHANGE_LOOK_MS));
  }
  return 0;
}

/**
 * Ends server and host with everything they run, whatever they speak. Resolves with the exit status where the server
 * refuses, and then nothing is ended; otherwise with 0.
 */
async function endAll(context: AppContext): Promise<number> {
  const refused = await runRemote(context, ['kill-server', '-y'], { untilGone: true }).catch(() => 0);
  if (refused) return refused;
  const host = await tryConnect(context.paths.hostSocket);
  if (host) await endHost(host);
  return 0;
}

interface Status {
  readonly server_pid: number;
  readonly host_protocol: string | null;
}

async function status(context: AppContext): Promise<Status> {
  let text = '';
  const write = (_: 'out' | 'err', piece: string): void => void (text += piece);
  await runRemote({ ...context, json: 'on' }, ['server-status'], { write });
  return JSON.parse(text) as Status;
}

/** One line from the terminal, asked for on stderr; '' where the person ends the input (C-d) or interrupts instead. */
export function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise(resolve => {
    lines.on('close', () => resolve(''));
    lines.question(question, answer => {
      resolve(answer);
      lines.close();
    });
  });
}
