/**
 * What runs in the foreground of a terminal, as the system tells (proc(5)).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Field of /proc/PID/stat behind the name: the terminal's process group in the foreground (tpgid). */
const TPGID = 5;

/** The process group that reads what is typed into the terminal of `pid`; undefined where the system does not tell. */
export function foregroundGroup(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[TPGID]);
  return group > 0 ? group : undefined;
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
