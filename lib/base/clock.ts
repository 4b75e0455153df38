/**
 * Time and chance, injected. Nothing outside app/ and this file may ask the machine for them.
 */
import type { Disposable } from './event.ts';

/** Time. `now` is milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
  /** Runs `fn` once after `ms`; disposing cancels it. The timer alone does not keep the process alive. */
  after(ms: number, fn: () => void): Disposable;
  /** Runs `fn` every `ms` until disposed; does not keep the process alive. */
  every(ms: number, fn: () => void): Disposable;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
  every(ms, fn) {
    const timer = setInterval(fn, ms);
    timer.unref();
    return { dispose: () => clearInterval(timer) };
  },
};

interface Timer {
  at: number;
  fn: () => void;
  period: number | undefined;
}

/** A clock that stands still until `advance` is called: for specs of timed behaviour. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): Disposable {
    return this.#add({ at: this.#now + ms, fn, period: undefined });
  }

  every(ms: number, fn: () => void): Disposable {
    return this.#add({ at: this.#now + ms, fn, period: ms });
  }

  /** Moves time on by `ms`, running what falls due in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(t => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#now = Math.max(this.#now, due.at);
      if (due.period === undefined) this.#timers.delete(due);
      else due.at += due.period;
      due.fn();
    }
    this.#now = end;
  }

  #add(timer: Timer): Disposable {
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }
}
