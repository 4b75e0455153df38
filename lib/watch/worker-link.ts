/**
 * The near end of the graph's thread: starts it, restarts it when it dies or hangs, and gives every call a deadline.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { CodedError, ERRORS } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { Disposable } from '../base/event.ts';
import type { Answers, Call, FromWorker, ToWorker, WorkerSettings } from './protocol.ts';

/**
 * How long a call may run once begun, ms: then the thread is taken to hang. A search ends itself before. The first
 * preview loads what colours code, which takes a busy machine more than a second; a role is read from the disk
 * with the whole of its graph.
 */
const RUN_MS: Readonly<Record<Call['kind'], number>> = {
  search: 1000,
  preview: 5000,
  markdown: 5000,
  backlinks: 5000,
  links: 5000,
  // Git has its own time, which ends before.
  ages: 20_000,
  history: 20_000,
  change: 20_000,
  role: 20_000,
};
/** What to do about a call that has begun and not ended. */
const REMEDY: Readonly<Record<Call['kind'], string>> = {
  search: 'try a simpler pattern',
  preview: 'try again',
  markdown: 'try again',
  backlinks: 'try again',
  links: 'try again',
  ages: 'try again',
  history: 'try again',
  change: 'try again',
  role: 'try again',
};
/** How long a call may wait to begin, ms: the first scan of a large tree comes first. */
const WAIT_MS = 15_000;
/** Calls waiting at most: a person types one after the other; more is a caller gone wrong. */
const MAX_CALLS = 64;
/** The thread is asked for a sign of life this often, and must give one within HANG_MS. */
const PING_MS = 5000;
const HANG_MS = 20_000;
/** Failures within this time that end restarting. Deadlines of calls are not among them: a person makes those. */
const FAILURE_WINDOW_MS = 60_000;
const MAX_FAILURES = 4;
/** Pause before the n-th restart, ms. */
const RESTART_MS = [50, 250, 1000, 4000] as const;
/** Memory the thread may use, MiB: many times what 10,000 artifacts take. */
const MAX_HEAP_MIB = 512;
/** Of that, what is new. Left to itself V8 takes 48 MiB for it, which a thread that reads now and then keeps for nothing. */
const MAX_YOUNG_MIB = 12;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: CodedError) => void;
  readonly kind: Call['kind'];
  timer: Disposable;
}

/** What the thread says unasked. */
export type News = FromWorker & { readonly type: 'root' | 'graph' | 'closed' };

/** What the owner of the link is told. */
export interface LinkEvents {
  message(message: News): void;
  /** A thread is there that knows nothing yet. */
  started(): void;
  /** The thread is gone. `final`: it is not started again until `revive`. */
  stopped(reason: string, final: boolean): void;
}

/** The thread, and the calls that wait for it. The thread alone does not keep the process alive; waiting calls do. */
export class WorkerLink implements Disposable {
  readonly #clock: Clock;
  readonly #settings: WorkerSettings;
  readonly #events: LinkEvents;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 1;
  #failures: number[] = [];
  #lastSign = 0;
  #restart: Disposable | undefined;
  #holds = 0;
  readonly #pinger: Disposable;
  #disposed = false;

  constructor(clock: Clock, settings: WorkerSettings, events: LinkEvents) {
    this.#clock = clock;
    this.#settings = settings;
    this.#events = events;
    this.#pinger = clock.every(PING_MS, () => this.#ping());
  }

  /** Whether a thread runs. */
  get running(): boolean {
    return this.#worker !== undefined;
  }

