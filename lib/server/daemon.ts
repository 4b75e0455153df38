/**
 * The server as a process: settings, socket, signals, the way up and the way down.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { homedir, hostname } from 'node:os';
import { systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { formatLogLine, type Logger } from '../base/log.ts';
import type { MuxPaths } from '../config/paths.ts';
import { startDaemon, startFailure, type DaemonCommand } from '../client/daemon-process.ts';
import { tryConnectQuick } from '../client/quick-socket.ts';
import { systemError } from '../store/atomic.ts';
import { RemotePtyHost } from '../pty/remote-host.ts';
import { watchFiles } from '../watch/file-watch.ts';
import type { ByteStream } from '../wire/peer.ts';
import { serveConnection } from './connection.ts';
import { loginShell } from './programs/launch.ts';
import { openGate } from './gate.ts';
import { listenOnce } from './listen.ts';
import { openState } from './saved/saved-state.ts';
import { MuxServer } from './server.ts';
import { SessionLogs } from './programs/session-logs.ts';
import { Settings } from './settings.ts';
import { Tokens } from './access/tokens.ts';

export interface DaemonOptions {
  readonly name: string;
  readonly version: string;
  readonly paths: MuxPaths;
  readonly configFile: string;
  readonly themesDir: string;
  readonly markdownRenderer: string;
  /** How its PTY host is started. */
  readonly ptyHost: DaemonCommand;
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
  const ptyHost = new RemotePtyHost({
    logger,
    clock: systemClock,
    connect: () => connectHost(paths.hostSocket, options.ptyHost),
  });
  const listening = await listenOnce(paths.socket);
  if (!listening) return 'running';
  const listener = listening.server;
  const { saved, tokens } = await orClose(listener, () => ({
    saved: openState({
      paths,
      version: options.version,
      now: () => systemClock.now(),
      shell: loginShell(env),
    }),
    tokens: openTokens(paths, logger),
  }));
  const running = await orClose(listener, () => ptyHost.open());
  const server = new MuxServer({
    name: options.name,
    version: options.version,
    hostname: hostname(),
    pid: process.pid,
    socket: paths.socket,
    dataDir: paths.data,
    journalDir: join(paths.state, 'events'),
    env: { HOME: homedir(), ...env },
    clock: systemClock,
    logger,
    newId: () => randomBytes(ID_BYTES).toString('hex'),
    newConversationId: () => randomUUID(),
    ptyHost,
    running,
    logs: new SessionLogs(join(paths.data, 'logs')),
    settings,
    tokens,
    saved,
    markdownRenderer: options.markdownRenderer,
    self: options.self,
    ended: () => end([listener, gate], watch),
  });
  const watch = watchFiles(
    settings.watched,
    () => settings.reload(),
    error => logger.log('warn', 'settings are not watched', { error }),
  );
  const instanceId = randomUUID();
  const endIfEmpty = endWhenEmpty(server);
  const serve = (socket: Socket): void => {
    endIfEmpty(socket);
    serveConnection(server, socket, instanceId);
  };
  const gate = openGate(paths.socket, serve, error => logger.log('error', 'socket for sandboxes', { error }));
  listening.serve(serve);
  listener.on('error', error => logger.log('error', 'socket', { error }));
  handleSignals(server, logger);
  logger.log('info', 'listening', { socket: paths.socket, version: options.version });
  return 'listening';
}

/** A connection to the PTY host, which is started where none runs. Throws CodedError. */
async function connectHost(socket: string, daemon: DaemonCommand): Promise<ByteStream> {
  const running = await tryConnectQuick(socket);
  if (running) return running;
  await startDaemon(daemon);
  const started = await tryConnectQuick(socket);
  if (started) return started;
  throw startFailure(daemon, 'it ended right after starting');
}

/** What `make` gives. Where it fails nobody may find the socket: they would wait for a server in vain. */
async function orClose<T>(listener: Server, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    listener.close();
    throw error;
  }
}

/** Throws CodedError where the person's token cannot be kept: nobody could speak to such a server. */
function openTokens({ data, personToken }: MuxPaths, logger: Logger): Tokens {
  try {
    return new Tokens({ folder: join(data, 'tokens'), person: personToken, logger });
  } catch (error) {
    throw systemError(personToken, error);
  }
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

/**
 * Closes the socket, which is still ours: nobody takes it while it accepts connections. Closing removes its file (uv_close);
 * once more by its name could remove that of the next server.
 */
function end(listeners: readonly Server[], watch: { dispose(): void }): void {
  watch.dispose();
  for (const listener of listeners) listener.close();
  // What was sent leaves before the process does.
  setImmediate(() => process.exit(0));
}

function handleSignals(server: MuxServer, logger: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const message = `[server ended by ${signal}: its sessions go on, 'mux' brings them back]`;
    process.on(signal, () => void server.handOver(message, false));
  }
  // The terminal it was started from may go; the server stays.
  process.on('SIGHUP', () => undefined);
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => {
      logger.log('error', 'internal error', { error });
      server.persistence.saveNow();
      process.exit(70);
    });
  }
}
