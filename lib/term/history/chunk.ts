/**
 * A stretch of history: the bytes of some hundred rows, and what is known of each. Whole logical lines, so that it can
 * be wrapped anew by itself; only a line longer than MAX_CHUNK is cut.
 */
import type { CellLine, Extended } from '../cell.ts';
import { MAX_HISTORY, MAX_SIDE, MIN_COLS } from '../bounds.ts';
import { malformed, type ByteReader, type ByteWriter } from '../checkpoint/bytes.ts';
import { ExtendedTable } from './extended-table.ts';
import { lineRows, type Piece } from './reflow.ts';
import { StoredRow, blankWords, isWide, type Unwrapped } from './stored-row.ts';
import { ROW, RowReader, type CellSink, type RowWriter } from './row-codec.ts';

/** Bytes after which the next line begins a new chunk: small enough to be dropped one by one, large enough to be few. */
export const FULL_CHUNK = 64 * 1024;
/** Bytes after which even a line that goes on does: a program that never ends its line does not grow one for ever. */
export const MAX_CHUNK = 1024 * 1024;
/** Bytes that a chunk cannot have: a row more than MAX_CHUNK is the most, and none is as long as that. */
const MAX_BYTES = 2 * MAX_CHUNK;
/** Rows that a new chunk has room for. */
const FIRST_ROWS = 512;

/** Where each logical line of a chunk lies when wrapped at `cols`. */
interface Layout {
  readonly cols: number;
  /** Record of each line's first piece, then the number of records. */
  readonly records: Uint32Array;
  /** Rows before each line, then the number of rows; all of them counted from `rows[0]`. */
  readonly rows: Uint32Array;
}

/** What was dropped: rows as they were stored, rows as they are wrapped, and whether a line began with them. */
export interface Dropped {
  readonly count: number;
  readonly rows: number;
  readonly starts: boolean;
}

const NOTHING_DROPPED: Dropped = { count: 0, rows: 0, starts: false };

/** Bytes and rows of history. Rows are only added at its end, and dropped from either end. */
export class Chunk {
  #bytes: Buffer;
  #used = 0;
  #offsets: Uint32Array;
  #cells: Uint16Array;
  #trimmed: Uint16Array;
  #cols: Uint16Array;
  #flags: Uint8Array;
  #extended = new ExtendedTable();
  #first = 0;
  #starts = 0;
  #end = 0;
  #layout: Layout | undefined;
  /** From this row to the last all were stored at one width. */
  #evenFrom = 0;

  /** Room to begin with. */
  constructor(bytes = FULL_CHUNK, rows = FIRST_ROWS) {
    this.#bytes = Buffer.alloc(bytes);
    this.#offsets = new Uint32Array(rows);
    this.#cells = new Uint16Array(rows);
    this.#trimmed = new Uint16Array(rows);
    this.#cols = new Uint16Array(rows);
    this.#flags = new Uint8Array(rows);
  }

