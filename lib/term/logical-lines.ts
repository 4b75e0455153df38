/**
 * Logical lines: what a program wrote up to a line feed, whatever width it is shown at. Search, words and copies go by
 * them, and they are what stays when a screen is re-wrapped.
 */
import { CELL_WORDS, CONTENT } from './cell.ts';
import type { CellLine } from './cell.ts';
import type { LogicalLine, ScreenView } from './screen-view.ts';

/** A line's text without the blanks at its end, and which cell (from the start of the line) each UTF-16 unit is in. */
export interface CellText {
  readonly text: string;
  /** Undefined where every unit is a cell of its own: cell n is unit n. */
  readonly cells: readonly number[] | undefined;
}

/** Reads rows that make up one line, `cols` cells each. */
export function readText(rows: readonly CellLine[], cols: number): CellText {
  let text = '';
  const cells: number[] = [];
  let isPlain = true;
  rows.forEach((row, n) => {
    const count = Math.min(cols, Math.floor(row.words.length / CELL_WORDS));
    // A last column left empty for a wide character that did not fit is no part of the text.
    const end = isLeftEmpty(row, rows[n + 1], cols) ? cols - 1 : cols;
    for (let x = 0; x < end; x++) {
      const content = x < count ? row.words[x * CELL_WORDS]! : 0;
      const codepoint = content & CONTENT.codepointMask;
      let cell = ' ';
      if (content & CONTENT.isCluster) cell = row.clusters[x] ?? ' ';
      else if (codepoint !== 0) cell = String.fromCodePoint(codepoint);
      else if (x < count && (content & CONTENT.widthMask) === 0 && x > 0 && isWide(row, x - 1)) cell = '';
      if (cell.length !== 1) isPlain = false;
      for (let i = 0; i < cell.length; i++) cells.push(n * cols + x);
      text += cell;
    }
  });
  const end = text.trimEnd().length;
  return { text: text.slice(0, end), cells: isPlain ? undefined : cells.slice(0, end) };
}

function isLeftEmpty(row: CellLine, next: CellLine | undefined, cols: number): boolean {
  if (!next || next.words.length === 0 || !isWide(next, 0)) return false;
  return ((row.words[(cols - 1) * CELL_WORDS] ?? 0) & CONTENT.hasContent) === 0 && !isWide(row, cols - 2);
}

function isWide(row: CellLine, x: number): boolean {
  return ((row.words[x * CELL_WORDS] ?? 0) & CONTENT.widthMask) >>> CONTENT.widthShift === 2;
}

/** The first row of the line that row `y` belongs to. */
export function firstRow(view: Pick<ScreenView, 'line' | 'historySize'>, y: number): number {
  let row = y;
  while (row > -view.historySize && view.line(row)?.wrapped) row--;
  return row;
}

/** The line whose first row is `y`. */
export function readLogicalLine(view: Pick<ScreenView, 'line' | 'cols'>, y: number): LogicalLine | undefined {
  const rows: CellLine[] = [];
  for (
    let line = view.line(y);
    line && (rows.length === 0 || line.wrapped);
    line = view.line(y + rows.length)
  )
    rows.push(line);
  if (rows.length === 0) return undefined;
  return { y, rows: rows.length, ...readText(rows, view.cols) };
}
