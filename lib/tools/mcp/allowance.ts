/** How much of something a source may give that nobody asked it for. */
import type { Clock } from '../../base/clock.ts';

/** A store of bytes that fills again with time: short bursts pass, a flood does not. */
export class Allowance {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #max: number;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  /**
   * @param max bytes that may come at once
   * @param perSecond bytes that are added each second, up to `max`; 0: what is used is gone
   */
  constructor(clock: Pick<Clock, 'now'>, max: number, perSecond: number) {
    this.#clock = clock;
    this.#max = max;
    this.#perSecond = perSecond;
    this.#left = max;
    this.#at = clock.now();
  }

  /** Uses some of it; false where there is not enough left, and then none is used. */
  take(bytes: number): boolean {
    const now = this.#clock.now();
    // A clock that was set back gives nothing, and takes nothing.
    const passed = Math.max(0, now - this.#at) / 1000;
    this.#left = Math.min(this.#max, this.#left + passed * this.#perSecond);
    this.#at = now;
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}
