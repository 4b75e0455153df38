/**
 * The bytes of one update, built in a buffer that is used again for the next.
 */

import { CELL_WORDS } from '../term/cell.ts';

/** Room kept in front for what is only known to be needed at the end (synchronized output, hiding the cursor). */
const HEAD = 32;
/** Fits any ordinary update of an 80x24 screen. */
const INITIAL = 16 * 1024;
/**
 * Largest buffer kept between updates. A busy 400x100 screen needs about 60 kB; the rare larger one gets a buffer that
 * is given up afterwards.
 */
const KEEP = 1 << 20;

/** Decimal digits of a non-negative integer below 100,000. */
export function digits(n: number): number {
  if (n < 10) return 1;
  if (n < 100) return 2;
  if (n < 1000) return 3;
  return n < 10_000 ? 4 : 5;
}

/** A growing byte buffer with the few writers that control sequences need. */
export class Output {
  #bytes = Buffer.allocUnsafeSlow(INITIAL);
  #end = HEAD;

  /** Bytes written since `start`. */
  get length(): number {
    return this.#end - HEAD;
  }

  /** Begins an update, forgetting the last. */
  start(): void {
    if (this.#bytes.length > KEEP) this.#bytes = Buffer.allocUnsafeSlow(INITIAL);
    this.#end = HEAD;
  }

  /** Makes room: every other writer needs at most 64 bytes at a time, or asks here first. */
  reserve(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#end + count));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  /** One byte. */
  byte(value: number): void {
    if (this.#end >= this.#bytes.length) this.reserve(1);
    this.#bytes[this.#end++] = value;
  }

  /** The code points of cell words `from`, `from + 3`, … before `end`, all ASCII. */
  asciiCells(words: Uint32Array, from: number, end: number): void {
    this.reserve((end - from) / CELL_WORDS + 1);
    const bytes = this.#bytes;
    let at = this.#end;
    for (let i = from; i < end; i += CELL_WORDS) bytes[at++] = words[i]! & 0x7f;
    this.#end = at;
  }

  /** A string of ASCII. */
  ascii(text: string): void {
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
  }

  /** Any text, as UTF-8. */
  utf8(text: string): void {
    this.reserve(text.length * 3);
    this.#end += this.#bytes.write(text, this.#end, 'utf8');
  }

  /** A non-negative integer in decimal. */
  number(n: number): void {
    if (n >= 1000) return this.ascii(String(n));
    if (n >= 100) this.byte(48 + ((n / 100) | 0));
    if (n >= 10) this.byte(48 + (((n / 10) | 0) % 10));
    this.byte(48 + (n % 10));
  }

  /** A code point, as UTF-8. */
  codepoint(c: number): void {
    if (c < 0x80) {
      this.byte(c);
    } else if (c < 0x800) {
      this.byte(0xc0 | (c >> 6));
      this.byte(0x80 | (c & 0x3f));
    } else {
      if (c < 0x10000) {
        this.byte(0xe0 | (c >> 12));
      } else {
        this.byte(0xf0 | (c >> 18));
        this.byte(0x80 | ((c >> 12) & 0x3f));
      }
      this.byte(0x80 | ((c >> 6) & 0x3f));
      this.byte(0x80 | (c & 0x3f));
    }
  }

  /** CSI n FINAL; the parameter is left out where it is 1, its default. */
  csi(n: number, final: string): void {
    this.byte(0x1b);
    this.byte(0x5b);
    if (n !== 1) this.number(n);
    this.ascii(final);
  }

  /** Drops everything after `length` bytes. */
  truncate(length: number): void {
    this.#end = HEAD + length;
  }

  /** Replaces the last byte. */
  replaceLast(value: number): void {
    this.#bytes[this.#end - 1] = value;
  }

  /** Drops the bytes between two lengths, moving what follows forward. */
  cut(from: number, to: number): void {
    this.#bytes.copyWithin(HEAD + from, HEAD + to, this.#end);
    this.#end -= to - from;
  }

  /** A copy of `prefix` (ASCII, at most 32 bytes) and everything written. */
  take(prefix: string): Uint8Array {
    const from = HEAD - prefix.length;
    this.#bytes.write(prefix, from, 'latin1');
    return Buffer.from(this.#bytes.subarray(from, this.#end));
  }
}
