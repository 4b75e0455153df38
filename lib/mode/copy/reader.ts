/**
 * The text of a screen and its history as copy mode walks it: rows of cells, and one stream of characters in which a
 * row that wraps goes on in the next one and every other row ends in a blank.
 */
import type { Point } from '../../base/geometry.ts';
import { CELL_WORDS, CONTENT } from '../../term/cell.ts';
import type { CellLine } from '../../term/cell.ts';
import type { TextView } from '../../term/screen-view.ts';

/** One row of the screen. */
export interface Row {
  /** Text of each cell: ' ' for a blank, '' for the right half of a wide character and the cell one did not fit into. */
  readonly cells: readonly string[];
  /** Cells up to the last one that is not blank. */
  readonly length: number;
  /** The next row continues this one. */
  readonly continues: boolean;
}

const NO_ROW: Row = { cells: [], length: 0, continues: false };

/** Reads a screen for the length of one action: nothing may be written to it meanwhile. */
export class TextReader {
  readonly view: TextView;
  readonly #rows = new Map<number, Row>();

  constructor(view: TextView) {
    this.view = view;
  }

  get cols(): number {
    return this.view.cols;
  }

  /** The oldest row. */
  get first(): number {
    return -this.view.historySize;
  }

  /** The last row of the screen. */
  get last(): number {
    return this.view.rows - 1;
  }

  row(y: number): Row {
    let row = this.#rows.get(y);
    if (!row) this.#rows.set(y, (row = this.#read(y)));
    return row;
  }

  /** Cells of a row that has text, '' outside. */
  cell({ x, y }: Point): string {
    return this.row(y).cells[x] ?? ' ';
  }

  /** First row of the line that row `y` belongs to. */
  lineStart(y: number): number {
    let row = y;
    while (row > this.first && this.row(row - 1).continues) row--;
    return row;
  }

  /** Last row of that line. */
  lineEnd(y: number): number {
    let row = y;
    while (row < this.last && this.row(row).continues) row++;
    return row;
  }

  /** The next character of the stream; undefined at its end. */
  next({ x, y }: Point): Point | undefined {
    const row = this.row(y);
    const limit = row.continues ? this.cols - 1 : row.length;
    let to = x + 1;
    while (to <= limit && row.cells[to] === '') to++;
    if (to <= limit) return { x: to, y };
    return y < this.last ? { x: 0, y: y + 1 } : undefined;
  }

  /** The character before; undefined at the beginning. */
  previous({ x, y }: Point): Point | undefined {
    if (x > 0) return this.snap({ x: x - 1, y });
    if (y <= this.first) return undefined;
    const above = this.row(y - 1);
    return this.snap({ x: above.continues ? this.cols - 1 : above.length, y: y - 1 });
  }

  /** The cell that the character at a cell begins in. */
  snap({ x, y }: Point): Point {
    const { cells } = this.row(y);
    let to = x;
    while (to > 0 && cells[to] === '') to--;
    return { x: to, y };
  }

  /** The cell right of the character at a cell. */
  after({ x, y }: Point): number {
    const { cells } = this.row(y);
    let to = x + 1;
    while (to < cells.length && cells[to] === '') to++;
    return to;
  }

  #read(y: number): Row {
    const line = this.view.line(y);
    if (!line) return NO_ROW;
    const below = y < this.last ? this.view.line(y + 1) : undefined;
    const continues = below?.wrapped === true;
    const cells = cellTexts(line, this.cols);
    // A wide character that did not fit has left the last cell empty: no blank that anybody wrote.
    if (continues && isEmpty(line, this.cols - 1) && isWide(below, 0)) cells[this.cols - 1] = '';
    let length = cells.length;
    while (length > 0 && cells[length - 1] === ' ') length--;
    return { cells, length, continues };
  }
}

function cellTexts(line: CellLine, cols: number): string[] {
  const count = Math.min(cols, Math.floor(line.words.length / CELL_WORDS));
  const cells: string[] = [];
  for (let x = 0; x < cols; x++) {
    const content = x < count ? line.words[x * CELL_WORDS]! : 0;
    const codepoint = content & CONTENT.codepointMask;
    if (content & CONTENT.isCluster) cells.push(line.clusters[x] ?? ' ');
    else if (codepoint !== 0) cells.push(String.fromCodePoint(codepoint));
    else cells.push(x > 0 && x < count && isWide(line, x - 1) ? '' : ' ');
  }
  return cells;
}

function isEmpty(line: CellLine, x: number): boolean {
  return ((line.words[x * CELL_WORDS] ?? 0) & CONTENT.hasContent) === 0;
}

function isWide(line: CellLine, x: number): boolean {
  return ((line.words[x * CELL_WORDS] ?? 0) & CONTENT.widthMask) >>> CONTENT.widthShift === 2;
}
