/** Processes as one number: their pid and when they began, so that another one that got the same pid is told apart. */
import { startTime } from '../../pty/foreground.ts';

/** Pids are below 2^22 (proc(5), pid_max). */
const PID_SPAN = 2 ** 22;
/** What is left of a number that JavaScript counts exactly: ticks of a hundredth second, which repeat after 124 days. */
const START_SPAN = 2 ** 30;

/** The start is 0 where the system does not tell it. */
export function processMark(pid: number): number {
  return ((startTime(pid) ?? 0) % START_SPAN) * PID_SPAN + pid;
}

export function pidOf(mark: number): number {
  return mark % PID_SPAN;
}

/** Whether the process of that mark is there, ours or not (kill(2): EPERM means it is). */
export function isRunning(mark: number): boolean {
  const pid = pidOf(mark);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const [then, now] = [mark, processMark(pid)].map(one => Math.floor(one / PID_SPAN));
  return then === 0 || now === 0 || then === now;
}
