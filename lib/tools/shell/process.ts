/**
 * A command line in a bash of its own: a session without a terminal, one pipe for both outputs, and nothing left of it at
 * its end.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import { groupRuns, signalGroup } from './group.ts';

/** Between asking programs to end and ending them, ms: enough for a test runner to clean up. */
const GRACE_MS = 2000;
/**
 * After the shell has ended, how long its pipe is read on, ms: programs that it left running hold the pipe open, and may
 * do so for ever.
 */
const DRAIN_MS = 300;
/** Between two looks whether programs have ended, ms. */
const LOOK_MS = 20;

/** How a command ended. */
export interface Ended {
  /** As shells count: 128 and more for signals. */
  readonly status: number;
  /** `SIGKILL`; '' where it ended by itself. */
  readonly signal: string;
  /** Why it was ended, if it was. */
  readonly cause?: 'timeout' | 'cancelled' | 'stopped';
  /** Programs that it started were running on, and were ended. */
  readonly leftSome: boolean;
}

/** What to run. */
export interface ShellOptions {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Takes what is printed. */
  readonly output: (bytes: Buffer) => void;
}

/**
 * Variables by which a shell that asks nobody runs other code first, or gives names another meaning: what was looked at must
 * be what runs (bash(1), BASH_ENV and exported functions).
 */
const DROPPED = /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|BASH_FUNC_.*|CDPATH|GLOBIGNORE)$/;
/** Programs that ask would wait for ever. */
const QUIET: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  TERM: 'dumb',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** The environment that commands get. */
export function shellEnvironment(env: ShellOptions['env']): Record<string, string> {
  const kept = Object.entries({ ...env, ...QUIET }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !DROPPED.test(entry[0]),
  );
  return Object.fromEntries(kept);
}

/** A running command. */
export class ShellProcess {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  #cause: Ended['cause'];

  private constructor(child: ChildProcess, { clock, output }: ShellOptions) {
    this.#child = child;
    this.#clock = clock;
    child.stdout?.on('data', output);
    this.ended = this.#end();
  }

  /** Starts it. Throws CodedError where it cannot be. */
  static async start(options: ShellOptions): Promise<ShellProcess> {
    // The outer shell only joins both outputs, so that their order is kept, and becomes bash.
    const join = 'exec bash --noprofile --norc -c "$1" 2>&1';
    const child = spawn('/bin/sh', ['-c', join, 'sh', options.command], {
      cwd: options.cwd,
      env: shellEnvironment(options.env),
      stdio: ['ignore', 'pipe', 'ignore'],
      // A session and a group of its own: no terminal to ask on, and one group to end.
      detached: true,
    });
    const process = new ShellProcess(child, options);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', error => reject(startError(options, error)));
    });
    return process;
  }

  /** Asks all of its programs to end, and ends them if they do not. */
  stop(cause: NonNullable<Ended['cause']>): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#signal('SIGTERM');
    const killer = this.#clock.after(GRACE_MS, () => this.#signal('SIGKILL'));
    void this.ended.then(
      () => killer.dispose(),
      () => killer.dispose(),
    );
  }

  async #end(): Promise<Ended> {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(resolve => {
      this.#child.once('exit', (...how) => resolve(how));
      // It was never started; `start` tells.
      this.#child.once('error', () => resolve([127, null]));
    });
    const isDrained = await this.#drained();
    const leftSome = this.#runs();
    if (leftSome) await this.#endRest();
    if (!isDrained) await this.#drained();
    this.#child.stdout?.destroy();
    return {
      status: code ?? 128 + (SIGNALS[signal ?? ''] ?? 0),
      signal: signal ?? '',
      ...(this.#cause ? { cause: this.#cause } : {}),
      leftSome: leftSome && !this.#cause,
    };
  }

  /** Whether all that was printed has come: the pipe is closed once nobody holds it. */
  async #drained(): Promise<boolean> {
    const { stdout } = this.#child;
    if (!stdout || stdout.closed) return true;
    const late = new AbortController();
    const closed = new Promise<boolean>(resolve => stdout.once('close', () => resolve(true)));
    // A timer that keeps this process running: there may be nothing else that does.
    const waited = sleep(DRAIN_MS, false, { signal: late.signal }).catch(() => false);
    try {
      return await Promise.race([closed, waited]);
    } finally {
      late.abort();
    }
  }

  /** What was left is asked, given time, and ended. */
  async #endRest(): Promise<void> {
    this.#signal('SIGTERM');
    for (let waited = 0; waited < GRACE_MS && this.#runs(); waited += LOOK_MS) await sleep(LOOK_MS);
    this.#signal('SIGKILL');
  }

  #signal(signal: NodeJS.Signals): boolean {
    const { pid } = this.#child;
    return pid !== undefined && signalGroup(pid, signal);
  }

  #runs(): boolean {
    const { pid } = this.#child;
    return pid !== undefined && groupRuns(pid);
  }
}

/** Numbers of the signals that end programs most (signal(7)); the status of a shell is 128 and the number. */
const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGSYS: 31,
};

function startError({ cwd }: ShellOptions, error: unknown): CodedError {
  return new CodedError('failed', `exec_shell: in ${visible(cwd)}: ${systemReason(error)}`, undefined, {
    cause: error,
  });
}
