/**
 * What the screen shows of copy mode beside the text.
 */
import type { Point } from '../../base/geometry.ts';
import type { CopyContext } from './context.ts';
import type { LineMatcher } from './pattern.ts';
import { placeOf } from './search-run.ts';
import { selectedSpan, spanStretches } from './selection.ts';
import type { CopyState } from './state.ts';

/** What a stretch of the pane is lit for. */
export type Lit = 'selection' | 'match' | 'current';

/** A stretch of a row of the pane as shown. */
export interface LitStretch {
  readonly y: number;
  readonly x0: number;
  readonly x1: number;
  readonly as: Lit;
}

/** Lines longer than this are not searched for what to light: they are drawn many times a second. */
const MAX_LIT_LINE = 100_000;

/** The selection, in rows of the pane as shown. */
export function selectionStretches(state: CopyState, context: CopyContext): LitStretch[] {
  const span = selectedSpan(state, context);
  if (!span) return [];
  const { top } = state;
  const stretches = spanStretches(span, context.reader, top, top + context.reader.view.rows - 1);
  return stretches.map(({ y, x0, x1 }) => ({ y: y - top, x0, x1, as: 'selection' }));
}

/** Every match in sight; undefined where looking for them takes too long. */
export function matchStretches(
  state: CopyState,
  { reader }: CopyContext,
  pattern: RegExp,
  match: LineMatcher,
): LitStretch[] | undefined {
  const { view } = reader;
  const bottom = state.top + view.rows - 1;
  const lines = [];
  for (const line of view.logicalLines(state.top, 1)) {
    if (line.y > bottom) break;
    if (line.text.length <= MAX_LIT_LINE) lines.push(line);
  }
  const found = match(
    pattern,
    lines.map(line => line.text),
  );
  if (!found) return undefined;
  const current = state.search?.match;
  return lines.flatMap((line, n) =>
    found[n]!.flatMap(({ start, end }) => {
      const first = placeOf(line, start, view.cols);
      const last = placeOf(line, end - 1, view.cols);
      const as = current && first.x === current.x && first.y === current.y ? 'current' : 'match';
      return rowsOf(first, { x: reader.after(last), y: last.y }, view.cols, as)
        .filter(({ y }) => y >= state.top && y <= bottom)
        .map(stretch => ({ ...stretch, y: stretch.y - state.top }));
    }),
  );
}

/** From a place to behind another, row by row. */
function rowsOf(start: Point, end: Point, cols: number, as: Lit): LitStretch[] {
  const stretches: LitStretch[] = [];
  for (let y = start.y; y <= end.y; y++)
    stretches.push({ y, x0: y === start.y ? start.x : 0, x1: y === end.y ? end.x : cols, as });
  return stretches;
}

/** Where one is and what was found, as the pane's header shows it: `[12/400 +3] 2/17`. */
export function copyPosition(state: CopyState, historySize: number): string {
  const { search, newRows, count, showsPosition } = state;
  const parts = [];
  if (count > 0) parts.push(String(count));
  if (search?.failure) parts.push(search.failure);
  else if (search?.count) parts.push(`${search.count.index}/${search.count.total}`);
  if (showsPosition) parts.push(`[${-state.top}/${historySize}${newRows > 0 ? ` +${newRows} new` : ''}]`);
  return parts.join(' ');
}
