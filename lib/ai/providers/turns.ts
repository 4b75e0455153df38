/** As many at once as are allowed, the others in the order in which they came. */
import { ProviderFailure } from '../failure.ts';

/** Turns at a provider. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  /** @param most so many are in at a time */
  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves with what leaves again. Throws ProviderFailure `cancelled` where `signal` is aborted before its turn. */
  async enter(signal: AbortSignal, name: string): Promise<() => void> {
    if (signal.aborted) throw new ProviderFailure('cancelled', `${name}: cancelled`);
    if (this.#inside < this.#most) this.#inside++;
    else await this.#turn(signal, name);
    let isInside = true;
    return () => {
      if (isInside) this.#leave();
      isInside = false;
    };
  }

  #turn(signal: AbortSignal, name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(new ProviderFailure('cancelled', `${name}: cancelled`));
      };
      this.#waiting.push(go);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** The place is handed on, never free in between: whoever comes meanwhile would be one too many. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inside--;
  }
}
