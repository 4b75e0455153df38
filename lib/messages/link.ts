/**
 * The near end of the thread that keeps messages and tasks.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { CodedError, type ErrorCode } from '../base/errors.ts';
import type { Disposable } from '../base/event.ts';
import type { Answered, CallName, Given } from './calls.ts';
import type { Asked } from './keeper.ts';

/** What the thread says. */
export type FromThread =
  | { readonly type: 'outcomes'; readonly outcomes: readonly Told[] }
  /** What people must be told. */
  | { readonly type: 'report'; readonly text: string }
  /** Why there is no database; '' once there is one. */
  | { readonly type: 'trouble'; readonly text: string };

interface Told {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: CodedError) => void;
  readonly timer: Disposable;
}

/** Calls that wait at most: each has a caller that waits for its answer. As many take some MB, and seconds. */
const WAITING_MAX = 20_000;
/** A disk that takes longer hangs; whoever asked may ask again. */
const ANSWER_MS = 30_000;
/** Memory of the thread, MiB: pages of messages and statements. SQLite's own cache is not counted. */
const MAX_HEAP_MIB = 256;

export interface LinkOptions {
  /** The database. */
  readonly path: string;
  readonly clock: Clock;
  readonly report: (text: string) => void;
}

/** Starts the thread with the first call, and again with the next one where it has died. */
export class MessagesLink implements Disposable {
  readonly #options: LinkOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #outbox: Asked[] = [];
  #nextId = 1;
  #trouble = '';
  #isDisposed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Why there is no database, '' where all is well. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Asks, and resolves with the answer once what it changed is on the disk. Rejects with CodedError. */
  call<K extends CallName>(name: K, given: Given<K>): Promise<Answered<K>> {
    if (this.#isDisposed) return Promise.reject(new CodedError('failed', 'messages: the server is ending'));
    if (this.#waiting.size >= WAITING_MAX)
      return Promise.reject(new CodedError('failed', `messages: ${WAITING_MAX} calls are waiting already`));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = this.#options.clock.after(ANSWER_MS, () => {
        this.#waiting.delete(id);
        reject(new CodedError('timeout', `messages: the disk gave no answer within ${ANSWER_MS / 1000} s`));
      });
      this.#waiting.set(id, { resolve: value => resolve(value as Answered<K>), reject, timer });
      // What is asked in one turn goes together.
      if (this.#outbox.push({ id, name, given }) === 1) queueMicrotask(() => this.#flush());
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#worker?.terminate();
    this.#lost('the server is ending');
  }

  #flush(): void {
    const batch = this.#outbox;
    this.#outbox = [];
    if (this.#isDisposed || batch.length === 0) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(batch);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: this.#options.path,
      // The process's own flags may not fit a thread, and a thread given them would not start.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    let reason = 'its thread has ended';
    worker.on('message', (message: FromThread) => this.#receive(message));
    worker.on('error', error => (reason = error.message.split('\n', 1)[0] ?? reason));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      if (this.#isDisposed) return;
      this.#options.report(`messages: ${reason}; the next call starts it again`);
      this.#lost(reason);
    });
    worker.unref();
    return worker;
  }

  #receive(message: FromThread): void {
    if (message.type === 'report') return this.#options.report(message.text);
    if (message.type === 'trouble') return void (this.#trouble = message.text);
    for (const { id, value, error } of message.outcomes) {
      const waiting = this.#waiting.get(id);
      if (!waiting) continue;
      this.#waiting.delete(id);
      waiting.timer.dispose();
      if (error) waiting.reject(new CodedError(error.code, error.message, error.hint));
      else waiting.resolve(value);
    }
  }

  #lost(reason: string): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of all) {
      timer.dispose();
      reject(new CodedError('failed', `messages: ${reason}`, 'try again'));
    }
  }
}
