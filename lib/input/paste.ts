/**
 * Bracketed paste (DECSET 2004) in both directions.
 */
import type { TermModes } from '../term/screen-view.ts';
import { C1, ESC, copyBytes, encodeText } from './controls.ts';
import { Utf8Tracker } from './utf8.ts';

const START = encodeText('\x1b[200~');
const END = encodeText('\x1b[201~');
const END_8BIT = Uint8Array.of(C1.csi, 0x32, 0x30, 0x31, 0x7e);
const EMPTY = new Uint8Array(0);

/** What of a chunk belongs to the paste: `data`, and behind `end` what comes after the paste if it is `over`. */
export interface PasteCut {
  readonly data: Uint8Array;
  readonly end: number;
  readonly over: boolean;
}

/** Whether the bytes at `at` begin with `marker` ('part': the bytes end inside it). */
function matches(bytes: Uint8Array, at: number, marker: Uint8Array): 'yes' | 'no' | 'part' {
  for (let i = 0; i < marker.length; i++) {
    if (at + i >= bytes.length) return 'part';
    if (bytes[at + i] !== marker[i]) return 'no';
  }
  return 'yes';
}

/**
 * Finds where a paste ends. A paste that began with the 7-bit marker ends with that alone, so 8-bit bytes inside it
 * are always content; one that began with the 8-bit marker ends with either.
 */
export class PasteReader {
  readonly #eightBit: boolean;
  readonly #utf8 = new Utf8Tracker();
  /** The next byte has been looked at already, and can begin a marker. */
  #held = false;

  constructor(eightBit: boolean) {
    this.#eightBit = eightBit;
  }

  /** Reads on at `at`. What is left between `end` and the end of the bytes may be half a marker: keep it for the next call. */
  read(bytes: Uint8Array, at: number): PasteCut {
    const first = this.#held ? at : this.#next(bytes, at);
    for (let p = first; p < bytes.length; p = this.#next(bytes, p + 1)) {
      const marker = bytes[p] === ESC ? END : END_8BIT;
      const match = matches(bytes, p, marker);
      if (match === 'no') continue;
      this.#held = match === 'part';
      const end = match === 'yes' ? p + marker.length : p;
      return { data: copyBytes(bytes, at, p), end, over: match === 'yes' };
    }
    this.#held = false;
    return { data: copyBytes(bytes, at, bytes.length), end: bytes.length, over: false };
  }

  /** The next byte from `from` on that can begin an end marker. */
  #next(bytes: Uint8Array, from: number): number {
    if (!this.#eightBit) {
      const found = bytes.indexOf(ESC, from);
      return found < 0 ? bytes.length : found;
    }
    let p = from;
    for (; p < bytes.length; p++) {
      const inText = this.#utf8.completes(bytes[p]!);
      if (bytes[p] === ESC || (bytes[p] === C1.csi && !inText)) break;
    }
    return p;
  }
}

/** Where the text from `at` on ends that is written as it stands: at what may begin an end marker, or LF. */
function plainEnd(bytes: Uint8Array, at: number): number {
  let p = at;
  for (; p < bytes.length; p++) {
    const byte = bytes[p];
    if (byte === ESC || byte === C1.csi || byte === 0x0a) break;
  }
  return p;
}

/**
 * Writes one paste to a program, piece by piece. Line ends become CR, which is what Enter sends. An end marker
 * within the text, 7-bit or 8-bit and wherever it is cut, loses its first byte to a space, so that what follows it
 * cannot pass for typed keys. Markers are written only to a program that asked for them.
 */
export class PasteEncoder {
  readonly #bracketed: boolean;
  readonly #utf8 = new Utf8Tracker();
  /** The marker that may be under way, and how many bytes of it have come; at most five. */
  #marker: Uint8Array = END;
  #matched = 0;
  #started = false;
  #afterCr = false;

  constructor(modes: Pick<TermModes, 'bracketedPaste'>) {
    this.#bracketed = modes.bracketedPaste;
  }

  /** The bytes for the next piece; `last` ends the paste. */
  encode(piece: Uint8Array, last: boolean): Uint8Array {
    const out = new Uint8Array(piece.length + END.length + START.length + END.length);
    let size = 0;
    const put = (bytes: Uint8Array): void => {
      out.set(bytes, size);
      size += bytes.length;
    };
    if (!this.#started && this.#bracketed) put(START);
    this.#started = true;
    for (let i = 0; i < piece.length;) {
      if (this.#matched === 0) {
        const end = plainEnd(piece, i);
        put(piece.subarray(i, end));
        this.#passed(piece, i, end);
        i = end;
        if (i === piece.length) break;
      }
      const byte = piece[i++]!;
      if (this.#matched > 0 && this.#follow(byte, put)) continue;
      const begins = this.#begins(byte);
      if (begins) continue;
      if (byte !== 0x0a) out[size++] = byte;
      else if (!this.#afterCr) out[size++] = 0x0d;
      this.#afterCr = byte === 0x0d;
    }
    if (last) {
      put(this.#marker.subarray(0, this.#matched));
      this.#matched = 0;
      if (this.#bracketed) put(END);
    }
    return copyBytes(out, 0, size);
  }

  /** The marker alone that ends the paste, should its last piece not have been written; empty without markers. */
  end(): Uint8Array {
    return this.#bracketed ? END.slice() : EMPTY;
  }

  /** Text was written as it stands. */
  #passed(piece: Uint8Array, start: number, end: number): void {
    if (end === start) return;
    this.#afterCr = piece[end - 1] === 0x0d;
    // No character is longer than four bytes: what came before them has no say.
    for (let i = Math.max(start, end - 4); i < end; i++) this.#utf8.completes(piece[i]!);
  }

  /** Takes the byte into the marker under way; false if it does not belong there, and what was held is written. */
  #follow(byte: number, put: (bytes: Uint8Array) => void): boolean {
    if (this.#marker[this.#matched] !== byte) {
      put(this.#marker.subarray(0, this.#matched));
      this.#matched = 0;
      return false;
    }
    // The text goes on here too: a character begun before the marker has ended.
    this.#utf8.completes(byte);
    this.#matched++;
    if (this.#matched === this.#marker.length) {
      put(Uint8Array.of(0x20, ...this.#marker.subarray(1)));
      this.#matched = 0;
    }
    return true;
  }

  /** Whether the byte begins a marker, and is therefore held. */
  #begins(byte: number): boolean {
    const inText = this.#utf8.completes(byte);
    if (byte !== ESC && (byte !== C1.csi || inText)) return false;
    this.#marker = byte === ESC ? END : END_8BIT;
    this.#matched = 1;
    this.#afterCr = false;
    return true;
  }
}

/** A whole paste; see PasteEncoder. */
export function encodePaste(
  pieces: Iterable<Uint8Array>,
  modes: Pick<TermModes, 'bracketedPaste'>,
): readonly Uint8Array[] {
  const encoder = new PasteEncoder(modes);
  const written = Array.from(pieces, piece => encoder.encode(piece, false));
  return [...written, encoder.encode(EMPTY, true)];
}