  /** Writes the rows for a checkpoint, packed as they are. */
  save(to: ByteWriter): void {
    const [first, end] = [this.#first, this.#end];
    // Bytes of rows that were dropped are not written, but counted: they fill the chunk.
    const base = this.#offsets[first]!;
    for (const value of [end - first, base, this.#used - base]) to.count(value);
    to.raw(this.#bytes.subarray(base, this.#used));
    to.numbers(this.#offsets.subarray(first, end));
    for (const column of [this.#cells, this.#trimmed, this.#cols]) to.numbers(column.subarray(first, end));
    to.raw(this.#flags.subarray(first, end));
    this.#extended.save(to);
  }

  /**
   * A chunk of what `save` has written. Throws a CheckpointError for what it has not.
   * @param isOldest rows are only dropped from the oldest chunk
   */
  static load(from: ByteReader, isOldest: boolean): Chunk {
    const chunk = new Chunk(0, 0);
    const rows = from.count(MAX_HISTORY);
    const base = from.count(isOldest ? MAX_BYTES : 0);
    chunk.#used = base + from.count(MAX_BYTES - base);
    chunk.#bytes = Buffer.alloc(chunk.#used);
    chunk.#bytes.set(from.raw(chunk.#used - base), base);
    chunk.#offsets = from.numbers(new Uint32Array(rows));
    chunk.#cells = from.numbers(new Uint16Array(rows));
    chunk.#trimmed = from.numbers(new Uint16Array(rows));
    chunk.#cols = from.numbers(new Uint16Array(rows));
    chunk.#flags = from.raw(rows).slice();
    chunk.#extended = ExtendedTable.load(from);
    chunk.#loaded(rows);
    return chunk;
  }

  /** Counts what is known of rows that were loaded, and looks whether they can be. */
  #loaded(rows: number): void {
    if (rows === 0) throw malformed('a chunk without rows');
    for (let i = 0, before = 0; i < rows; i++) {
      const [offset, cols, cells] = [this.#offsets[i]!, this.#cols[i]!, this.#cells[i]!];
      const isSound =
        offset >= before &&
        offset <= this.#used &&
        cols >= MIN_COLS &&
        cols <= MAX_SIDE &&
        cells <= MAX_SIDE &&
        this.#trimmed[i]! <= cells;
      if (!isSound) throw malformed('a row that cannot be');
      before = offset;
      if (!(this.#flags[i]! & ROW.wrapped)) this.#starts++;
    }
    this.#end = rows;
    this.#evenFrom = this.#findEven();
  }

  /** Rows as they were stored. */
  get count(): number {
    return this.#end - this.#first;
  }

  /** Bytes of memory. */
  get size(): number {
    return this.#bytes.length + this.#offsets.length * 11;
  }

  /** Whether a row with these flags belongs into the next chunk. */
  isFull(flags: number): boolean {
    return this.#used >= (flags & ROW.wrapped ? MAX_CHUNK : FULL_CHUNK);
  }

  /** A number for extended attributes of a row that is added next. */
  readonly number = (extended: Extended): number => this.#extended.number(extended);

  /** Adds the row that `row` holds, stored at a width of `cols`. */
  add(row: RowWriter, cols: number): void {
    const at = this.#end;
    if (at === this.#offsets.length) this.#growRows(at * 2);
    if (this.#used + row.length > this.#bytes.length) this.#growBytes(this.#used + row.length);
    // A short copy is quicker in a loop than by a call out of it.
    if (row.length > 64) this.#bytes.set(row.bytes.subarray(0, row.length), this.#used);
    else for (let i = 0; i < row.length; i++) this.#bytes[this.#used + i] = row.bytes[i]!;
    this.#offsets[at] = this.#used;
    this.#cells[at] = row.cells;
    this.#trimmed[at] = row.trimmed;
    this.#cols[at] = cols;
    this.#flags[at] = row.flags;
    this.#used += row.length;
    this.#end++;
    if (!(row.flags & ROW.wrapped)) this.#starts++;
    this.#layout = undefined;
    if (at > 0 && this.#cols[at - 1] !== cols) this.#evenFrom = at;
  }

  /** Whether every row was stored at this width. What was dropped counts no more: it is not in a checkpoint either. */
  #isAllAt(cols: number): boolean {
    return this.#evenFrom <= this.#first && this.#end > 0 && this.#cols[this.#end - 1] === cols;
  }

  #findEven(): number {
    let row = this.#end - 1;
    while (row > this.#first && this.#cols[row - 1] === this.#cols[this.#end - 1]) row--;
    return Math.max(row, 0);
  }

  /**
   * Drops the oldest row. Where rows are wrapped otherwise than they were stored, that is a whole line: of a part of one
   * all would have to be wrapped anew. @param most rows, as they were stored
   */
  dropFirst(cols: number, most: number): Dropped {
    const layout = this.#isAllAt(cols) ? undefined : this.#layoutAt(cols);
    const count = layout ? layout.records[1]! - this.#first : 1;
    if (count > most) return NOTHING_DROPPED;
    const starts = !(this.#flags[this.#first]! & ROW.wrapped);
    this.#first += count;
    if (starts) this.#starts--;
    this.#layout = layout && { cols, records: layout.records.subarray(1), rows: layout.rows.subarray(1) };
    return { count, starts, rows: layout ? layout.rows[1]! - layout.rows[0]! : 1 };
  }

  /**
   * Takes the last logical line away, or what of it is here, or of a longer one its last stored rows with `most` cells.
   * @returns its rows at `cols`
   */
  takeLine(cols: number, most: number): CellLine[] {
    const { records, rows } = this.#layoutAt(cols);
    const last = rows.length - 2;
    let record = records[last]!;
    let cells = 0;
    for (let i = record; i < this.#end; i++) cells += this.#cols[i]!;
    const begin = record;
    while (cells > most && record < this.#end - 1) cells -= this.#cols[record++]!;
    const taken = this.#rowsOf(record, this.#end, cols);
    if (!(this.#flags[record]! & ROW.wrapped)) this.#starts--;
    this.#end = record;
    this.#used = this.#offsets[record]!;
    if (this.#evenFrom >= record) this.#evenFrom = this.#findEven();
    this.#layout =
      record === begin
        ? { cols, records: records.subarray(0, last + 1), rows: rows.subarray(0, last + 1) }
        : undefined;
    return taken;
  }

  /** Gives back memory that is not used. For a chunk that is not added to any more. */
  seal(): void {
    const exact = Buffer.alloc(this.#used);
    this.#bytes.copy(exact, 0, 0, this.#used);
    this.#bytes = exact;
    this.#growRows(this.#end);
  }

  /** Rows at `cols`. */
  rows(cols: number): number {
    return this.#isAllAt(cols) ? this.count : this.rowsBefore(this.lines(cols), cols);
  }

  /** Logical lines, one whose beginning is in the chunk before included. */
  lines(cols: number): number {
    return this.#layoutAt(cols).rows.length - 1;
  }

  /** Lines that begin here. */
  get starts(): number {
    return this.#starts;
  }

  /** Whether the first line's beginning is in the chunk before. */
  get isContinued(): boolean {
    return this.count > 0 && (this.#flags[this.#first]! & ROW.wrapped) !== 0;
  }

  /** The line that row `row` at `cols` belongs to, and the rows before that line. */
  lineAt(row: number, cols: number): { line: number; before: number } {
    const { rows } = this.#layoutAt(cols);
    let low = 0;
    let high = rows.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (rows[middle]! - rows[0]! <= row) low = middle;
      else high = middle - 1;
    }
    return { line: low, before: rows[low]! - rows[0]! };
  }

  /** Rows before line `line` at `cols`. */
  rowsBefore(line: number, cols: number): number {
    const { rows } = this.#layoutAt(cols);
    return rows[line]! - rows[0]!;
  }

  /** The rows of a logical line at `cols`. */
  lineRows(line: number, cols: number): CellLine[] {
    const { records } = this.#layoutAt(cols);
    return this.#rowsOf(records[line]!, records[line + 1]!, cols);
  }

  /** The rows at `cols` of the line in records `record` to before `to`. */
  #rowsOf(record: number, to: number, cols: number): CellLine[] {
    const pieces = this.#piecesOf(record, to);
    // Rows that are not wrapped anew are shown as they were, with whatever is behind their text (a coloured rest).
    const isOne = pieces.length === 1 && pieces[0]!.length <= cols;
    if (isOne || pieces.every(piece => piece.cols === cols)) {
      return pieces.map(
        (piece, i) => new StoredRow(this.#unwrap(record + i, [piece]), 0, Math.min(piece.cells, cols), cols),
      );
    }
    const unwrapped = this.#unwrap(record, pieces);
    const ends = lineRows(pieces, cols, cell => isWide(unwrapped.words, cell));
    return ends.map((end, i) => new StoredRow(unwrapped, i === 0 ? 0 : ends[i - 1]!, end, cols));
  }

  /** A logical line's text if each unit of it is a cell, without the blanks at its end; else undefined. */
  plainText(line: number, cols: number): string | undefined {
    const { records } = this.#layoutAt(cols);
    let text = '';
    for (let i = records[line]!; i < records[line + 1]!; i++) {
      const flags = this.#flags[i]!;
      if (flags & ROW.mixed) return undefined;
      const start = this.#offsets[i]!;
      // Latin-1 is what one byte a cell is.
      let part = this.#bytes.toString('latin1', start, start + this.#trimmed[i]!);
      if (flags & ROW.hasEmpty) part = part.replaceAll('\0', ' ');
      text += i + 1 < records[line + 1]! ? part.padEnd(this.#cols[i]!) : part;
    }
    return text.trimEnd();
  }

  #piecesOf(from: number, to: number): Piece[] {
    const pieces: Piece[] = [];
    for (let i = from; i < to; i++) {
      const isLast = i + 1 === to;
      const cols = this.#cols[i]!;
      const isCut =
        !isLast && (this.#flags[i]! & ROW.endsEmpty) !== 0 && (this.#flags[i + 1]! & ROW.startsWide) !== 0;
      const length = isLast ? this.#trimmed[i]! : isCut ? cols - 1 : cols;
      pieces.push({ cells: this.#cells[i]!, length, cols, hasWide: (this.#flags[i]! & ROW.hasWide) !== 0 });
    }
    return pieces;
  }

  /** The cells of the pieces from record `from` on, with what is known of them. */
  #unwrap(from: number, pieces: readonly Piece[]): Unwrapped {
    const sink = this.#read(from, pieces);
    const extended: Record<number, Extended> = {};
    for (const key in sink.extended) extended[key] = this.#extended.at(sink.extended[key]!);
    const flags = this.#flags[from]!;
    return {
      words: sink.words,
      clusters: sink.clusters,
      extended,
      isContinued: (flags & ROW.wrapped) !== 0,
      isPrompt: (flags & ROW.prompt) !== 0,
    };
  }

  /** The cells of the pieces from record `from` on, one after the other. */
  #read(from: number, pieces: readonly Piece[]): CellSink {
    // The last piece may hold more than its part of the line.
    const total = pieces.reduce((sum, piece) => sum + Math.max(piece.length, piece.cells), 0);
    const sink: CellSink = { words: blankWords(total), clusters: {}, extended: {} };
    let at = 0;
    pieces.forEach((piece, i) => {
      new RowReader(this.#bytes, this.#offsets[from + i]!).read(
        piece.cells,
        this.#flags[from + i]!,
        sink,
        at,
      );
      at += piece.length;
    });
    return sink;
  }

  #layoutAt(cols: number): Layout {
    if (this.#layout?.cols === cols) return this.#layout;
    const records = new Uint32Array(this.count + 1);
    const rows = new Uint32Array(this.count + 1);
    let lines = 0;
    for (let i = this.#first; i < this.#end;) {
      let end = i + 1;
      while (end < this.#end && this.#flags[end]! & ROW.wrapped) end++;
      records[lines] = i;
      rows[lines + 1] = rows[lines]! + this.#countRows(i, end, cols);
      lines++;
      i = end;
    }
    records[lines] = this.#end;
    this.#layout = { cols, records: records.slice(0, lines + 1), rows: rows.slice(0, lines + 1) };
    return this.#layout;
  }

  /** Rows at `cols` of the line in records `from` to before `to`. */
  #countRows(from: number, to: number, cols: number): number {
    if (to === from + 1) {
      if (this.#cols[from] === cols || this.#trimmed[from]! <= cols) return 1;
      if (!(this.#flags[from]! & ROW.hasWide)) return Math.ceil(this.#trimmed[from]! / cols);
    }
    const pieces = this.#piecesOf(from, to);
    if (!pieces.some(piece => piece.hasWide)) return lineRows(pieces, cols, () => false).length;
    const { words } = this.#read(from, pieces);
    return lineRows(pieces, cols, cell => isWide(words, cell)).length;
  }

  #growBytes(need: number): void {
    const grown = Buffer.alloc(Math.max(need, Math.ceil(this.#bytes.length * 1.5)));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
  }

  #growRows(rows: number): void {
    this.#offsets = resized(this.#offsets, new Uint32Array(rows));
    this.#cells = resized(this.#cells, new Uint16Array(rows));
    this.#trimmed = resized(this.#trimmed, new Uint16Array(rows));
    this.#cols = resized(this.#cols, new Uint16Array(rows));
    this.#flags = resized(this.#flags, new Uint8Array(rows));
  }
}

function resized<T extends Uint32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from.subarray(0, to.length));
  return to;
}
