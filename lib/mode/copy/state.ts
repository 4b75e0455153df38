/**
 * Copy mode's state: where one looks in a pane's text, the cursor, what is selected and searched for. Rows are numbered
 * as in ScreenView.line; `syncCopy` moves them along when lines scroll or are wrapped anew, so that what is looked at
 * stays the same text.
 */
import { clamp, type Point } from '../../base/geometry.ts';
import type { Anchor, TextView } from '../../term/screen-view.ts';

/** What a selection grows by. */
export type SelectionUnit = 'char' | 'word' | 'line';

export interface Selection {
  readonly unit: SelectionUnit;
  readonly start: Point;
  /** Where it ends once it no longer follows the cursor. */
  readonly end: Point | undefined;
  /** Made with the mouse: the character under the pointer is always part of it. */
  readonly isByMouse: boolean;
}

/** What is searched for, and what came of it. */
export interface Search {
  readonly text: string;
  readonly isRegex: boolean;
  readonly direction: 1 | -1;
  /** Where the current match begins. */
  readonly match: Point | undefined;
  /** The place behind it. */
  readonly matchEnd: Point | undefined;
  /** Place of the current match among all, from 1, and how many there are; undefined until they are counted. */
  readonly count: { readonly index: number; readonly total: number } | undefined;
  /** Why there is no match, in a word or two: shown where the count is. */
  readonly failure: string;
}

/** A character looked for in a line, as `jump-again` repeats it. */
export interface Jump {
  readonly character: string;
  readonly direction: 1 | -1;
  /** Stops a cell before it. */
  readonly isTill: boolean;
}

/** The state of the text that the rows of a state belong to. */
interface Base {
  readonly cols: number;
  readonly rows: number;
  readonly scrolledRows: number;
  /** Fewer rows than before: a program has cleared what is above its screen. */
  readonly historySize: number;
  readonly isAlternate: boolean;
}

type Placed = 'top' | 'cursor' | 'start' | 'end' | 'mark';

export interface CopyState {
  /** Row shown at the top of the pane, at most 0: 0 is live. */
  readonly top: number;
  readonly cursor: Point;
  /** Column that motions up and down go for; `atEnd`: the end of each row. */
  readonly want: { readonly x: number; readonly atEnd: boolean } | undefined;
  readonly selection: Selection | undefined;
  readonly isRectangle: boolean;
  readonly search: Search | undefined;
  /** Where an incremental search began. */
  readonly origin: { readonly cursor: Point; readonly top: number } | undefined;
  readonly jump: Jump | undefined;
  readonly mark: Point | undefined;
  /** A count being typed; 0 if none is. */
  readonly count: number;
  /** Leaves by itself when the bottom is reached. */
  readonly leavesAtBottom: boolean;
  /** Began with the mouse. */
  readonly isByMouse: boolean;
  /** Rows that were added below while one looked above. */
  readonly newRows: number;
  readonly showsPosition: boolean;
  readonly base: Base;
  /** Places that survive a resize. */
  readonly anchors: Readonly<Partial<Record<Placed, Anchor>>>;
}

/** Copy mode as it begins: at the bottom, the cursor where the program's is. */
export function enterCopy(
  text: TextView,
  how: { readonly leavesAtBottom: boolean; readonly isByMouse: boolean },
): CopyState {
  const { x, y } = text.cursor;
  return anchored(
    {
      ...how,
      top: 0,
      cursor: { x: clamp(x, 0, text.cols - 1), y: clamp(y, 0, text.rows - 1) },
      want: undefined,
      selection: undefined,
      isRectangle: false,
      search: undefined,
      origin: undefined,
      jump: undefined,
      mark: undefined,
      count: 0,
      newRows: 0,
      showsPosition: true,
      base: baseOf(text),
      anchors: {},
    },
    text,
  );
}

function baseOf(text: TextView): Base {
  const { cols, rows, scrolledRows, historySize, modes } = text;
  return { cols, rows, scrolledRows, historySize, isAlternate: modes.alternateScreen };
}

/** The state with anchors for where things are now: every action ends with it, since after a resize it is too late. */
export function anchored(state: CopyState, text: TextView): CopyState {
  const { selection, mark } = state;
  const places: Partial<Record<Placed, Point>> = {
    top: { x: 0, y: state.top },
    cursor: state.cursor,
    ...(selection && { start: selection.start }),
    ...(selection?.end && { end: selection.end }),
    ...(mark && { mark }),
  };
  const anchors = Object.entries(places).map(([name, { x, y }]) => [name, text.anchor(y, x)] as const);
  return { ...state, anchors: Object.fromEntries(anchors) };
}

/** Whether `syncCopy` would change anything. */
export function isInSync({ base }: CopyState, text: TextView): boolean {
  return (
    base.scrolledRows === text.scrolledRows &&
    base.cols === text.cols &&
    base.rows === text.rows &&
    base.historySize === text.historySize &&
    base.isAlternate === text.modes.alternateScreen
  );
}

/** The state over the text as it is now: the same places, wherever they have gone; what is gone is the oldest row. */
export function syncCopy(state: CopyState, text: TextView): CopyState {
  if (isInSync(state, text)) return state;
  const base = baseOf(text);
  const before = state.base;
  const isSame =
    before.cols === base.cols && before.rows === base.rows && before.isAlternate === base.isAlternate;
  if (!isSame) return relocated({ ...state, base }, text);
  const added = Math.max(0, base.scrolledRows - before.scrolledRows);
  const moved = placed({ ...state, base }, text, (_name, { x, y }) => ({ x, y: y - added }));
  return { ...moved, newRows: moved.top === 0 ? 0 : state.newRows + added };
}

/** After a resize or a change of screens. */
function relocated(state: CopyState, text: TextView): CopyState {
  const moved = placed(state, text, (name, point) => {
    const anchor = state.anchors[name];
    return (anchor && text.locate(anchor)) ?? { x: point.x, y: -text.historySize };
  });
  const { search } = moved;
  const onMatch = state.search?.match?.x === state.cursor.x && state.search.match.y === state.cursor.y;
  // The cursor stays in sight, whatever has become of the rows between it and the top.
  const top = clamp(moved.top, moved.cursor.y - text.rows + 1, moved.cursor.y);
  return anchored(
    {
      ...moved,
      top: clamp(top, -text.historySize, 0),
      want: undefined,
      origin: undefined,
      search: search && { ...search, match: onMatch ? moved.cursor : undefined, matchEnd: undefined },
    },
    text,
  );
}

/** Every place of a state moved, and kept within the text. */
function placed(state: CopyState, text: TextView, move: (name: Placed, point: Point) => Point): CopyState {
  const within = (name: Placed, point: Point): Point => {
    const { x, y } = move(name, point);
    return y < -text.historySize
      ? { x: 0, y: -text.historySize }
      : { x: clamp(x, 0, text.cols), y: Math.min(y, text.rows - 1) };
  };
  const { selection, mark, search, origin } = state;
  return {
    ...state,
    top: clamp(within('top', { x: 0, y: state.top }).y, -text.historySize, 0),
    cursor: within('cursor', state.cursor),
    selection: selection && {
      ...selection,
      start: within('start', selection.start),
      end: selection.end && within('end', selection.end),
    },
    mark: mark && within('mark', mark),
    search: search?.match
      ? {
          ...search,
          match: within('cursor', search.match),
          matchEnd: search.matchEnd && within('cursor', search.matchEnd),
        }
      : search,
    origin: origin && {
      cursor: within('cursor', origin.cursor),
      top: clamp(within('top', { x: 0, y: origin.top }).y, -text.historySize, 0),
    },
  };
}
