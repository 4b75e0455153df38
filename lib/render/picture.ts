/**
 * What a terminal shows, as far as we know: a copy of the cells last sent to it.
 */
import { BLANK } from '../frame/frame.ts';
import type { Frame } from '../frame/frame.ts';
import { BG, CELL_WORDS, CONTENT } from '../term/cell.ts';

/** No cell's word: what stands there must be written again, whatever it is. */
const UNKNOWN = 0xffffffff;
const ROW_BYTES = CELL_WORDS * 4;

/** The cells on one terminal's screen, in the layout and normal form of a Frame. */
export class Picture {
  cols = 0;
  rows = 0;
  cells = new Uint32Array(0);
  ext = new Uint32Array(0);
  /** By row: whether it may hold ids of the frame's tables. */
  complex = new Uint8Array(0);
  #bytes = Buffer.alloc(0);

  /** A blank screen of this size. */
  clear(cols: number, rows: number): void {
    if (cols !== this.cols || rows !== this.rows) {
      this.cols = cols;
      this.rows = rows;
      this.cells = new Uint32Array(cols * rows * CELL_WORDS);
      this.ext = new Uint32Array(cols * rows);
      this.complex = new Uint8Array(rows);
      this.#bytes = Buffer.from(this.cells.buffer);
    }
    this.blankRows(0, rows, 0);
  }

  /** Rows from `top` up to before `end` have been erased with this background. */
  blankRows(top: number, end: number, bg: number): void {
    const { cells, cols } = this;
    for (let i = top * cols * CELL_WORDS; i < end * cols * CELL_WORDS; i += CELL_WORDS) {
      cells[i] = BLANK;
      cells[i + 1] = 0;
      cells[i + 2] = bg;
    }
    this.ext.fill(0, top * cols, end * cols);
    this.complex.fill(0, top, end);
  }

  /** Ids of clusters and extended attributes have lost their meaning: cells that hold one are unknown. */
  forgetIds(): void {
    for (let y = 0; y < this.rows; y++) {
      if (!this.complex[y]) continue;
      const end = (y + 1) * this.cols * CELL_WORDS;
      for (let i = y * this.cols * CELL_WORDS; i < end; i += CELL_WORDS) {
        if (this.cells[i]! & CONTENT.isCluster || this.cells[i + 2]! & BG.hasExtended)
          this.cells[i] = UNKNOWN;
      }
    }
  }

  /** Whether row `from` of the screen is what row `y` of the frame is to be. Same size assumed. */
  isRow(frame: Frame, y: number, from: number = y): boolean {
    const size = this.cols * ROW_BYTES;
    const start = y * size;
    const mine = from * size;
    if (this.#bytes.compare(frame.cellBytes, start, start + size, mine, mine + size) !== 0) return false;
    if (!this.complex[from] && !frame.complex[y]) return true;
    for (let x = 0; x < this.cols; x++) {
      if (this.ext[from * this.cols + x] !== frame.ext[y * this.cols + x]) return false;
    }
    return true;
  }

  /** Whether the cell at index `n` is as in the frame. */
  isCell(frame: Frame, n: number): boolean {
    const i = n * CELL_WORDS;
    const mine = this.cells;
    const other = frame.cells;
    return (
      mine[i] === other[i] &&
      mine[i + 1] === other[i + 1] &&
      mine[i + 2] === other[i + 2] &&
      this.ext[n] === frame.ext[n]
    );
  }

  /** Row `y` has been painted. */
  takeRow(frame: Frame, y: number): void {
    const start = y * this.cols;
    const end = start + this.cols;
    this.cells.set(frame.cells.subarray(start * CELL_WORDS, end * CELL_WORDS), start * CELL_WORDS);
    if (!this.complex[y] && !frame.complex[y]) return;
    this.ext.set(frame.ext.subarray(start, end), start);
    this.complex[y] = frame.complex[y]!;
  }

  /** Rows top…bottom have been scrolled: up by `count` if positive, down if negative. */
  scroll(top: number, bottom: number, count: number): void {
    const first = count > 0 ? top + count : top;
    const last = count > 0 ? bottom : bottom + count;
    const { cols } = this;
    const to = first - count;
    this.cells.copyWithin(to * cols * CELL_WORDS, first * cols * CELL_WORDS, (last + 1) * cols * CELL_WORDS);
    this.ext.copyWithin(to * cols, first * cols, (last + 1) * cols);
    this.complex.copyWithin(to, first, last + 1);
    if (count > 0) this.blankRows(bottom + 1 - count, bottom + 1, 0);
    else this.blankRows(top, top - count, 0);
  }
}
