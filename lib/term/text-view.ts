/**
 * Logical lines and anchors across a screen and the history above it.
 */
import type { History } from './history/history.ts';
import { firstRow, readLogicalLine } from './logical-lines.ts';
import type { Anchor, LogicalLine, ScreenView } from './screen-view.ts';

/** As `TextView.logicalLines`. History reads its own lines; only one that reaches into the screen is read by rows. */
export function* logicalLines(
  view: ScreenView,
  history: History,
  y: number,
  step: 1 | -1,
): Generator<LogicalLine> {
  // The first row that history does not read by itself.
  const border = view.historySize > 0 && view.line(0)?.wrapped ? firstRow(view, -1) : 0;
  const size = view.historySize;
  let row = firstRow(view, y);
  if (step > 0) {
    if (row < border) {
      for (const line of history.lines(size + row, 1)) if (line.y < border) yield line;
      row = border;
    }
    for (let line = readLogicalLine(view, row); line; line = readLogicalLine(view, line.y + line.rows))
      yield line;
    return;
  }
  while (row >= border) {
    const line = readLogicalLine(view, row);
    if (!line) return;
    yield line;
    if (row === border) break;
    row = firstRow(view, row - 1);
  }
  yield* history.lines(size + Math.min(row, border - 1), -1);
}

/** As `TextView.anchor`. */
export function anchorAt(view: ScreenView, history: History, y: number, x: number): Anchor {
  if (y < 0 && view.historySize > 0) {
    const index = Math.max(0, view.historySize + y);
    const { number, row } = history.lineOf(index);
    return { line: number, cell: (index - row) * view.cols + x };
  }
  const first = Math.max(0, firstRow(view, y));
  let line = screenStart(view, history) - 1;
  for (let row = 0; row <= first; row++) if (!view.line(row)?.wrapped) line++;
  return { line, cell: (y - firstRow(view, y)) * view.cols + x };
}

/** As `TextView.locate`. */
export function locateAnchor(
  view: ScreenView,
  history: History,
  { line, cell }: Anchor,
): { readonly y: number; readonly x: number } | undefined {
  const place = (first: number): { y: number; x: number } => ({
    y: Math.min(view.rows - 1, first + Math.floor(cell / view.cols)),
    x: cell % view.cols,
  });
  const start = screenStart(view, history);
  if (line < start) {
    const row = view.historySize > 0 ? history.rowOf(line) : undefined;
    return row === undefined ? undefined : place(row - view.historySize);
  }
  let number = start - 1;
  for (let row = 0; row < view.rows; row++) {
    if (!view.line(row)?.wrapped) number++;
    if (number === line) return place(row);
  }
  return undefined;
}

/** Number of the first line that begins on the screen. The alternate screen has lines of its own, from 0. */
function screenStart(view: ScreenView, history: History): number {
  return view.modes.alternateScreen ? 0 : history.totalLines;
}
