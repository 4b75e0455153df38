/**
 * A bound on how much runs at once, and on how much waits for it.
 */
import { CodedError } from '../base/errors.ts';

/**
 * Who waits at most: more than all sessions of one machine ask for together. Beyond that something asks without end,
 * and is told so instead of being remembered.
 */
const MAX_WAITING = 1000;

/** First come, first served, `size` at a time. */
export class Slots {
  readonly #size: number;
  readonly #what: string;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** @param what named in the error when too many wait */
  constructor(size: number, what: string) {
    this.#size = size;
    this.#what = what;
  }

  /** Runs `work` as soon as a slot is free. @throws CodedError `failed` when MAX_WAITING others wait already */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#take();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #take(): Promise<void> {
    if (this.#taken < this.#size) {
      this.#taken++;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING)
      throw new CodedError('failed', `${this.#what}: ${MAX_WAITING} wait already`, 'try again later');
    // The slot is handed on, never free in between, so nobody who comes later is served first.
    await new Promise<void>(go => this.#waiting.push(go));
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }
}

/** One at a time for each key; keys that nobody uses take no memory. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` after all that was given before for the same key, however that ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const tail = mine.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

/**
 * One run for all who ask at the same time, by key. Who asks while a run is on its way shares the next one: the one on
 * its way may have looked before what they want to see.
 */
export class Shared<T> {
  readonly #runs = new Map<string, { readonly now: Promise<T>; next: Promise<T> | undefined }>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#runs.get(key);
    if (!running) return this.#start(key, work);
    running.next ??= running.now.then(
      () => this.#start(key, work),
      () => this.#start(key, work),
    );
    return running.next;
  }

  #start(key: string, work: () => Promise<T>): Promise<T> {
    const now = work();
    const entry = { now, next: undefined };
    this.#runs.set(key, entry);
    const forget = (): void => {
      if (this.#runs.get(key) === entry && entry.next === undefined) this.#runs.delete(key);
    };
    now.then(forget, forget);
    return now;
  }
}
