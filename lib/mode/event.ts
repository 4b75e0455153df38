/**
 * What modes react to and what they ask for. A mode is a pure reducer: (state, event) → state and intents. Actions are
 * the names that key tables bind with `send-keys -X NAME`; an action a mode does not know changes nothing.
 */

/** A named action, typed text, or a paste. */
export type ModeEvent =
  | string
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string };

/** What a reducer returns. Intents are for the caller to carry out, in order. */
export interface Step<State, Intent> {
  readonly state: State;
  readonly intents: readonly Intent[];
}

/** A step that asks for nothing. */
export function still<State>(state: State): Step<State, never> {
  return { state, intents: [] };
}

/** A row of `count` rows, reached from `index` by a named motion; undefined where `action` is no motion. */
export function moveIndex(action: string, index: number, count: number, page: number): number | undefined {
  const motion = Object.hasOwn(MOTIONS, action) ? MOTIONS[action] : undefined;
  if (!motion) return undefined;
  return Math.max(0, Math.min(count - 1, motion(index, count, Math.max(1, page))));
}

/** Cells (rows) that one notch of the wheel scrolls. */
export const WHEEL_ROWS = 3;

const MOTIONS: Readonly<Record<string, (index: number, count: number, page: number) => number>> = {
  up: index => index - 1,
  down: index => index + 1,
  'page-up': (index, _count, page) => index - page,
  'page-down': (index, _count, page) => index + page,
  'wheel-up': index => index - WHEEL_ROWS,
  'wheel-down': index => index + WHEEL_ROWS,
  top: () => 0,
  bottom: (_index, count) => count - 1,
};

/** Rows that a page key moves in a list or text of `rows` visible rows: half a page less one. */
export function pageRows(rows: number): number {
  return Math.max(1, Math.floor(rows / 2) - 1);
}
