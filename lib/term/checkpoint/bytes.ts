/**
 * Values as bytes and back, for checkpoints: little is written for what is small, and nothing is believed when it is
 * read. Words are in this machine's order; the header tells a file of another.
 */
import { CheckpointError } from './error.ts';

/** A part of an emulator that remembers something between two writes. */
export interface Kept {
  /** Writes all that it remembers. */
  save(to: ByteWriter): void;
  /** Puts back, into a new part, what `save` has written. Throws a CheckpointError where that cannot be. */
  load(from: ByteReader): void;
}

/**
 * UTF-16 units of texts that are written once and referred to (links), all of them together: eight times what the
 * emulator remembers for its screen. Links of history beyond that are lost, their text is not.
 */
const MAX_SHARED = 1 << 23;
/** Bytes to begin with, where nobody knows better. */
const FIRST_BYTES = 16 * 1024;
const WIDE_TEXT = 1;

/** Bytes being put together. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;
  readonly #shared = new Map<string, number>();
  #sharedUnits = 0;

  /** @param expected bytes that it will come to, or so */
  constructor(expected = FIRST_BYTES) {
    this.#bytes = Buffer.alloc(expected);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written: a view, not a copy. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  flag(value: boolean): void {
    this.byte(value ? 1 : 0);
  }

  /** A whole number of 32 bits without sign, the smaller the shorter. */
  count(value: number): void {
    this.#reserve(5);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  /** 32 bits. */
  word(value: number): void {
    this.#reserve(4);
    this.#bytes.writeUInt32LE(value >>> 0, this.#length);
    this.#length += 4;
  }

  /** A whole number of up to 53 bits. */
  long(value: number): void {
    this.#reserve(8);
    this.#bytes.writeDoubleLE(value, this.#length);
    this.#length += 8;
  }

  /** Any string, halves of surrogate pairs included. */
  text(value: string): void {
    const isWide = /[^\0-\xff]/.test(value);
    const size = value.length * (isWide ? 2 : 1);
    this.byte(isWide ? WIDE_TEXT : 0);
    this.count(size);
    this.#reserve(size);
    this.#bytes.write(value, this.#length, isWide ? 'utf16le' : 'latin1');
    this.#length += size;
  }

  /** A text that probably comes again; '' where there is no more room for others. */
  shared(value: string): void {
    const known = this.#shared.get(value);
    if (known !== undefined) return this.count(known);
    if (value !== '' && this.#sharedUnits + value.length > MAX_SHARED) return this.shared('');
    this.#sharedUnits += value.length;
    this.#shared.set(value, this.#shared.size + 1);
    this.count(0);
    this.text(value);
  }

  /** Bytes as they are; how many must be known to the reader. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** The numbers of a typed array as they lie in memory. */
  numbers(array: Uint32Array | Uint16Array): void {
    this.raw(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }

  #reserve(size: number): void {
    const need = this.#length + size;
    if (need <= this.#bytes.length) return;
    const grown = Buffer.alloc(Math.max(need, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what a ByteWriter wrote. Every method throws a CheckpointError at the end, and at what is out of bounds. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;
  readonly #shared: string[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#bytes[this.#take(1)]!;
  }

  flag(): boolean {
    return this.count(1) === 1;
  }

  /** A number as `ByteWriter.count` wrote it, `most` at most. */
  count(most = 0xffff_ffff): number {
    let value = 0;
    // Five bytes hold 32 bits; multiplied, since shifting would make a negative number.
    for (let factor = 1, n = 0; n < 5; n++, factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        if (value > most) throw malformed(`${value} where ${most} is the most`);
        return value;
      }
    }
    throw malformed('a number without an end');
  }

  word(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  long(): number {
    const value = this.#bytes.readDoubleLE(this.#take(8));
    if (!Number.isSafeInteger(value) || value < 0) throw malformed(`${value} is no count`);
    return value;
  }

  text(): string {
    const isWide = this.count(WIDE_TEXT) === WIDE_TEXT;
    const size = this.count();
    const at = this.#take(size);
    return this.#bytes.toString(isWide ? 'utf16le' : 'latin1', at, at + size);
  }

  shared(): string {
    const number = this.count(this.#shared.length);
    if (number > 0) return this.#shared[number - 1]!;
    const text = this.text();
    this.#shared.push(text);
    return text;
  }

  /** The next `size` bytes: a view. */
  raw(size: number): Uint8Array {
    const at = this.#take(size);
    // No Buffer: its `slice` would be a view of the same memory.
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + at, size);
  }

  /** Fills `array` with numbers as `ByteWriter.numbers` wrote them. */
  numbers<T extends Uint32Array | Uint16Array>(array: T): T {
    new Uint8Array(array.buffer).set(this.raw(array.byteLength));
    return array;
  }

  /** Bytes that are left: no list of things that each take a byte can be longer. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** To be called when everything is read. */
  end(): void {
    if (this.left > 0) throw malformed(`${this.left} bytes behind its end`);
  }

  #take(size: number): number {
    const at = this.#at;
    if (size > this.left) throw malformed('it ends too early');
    this.#at += size;
    return at;
  }
}

/** The error for what no emulator has written. */
export function malformed(why: string): CheckpointError {
  return new CheckpointError('malformed', why);
}
