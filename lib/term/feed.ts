/**
 * Bytes on their way into xterm's parser: the short way of a flood where there is one, and what must be seen or held
 * back before the parser sees it.
 */
import type { BulkLines } from './bulk.ts';
import { isBetween } from './checkpoint/screen.ts';
import { PassthroughFilter } from './passthrough.ts';
import { Utf8Carry } from './utf8-carry.ts';
import type { XtermCore } from './xterm-core.ts';

/** Bytes parsed at a time: xterm keeps a work area of four times this for every pane. */
const SLICE = 16 * 1024;
/** Bytes given to the parser to get to the end of a line: longer lines are no log. */
const ALIGN_BYTES = 4096;
/** Bytes that are no flood: keys echoed, a prompt. */
const FEW_BYTES = 256;
const LF = 0x0a;

export class Feed {
  readonly #core: XtermCore;
  readonly #bulk: BulkLines | undefined;
  readonly #passthrough = new PassthroughFilter();
  readonly #parse = (part: Uint8Array): void => this.#parsePart(part);
  /** A character that the last chunk has cut. */
  readonly carry = new Utf8Carry();

  constructor(core: XtermCore, bulk: BulkLines | undefined) {
    this.#core = core;
    this.#bulk = bulk;
  }

  /** Whether the last chunk has ended between two sequences. */
  get isBetween(): boolean {
    return isBetween(this.#core._inputHandler) && this.#passthrough.isIdle;
  }

  /** Parses a chunk. Throws what the parser throws; it has to be reset then. */
  feed(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length;) {
      i = this.#feedBulk(bytes, i);
      this.#feedPart(bytes.subarray(i, i + SLICE));
      i += SLICE;
    }
  }

  reset(): void {
    this.#core._inputHandler._parser.reset();
    this.#core._inputHandler._utf8Decoder.clear();
    this.carry.reset();
    this.#passthrough.reset();
  }

  /** Takes the short way of a flood from `from` on, if there is one; the index of what is left. */
  #feedBulk(bytes: Uint8Array, from: number): number {
    const bulk = this.#bulk;
    if (!bulk || bytes.length - from < FEW_BYTES) return from;
    let start = from;
    if (!bulk.isAtLineStart) {
      // A chunk begins anywhere in a line, a flood at the start of one.
      const feed = bytes.indexOf(LF, from);
      if (feed < 0 || feed - from >= ALIGN_BYTES) return from;
      start = feed + 1;
      this.#feedPart(bytes.subarray(from, start));
    }
    return this.carry.isEmpty ? bulk.take(bytes, start) : start;
  }

  #feedPart(part: Uint8Array): void {
    this.#passthrough.feed(this.carry.take(part), this.#parse);
  }

  #parsePart(part: Uint8Array): void {
    if (this.#core._inputHandler.parse(part) !== undefined)
      throw new Error('a handler of the terminal parser was asynchronous');
  }
}
