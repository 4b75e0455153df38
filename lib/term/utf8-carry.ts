/**
 * Keeps UTF-8 characters whole across chunks. xterm's decoder forgets the zero bits of a character cut in two (E2 80 of
 * a dash, say), so it is only given chunks that end where a character ends.
 */
import { malformed, type ByteReader, type ByteWriter, type Kept } from './checkpoint/bytes.ts';

/** Continuation bytes a leading byte asks for (RFC 3629); 0 for what is none. */
function continuationBytes(byte: number): number {
  if (byte >= 0xf8 || byte < 0xc0) return 0;
  if (byte >= 0xf0) return 3;
  return byte >= 0xe0 ? 2 : 1;
}

/** Bytes at the end of `bytes` that begin a character without finishing it: 0 to 3. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    return continuationBytes(byte) >= back ? back : 0;
  }
  return 0;
}

/** Moves an unfinished character at the end of a chunk to the front of the next. */
export class Utf8Carry implements Kept {
  #held: Uint8Array = new Uint8Array(0);

  /** Whether nothing is held. */
  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Drops what is held. */
  reset(): void {
    this.#held = new Uint8Array(0);
  }

  save(to: ByteWriter): void {
    to.count(this.#held.length);
    to.raw(this.#held);
  }

  load(from: ByteReader): void {
    this.#held = from.raw(from.count(3)).slice();
    if (unfinishedBytes(this.#held) !== this.#held.length) throw malformed('a character that has ended');
  }

  /** What can be decoded now; a view of `bytes` unless something was held. At most 3 bytes stay behind. */
  take(bytes: Uint8Array): Uint8Array {
    let all = bytes;
    if (this.#held.length > 0) {
      all = new Uint8Array(this.#held.length + bytes.length);
      all.set(this.#held);
      all.set(bytes, this.#held.length);
      this.reset();
    }
    const unfinished = unfinishedBytes(all);
    if (unfinished === 0) return all;
    this.#held = all.slice(all.length - unfinished);
    return all.subarray(0, all.length - unfinished);
  }
}
