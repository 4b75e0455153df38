/**
 * Gives text to a program on its standard input. Programs that hang are ended: nothing waits for them, but they must
 * not pile up either.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { CodedError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Environment } from './tool.ts';

export interface FeedOptions {
  readonly argv: readonly string[];
  readonly data: Uint8Array;
  readonly env: Environment;
  readonly clock: Clock;
  /** The program is ended after this many milliseconds. */
  readonly limitMs: number;
}

/**
 * Resolves once the program has ended well.
 * @throws CodedError `not_found` where it cannot be started, `failed` where it ends badly, `timeout` where it hangs
 */
export function feed(options: FeedOptions): Promise<void> {
  const { argv, data, env, clock, limitMs } = options;
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it starts ends with it. Its output goes nowhere: a tool that stays behind to
    // serve the selection would hold a pipe open.
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], env, detached: true });
    const timer = clock.after(limitMs, () => {
      endGroup(child);
      reject(
        new CodedError('timeout', `${program}: it hangs, and was ended after ${limitMs / 1000} seconds`),
      );
    });
    child.on('error', error => {
      timer.dispose();
      reject(
        new CodedError('not_found', `${program}: it cannot be run: ${(error as NodeJS.ErrnoException).code}`),
      );
    });
    child.on('exit', (code, signal) => {
      timer.dispose();
      if (code === 0) resolve();
      else reject(new CodedError('failed', `${program}: it ended with ${signal ?? `status ${code}`}`));
    });
    // EPIPE: it ended without reading all, which its status tells.
    child.stdin.on('error', () => undefined);
    child.stdin.end(data);
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: it has just ended.
  }
}
