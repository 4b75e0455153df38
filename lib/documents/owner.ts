/**
 * Processes by number and time of their start, so that another one that got the same number is told apart.
 */
import { readFileSync } from 'node:fs';

/** The start time's field of /proc/PID/stat behind the name (proc(5)). */
const START_TIME = 19;

/** `PID.START`; the start is 0 where the system does not tell it. */
export function ownerOf(pid: number): string {
  return `${pid}.${startTime(pid)}`;
}

/** Whether the process that `owner` names is still there. One that cannot be asked is. */
export function isAlive(owner: string): boolean {
  const [pid = 0, start = 0] = owner.split('.').map(Number);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is another person's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startTime(pid);
  return start === 0 || now === 0 || now === start;
}

function startTime(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME]) || 0;
  } catch {
    // No /proc, or it just ended.
    return 0;
  }
}
