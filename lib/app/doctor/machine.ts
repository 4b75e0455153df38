/**
 * What mux needs of the machine.
 */
import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { agentsOnPath } from '../../config/agent-arguments.ts';
import type { Agent } from '../../config/agents.ts';
import { NodePtyHost } from '../../pty/node-pty-host.ts';
import { systemClock } from '../../base/clock.ts';
import { toCoded } from '../../base/errors.ts';
import { isUtf8 } from '../context.ts';
import { fine, wrong, type Check } from './check.ts';

/** As package.json says; older ones lack what is used. */
const NODE_NEEDED = [20, 19] as const;
/** `--path-format` and porcelain worktree lists came with it. */
const GIT_NEEDED = [2, 31] as const;
/** A program on a pty, and git, answer within some ms; a cold disk takes longer. */
const PROGRAM_MS = 5000;
/** Logs of a few busy sessions fill this in a day. */
const DISK_FREE_MIN = 1024 ** 3;

type Env = Readonly<Record<string, string>>;

export async function machineChecks(
  env: Env,
  folders: readonly string[],
  agents: Readonly<Record<string, Agent>>,
): Promise<Check[]> {
  return [
    nodeCheck(),
    await ptyCheck(),
    await gitCheck(env),
    ...diskChecks(folders),
    terminalCheck(env),
    agentsCheck(agents, env),
  ];
}

function nodeCheck(): Check {
  const detail = `Node ${process.versions.node} (${process.execPath})`;
  return isAtLeast(process.versions.node, NODE_NEEDED)
    ? fine('node', detail)
    : wrong('node', detail, `install Node ${NODE_NEEDED.join('.')} or newer`);
}

/** Starts a program on a pty and waits for its end: that the native part loads is not enough. */
async function ptyCheck(): Promise<Check> {
  const name = 'node-pty';
  try {
    const host = new NodePtyHost(systemClock);
    const env = { PATH: '/usr/bin:/bin' };
    const program = host.spawn({
      argv: ['/bin/sh', '-c', 'exit 7'],
      cwd: '/',
      env,
      size: { cols: 80, rows: 24 },
    });
    program.onData(() => undefined);
    const code = await new Promise<number | undefined>(resolve => {
      const late = setTimeout(() => resolve(undefined), PROGRAM_MS);
      program.onExit(exit => {
        clearTimeout(late);
        resolve(exit.code);
      });
    });
    host.dispose();
    return code === 7
      ? fine(name, 'programs run on pseudo-terminals')
      : wrong(name, 'a program on a pseudo-terminal did not end', "run 'npm rebuild node-pty'");
  } catch (error) {
    const { message, hint } = toCoded(error);
    return wrong(name, message, hint ?? "run 'npm rebuild node-pty'");
  }
}

async function gitCheck(env: Env): Promise<Check> {
  const text = await new Promise<string>(resolve => {
    execFile('git', ['--version'], { env, timeout: PROGRAM_MS }, (error, stdout) =>
      resolve(error ? '' : stdout.trim()),
    );
  });
  const version = /\d+\.\d+[\d.]*/.exec(text)?.[0] ?? '';
  const remedy = `install git ${GIT_NEEDED.join('.')} or newer`;
  if (version === '') return wrong('git', 'not found: there are no worktrees and no branches', remedy);
  return isAtLeast(version, GIT_NEEDED) ? fine('git', text) : wrong('git', text, remedy);
}

function diskChecks(folders: readonly string[]): Check[] {
  const seen = new Set<number>();
  return folders.flatMap(folder => {
    const free = freeBytes(folder);
    if (free === undefined || seen.has(free)) return [];
    seen.add(free);
    const detail = `${megabytes(free)} free for ${folder}`;
    return free >= DISK_FREE_MIN
      ? [fine('disk', detail)]
      : [wrong('disk', detail, "free some space; 'mux gc' lists what mux has left behind")];
  });
}

/** Of the file system that holds the folder, or will. */
function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // ENOENT: it is made by the first server.
    return dirname(folder) === folder ? undefined : freeBytes(dirname(folder));
  }
}

function terminalCheck(env: Env): Check {
  if (!process.stdout.isTTY && !process.stdin.isTTY) return fine('terminal', 'this is none');
  const { TERM = '', COLORTERM = '' } = env;
  const colors = /truecolor|24bit/.test(COLORTERM) ? '24-bit' : /256color/.test(TERM) ? '256' : '16';
  const detail = `TERM=${TERM}, ${colors} colours, ${isUtf8(env) ? 'UTF-8' : 'no UTF-8'}`;
  if (TERM === '' || TERM === 'dumb')
    return wrong('terminal', detail, 'set TERM to what your terminal is, e.g. xterm-256color');
  return isUtf8(env)
    ? fine('terminal', detail)
    : wrong('terminal', detail, 'set LANG to a UTF-8 locale, e.g. C.UTF-8: lines and symbols are ASCII now');
}

function agentsCheck(agents: Readonly<Record<string, Agent>>, env: Env): Check {
  const found = agentsOnPath(agents, env).filter(
    name => agents[name]!.ai && agents[name]!.command !== '{mux}',
  );
  return fine('agents', found.length > 0 ? `on PATH: ${found.join(', ')}` : 'none on PATH: shells only');
}

/** `1.2 GiB`. */
export function megabytes(bytes: number): string {
  const [value, unit] = bytes >= 1024 ** 3 ? [bytes / 1024 ** 3, 'GiB'] : [bytes / 1024 ** 2, 'MiB'];
  return `${value.toFixed(1)} ${unit}`;
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