  /** Starts the thread if none runs, without the pause of a restart; after a final stop too. */
  revive(): void {
    if (this.#disposed || this.#worker) return;
    this.#restart?.dispose();
    this.#start();
  }

  /** Sends without an answer. */
  send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  /**
   * Asks, and waits for the answer.
   *
   * @throws CodedError timeout if it does not come in time, and whatever the far end refuses with
   */
  call<K extends Call['kind']>(root: string, call: Call & { kind: K }): Promise<Answers[K]> {
    this.revive();
    if (!this.#worker)
      return Promise.reject(new CodedError('failed', `${call.kind}: the graph's thread is not running`));
    if (this.#waiting.size >= MAX_CALLS)
      return Promise.reject(new CodedError('failed', `${call.kind}: ${MAX_CALLS} calls are waiting already`));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(WAIT_MS, () => this.#expire(id, false));
      this.#waiting.set(id, {
        resolve: value => resolve(value as Answers[K]),
        reject,
        kind: call.kind,
        timer,
      });
      this.#hold();
      this.send({ type: 'call', id, root, call });
    });
  }

  /** Keeps the process alive while `promise` is waited for. */
  async holdFor<T>(promise: Promise<T>): Promise<T> {
    this.#holds++;
    this.#hold();
    try {
      return await promise;
    } finally {
      this.#holds--;
      this.#hold();
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#pinger.dispose();
    this.#restart?.dispose();
    this.#rejectAll('closed');
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): void {
    this.#restart = undefined;
    const worker = new Worker(new URL('./graph-worker.js', import.meta.url), {
      workerData: this.#settings,
      // The process's own flags may not fit a thread, and a thread given them would not start.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_MIB },
    });
    this.#worker = worker;
    this.#lastSign = this.#clock.now();
    let reason = 'ended';
    worker.on('message', (message: FromWorker) => {
      if (this.#worker === worker) this.#receive(message);
    });
    worker.on('error', error => (reason = error.message.split('\n', 1)[0] ?? reason));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#lost(reason, true);
    });
    this.#hold();
    this.#events.started();
  }

  #receive(message: FromWorker): void {
    this.#lastSign = this.#clock.now();
    if (message.type === 'pong') return;
    if (!('id' in message)) return this.#events.message(message);
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    waiting.timer.dispose();
    if (message.type === 'started') {
      waiting.timer = this.#clock.after(RUN_MS[waiting.kind], () => this.#expire(message.id, true));
      return;
    }
    this.#waiting.delete(message.id);
    this.#hold();
    if (message.type === 'answer') waiting.resolve(message.value);
    else waiting.reject(new CodedError(codeOf(message.code), message.message, message.hint));
  }

  /** A call took too long. If it had begun, the thread hangs in it, and only ending the thread ends it. */
  #expire(id: number, begun: boolean): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    const why = begun
      ? `gave no answer within ${RUN_MS[waiting.kind] / 1000} s`
      : 'the graph is not ready yet';
    waiting.reject(
      new CodedError('timeout', `${waiting.kind}: ${why}`, begun ? REMEDY[waiting.kind] : 'try again'),
    );
    this.#hold();
    if (begun) this.#lost('hung in a call', false);
  }

  #ping(): void {
    if (!this.#worker) return;
    if (this.#clock.now() - this.#lastSign > HANG_MS) this.#lost('gave no sign of life', true);
    else this.send({ type: 'ping' });
  }

  /** Ends what is left of the thread and sees to a new one. */
  #lost(reason: string, failure: boolean): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#rejectAll(reason);
    if (this.#disposed) return;
    const now = this.#clock.now();
    if (failure) this.#failures = [...this.#failures.filter(at => now - at < FAILURE_WINDOW_MS), now];
    const final = failure && this.#failures.length > MAX_FAILURES;
    this.#events.stopped(reason, final);
    if (final) return;
    const pause = failure ? (RESTART_MS[this.#failures.length - 1] ?? 0) : 0;
    this.#restart = this.#clock.after(pause, () => this.#start());
  }

  #rejectAll(reason: string): void {
    for (const { reject, timer, kind } of this.#waiting.values()) {
      timer.dispose();
      reject(new CodedError('failed', `${kind}: the graph's thread ${reason}`, 'try again'));
    }
    this.#waiting.clear();
  }

  #hold(): void {
    if (this.#holds + this.#waiting.size > 0) this.#worker?.ref();
    else this.#worker?.unref();
  }
}

function codeOf(code: string): ErrorCode {
  return Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'failed';
}
