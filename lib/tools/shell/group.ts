/**
 * Process groups: whether anybody in one still runs.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Sends a signal to a group; false where there is nobody in it. 0 only asks. */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-id, signal);
  } catch {
    // ESRCH: all have ended.
    return false;
  }
}

/**
 * Whether somebody in the group runs. A signal reaches those too that have ended and that nobody has taken notice of, which
 * in containers may be for ever; so where there is /proc it is asked (proc(5), stat).
 */
export function groupRuns(id: number): boolean {
  if (!signalGroup(id, 0)) return false;
  let pids: readonly string[];
  try {
    pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    // There is no /proc: the signal has the word.
    return true;
  }
  return pids.length === 0 || pids.some(pid => isRunningIn(pid, id));
}

function isRunningIn(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which is in parentheses and may hold any: state, parent, group.
    const [state, , id] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(id) === group && state !== 'Z' && state !== 'X';
  } catch {
    // ENOENT: it has just ended.
    return false;
  }
}
