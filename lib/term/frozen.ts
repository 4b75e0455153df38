/**
 * A screen as it was at one moment: what copy mode looks at where a program draws over its own screen all the time.
 */
import type { Size } from '../base/geometry.ts';
import { BG, CELL_WORDS, type CellLine, type Extended } from './cell.ts';
import type { ColorOverrides } from './colors.ts';
import { History } from './history/history.ts';
import type { Anchor, Cursor, LogicalLine, TermModes, TextView } from './screen-view.ts';
import { anchorAt, locateAnchor, logicalLines } from './text-view.ts';

function copyOf(line: CellLine): CellLine {
  const words = line.words.slice();
  const extended = new Map<number, Extended>();
  for (let x = 0; x * CELL_WORDS < words.length; x++) {
    const own = words[x * CELL_WORDS + 2]! & BG.hasExtended ? line.extended(x) : undefined;
    if (own) extended.set(x, own);
  }
  const { wrapped, isPrompt = false } = line;
  return {
    words,
    clusters: { ...line.clusters },
    wrapped,
    isPrompt,
    extended: column => extended.get(column),
  };
}

/** The screen without its history. Another size shows a part of it, or blanks beside it: nothing is wrapped anew. */
export class FrozenScreen implements TextView {
  readonly seq: number;
  readonly cursor: Cursor;
  readonly modes: TermModes;
  readonly colors: ColorOverrides | undefined;
  readonly title: string;
  readonly cols: number;
  readonly rows: number;
  readonly historySize = 0;
  readonly scrolledRows = 0;
  readonly #lines: readonly CellLine[];
  readonly #history: History;

  private constructor(from: Omit<TextView, 'line'>, size: Size, lines: readonly CellLine[]) {
    this.seq = from.seq;
    this.cursor = from.cursor;
    // Nobody releases it.
    this.modes = { ...from.modes, synchronized: false };
    this.colors = from.colors;
    this.title = from.title;
    this.cols = size.cols;
    this.rows = size.rows;
    this.#lines = lines;
    this.#history = new History(0, size.cols);
  }

  static of(view: TextView): FrozenScreen {
    const rows = Array.from({ length: view.rows }, (_, y) => view.line(y));
    return new FrozenScreen(view, view, rows.flatMap(line => line ?? []).map(copyOf));
  }

  /** The same moment in another size. */
  fitted(size: Size): FrozenScreen {
    return size.cols === this.cols && size.rows === this.rows
      ? this
      : new FrozenScreen(this, { cols: size.cols, rows: size.rows }, this.#lines);
  }

  line(y: number): CellLine | undefined {
    return y < this.rows ? this.#lines[y] : undefined;
  }

  logicalLines(y: number, step: 1 | -1): Iterable<LogicalLine> {
    return logicalLines(this, this.#history, y, step);
  }

  anchor(y: number, x: number): Anchor {
    return anchorAt(this, this.#history, y, x);
  }

  locate(anchor: Anchor): { readonly y: number; readonly x: number } | undefined {
    return locateAnchor(this, this.#history, anchor);
  }
}
