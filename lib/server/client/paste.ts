/**
 * Where a paste of an attached terminal goes: to a pane's program, or into a line that is being typed.
 */
import { PasteEncoder } from '../../input/paste.ts';
import type { TermModes } from '../../term/screen-view.ts';

/** Takes a paste piece by piece. */
export interface PasteTarget {
  piece(data: Uint8Array, last: boolean): void;
}

/** A paste into a program. Once the program refuses a piece the rest is dropped, but for the end marker. */
export class PanePaste implements PasteTarget {
  readonly #encoder: PasteEncoder;
  readonly #write: (bytes: Uint8Array) => boolean;
  #isOpen = false;
  #isRefused = false;

  /** @param write false where nothing was taken, which the person has been told */
  constructor(modes: Pick<TermModes, 'bracketedPaste'>, write: (bytes: Uint8Array) => boolean) {
    this.#encoder = new PasteEncoder(modes);
    this.#write = write;
  }

  piece(data: Uint8Array, last: boolean): void {
    if (!this.#isRefused) {
      this.#isRefused = !this.#write(this.#encoder.encode(data, last));
      this.#isOpen ||= !this.#isRefused;
    }
    // Only a few bytes, which fit where a piece of text did not: a program told of a paste must learn its end.
    if (this.#isRefused && this.#isOpen && last) this.#write(this.#encoder.end());
  }
}

/** Bytes of a paste that a line may take: far more than it holds (4,096 characters), so what is cut is never seen. */
const MAX_LINE_PASTE = 64 * 1024;

/** A paste into a line: given out whole at its end, for the line folds what breaks it and cuts what is too long. */
export class LinePaste implements PasteTarget {
  readonly #done: (text: string) => void;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(done: (text: string) => void) {
    this.#done = done;
  }

  piece(data: Uint8Array, last: boolean): void {
    const room = Math.max(0, MAX_LINE_PASTE - this.#text.length);
    this.#text += this.#decoder.decode(data.subarray(0, room), { stream: !last });
    if (last) this.#done(this.#text);
  }
}
