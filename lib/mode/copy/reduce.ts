/**
 * Copy mode: looking, selecting and searching in what a pane has shown, while it goes on. Actions have the names of
 * tmux's `send-keys -X`; one that is not known changes nothing.
 */
import { clamp } from '../../base/geometry.ts';
import { still, WHEEL_ROWS, type Step } from '../event.ts';
import { jumpTo } from './brackets.ts';
import { moveTo, scrollBy, topFor, vertical, type CopyContext } from './context.ts';
import { beginSelection, copy, copyingOf, otherEnd, selectUnit, stopSelection } from './copying.ts';
import type { CopyEvent, CopyIntent } from './intent.ts';
import { MOTIONS } from './motions.ts';
import { searchAgain, searchIncrementally, searchNews, startSearch } from './search.ts';
import { anchored, type CopyState, type SelectionUnit } from './state.ts';

type Result = Step<CopyState, CopyIntent>;

/** An action: its arguments, and how often it is to be done (at least 1). */
type Action = (
  state: CopyState,
  context: CopyContext,
  args: readonly string[],
  count: number,
) => CopyState | Result;

/** No repetition goes further: more rows than any history has to a screen, and a held digit key makes any number. */
const MAX_COUNT = 100_000;

const CANCEL: CopyIntent = { type: 'cancel' };

const page = (part: (rows: number) => number, sign: 1 | -1): Action => {
  return (state, context, _args, count) =>
    scrollBy(state, context, sign * count * Math.max(1, part(context.reader.view.rows)));
};
const fullPage = (rows: number): number => rows - 2;
const halfPage = (rows: number): number => Math.floor(rows / 2);
/** The page keys: what was at the edge stays well in sight. */
const shortPage = (rows: number): number => halfPage(rows) - 1;

const scroll =
  (rows: number): Action =>
  (state, context, _args, count) =>
    scrollBy(state, context, rows * count);

/** Down, and out of the mode where there is nothing further down. */
const downAndCancel = (move: Action): Action => {
  return (state, context, args, count) => {
    const next = asResult(move(state, context, args, count));
    return next.state.top === 0 ? { ...next, intents: [...next.intents, CANCEL] } : next;
  };
};

const cursorBy = (rows: number): Action => {
  return (state, { reader }, _args, count) => {
    const moved = vertical(state, reader, rows * count);
    return { ...moved, top: topFor(state.top, moved.cursor.y, reader) };
  };
};

/** What follows a motion up or down goes on in the column it began in; `select` takes lines or a word whole. */
const select = (unit: SelectionUnit): Action => {
  return (state, context, _args, count) => selectUnit(state, context, unit, count);
};

const search = (direction: 1 | -1, isRegex: boolean): Action => {
  return (state, _context, args, count) => startSearch(state, args[0] ?? '', { direction, isRegex }, count);
};

const jump = (direction: 1 | -1, isTill: boolean): Action => {
  return (state, context, args, count) => {
    const character = args[0] ?? '';
    if (character === '') return state;
    return doJump({ ...state, jump: { character, direction, isTill } }, context, direction, count);
  };
};

function doJump(state: CopyState, context: CopyContext, direction: 1 | -1, count: number): CopyState {
  if (!state.jump) return state;
  let cursor = state.cursor;
  for (let n = 0; n < count; n++) {
    const to = jumpTo(context.reader, cursor, { ...state.jump, direction });
    if (!to) break;
    cursor = to;
  }
  return moveTo(state, context, cursor);
}

function goToLine(state: CopyState, context: CopyContext, text: string): CopyState | Result {
  if (!/^\d{1,9}$/.test(text)) {
    return {
      state,
      intents: [{ type: 'message', text: `goto-line: '${text}' is not a number of lines`, tone: 'error' }],
    };
  }
  const { reader } = context;
  const top = clamp(-Number(text), reader.first, 0);
  return vertical({ ...state, top }, reader, top - state.top);
}

