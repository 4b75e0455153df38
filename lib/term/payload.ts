/**
 * Payloads of OSC and DCS strings, bounded while they arrive: an unterminated string costs its limit, not more.
 */
import type { PayloadHandler, XtermParams } from './xterm-core.ts';

/** Code points turned into text at a time: well below the number of arguments a call may have. */
const SLICE = 8192;

function decode(data: Uint32Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i += SLICE)
    text += String.fromCodePoint(...data.subarray(i, Math.min(end, i + SLICE)));
  return text;
}

/** Collects one string payload and hands it over whole when the string ends well. */
export class BoundedPayload implements PayloadHandler {
  readonly #limit: number;
  readonly #cut: boolean;
  readonly #done: (data: string) => void;
  #data = '';
  #over = false;

  /**
   * @param limit most UTF-16 units kept
   * @param done called with the payload; must not throw
   * @param cut hand over the first `limit` units of a longer payload, instead of dropping it
   */
  constructor(limit: number, done: (data: string) => void, cut = false) {
    this.#limit = limit;
    this.#done = done;
    this.#cut = cut;
  }

  start(): void {
    this.#data = '';
    this.#over = false;
  }

  hook(_params: XtermParams): void {
    this.start();
  }

  put(data: Uint32Array, start: number, end: number): void {
    if (this.#over) return;
    const room = this.#limit - this.#data.length;
    this.#data += decode(data, start, Math.min(end, start + room + 1));
    if (this.#data.length <= this.#limit) return;
    this.#over = true;
    this.#data = this.#cut ? this.#data.slice(0, this.#limit) : '';
  }

  /** Always claims the sequence, so that no other handler sees it. */
  end(success: boolean): boolean {
    const data = this.#data;
    const whole = !this.#over || this.#cut;
    this.start();
    if (success && whole) this.#done(data);
    return true;
  }

  unhook(success: boolean): boolean {
    return this.end(success);
  }
}
