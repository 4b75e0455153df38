/**
 * Where mux keeps its files, by the XDG Base Directory Specification 0.8: an empty or relative variable counts as
 * unset. MUX_HOME puts everything under one folder instead.
 */
import { isAbsolute, join, resolve } from 'node:path';
import { CodedError } from '../base/errors.ts';

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What of the machine the places depend on beside the environment. */
export interface Machine {
  /** Numeric user id: keeps the short socket folders of several people apart. */
  readonly uid: number;
  /** What a relative MUX_HOME is relative to. */
  readonly cwd: string;
}

/** Absolute paths of one server's files. Directories are without a trailing slash. */
export interface MuxPaths {
  /** MUX_HOME, absolute, or undefined when the XDG folders are used. */
  readonly home: string | undefined;
  /** config.yaml: shared by all servers. */
  readonly config: string;
  /** Documents, databases, output logs of sessions. */
  readonly data: string;
  /** state.json, logs. */
  readonly state: string;
  /** The folder of the sockets: 0700, shared by all servers. */
  readonly run: string;
  /** The server's socket, at most SOCKET_PATH_MAX bytes. */
  readonly socket: string;
  /** The PTY host's socket, at most SOCKET_PATH_MAX bytes. */
  readonly hostSocket: string;
  /** What the person proves with that it is them: made by the server, readable by its owner alone. */
  readonly personToken: string;
  /** The server's diagnostics. */
  readonly log: string;
  /** The PTY host's diagnostics. */
  readonly hostLog: string;
}

/** `sun_path` holds 108 bytes on Linux including the closing NUL (unix(7)). */
const SOCKET_PATH_MAX = 107;

/** Long enough for any name a person types, short enough for a file name with a suffix. */
const SERVER_NAME_MAX = 64;

/** The name, if it may name a server: it becomes part of file names. @throws CodedError `usage` */
export function checkServerName(name: string): string {
  const fail = (why: string): CodedError =>
    new CodedError(
      'usage',
      `server name: ${why}`,
      `use letters, digits, '.', '_' and '-', at most ${SERVER_NAME_MAX}`,
    );
  if (name === '') throw fail('it is empty');
  if (name.length > SERVER_NAME_MAX) throw fail(`longer than ${SERVER_NAME_MAX} characters`);
  if (!/^[A-Za-z0-9._-]+$/.test(name))
    throw fail(`${JSON.stringify(name)} holds a character that is not allowed`);
  if (name === '.' || name === '..') throw fail(`'${name}' is a folder`);
  return name;
}

/** The name of the server meant: the flag, else $MUX_SERVER, else 'default'. @throws CodedError `usage` */
export function serverName(env: Env, flag: string | undefined): string {
  return checkServerName(flag ?? (env['MUX_SERVER'] || 'default'));
}

/**
 * The places of server `server` for the environment `env`; makes and reads nothing.
 * @throws CodedError `usage` for a wrong server name, `failed` when neither MUX_HOME nor HOME is set
 */
export function muxPaths(env: Env, server: string, machine: Machine = thisMachine()): MuxPaths {
  checkServerName(server);
  const home = env['MUX_HOME'] ? resolve(machine.cwd, env['MUX_HOME']) : undefined;
  const roots = home === undefined ? xdgRoots(env) : homeRoots(home);
  const state = join(roots.state, server);
  return {
    home,
    config: join(roots.config, 'config.yaml'),
    data: join(roots.data, server),
    state,
    ...sockets(env, roots.run, server, machine),
    personToken: join(state, 'person.token'),
    log: join(state, 'server.log'),
    hostLog: join(state, 'host.log'),
  };
}

interface Roots {
  readonly config: string;
  readonly data: string;
  readonly state: string;
  readonly run: string;
}

function homeRoots(home: string): Roots {
  return { config: home, data: join(home, 'data'), state: join(home, 'state'), run: join(home, 'run') };
}

function xdgRoots(env: Env): Roots {
  const folder = (name: string, fallback: string): string => {
    const value = env[name];
    return join(value && isAbsolute(value) ? value : join(homeOf(env), fallback), 'mux');
  };
  const state = folder('XDG_STATE_HOME', '.local/state');
  const runtime = env['XDG_RUNTIME_DIR'];
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    data: folder('XDG_DATA_HOME', '.local/share'),
    state,
    run: runtime && isAbsolute(runtime) ? join(runtime, 'mux') : join(state, 'run'),
  };
}

function homeOf(env: Env): string {
  const home = env['HOME'];
  if (home && isAbsolute(home)) return home;
  throw new CodedError('failed', 'HOME: not set, so there is no place for files', 'set HOME or MUX_HOME');
}

/** The suffixes differ, so no server's name can make its one socket another server's other. */
function sockets(
  env: Env,
  run: string,
  server: string,
  machine: Machine,
): Pick<MuxPaths, 'run' | 'socket' | 'hostSocket'> {
  const at = (folder: string, name: string): Pick<MuxPaths, 'run' | 'socket' | 'hostSocket'> => ({
    run: folder,
    socket: join(folder, `${name}.sock`),
    hostSocket: join(folder, `${name}.host`),
  });
  const fits = (path: string): boolean => Buffer.byteLength(path) <= SOCKET_PATH_MAX;
  const wanted = at(run, server);
  if (fits(wanted.socket) && fits(wanted.hostSocket)) return wanted;
  // 64 bits of the place meant: two homes that both are too deep do not meet, and the same one is found again.
  // Loaded here only: it takes 10 ms, which every attaching client would pay.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(wanted.socket).digest('hex').slice(0, 16);
  const temp = env['TMPDIR'] && isAbsolute(env['TMPDIR']) ? env['TMPDIR'] : '/tmp';
  const short = at(join(temp, `mux-${machine.uid}`), hash);
  return fits(short.socket) ? short : at(`/tmp/mux-${machine.uid}`, hash);
}

function thisMachine(): Machine {
  return { uid: process.getuid?.() ?? 0, cwd: process.cwd() };
}