const ACTIONS: Readonly<Record<string, Action>> = {
  cancel: state => ({ state, intents: [CANCEL] }),
  'cursor-up': cursorBy(-1),
  'cursor-down': cursorBy(1),
  'cursor-down-and-cancel': downAndCancel(cursorBy(1)),
  'scroll-up': scroll(1),
  'scroll-down': scroll(-1),
  'scroll-down-and-cancel': downAndCancel(scroll(-1)),
  'wheel-up': scroll(WHEEL_ROWS),
  'wheel-down': scroll(-WHEEL_ROWS),
  'page-up': page(fullPage, 1),
  'page-down': page(fullPage, -1),
  'page-down-and-cancel': downAndCancel(page(fullPage, -1)),
  'short-page-up': page(shortPage, 1),
  'short-page-down': page(shortPage, -1),
  'halfpage-up': page(halfPage, 1),
  'halfpage-down': page(halfPage, -1),
  'halfpage-down-and-cancel': downAndCancel(page(halfPage, -1)),
  'scroll-middle': (s, c) => {
    const rows = c.reader.view.rows;
    return { ...s, top: clamp(s.cursor.y - Math.floor((rows - 1) / 2), c.reader.first, 0) };
  },
  'history-top': (s, c) => moveTo(s, c, { x: 0, y: c.reader.first }),
  'history-bottom': (s, c) => ({
    ...moveTo(s, c, { x: c.reader.row(c.reader.last).length, y: c.reader.last }),
    top: 0,
  }),
  'goto-line': (s, c, args) => goToLine(s, c, args[0] ?? ''),
  'jump-forward': jump(1, false),
  'jump-backward': jump(-1, false),
  'jump-to-forward': jump(1, true),
  'jump-to-backward': jump(-1, true),
  'jump-again': (s, c, _args, count) => doJump(s, c, s.jump?.direction ?? 1, count),
  'jump-reverse': (s, c, _args, count) => doJump(s, c, s.jump?.direction === 1 ? -1 : 1, count),
  'begin-selection': beginSelection,
  'select-line': select('line'),
  'select-word': select('word'),
  'stop-selection': stopSelection,
  'clear-selection': state => ({ ...state, selection: undefined }),
  // Leaves the topmost thing and nothing else: the selection, what is lit, the mode.
  'clear-or-cancel': state => {
    if (state.selection) return { ...state, selection: undefined };
    if (state.search) return { state: { ...state, search: undefined }, intents: [{ type: 'stop-search' }] };
    return { state, intents: [CANCEL] };
  },
  'other-end': otherEnd,
  'rectangle-on': state => ({ ...state, isRectangle: true }),
  'rectangle-off': state => ({ ...state, isRectangle: false }),
  'rectangle-toggle': state => ({ ...state, isRectangle: !state.isRectangle }),
  'set-mark': state => ({ ...state, mark: state.cursor }),
  'toggle-position': state => ({ ...state, showsPosition: !state.showsPosition }),
  // What is shown is the pane itself; the mark of new lines begins anew.
  'refresh-from-pane': state => ({ ...state, newRows: 0 }),
  'search-forward': search(1, true),
  'search-backward': search(-1, true),
  'search-forward-text': search(1, false),
  'search-backward-text': search(-1, false),
  'search-forward-incremental': (s, _c, args) => searchIncrementally(s, args[0] ?? '=', 1),
  'search-backward-incremental': (s, _c, args) => searchIncrementally(s, args[0] ?? '=', -1),
  'search-again': (s, _c, _args, count) => searchAgain(s, false, count),
  'search-reverse': (s, _c, _args, count) => searchAgain(s, true, count),
};

/** Whether there is an action of that name. */
export function isCopyAction(name: string): boolean {
  return (
    name === COUNT ||
    Object.hasOwn(ACTIONS, name) ||
    Object.hasOwn(MOTIONS, name) ||
    copyingOf(name, undefined) !== undefined
  );
}

/** Types a digit of a count. Zero without one before it goes to the start of the line, as in vi. */
const COUNT = 'repeat-count';

