/**
 * What is selected: as stretches of rows for the screen, and as text. Rows that wrap are joined, blanks at the ends of
 * lines are left out, and a wide character is taken whole.
 */
import type { Point } from '../../base/geometry.ts';
import type { CopyContext } from './context.ts';
import type { CopyState } from './state.ts';
import type { TextReader } from './reader.ts';
import { wordAt } from './words.ts';

/** From one place to another: `end` is the cell behind the last one. In a block both are corners. */
export interface Span {
  readonly start: Point;
  readonly end: Point;
  readonly isRectangle: boolean;
}

const isBefore = (a: Point, b: Point): boolean => a.y < b.y || (a.y === b.y && a.x < b.x);

/** The selection in order; undefined where nothing is selected. */
export function selectedSpan(state: CopyState, context: CopyContext): Span | undefined {
  const { selection, isRectangle } = state;
  if (!selection) return undefined;
  const { reader } = context;
  const holdsEnd = context.isVi || selection.isByMouse;
  const other = selection.end ?? state.cursor;
  const [a, b] = isBefore(other, selection.start) ? [other, selection.start] : [selection.start, other];
  if (selection.unit === 'line') {
    const last = reader.lineEnd(b.y);
    return {
      start: { x: 0, y: reader.lineStart(a.y) },
      end: { x: lineEndX(context, last), y: last },
      isRectangle: false,
    };
  }
  if (isRectangle) {
    const [left, right] = a.x <= b.x ? [a, b] : [b, a];
    const x1 = holdsEnd ? reader.after(right) : right.x;
    return { start: { x: left.x, y: a.y }, end: { x: x1, y: b.y }, isRectangle };
  }
  if (selection.unit === 'word') {
    const end = wordAt(reader, b, context.separators).end;
    const start = wordAt(reader, a, context.separators).start;
    return { start, end: { x: reader.after(end), y: end.y }, isRectangle };
  }
  return { start: a, end: { x: holdsEnd ? reader.after(b) : b.x, y: b.y }, isRectangle };
}

/** Behind the last cell of a row; in vi behind its line feed too. */
export function lineEndX({ reader, isVi }: CopyContext, y: number): number {
  return reader.row(y).length + (isVi ? 1 : 0);
}

/** Columns of a row that a span holds. */
function columns({ start, end, isRectangle }: Span, reader: TextReader, y: number): [number, number] {
  if (isRectangle) return [start.x, end.x];
  return [y === start.y ? start.x : 0, y === end.y ? end.x : reader.cols + 1];
}

/** Stretches of the rows `top` to `bottom` that a span covers; an empty row inside shows one cell. */
export function spanStretches(
  span: Span,
  reader: TextReader,
  top: number,
  bottom: number,
): { readonly y: number; readonly x0: number; readonly x1: number }[] {
  const stretches = [];
  for (let y = Math.max(top, span.start.y); y <= Math.min(bottom, span.end.y); y++) {
    const [from, to] = columns(span, reader, y);
    const x0 = reader.snap({ x: from, y }).x;
    const { length, continues } = reader.row(y);
    const limit = span.isRectangle || continues ? reader.cols : Math.max(length, from + 1);
    if (to > x0) stretches.push({ y, x0, x1: Math.min(to, limit, reader.cols) });
  }
  return stretches.filter(({ x0, x1 }) => x1 > x0);
}

/** The text of a span. A line feed at its end stays where the span holds it. */
export function spanText(span: Span, reader: TextReader): string {
  const parts: string[] = [];
  for (let y = span.start.y; y <= span.end.y; y++) {
    const [from, to] = columns(span, reader, y);
    const { cells, length, continues } = reader.row(y);
    const isJoined = continues && !span.isRectangle && to >= reader.cols;
    const limit = isJoined ? reader.cols : length;
    parts.push(cells.slice(reader.snap({ x: from, y }).x, Math.min(to, limit)).join(''));
    const isLast = y === span.end.y;
    if (!isJoined && (!isLast || (!span.isRectangle && !continues && to > length))) parts.push('\n');
  }
  return parts.join('');
}

/** The text that a selection holds; '' where there is none. */
export function selectedText(state: CopyState, context: CopyContext): string {
  const span = selectedSpan(state, context);
  return span ? spanText(span, context.reader) : '';
}
