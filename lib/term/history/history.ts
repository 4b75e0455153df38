/**
 * The lines above a screen, packed: kept as bytes, read back row by row at whatever width the screen has. A line costs
 * little more than its text, and one that scrolls off is packed in about a microsecond.
 */
import type { CellLine } from '../cell.ts';
import type { LogicalLine } from '../screen-view.ts';
import { readText } from '../logical-lines.ts';
import { MAX_HISTORY } from '../bounds.ts';
import { type ByteReader, type ByteWriter } from '../checkpoint/bytes.ts';
import { Chunk } from './chunk.ts';
import { ROW, RowWriter } from './row-codec.ts';

/** Logical lines read back that are kept, for a view that is drawn again and again: several screens' worth. */
const CACHED_LINES = 512;

/**
 * Rows dropped at most for one that is added. More than the limit are there after a resize only, which makes many rows of
 * few: they go one by one, as the program adds others, and none if the size is soon what it was.
 */
const DROPPED_AT_ONCE = 2;

/** A place in history: chunk, and logical line in it. */
interface Place {
  readonly chunk: number;
  readonly line: number;
}

export class History {
  readonly #writer = new RowWriter();
  #chunks: Chunk[] = [];
  #limit: number;
  #count = 0;
  #cols: number;
  #forgottenRows = 0;
  #forgottenLines = 0;
  #totals: Uint32Array | undefined;
  #cache = new Map<string, CellLine[]>();

  /** @param limit rows kept, counted as they were when they left the screen; @param cols width of the screen */
  constructor(limit: number, cols: number) {
    this.#limit = limit;
    this.#cols = cols;
  }

  /** Rows, wrapped at the screen's width. */
  get size(): number {
    return this.#rowsBefore().at(-1)!;
  }

  /** Rows that are gone for ever: beyond the limit, or cleared. */
  get forgottenRows(): number {
    return this.#forgottenRows;
  }

  /** Logical lines that began in history, those forgotten included. */
  get totalLines(): number {
    let lines = this.#forgottenLines;
    for (const chunk of this.#chunks) lines += chunk.starts;
    return lines;
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.size, 0);
  }

