/**
 * The picture of one client's screen: packed cells (term/cell.ts) and a cursor.
 *
 * Cells are in normal form: cells that look alike are equal in every bit, so rows can be compared as bytes.
 * - A blank is a space of width 1; without lines, inverse or a link on it, it has a background colour and nothing else.
 * - Colours with mode `default` have no colour bits; palette colours below 16 have mode p16, others p256.
 * - A wide character is a cell of width 2 followed by one of content 0 with the same attributes.
 * - A cluster cell holds `isCluster` and an id of `tables`; a cell with `hasExtended` has an id in `ext`.
 */
import type { Size } from '../base/geometry.ts';
import { clamp } from '../base/geometry.ts';
import type { ChromeCells } from '../chrome/view.ts';
import { CELL_WORDS, CONTENT } from '../term/cell.ts';
import type { CursorShape } from '../term/screen-view.ts';
import { FrameTables } from './interner.ts';

/** Content word of a blank cell. */
export const BLANK = 0x20 | (1 << CONTENT.widthShift);

/**
 * Largest frame. 8K screens with a 6-pixel font have 1,280 columns and fewer than 700 rows; a size beyond these is a
 * mistake or an attack, and 2,000 x 1,000 cells (24 MB) can still be held.
 */
const MAX_COLS = 2000;
const MAX_ROWS = 1000;

/** No cell's word: marks places whose source is not known. */
const UNKNOWN = 0xffffffff;

/** The cursor as it is to be shown. Zero-based cells, always inside the frame. */
export interface FrameCursor {
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
  /** `default` is the shape the person set in the terminal. */
  readonly shape: CursorShape;
  readonly blink: boolean;
  /** 0xRRGGBB; undefined for the person's own. */
  readonly color?: number | undefined;
}

const HOME: FrameCursor = { x: 0, y: 0, visible: false, shape: 'default', blink: false };

/** A screenful of cells. Made for one client and composed anew for each update. */
export class Frame implements Size {
  cols = 0;
  rows = 0;
  /** CELL_WORDS per cell, row by row. */
  cells = new Uint32Array(0);
  /** Ids of extended attributes, one per cell, 0 where there are none. */
  ext = new Uint32Array(0);
  /** By row: whether one of its cells may hold an id of `tables`, or was copied from one with side tables. */
  complex = new Uint8Array(0);
  /** By row: grows with every change. Whoever writes cells calls `touch`. */
  stamps = new Uint32Array(0);
  /** The same memory as `cells`, for comparisons as bytes. */
  cellBytes = Buffer.alloc(0);
  cursor: FrameCursor = HOME;
  readonly tables: FrameTables;

  /** What was last copied from a pane into each place, so that a line that did not change need not be looked at. */
  source = new Uint32Array(0);
  sourceBytes = Buffer.alloc(0);
  /** The chrome that is in the cells, compared by identity. */
  chrome: ChromeCells | undefined = undefined;

  /** A blank frame. Sizes are moved into 1..2000 columns and 1..1000 rows. */
  constructor(cols: number, rows: number, tables: FrameTables = new FrameTables()) {
    this.tables = tables;
    this.resize(cols, rows);
  }

  /** Changes the size; the frame is blank afterwards, with the cursor hidden. */
  resize(cols: number, rows: number): void {
    this.cols = clamp(Math.trunc(cols) || 1, 1, MAX_COLS);
    this.rows = clamp(Math.trunc(rows) || 1, 1, MAX_ROWS);
    const count = this.cols * this.rows;
    this.cells = new Uint32Array(count * CELL_WORDS);
    this.ext = new Uint32Array(count);
    this.complex = new Uint8Array(this.rows);
    this.stamps = new Uint32Array(this.rows).fill(1);
    this.source = new Uint32Array(count * CELL_WORDS);
    this.cellBytes = Buffer.from(this.cells.buffer);
    this.sourceBytes = Buffer.from(this.source.buffer);
    this.cursor = HOME;
    for (let y = 0; y < this.rows; y++) this.blank(y, 0, this.cols);
    this.forgetSources();
  }

  /** Makes `width` cells from (x, y) blank. */
  blank(y: number, x: number, width: number): void {
    const from = y * this.cols + x;
    const end = (from + width) * CELL_WORDS;
    for (let i = from * CELL_WORDS; i < end; i += CELL_WORDS) {
      this.cells[i] = BLANK;
      this.cells[i + 1] = 0;
      this.cells[i + 2] = 0;
    }
    if (this.complex[y]) this.ext.fill(0, from, from + width);
    this.touch(y);
  }

  /** Says that a row was written to. */
  touch(y: number): void {
    this.stamps[y]!++;
  }

  /** Everything must be composed anew, whatever it looked like. */
  forgetSources(): void {
    this.source.fill(UNKNOWN);
    this.chrome = undefined;
  }
}
