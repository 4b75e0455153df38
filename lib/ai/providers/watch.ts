/** An answer that is waited for: given up where nothing comes, and where nobody wants it any more. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import { ProviderFailure } from '../failure.ts';

/** A model of this machine is loaded, and a long prompt read, before the first byte, in ms. */
const FIRST_MS = 300_000;
/** Vendors send pings between events: silence of this length is a connection that has died, in ms. */
const SILENCE_MS = 120_000;
/** Pings alone are no answer: the longest that a model was seen to think in silence is below this, in ms. */
const PINGS_MS = 600_000;

/** What a vendor's wire gets: it ends with `signal`, and tells of each byte that comes. */
export interface Line {
  readonly signal: AbortSignal;
  /** Something came, be it a ping. */
  alive(): void;
}

/** Watches over one attempt. */
export class Watch implements Line {
  readonly #stop = new AbortController();
  readonly #clock: Clock;
  readonly #name: string;
  readonly #outer: AbortSignal;
  readonly #cancel = (): void => this.#fail(new ProviderFailure('cancelled', `${this.#name}: cancelled`));
  #timer: Disposable | undefined;
  #reject: ((failure: ProviderFailure) => void) | undefined;
  #failure: ProviderFailure | undefined;
  #hasBytes = false;
  #isWaiting = false;
  #byteAt: number;
  #eventAt: number;

  constructor(clock: Clock, name: string, signal: AbortSignal) {
    this.#clock = clock;
    this.#name = name;
    this.#outer = signal;
    this.#byteAt = this.#eventAt = clock.now();
    signal.addEventListener('abort', this.#cancel, { once: true });
    if (signal.aborted) this.#cancel();
    else this.#arm(FIRST_MS);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  alive(): void {
    this.#byteAt = this.#clock.now();
    if (this.#hasBytes || this.#failure) return;
    this.#hasBytes = true;
    this.#eventAt = this.#byteAt;
    this.#arm(SILENCE_MS);
  }

  /** What `work` gives, unless it is given up before. Throws ProviderFailure, or what `work` throws. */
  wait<T>(work: Promise<T>): Promise<T> {
    // What came while nobody asked for it is no silence of the vendor.
    this.#byteAt = this.#eventAt = this.#clock.now();
    this.#isWaiting = true;
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject).finally(() => (this.#isWaiting = false));
      if (this.#failure) reject(this.#failure);
    });
  }

  /** Closes the connection, also where nobody reads on. */
  end(): void {
    this.#timer?.dispose();
    this.#outer.removeEventListener('abort', this.#cancel);
    this.#stop.abort();
  }

  /** One timer that looks again when the nearest limit may be reached: thousands of events a second arm none. */
  #arm(ms: number): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(Math.max(1, ms), () => this.#look());
  }

  #look(): void {
    const now = this.#clock.now();
    const limit = this.#hasBytes ? SILENCE_MS : FIRST_MS;
    const left = Math.min(this.#byteAt + limit - now, this.#eventAt + PINGS_MS - now);
    if (left > 0 || !this.#isWaiting) return this.#arm(left > 0 ? left : limit);
    const isSilent = this.#byteAt + limit <= now;
    const what = isSilent
      ? `nothing came for ${limit / 1000}`
      : `nothing but pings came for ${PINGS_MS / 1000}`;
    this.#fail(new ProviderFailure('timeout', `${this.#name}: ${what} seconds`, 'try again'));
  }

  #fail(failure: ProviderFailure): void {
    this.#failure ??= failure;
    this.#reject?.(this.#failure);
    this.#stop.abort();
  }
}
