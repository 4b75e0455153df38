/**
 * How many agents start at once. Started in a burst they hold each other up so long that some never come up, so no more
 * than a few are in their first seconds at the same time.
 */
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { DisposableStore } from '../../base/event.ts';
import type { Terminal } from '../../model/types.ts';

/** An agent that has shown nothing for so long makes others wait no longer. */
const START_UP_MS = 10_000;
/** More than a person starts, and few enough to remember. */
const MAX_WAITING = 1000;

export interface LaunchSlotsPorts {
  readonly clock: Clock;
  /** Agents in their start-up at the same time (`lifecycle.launch_max`). */
  readonly max: () => number;
}

/** One agent's part of the start-up window. */
export interface LaunchSlot {
  /** Frees it at the first output, at the end of the program, or when the start-up time is over. */
  follow(terminal: Pick<Terminal, 'onOutput' | 'onExit'>): void;
  release(): void;
}

export class LaunchSlots {
  readonly #ports: LaunchSlotsPorts;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(ports: LaunchSlotsPorts) {
    this.#ports = ports;
  }

  /** Waits for a slot, first come, first served. @throws CodedError `cancelled` by `signal`, `failed` if too many wait */
  async take(signal?: AbortSignal): Promise<LaunchSlot> {
    if (this.#taken < this.#ports.max() && this.#waiting.length === 0) this.#taken++;
    else await this.#wait(signal);
    return this.#slot();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new CodedError('failed', `start: ${MAX_WAITING} sessions wait already`, 'try again later');
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', gone);
        resolve();
      };
      const gone = (): void => {
        const at = this.#waiting.indexOf(go);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(new CodedError('cancelled', 'start: cancelled'));
      };
      this.#waiting.push(go);
      if (signal?.aborted) gone();
      else signal?.addEventListener('abort', gone, { once: true });
    });
  }

  #slot(): LaunchSlot {
    const own = new DisposableStore();
    let isFree = false;
    const release = (): void => {
      own.dispose();
      if (isFree) return;
      isFree = true;
      this.#taken--;
      this.#next();
    };
    return {
      release,
      follow: terminal => {
        own.add(terminal.onOutput(release));
        own.add(terminal.onExit(release));
        own.add(this.#ports.clock.after(START_UP_MS, release));
      },
    };
  }

  /** As many as may go now: the bound may have been raised meanwhile. */
  #next(): void {
    while (this.#taken < this.#ports.max() && this.#waiting.length > 0) {
      this.#taken++;
      this.#waiting.shift()!();
    }
  }
}
