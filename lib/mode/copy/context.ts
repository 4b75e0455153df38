/**
 * What an action of copy mode is given, and what it may do to the state.
 */
import { clamp, type Point } from '../../base/geometry.ts';
import type { TextReader } from './reader.ts';
import type { CopyState } from './state.ts';

/** What options and the screen say while one action runs. */
export interface CopyContext {
  readonly reader: TextReader;
  /** Keys of vi: a selection holds the character under the cursor, and ends of words are their last characters. */
  readonly isVi: boolean;
  /** Characters that part words besides blanks. */
  readonly separators: string;
}

/** Rows kept above or below a place that is jumped to from afar, as a part of the pane: it is read with what is around it. */
const CONTEXT_PART = 4;

/** The cursor at a place, in sight; columns of the motions up and down begin anew. `isJump`: with rows around it. */
export function moveTo(state: CopyState, { reader }: CopyContext, to: Point, isJump = false): CopyState {
  const y = clamp(to.y, reader.first, reader.last);
  const cursor = { x: clamp(to.x, 0, reader.cols), y };
  return { ...state, cursor, top: topFor(state.top, y, reader, isJump), want: undefined };
}

/** Where to look so that row `y` is seen: as it is, or as little further as can be, or with rows around it. */
export function topFor(top: number, y: number, reader: TextReader, isJump = false): number {
  const { rows } = reader.view;
  const within = (value: number): number => clamp(value, reader.first, 0);
  if (y >= top && y < top + rows) return within(top);
  const margin = isJump ? Math.floor(rows / CONTEXT_PART) : 0;
  return within(y < top ? y - margin : y - rows + 1 + margin);
}

/** Looks `rows` further up (or down, negative), the cursor on the same row of the pane. */
export function scrollBy(state: CopyState, context: CopyContext, rows: number): CopyState {
  const { reader } = context;
  const top = clamp(state.top - rows, reader.first, 0);
  const moved = top - state.top;
  return vertical({ ...state, top }, reader, moved, state.cursor.y);
}

/** The cursor `by` rows further down, in the column that motions up and down keep. */
export function vertical(state: CopyState, reader: TextReader, by: number, from = state.cursor.y): CopyState {
  const { x } = state.cursor;
  const length = reader.row(from).length;
  const want = state.want ?? { x, atEnd: length > 0 && x >= length };
  const y = clamp(from + by, reader.first, reader.last);
  const end = reader.row(y).length;
  // A block is drawn through the blanks behind short rows.
  const to = state.isRectangle && state.selection ? want.x : want.atEnd ? end : Math.min(want.x, end);
  return { ...state, cursor: reader.snap({ x: to, y }), want };
}
