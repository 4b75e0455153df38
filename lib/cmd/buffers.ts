/**
 * Paste buffers: what was copied, newest first.
 */

/** 1 MiB a buffer: what a clipboard write by OSC 52 may hold. */
const MAX_BUFFER_BYTES = 1024 * 1024;

export interface PasteBuffer {
  readonly name: string;
  readonly data: Uint8Array;
  readonly createdAt: number;
}

export class Buffers {
  #buffers: PasteBuffer[] = [];
  #next = 0;
  readonly #limit: () => number;

  /** @param limit buffers kept (option buffer-limit) */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** Newest first. */
  all(): readonly PasteBuffer[] {
    return this.#buffers;
  }

  /** The newest, or the one of that name. */
  get(name?: string): PasteBuffer | undefined {
    return name === undefined ? this.#buffers[0] : this.#buffers.find(buffer => buffer.name === name);
  }

  /** Adds, or replaces the one of that name; the oldest beyond the limit go. Data over the bound is cut. */
  set(data: Uint8Array, now: number, name?: string): PasteBuffer {
    const buffer = {
      name: name ?? `buffer${this.#next++}`,
      data: data.slice(0, MAX_BUFFER_BYTES),
      createdAt: now,
    };
    this.#buffers = [buffer, ...this.#buffers.filter(b => b.name !== buffer.name)].slice(0, this.#limit());
    return buffer;
  }

  delete(name: string): boolean {
    const before = this.#buffers.length;
    this.#buffers = this.#buffers.filter(buffer => buffer.name !== name);
    return this.#buffers.length < before;
  }
}
