/**
 * Paste buffers: what was copied, newest first. Those without a name of their own are numbered, and the oldest of them
 * go when there are more than the option buffer-limit allows; one that was named stays until somebody deletes it.
 */
import { CodedError } from '../base/errors.ts';

/** As much as a program may be sent at once (MAX_PENDING_INPUT of the pty host): a larger one could not be pasted. */
export const MAX_BUFFER_BYTES = 16 * 1024 * 1024;
/** All buffers together. They live in the server's memory, beside the scrollback of every pane. */
export const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Named buffers: a person makes a handful, a script that makes more has forgotten to delete them. */
export const MAX_NAMED = 500;
/** Characters of a name that still fits a row of a list. */
const MAX_NAME = 100;

export interface PasteBuffer {
  readonly name: string;
  readonly data: Uint8Array;
  readonly createdAt: number;
  /** Numbered, not named by anybody: it goes when it is one of too many. */
  readonly isAutomatic: boolean;
}

export class Buffers {
  #buffers: PasteBuffer[] = [];
  #next = 0;
  readonly #limit: () => number;

  /** @param limit numbered buffers kept (option buffer-limit) */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** Newest first. */
  all(): readonly PasteBuffer[] {
    return this.#buffers;
  }

  /** The newest, or the one of that name. Without a name only numbered ones count, as in tmux. */
  get(name?: string): PasteBuffer | undefined {
    if (name === undefined) return this.#buffers.find(b => b.isAutomatic) ?? this.#buffers[0];
    return this.#buffers.find(buffer => buffer.name === name);
  }

  /**
   * Adds, or replaces the one of that name. Data over MAX_BUFFER_BYTES is cut; whoever can still say so checks before.
   * Throws CodedError `usage` for a name that cannot be shown, `refused` beyond MAX_NAMED.
   */
  set(data: Uint8Array, now: number, name?: string): PasteBuffer {
    if (name !== undefined) this.#checkName(name);
    const buffer = {
      name: name ?? this.#freeName(),
      data: data.slice(0, MAX_BUFFER_BYTES),
      createdAt: now,
      isAutomatic: name === undefined,
    };
    this.#put(buffer);
    return buffer;
  }

  /** Gives a buffer another name, which makes it one that stays; a buffer that has the name already is replaced. */
  rename(name: string, to: string): void {
    const buffer = this.get(name);
    if (!buffer) throw new CodedError('not_found', `buffer ${name}: there is none`);
    this.#checkName(to);
    this.#buffers = this.#buffers
      .filter(b => b === buffer || b.name !== to)
      .map(b => (b === buffer ? { ...buffer, name: to, isAutomatic: false } : b));
  }

  delete(name: string): boolean {
    const before = this.#buffers.length;
    this.#buffers = this.#buffers.filter(buffer => buffer.name !== name);
    return this.#buffers.length < before;
  }

  #put(buffer: PasteBuffer): void {
    const others = this.#buffers.filter(b => b.name !== buffer.name);
    const kept: PasteBuffer[] = [];
    let automatic = buffer.isAutomatic ? 1 : 0;
    let bytes = buffer.data.length;
    for (const other of others) {
      if (other.isAutomatic && ++automatic > this.#limit()) continue;
      bytes += other.data.length;
      // The newest stay: what was copied last is what is wanted.
      if (bytes > MAX_TOTAL_BYTES) break;
      kept.push(other);
    }
    this.#buffers = [buffer, ...kept];
  }

  /** A number that no buffer has: somebody may have named one after it. */
  #freeName(): string {
    for (;;) {
      const name = `buffer${this.#next++}`;
      if (!this.#buffers.some(buffer => buffer.name === name)) return name;
    }
  }

  #checkName(name: string): void {
    if (name === '' || name.length > MAX_NAME || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
      throw new CodedError(
        'usage',
        `buffer name ${JSON.stringify(name.slice(0, 20))}: it must have 1 to ${MAX_NAME} characters that can be seen`,
      );
    const named = this.#buffers.filter(b => !b.isAutomatic && b.name !== name).length;
    if (named >= MAX_NAMED)
      throw new CodedError(
        'refused',
        `buffer ${name}: there are ${MAX_NAMED} named buffers already`,
        "delete some with 'mux delete-buffer -b NAME'",
      );
  }
}