  /** Wraps at `cols` from now on. */
  setCols(cols: number): void {
    if (cols === this.#cols) return;
    this.#cols = cols;
    this.#changed();
  }

  setLimit(limit: number): void {
    this.#limit = limit;
    this.#trim(Infinity);
    this.#changed();
  }

  clear(): void {
    this.#forgottenRows += this.size;
    this.#forgottenLines = this.totalLines;
    this.#chunks = [];
    this.#count = 0;
    this.#changed();
  }

  /** Writes all of it for a checkpoint; or, not `isWhole`, as if it had just been cleared. */
  save(to: ByteWriter, isWhole: boolean): void {
    to.count(this.#limit);
    to.long(this.#forgottenRows + (isWhole ? 0 : this.size));
    to.long(isWhole ? this.#forgottenLines : this.totalLines);
    const chunks = isWhole ? this.#chunks : [];
    to.count(chunks.length);
    for (const chunk of chunks) chunk.save(to);
  }

  /** Puts back what `save` has written. Throws a CheckpointError for what it has not. */
  load(from: ByteReader): void {
    this.#limit = from.count(MAX_HISTORY);
    this.#forgottenRows = from.long();
    this.#forgottenLines = from.long();
    this.#chunks = Array.from({ length: from.count(from.left) }, (_, n) => Chunk.load(from, n === 0));
    this.#count = this.#chunks.reduce((sum, chunk) => sum + chunk.count, 0);
    // May be more than the limit: a resize pushes nothing out. It cannot be more than there were bytes for.
    this.#changed();
  }

  /** Adds a row that leaves the screen because of what the program prints. */
  push(line: CellLine): void {
    this.putBack(line);
    this.#trim(DROPPED_AT_ONCE);
  }

  /** Adds a row that leaves the screen because of a resize: that pushes nothing out. Without history it is gone. */
  putBack(line: CellLine): void {
    if (this.#limit === 0) return;
    const chunk = this.#open(line.wrapped ? ROW.wrapped : 0);
    this.#writer.write(line, this.#cols, chunk.number);
    this.#add(chunk);
  }

  /** Adds `bytes[start…end]`, printable ASCII that fits a row, in one style. */
  pushAscii(bytes: Uint8Array, start: number, end: number, fg: number, bg: number, wrapped: boolean): void {
    const flags = (wrapped ? ROW.wrapped : 0) | (end - start < this.#cols ? ROW.endsEmpty : 0);
    const chunk = this.#open(flags);
    this.#writer.writeAscii(bytes, start, end, fg, bg, flags);
    this.#add(chunk);
    this.#trim(DROPPED_AT_ONCE);
  }

  /** Takes the last logical line away, or its last `most` cells: its rows, [] where there is none. */
  takeLine(most: number): CellLine[] {
    const chunk = this.#chunks.at(-1);
    if (!chunk) return [];
    const before = chunk.count;
    const rows = chunk.takeLine(this.#cols, most);
    this.#count -= before - chunk.count;
    if (chunk.count === 0) this.#chunks.pop();
    this.#changed();
    return rows;
  }

  /** A row; 0 is the oldest. */
  row(index: number): CellLine | undefined {
    const totals = this.#rowsBefore();
    if (!(index >= 0 && index < totals.at(-1)!)) return undefined;
    const chunk = this.#chunkOf(index);
    const at = this.#chunks[chunk]!.lineAt(index - totals[chunk]!, this.#cols);
    return this.#lineRows({ chunk, line: at.line })[index - totals[chunk]! - at.before];
  }

  /** Number, since the terminal was made, of the logical line that row `index` belongs to, and its first row. */
  lineOf(index: number): { number: number; row: number } {
    const totals = this.#rowsBefore();
    const n = this.#chunkOf(index);
    const chunk = this.#chunks[n]!;
    const { line, before } = chunk.lineAt(index - totals[n]!, this.#cols);
    let number = this.#forgottenLines;
    for (let i = 0; i < n; i++) number += this.#chunks[i]!.starts;
    return { number: number + line - (chunk.isContinued ? 1 : 0), row: totals[n]! + before };
  }

  /** First row of a logical line by its number; undefined where it is not in history. */
  rowOf(number: number): number | undefined {
    const totals = this.#rowsBefore();
    let first = this.#forgottenLines;
    for (let n = 0; n < this.#chunks.length; n++) {
      const chunk = this.#chunks[n]!;
      const line = number - first + (chunk.isContinued ? 1 : 0);
      if (number >= first && line < chunk.lines(this.#cols))
        return totals[n]! + chunk.rowsBefore(line, this.#cols);
      first += chunk.starts;
    }
    return undefined;
  }

  /** Logical lines from the one that row `index` belongs to, to either end; `y` counts from the top of the screen. */
  *lines(index: number, step: 1 | -1): Generator<LogicalLine> {
    const totals = this.#rowsBefore();
    const size = totals.at(-1)!;
    if (!(index >= 0 && index < size)) return;
    let n = this.#chunkOf(index);
    let { line } = this.#chunks[n]!.lineAt(index - totals[n]!, this.#cols);
    while (n >= 0 && n < this.#chunks.length) {
      const chunk = this.#chunks[n]!;
      const last = chunk.lines(this.#cols) - 1;
      if (line === Infinity) line = last;
      for (; line >= 0 && line <= last; line += step) {
        const y = totals[n]! + chunk.rowsBefore(line, this.#cols) - size;
        const rows = chunk.rowsBefore(line + 1, this.#cols) - chunk.rowsBefore(line, this.#cols);
        yield this.#logicalLine({ chunk: n, line }, y, rows);
      }
      n += step;
      line = step > 0 ? 0 : Infinity;
    }
  }

  #logicalLine(place: Place, y: number, rows: number): LogicalLine {
    const text = this.#chunks[place.chunk]!.plainText(place.line, this.#cols);
    if (text !== undefined) return { y, rows, text, cells: undefined };
    // Not by the cache: going through all of history must not push out what is being looked at.
    return { y, rows, ...readText(this.#chunks[place.chunk]!.lineRows(place.line, this.#cols), this.#cols) };
  }

  #lineRows({ chunk, line }: Place): CellLine[] {
    const key = `${chunk}:${line}`;
    const known = this.#cache.get(key);
    if (known) return known;
    const rows = this.#chunks[chunk]!.lineRows(line, this.#cols);
    if (this.#cache.size >= CACHED_LINES) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(key, rows);
    return rows;
  }

  /** The chunk for another row. */
  #open(flags: number): Chunk {
    const last = this.#chunks.at(-1);
    if (last && !last.isFull(flags)) return last;
    last?.seal();
    const chunk = new Chunk();
    this.#chunks.push(chunk);
    return chunk;
  }

  #add(chunk: Chunk): void {
    chunk.add(this.#writer, this.#cols);
    this.#count++;
    this.#changed();
  }

  /** Drops what is beyond the limit, `most` rows or lines of it. */
  #trim(most: number): void {
    for (let n = 0; n < most && this.#count > this.#limit; n++) {
      const chunk = this.#chunks[0]!;
      const { count, rows, starts } = chunk.dropFirst(this.#cols, this.#count - this.#limit);
      if (count === 0) return;
      if (starts) this.#forgottenLines++;
      this.#count -= count;
      this.#forgottenRows += rows;
      if (chunk.count === 0) this.#chunks.shift();
    }
  }

  #changed(): void {
    this.#totals = undefined;
    if (this.#cache.size > 0) this.#cache.clear();
  }

  /** Rows before each chunk, then all. */
  #rowsBefore(): Uint32Array {
    if (this.#totals) return this.#totals;
    const totals = new Uint32Array(this.#chunks.length + 1);
    this.#chunks.forEach((chunk, n) => (totals[n + 1] = totals[n]! + chunk.rows(this.#cols)));
    this.#totals = totals;
    return totals;
  }

  #chunkOf(index: number): number {
    const totals = this.#rowsBefore();
    let n = 0;
    while (n + 2 < totals.length && totals[n + 1]! <= index) n++;
    return n;
  }
}