/** Copy mode after `event`. */
export function reduceCopy(state: CopyState, event: CopyEvent, context: CopyContext): Result {
  const { state: next, intents } = react(state, event, context);
  if (next === state) return { state, intents };
  // Whatever an action did, the cursor is in sight.
  const top = topFor(next.top, next.cursor.y, context.reader);
  const newRows = top === 0 ? 0 : next.newRows;
  const settled = { ...next, top, newRows };
  return { state: anchored(settled, context.reader.view), intents };
}

function react(state: CopyState, event: CopyEvent, context: CopyContext): Result {
  switch (event.type) {
    case 'action':
      return act(state, event, context);
    case 'press':
    case 'drag':
    case 'release':
      return still(pointed(state, event, context));
    default:
      return searchNews(state, event, context);
  }
}

function act(
  state: CopyState,
  { name, args, count: given }: Extract<CopyEvent, { type: 'action' }>,
  context: CopyContext,
): Result {
  if (name === COUNT) return typeCount(state, args[0] ?? '', context);
  const count = clamp(given || state.count || 1, 1, MAX_COUNT);
  const idle = state.count === 0 ? state : { ...state, count: 0 };
  const result = named(idle, name, args, count, context);
  if (!state.leavesAtBottom || result.state.top !== 0 || state.top === 0) return result;
  // What the wheel began ends with the wheel (or a page key) back at the bottom; a search or a selection is kept.
  const isOver = isDownward(name) && !result.state.selection;
  return isOver ? { ...result, intents: [...result.intents, CANCEL] } : result;
}

const isDownward = (name: string): boolean =>
  /^(?:wheel|scroll|page|halfpage|short-page|cursor)-down$/.test(name);

function named(
  state: CopyState,
  name: string,
  args: readonly string[],
  count: number,
  context: CopyContext,
): Result {
  if (Object.hasOwn(MOTIONS, name)) return still(repeat(state, context, name, count));
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action) return asResult(action(state, context, args, count));
  const copying = copyingOf(name, args[0]);
  return copying ? copy(state, context, copying, count) : still(state);
}

/** Motions to what may be far away: it is shown with the rows around it. */
const JUMPS: ReadonlySet<string> = new Set([
  'next-prompt',
  'previous-prompt',
  'next-matching-bracket',
  'previous-matching-bracket',
  'jump-to-mark',
]);

function repeat(state: CopyState, context: CopyContext, name: string, count: number): CopyState {
  const motion = MOTIONS[name]!;
  let next = state;
  const isJump = JUMPS.has(name);
  for (let n = 0; n < count; n++) {
    const to = motion(next, context);
    if (!to || (to.x === next.cursor.x && to.y === next.cursor.y)) break;
    next = moveTo(next, context, to, isJump);
  }
  return next;
}

function typeCount(state: CopyState, digit: string, context: CopyContext): Result {
  if (!/^\d$/.test(digit)) return still(state);
  if (digit === '0' && state.count === 0) return named(state, 'start-of-line', [], 1, context);
  return still({ ...state, count: Math.min(MAX_COUNT, state.count * 10 + Number(digit)) });
}

/** The mouse: a place of the pane as shown, on the character that is there. */
function pointed(
  state: CopyState,
  event: Extract<CopyEvent, { type: 'press' | 'drag' | 'release' }>,
  context: CopyContext,
): CopyState {
  if (event.type === 'release') return stopSelection(state);
  const { reader } = context;
  const y = clamp(state.top + event.at.y, reader.first, reader.last);
  const at = reader.snap({ x: clamp(event.at.x, 0, reader.cols - 1), y });
  if (event.type === 'drag') return { ...state, cursor: at, want: undefined };
  const placed = { ...state, cursor: at, want: undefined, isRectangle: false };
  const begun = event.unit === 'char' ? beginSelection(placed) : selectUnit(placed, context, event.unit, 1);
  return { ...begun, selection: begun.selection && { ...begun.selection, isByMouse: true } };
}

function asResult(value: CopyState | Result): Result {
  return 'intents' in value ? value : still(value);
}
