/**
 * Commands that run in the background of a conversation, and what they have printed.
 */
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { UnreadOutput } from './kept-output.ts';
import { ShellProcess, type Ended, type ShellOptions } from './process.ts';

/** Jobs at the same time: each has processes of its own. */
const RUNNING_MAX = 16;
/** Jobs that have ended and can still be read. */
const ENDED_MAX = 32;
/** Bytes of output that wait to be read, for each: as much as an answer holds. */
const UNREAD_MAX = 60 * 1024;

/** A job as it is now. */
export interface JobState {
  readonly id: string;
  readonly command: string;
  /** Absent: it runs. */
  readonly ended?: Ended;
  /** What it has printed since the last time it was read. */
  readonly output: string;
}

interface Job {
  readonly id: string;
  readonly command: string;
  readonly unread: UnreadOutput;
  readonly process: ShellProcess;
  ended?: Ended;
}

/** The jobs of one conversation. */
export class Jobs {
  readonly #clock: Clock;
  readonly #jobs = new Map<string, Job>();
  #next = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts one and gives its id. Throws CodedError where it cannot be, or too many run. */
  async start(options: Omit<ShellOptions, 'output' | 'clock'>): Promise<string> {
    const running = [...this.#jobs.values()].filter(job => !job.ended);
    if (running.length >= RUNNING_MAX)
      throw new CodedError('failed', `exec_shell: ${RUNNING_MAX} jobs are running`, 'end one with stop_job');
    const unread = new UnreadOutput(UNREAD_MAX);
    const process = await ShellProcess.start({
      ...options,
      clock: this.#clock,
      output: bytes => unread.push(bytes),
    });
    const job: Job = { id: `job-${this.#next++}`, command: options.command, unread, process };
    this.#jobs.set(job.id, job);
    void process.ended.then(ended => void (job.ended = ended));
    this.#forget();
    return job.id;
  }

  /** Reads a job, first waiting at most `waitMs` for its end. Throws CodedError `not_found`. */
  async read(id: string, waitMs: number, signal: AbortSignal): Promise<JobState> {
    const job = this.#need(id);
    if (!job.ended && waitMs > 0) await this.#endOr(job, waitMs, signal);
    return this.#state(job);
  }

  /** Ends a job with all it has started. Throws CodedError `not_found`. */
  async stop(id: string): Promise<JobState> {
    const job = this.#need(id);
    job.process.stop('stopped');
    job.ended = await job.process.ended;
    return this.#state(job);
  }

  /** All of them, without their output. */
  list(): readonly Omit<JobState, 'output'>[] {
    return [...this.#jobs.values()].map(({ id, command, ended }) => ({
      id,
      command,
      ...(ended ? { ended } : {}),
    }));
  }

  /** Ends all that run: the conversation is over. */
  async dispose(): Promise<void> {
    const running = [...this.#jobs.values()].filter(job => !job.ended);
    for (const { process } of running) process.stop('stopped');
    await Promise.all(running.map(job => job.process.ended));
  }

  #need(id: string): Job {
    const job = this.#jobs.get(id);
    if (job) return job;
    const known = [...this.#jobs.keys()].join(', ');
    throw new CodedError(
      'not_found',
      `no job ${id.slice(0, 40)}`,
      known ? `there are ${known}` : 'none was started',
    );
  }

  #state(job: Job): JobState {
    const { id, command, ended } = job;
    return { id, command, ...(ended ? { ended } : {}), output: job.unread.take() };
  }

  async #endOr(job: Job, waitMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    let release = (): void => undefined;
    const released = new Promise<void>(resolve => (release = resolve));
    const late = this.#clock.after(waitMs, release);
    signal.addEventListener('abort', release);
    await Promise.race([job.process.ended, released]);
    late.dispose();
    signal.removeEventListener('abort', release);
  }

  #forget(): void {
    const ended = [...this.#jobs.values()].filter(job => job.ended);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_MAX))) this.#jobs.delete(id);
  }
}
