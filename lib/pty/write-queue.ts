/**
 * Input on its way to a program. The terminal's master side is non-blocking: what the kernel does not take now waits
 * here, in order, and is tried again with a growing pause, so that a stopped program costs no processor time.
 */
import { writeSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { Emitter, type Disposable } from '../base/event.ts';
import { MAX_PENDING_INPUT } from './host.ts';

/**
 * Bytes per block of what waits. Keys come one by one: kept one by one, a few hundred thousand of them would take
 * seconds to hand over.
 */
const BLOCK_BYTES = 64 * 1024;

/** Bytes `start` to `end` of `bytes` wait; what is behind `end` is room. */
interface Block {
  readonly bytes: Uint8Array;
  start: number;
  end: number;
}

/** First and longest pause between tries in ms: short enough to be unnoticed, long enough to be cheap. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 100;

export class WriteQueue implements Disposable {
  readonly #fd: number;
  readonly #clock: Clock;
  #waiting: Block[] = [];
  #bytes = 0;
  #pause = FIRST_PAUSE_MS;
  #timer: Disposable | undefined;
  #closed = false;
  readonly #taken = new Emitter<void>();

  /** Fires when some of what waited has been taken. */
  readonly onTaken = this.#taken.event;

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
    const wasEmpty = this.#waiting.length === 0;
    this.#keep(bytes.subarray(written));
    if (wasEmpty) this.#retry();
    return true;
  }

  /** Copies what must wait behind what waits already: callers pass views of buffers that they reuse. */
  #keep(bytes: Uint8Array): void {
    let last = this.#waiting.at(-1);
    if (!last || last.end + bytes.length > last.bytes.length) {
      last = { bytes: new Uint8Array(Math.max(BLOCK_BYTES, bytes.length)), start: 0, end: 0 };
      this.#waiting.push(last);
    }
    last.bytes.set(bytes, last.end);
    last.end += bytes.length;
    this.#bytes += bytes.length;
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
    this.#taken.dispose();
  }

  #drain(): void {
    const before = this.#bytes;
    this.#drainBlocks();
    if (this.#bytes < before) this.#taken.fire();
  }

  #drainBlocks(): void {
    for (let block = this.#waiting[0]; block; block = this.#waiting[0]) {
      const written = this.#tryWrite(block.bytes.subarray(block.start, block.end));
      if (written < 0) return;
      this.#bytes -= written;
      block.start += written;
      if (written > 0) this.#pause = FIRST_PAUSE_MS;
      if (block.start < block.end) return this.#retry();
      this.#waiting.shift();
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
