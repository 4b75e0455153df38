/**
 * Reads on where a terminal has more than one read gives. The kernel gives 4 KiB a read, and the way of one through the
 * event loop takes longer than all else that is done with it.
 */
import { readSync } from 'node:fs';

/** Bytes that a full read of a terminal's master side gives (Linux), but for a few. */
const FULL_READ = 4000;
/** Bytes handed on at a time: some milliseconds of parsing at most. */
const MOST_AT_ONCE = 64 * 1024;
/** Reads let go by, at most, before it is tried again after nothing more was there: finding that out is dear. */
const MOST_PAUSE = 64;

/** The output of one terminal, whose descriptor does not block. */
export class FloodReader {
  readonly #fd: number;
  /** Reads to let go by, and how many after the next try in vain. */
  #wait = 0;
  #pause = 1;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** What can be read right now, `first`, which has been read, included. */
  more(first: Buffer): Buffer {
    if (first.length < FULL_READ || this.#wait-- > 0) return first;
    const all = Buffer.allocUnsafe(MOST_AT_ONCE);
    let length = first.copy(all);
    try {
      for (let read = FULL_READ; read >= FULL_READ && length < all.length; length += read)
        read = readSync(this.#fd, all, length, Math.min(all.length - length, 2 * FULL_READ), null);
      this.#pause = 1;
      this.#wait = 0;
    } catch {
      // EAGAIN: that was all for now. EIO: the end, which the stream notices by itself.
      this.#wait = this.#pause;
      this.#pause = length > first.length ? 1 : Math.min(MOST_PAUSE, this.#pause * 2);
    }
    return all.subarray(0, length);
  }
}
