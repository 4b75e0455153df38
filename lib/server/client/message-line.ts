/**
 * The message on a client's bottom row: it stays for a time, or until a key.
 */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { MessageView } from '../../chrome/view.ts';

/** An error stays this many times as long as another message: it is read twice. */
const ERROR_FACTOR = 2;

export class MessageLine implements Disposable {
  readonly #clock: Clock;
  readonly #time: () => number;
  readonly #changed: () => void;
  #message: MessageView | undefined;
  #timer: Disposable | undefined;

  /**
   * @param time how long a message stays, in ms; 0: until a key
   * @param changed another message is shown, or none any more
   */
  constructor(clock: Clock, time: () => number, changed: () => void) {
    this.#clock = clock;
    this.#time = time;
    this.#changed = changed;
  }

  get view(): MessageView | undefined {
    return this.#message;
  }

  /** Shows a message in place of the one before. */
  show(message: MessageView): void {
    this.#message = message;
    this.#timer?.dispose();
    const ms = this.#time() * (message.tone === 'error' ? ERROR_FACTOR : 1);
    this.#timer = ms > 0 ? this.#clock.after(ms, () => this.clear()) : undefined;
    this.#changed();
  }

  /** A message goes as soon as a key is pressed. */
  clear(): void {
    if (this.#message === undefined) return;
    this.#timer?.dispose();
    this.#message = undefined;
    this.#changed();
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
