/**
 * What runs in the foreground of a terminal, as the system tells (proc(5)).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Fields of /proc/PID/stat behind the name: the terminal's process group in the foreground (tpgid), and the start. */
const TPGID = 5;
const START_TIME = 19;

/** The process group that reads what is typed into the terminal of `pid`; undefined where the system does not tell. */
export function foregroundGroup(pid: number): number | undefined {
  const group = statField(pid, TPGID);
  return group !== undefined && group > 0 ? group : undefined;
}

/** When a process was started, in ticks since the machine was; undefined where the system does not tell. */
export function startTime(pid: number): number | undefined {
  return statField(pid, START_TIME);
}

function statField(pid: number, field: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const text = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field];
  return text === undefined ? undefined : Number(text);
}

/** Name of the program in the foreground of the terminal of `pid`, '' where the system does not tell. */
export function foregroundProgram(pid: number): string {
  const group = foregroundGroup(pid);
  if (group === undefined) return '';
  const [program = ''] = read(`/proc/${group}/cmdline`).split('\0');
  return basename(program);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No /proc, or it just ended.
    return '';
  }
}
