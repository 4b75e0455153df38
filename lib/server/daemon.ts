/**
 * The server as a process: settings, socket, signals, the way up and the way down.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { homedir, hostname } from 'node:os';
import { systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { formatLogLine, type Logger } from '../base/log.ts';
import type { MuxPaths } from '../config/paths.ts';
import { NodePtyHost } from '../pty/node-pty-host.ts';
import { watchFiles } from '../watch/file-watch.ts';
import { serveConnection } from './connection.ts';
import { listenOnce } from './listen.ts';
import { MuxServer } from './server.ts';
import { Settings } from './settings.ts';

export interface DaemonOptions {
  readonly name: string;
  readonly version: string;
  readonly paths: MuxPaths;
  readonly configFile: string;
  readonly themesDir: string;
  readonly markdownRenderer: string;
  readonly self: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Ids of sessions: 8 hexadecimal digits are unlikely to meet in one person's lifetime, and short to type. */
const ID_BYTES = 4;

/** A server with nothing in it that nobody has talked to for this long ends: what it was started for has failed. */
const EMPTY_END_MS = 5000;

/** What one server writes at most: some ten thousand lines, of which the first tell what went wrong. */
const MAX_LOG_CHARACTERS = 2_000_000;

/** A logger that writes lines to stderr, which is the server's log file. */
function stderrLogger(): Logger {
  let written = 0;
  return {
    log(level, message, fields) {
      if (written > MAX_LOG_CHARACTERS) return;
      const line = formatLogLine(systemClock.now(), level, message, fields) + '\n';
      written += line.length;
      process.stderr.write(
        written > MAX_LOG_CHARACTERS ? 'the log is full: nothing more is written\n' : line,
      );
    },
  };
}

/**
 * Runs a server until it ends. Resolves once it listens, or with 'running' where another one of this name does.
 * Throws CodedError where it cannot start.
 */
export async function runDaemon(options: DaemonOptions): Promise<'listening' | 'running'> {
  const { paths, env } = options;
  const logger = stderrLogger();
  const settings = new Settings({ config: options.configFile, themesDir: options.themesDir });
  const ptyHost = new NodePtyHost(systemClock);
  const listener = await listenOnce(paths.socket);
  if (!listener) {
    ptyHost.dispose();
    return 'running';
  }
  const server = new MuxServer({
    name: options.name,
    version: options.version,
    hostname: hostname(),
    pid: process.pid,
    socket: paths.socket,
    dataDir: paths.data,
    env: { HOME: homedir(), ...env },
    clock: systemClock,
    logger,
    newId: () => randomBytes(ID_BYTES).toString('hex'),
    newConversationId: () => randomUUID(),
    ptyHost,
    settings,
    markdownRenderer: options.markdownRenderer,
    self: options.self,
    ended: () => end(listener, paths.socket, watch),
  });
  const watch = watchFiles(
    settings.watched,
    () => settings.reload(),
    error => logger.log('warn', 'settings are not watched', { error }),
  );
  const instanceId = randomUUID();
  const endIfEmpty = endWhenEmpty(server);
  listener.on('connection', socket => {
    endIfEmpty(socket);
    serveConnection(server, socket, instanceId);
  });
  listener.on('error', error => logger.log('error', 'socket', { error }));
  handleSignals(server, logger);
  logger.log('info', 'listening', { socket: paths.socket, version: options.version });
  return 'listening';
}

/** Follows connections, and ends a server that holds no session some time after the last of them. */
function endWhenEmpty(server: MuxServer): (socket: Socket) => void {
  let open = 0;
  let timer: Disposable | undefined;
  return socket => {
    open++;
    timer?.dispose();
    socket.once('close', () => {
      if (--open > 0 || !server.model.isEmpty) return;
      timer = systemClock.after(EMPTY_END_MS, () => {
        if (open === 0 && server.model.isEmpty) void server.shutdown('[nothing runs]');
      });
    });
  };
}

/** Closes the socket, which is still ours: nobody takes it while it accepts connections. */
function end(listener: Server, socket: string, watch: { dispose(): void }): void {
  watch.dispose();
  listener.close();
  try {
    unlinkSync(socket);
  } catch {
    // ENOENT: closing has removed it.
  }
  // What was sent leaves before the process does.
  setImmediate(() => process.exit(0));
}

function handleSignals(server: MuxServer, logger: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void server.shutdown(`[server ended by ${signal}]`));
  }
  // The terminal it was started from may go; the server stays.
  process.on('SIGHUP', () => undefined);
  process.on('uncaughtException', error => {
    logger.log('error', 'internal error', { error });
    process.exit(70);
  });
  process.on('unhandledRejection', error => {
    logger.log('error', 'internal error', { error });
    process.exit(70);
  });
}
