/**
 * What every entry of the program needs to know about its surroundings, read once.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { muxPaths, serverName, type MuxPaths } from '../config/paths.ts';
import type { ServerPlace } from '../client/connect.ts';
import { HAND_OVER, PROTOCOL_VERSION, type Handshake } from '../wire/messages.ts';
import { jsonMode, type Invocation } from './argv.ts';
import { startRemedy } from './kept-sessions.ts';

/** The package's own directory: themes, man pages and the launcher are found from it. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Flags of Node for the server. Lines of a flood live until they leave the history, so with the usual young generation
 * (16 MB) most are copied twice and collected late; with 32 MB a flood of clusters costs half the processor time. An
 * idle server does not grow by it.
 */
const SERVER_FLAGS = ['--max-semi-space-size=32'];

export interface AppContext {
  readonly invocation: Invocation;
  /** Settings file, absolute. */
  readonly configFile: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly serverName: string;
  readonly paths: MuxPaths;
  readonly json: 'on' | 'auto' | 'off';
  readonly place: ServerPlace;
  /** Whether we run in a pane of the server meant. */
  readonly isInside: boolean;
}

/**
 * What proves who we are: in a pane the token of its program, elsewhere the person's. A token without a server's name is
 * meant for this one: a wrong one is to be refused, not taken for the person. An agent that has lost its own is
 * not taken for the person either: undefined, and so where there is no file. Read once a server is there, which makes it.
 */
export function callerToken({ env, paths, isInside }: AppContext): string | undefined {
  const isMeant = isInside || (!env.MUX_SERVER && (!env.MUX_SOCKET || env.MUX_SOCKET === paths.socket));
  if (isMeant && env.MUX_TOKEN) return env.MUX_TOKEN;
  // An agent is no person to another server either.
  if (isAgent(env)) return undefined;
  try {
    return readFileSync(paths.personToken, 'utf8').trim();
  } catch {
    // ENOENT, EACCES: the server says what to do about it.
    return undefined;
  }
}

/** Whether this runs in the session of an agent: what is the person's alone is not for it, and it has no token of theirs. */
export function isAgent(env: Readonly<Record<string, string>>): boolean {
  return Boolean(env.MUX_SESSION && env.MUX_AGENT);
}

/** Facts for this run. Throws CodedError for a bad server name. */
export function appContext(invocation: Invocation): AppContext {
  const env = definedEnv(process.env);
  const name = serverName(env, invocation.server || undefined);
  const cwd = currentDirectory(env);
  const machine = { uid: process.getuid?.() ?? 0, cwd };
  const paths = muxPaths({ ...env, HOME: env.HOME || homedir() }, name, machine);
  const configFile = invocation.config ? resolve(cwd, invocation.config) : paths.config;
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const command = [process.execPath, ...SERVER_FLAGS, main, '-L', name];
  if (invocation.config) command.push('--config', configFile);
  const json = jsonMode(invocation.json, env);
  return {
    invocation,
    configFile,
    // What is relative to our directory means nothing to the server and its panes.
    env: paths.home === undefined ? env : { ...env, MUX_HOME: paths.home },
    cwd,
    serverName: name,
    paths,
    json,
    isInside: env.MUX_SERVER === name && (!env.MUX_SOCKET || env.MUX_SOCKET === paths.socket),
    place: {
      name,
      socket: paths.socket,
      ...(json === 'off' ? { onSilence: () => tellSilence(name) } : {}),
      remedy: () => startRemedy(paths.state),
      prepare: async () => (await import('../config/directories.ts')).makeDirectories(paths),
      daemon: {
        what: `server ${name}`,
        log: paths.log,
        command: [...command, 'server', 'run'],
        home: paths.home,
      },
    },
  };
}

function tellSilence(name: string): void {
  const remedy = "'mux server restart --force' puts another in its place, sessions go on";
  process.stderr.write(`mux: server ${name}: no answer yet, still waiting (${remedy})\n`);
}

/** mux's version, as its package says. */
export function muxVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

export function handshake(context: AppContext, size: readonly [number, number]): Handshake {
  const { env, cwd } = context;
  return {
    version: PROTOCOL_VERSION,
    // Unique on this machine, and without node:crypto, which takes 10 ms to load.
    client_id: `${process.pid}-${process.hrtime.bigint()}`,
    size,
    cwd,
    term: env.TERM ?? '',
    colorterm: env.COLORTERM ?? '',
    features: isUtf8(env) ? ['utf8', HAND_OVER] : [HAND_OVER],
  };
}

/** Whether the locale's characters are UTF-8 (POSIX: LC_ALL beats LC_CTYPE beats LANG). */
export function isUtf8(env: Readonly<Record<string, string>>): boolean {
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

function definedEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The working directory; home where it is gone, since mux must still be able to come up. */
function currentDirectory(env: Readonly<Record<string, string>>): string {
  try {
    return process.cwd();
  } catch {
    // ENOENT: somebody removed it. Programs cannot start there, so they start at home.
    return env.HOME || homedir();
  }
}
