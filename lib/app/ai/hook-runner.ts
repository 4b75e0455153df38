/**
 * Runs hooks: a shell in a session of its own, JSON in and out, ended with all that it has started when it takes too long or
 * nobody waits for it any more.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  ANSWER_MAX,
  answerOf,
  type Hook,
  type HookAnswer,
  type HookInput,
  type HookPort,
} from '../../agent/hooks.ts';
import type { Clock } from '../../base/clock.ts';
import { formatDuration } from '../../base/duration.ts';
import { systemReason } from '../../base/system-reasons.ts';

/** Between asking a group to end and ending it, ms: long enough to remove a lock. */
const GRACE_MS = 1000;
/** After the shell has ended, how long its pipes are read on, ms: what it left running may hold them open for ever. */
const DRAIN_MS = 200;

export interface HookRunnerOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** Hooks as programs. */
export class HookRunner implements HookPort {
  readonly #options: HookRunnerOptions;

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  async run(hook: Hook, input: HookInput, signal: AbortSignal): Promise<HookAnswer> {
    if (signal.aborted) return { kind: 'passed' };
    const { env, clock } = this.#options;
    const tool = typeof input['tool'] === 'string' ? { MUX_HOOK_TOOL: input['tool'] } : {};
    let child: ChildProcess;
    try {
      child = spawn('/bin/sh', ['-c', hook.command], {
        cwd: hook.cwd,
        env: { ...env, MUX_HOOK_EVENT: hook.event, ...tool },
        stdio: ['pipe', 'pipe', 'pipe'],
        // A session of its own: no terminal to ask on, and one group to end.
        detached: true,
      });
    } catch (error) {
      // A NUL in the command or a variable.
      return { kind: 'broken', why: systemReason(error) };
    }
    return new HookRun(child, clock, hook).answer(`${JSON.stringify(input)}\n`, signal);
  }
}

/** One run of a hook. */
class HookRun {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #hook: Hook;
  readonly #out: Buffer[] = [];
  readonly #err: Buffer[] = [];
  #size = 0;
  /** Why it was ended, if it was. */
  #verdict: HookAnswer | undefined;

  constructor(child: ChildProcess, clock: Clock, hook: Hook) {
    this.#child = child;
    this.#clock = clock;
    this.#hook = hook;
    child.stdout?.on('data', (bytes: Buffer) => this.#keep(this.#out, bytes));
    child.stderr?.on('data', (bytes: Buffer) => this.#keep(this.#err, bytes));
  }

  async answer(input: string, signal: AbortSignal): Promise<HookAnswer> {
    const { timeoutMs } = this.#hook;
    const late = this.#clock.after(timeoutMs, () =>
      this.#end({ kind: 'broken', why: `no answer after ${formatDuration(timeoutMs)}` }),
    );
    const cancel = (): void => this.#end({ kind: 'passed' });
    signal.addEventListener('abort', cancel, { once: true });
    // EPIPE: it did not want to know.
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stdin?.end(input);
    try {
      const status = await this.#ended();
      if (typeof status === 'string') return { kind: 'broken', why: status };
      return this.#verdict ?? answerOf({ status, out: textOf(this.#out), err: textOf(this.#err) });
    } finally {
      late.dispose();
      signal.removeEventListener('abort', cancel);
      // What it has left running in its group: a hook is over when it has answered.
      this.#signal('SIGKILL');
    }
  }

  #keep(pieces: Buffer[], bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size <= ANSWER_MAX) pieces.push(bytes);
    else this.#end({ kind: 'broken', why: `it says more than ${ANSWER_MAX / 1024} KiB` });
  }

  /** Its exit status, with all that it has said; a text: why it was not started. */
  #ended(): Promise<number | string> {
    const child = this.#child;
    return new Promise(resolve => {
      child.once('error', error => resolve(systemReason(error)));
      child.once('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
      child.once('exit', (code, signal) => {
        const drained = this.#clock.after(DRAIN_MS, () => {
          child.stdout?.destroy();
          child.stderr?.destroy();
          resolve(code ?? (signal === null ? 1 : 128));
        });
        child.once('close', () => drained.dispose());
      });
    });
  }

  #end(verdict: HookAnswer): void {
    if (this.#verdict) return;
    this.#verdict = verdict;
    this.#signal('SIGTERM');
    const killer = this.#clock.after(GRACE_MS, () => this.#signal('SIGKILL'));
    this.#child.once('close', () => killer.dispose());
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // ESRCH: the whole group has ended.
    }
  }
}

function textOf(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString('utf8');
}
