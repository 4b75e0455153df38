/**
 * Scroll mode: looking back through a pane's history while it goes on. What is looked at stays in place when lines
 * arrive below it.
 */
import { WHEEL_ROWS, pageRows, still } from './event.ts';
import type { Step } from './event.ts';

/** A look back. Lines are rows of the pane. */
export interface Scroll {
  /** Lines between the bottom of the view and the bottom of the pane: 0 is live. Never above `history`. */
  readonly offset: number;
  /** Lines of history above the screen. */
  readonly history: number;
  /** Rows of the pane. */
  readonly rows: number;
  /** Entered by the wheel: leaves by itself when the bottom is reached. */
  readonly leavesAtBottom: boolean;
}

export type ScrollEvent =
  | string
  /** The pane's history is now `history` lines long; `added` of them are new (more than the growth once it is full). */
  | { readonly type: 'content'; readonly history: number; readonly added: number }
  /** The pane has another height. */
  | { readonly type: 'rows'; readonly rows: number }
  /** Show the line that many lines above the bottom. */
  | { readonly type: 'offset'; readonly offset: number };

export type ScrollIntent = { readonly type: 'cancel' };

/** Scroll mode as it begins: at the bottom. */
export function scroll(history: number, rows: number, byWheel: boolean): Scroll {
  return { offset: 0, history: Math.max(0, history), rows: Math.max(1, rows), leavesAtBottom: byWheel };
}

/** Lines up (positive) for each action; tmux's copy-mode names are understood too. */
const MOVES: Readonly<Record<string, (state: Scroll) => number>> = {
  up: () => 1,
  down: () => -1,
  'wheel-up': () => WHEEL_ROWS,
  'wheel-down': () => -WHEEL_ROWS,
  'page-up': state => pageRows(state.rows),
  'page-down': state => -pageRows(state.rows),
  'halfpage-up': state => Math.max(1, Math.floor(state.rows / 2)),
  'halfpage-down': state => -Math.max(1, Math.floor(state.rows / 2)),
  'fullpage-up': state => Math.max(1, state.rows - 1),
  'fullpage-down': state => -Math.max(1, state.rows - 1),
  top: state => state.history,
  bottom: state => -state.history,
};

const ALIASES: Readonly<Record<string, string>> = {
  'scroll-up': 'up',
  'scroll-down': 'down',
  'history-top': 'top',
  'history-bottom': 'bottom',
};

/** Scroll mode after `event`. */
export function reduceScroll(state: Scroll, event: ScrollEvent): Step<Scroll, ScrollIntent> {
  if (typeof event === 'string') return act(state, event);
  if (event.type === 'rows') return still({ ...state, rows: Math.max(1, event.rows) });
  if (event.type === 'offset') return still(at(state, event.offset));
  const history = Math.max(0, event.history);
  // At the bottom one goes on looking at the bottom; above it, at the same text.
  const offset = state.offset === 0 ? 0 : state.offset + Math.max(0, event.added);
  return still(at({ ...state, history }, offset));
}

function act(state: Scroll, action: string): Step<Scroll, ScrollIntent> {
  if (action === 'cancel') return { state, intents: [{ type: 'cancel' }] };
  const name = Object.hasOwn(ALIASES, action) ? ALIASES[action]! : action;
  const move = Object.hasOwn(MOVES, name) ? MOVES[name] : undefined;
  if (!move) return still(state);
  const lines = move(state);
  const next = at(state, state.offset + lines);
  const leaves = lines < 0 && next.offset === 0 && state.leavesAtBottom;
  return { state: next, intents: leaves ? [{ type: 'cancel' }] : [] };
}

function at(state: Scroll, offset: number): Scroll {
  return { ...state, offset: Math.max(0, Math.min(state.history, Math.trunc(offset) || 0)) };
}

/** The position as the pane's header shows it: `[offset/history]`. */
export function scrollPosition(state: Scroll): string {
  return `[${state.offset}/${state.history}]`;
}
