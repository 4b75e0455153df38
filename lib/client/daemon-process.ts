/**
 * Processes that run in the background with a log: the server, and its PTY host.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { CodedError } from '../base/errors.ts';
import { withoutPane } from '../base/pane-variables.ts';

export interface DaemonCommand {
  /** Its name in messages. */
  readonly what: string;
  /** argv that runs it in the foreground; it prints a line on stdout once it listens. */
  readonly command: readonly string[];
  /** File for what it writes to stderr. */
  readonly log: string;
  /** MUX_HOME, absolute, where it is set. */
  readonly home: string | undefined;
}

/** A connected socket, or undefined where nobody listens. Throws CodedError for any other failure. */
export async function tryConnect(path: string): Promise<Socket | undefined> {
  const socket = createConnection(path);
  return (await isConnected(socket, path)) ? socket : undefined;
}

/** Waits for a socket to be connected; false where nobody listens. Throws CodedError for any other failure. */
export function isConnected(socket: Socket, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(false);
      else
        reject(
          new CodedError('failed', `socket ${path}: ${error.code ?? error.message}`, undefined, {
            cause: error,
          }),
        );
    });
  });
}

/** Logs of earlier ones beyond this are put aside: the last one is what a person looks for. */
const LOG_LIMIT_BYTES = 1024 * 1024;

/** Puts a log that has grown long aside, in place of the one put aside before. */
function makeRoom(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`);
}

/** A daemon that does not listen after this is not coming: 30 s covers a cold disk on a loaded machine. */
const START_DEADLINE_MS = 30_000;

/**
 * Runs it in the background and waits until it listens. False where another start was faster. Throws CodedError with
 * what it wrote last.
 */
export async function startDaemon(daemon: DaemonCommand): Promise<boolean> {
  let log: number;
  try {
    makeRoom(daemon.log);
    log = openSync(daemon.log, 'a', 0o600);
  } catch (error) {
    throw new CodedError(
      'failed',
      `log ${daemon.log}: ${(error as NodeJS.ErrnoException).code}`,
      'make its directory writable, or set MUX_HOME',
      { cause: error },
    );
  }
  const [program = '', ...args] = daemon.command;
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', log],
    // Not ours, which the server would keep from being unmounted and which may be gone already.
    cwd: '/',
    // Nor our pane's: whatever the server starts would speak with its token.
    env: { ...withoutPane(process.env), ...(daemon.home === undefined ? {} : { MUX_HOME: daemon.home }) },
  });
  const stdout = child.stdout!;
  closeSync(log);
  const isOurs = await new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(startFailure(daemon, `it did not listen within ${START_DEADLINE_MS / 1000} s`)),
      START_DEADLINE_MS,
    );
    stdout.once('data', () => {
      clearTimeout(timer);
      resolve(true);
    });
    child.once('error', error => reject(startFailure(daemon, error.message)));
    child.once('exit', code => {
      clearTimeout(timer);
      // Status 0: another start was faster, and what it started listens.
      if (code === 0) resolve(false);
      else reject(startFailure(daemon, lastLine(daemon.log) || `it ended with status ${code}`));
    });
  });
  child.removeAllListeners();
  stdout.destroy();
  child.unref();
  return isOurs;
}

/** The error of one that could not be started, for `why`. */
export function startFailure(daemon: DaemonCommand, why: string): CodedError {
  return new CodedError('failed', `${daemon.what}: could not start: ${why}`, `its log is ${daemon.log}`);
}

/** The last thing it wrote, control characters removed. */
function lastLine(path: string): string {
  try {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const line = lines.findLast(l => l.startsWith('mux: ')) ?? lines.at(-1) ?? '';
    return line
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .replace(/^mux: /, '')
      .slice(0, 300);
  } catch {
    // ENOENT: it did not come to writing a log; the caller then tells the status.
    return '';
  }
}
