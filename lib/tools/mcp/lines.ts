/** Lines of a stream of bytes that may be anything. */

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Cuts a stream into lines. Keeps at most one unfinished line of `max` bytes. */
export class LineReader {
  readonly #max: number;
  #parts: Buffer[] = [];
  #length = 0;

  /** @param max bytes of the longest line that may come */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * The lines that a chunk completes, without their ends.
   *
   * @returns undefined where a line is longer than may be: nothing that follows can be told apart any more
   */
  push(chunk: Buffer): Buffer[] | undefined {
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      if (!this.#keep(chunk.subarray(from, at))) return undefined;
      lines.push(this.#taken());
      from = at + 1;
    }
    return this.#keep(chunk.subarray(from)) ? lines : undefined;
  }

  #keep(part: Buffer): boolean {
    if (part.length === 0) return true;
    this.#parts.push(part);
    this.#length += part.length;
    return this.#length <= this.#max;
  }

  #taken(): Buffer {
    const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
  }
}
