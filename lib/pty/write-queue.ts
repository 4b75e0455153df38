/**
 * Input on its way to a program. The terminal's master side is non-blocking: what the kernel does not take now waits
 * here, in order, and is tried again with a growing pause, so that a stopped program costs no processor time.
 */
import { writeSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { MAX_PENDING_INPUT } from './host.ts';

/** First and longest pause between tries in ms: short enough to be unnoticed, long enough to be cheap. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 100;

export class WriteQueue implements Disposable {
  readonly #fd: number;
  readonly #clock: Clock;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #pause = FIRST_PAUSE_MS;
  #timer: Disposable | undefined;
  #closed = false;

  constructor(fd: number, clock: Clock) {
    this.#fd = fd;
    this.#clock = clock;
  }

  /** Writes now what the kernel takes and keeps the rest; false where the bound would be exceeded. */
  write(bytes: Uint8Array): boolean {
    if (this.#closed) return false;
    if (this.#bytes + bytes.length > MAX_PENDING_INPUT) return false;
    const written = this.#waiting.length === 0 ? this.#tryWrite(bytes) : 0;
    if (written < 0) return false;
    if (written === bytes.length) return true;
    // A copy: callers pass views of buffers that they reuse.
    this.#waiting.push(bytes.slice(written));
    this.#bytes += bytes.length - written;
    if (this.#waiting.length === 1) this.#retry();
    return true;
  }

  /** Bytes not yet taken by the kernel. */
  get pending(): number {
    return this.#bytes;
  }

  dispose(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#bytes = 0;
    this.#timer?.dispose();
  }

  #drain(): void {
    for (let chunk = this.#waiting[0]; chunk; chunk = this.#waiting[0]) {
      const written = this.#tryWrite(chunk);
      if (written < 0) return;
      this.#bytes -= written;
      if (written > 0) this.#pause = FIRST_PAUSE_MS;
      if (written === chunk.length) this.#waiting.shift();
      else this.#waiting[0] = chunk.subarray(written);
      if (written < chunk.length) return this.#retry();
    }
  }

  /** Bytes written, 0 if the kernel's buffer is full, -1 if the terminal is gone (its exit is reported elsewhere). */
  #tryWrite(chunk: Uint8Array): number {
    try {
      return writeSync(this.#fd, chunk);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EAGAIN') return 0;
      // EIO, EBADF: the program has ended and so has its terminal.
      this.dispose();
      return -1;
    }
  }

  #retry(): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(this.#pause, () => this.#drain());
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
  }
}
