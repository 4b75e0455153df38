/**
 * A menu: entries with keys of their own, some of which cannot be chosen, parted by rules.
 */
import { still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';

/** An entry, or undefined for a rule between entries. */
export type MenuEntry =
  | {
      readonly text: string;
      /** Key that chooses it, as tmux spells keys; '' for none. */
      readonly key: string;
      readonly isEnabled: boolean;
    }
  | undefined;

export interface Menu {
  readonly entries: readonly MenuEntry[];
  /** Index in `entries`; -1 while none is. */
  readonly selected: number;
}

export type MenuEvent =
  | ModeEvent
  /** A key, by its name. */
  | { readonly type: 'key'; readonly key: string }
  /** An entry was pointed at; -1 for none. */
  | { readonly type: 'point'; readonly index: number };

export type MenuIntent = { readonly type: 'accept'; readonly index: number } | { readonly type: 'cancel' };

/** Letters that move where no entry has them for its key, as in tmux's menus. */
const LETTERS: Readonly<Record<string, string>> = {
  j: 'down',
  k: 'up',
  g: 'top',
  G: 'bottom',
  q: 'cancel',
  Space: 'accept',
};

/** A menu with nothing selected, or its first entry. */
export function menu(entries: readonly MenuEntry[], options: { readonly isFirst: boolean }): Menu {
  const state = { entries, selected: -1 };
  return options.isFirst ? { ...state, selected: next(state, 1) } : state;
}

/** The menu after `event`. */
export function reduceMenu(state: Menu, event: MenuEvent): Step<Menu, MenuIntent> {
  if (typeof event === 'string') return act(state, event);
  if (event.type === 'paste') return still(state);
  if (event.type === 'point')
    return still({ ...state, selected: canChoose(state, event.index) ? event.index : -1 });
  const key = event.type === 'text' ? event.text : event.key;
  const index = state.entries.findIndex(entry => entry?.isEnabled && entry.key === key);
  if (index >= 0) return { state: { ...state, selected: index }, intents: [{ type: 'accept', index }] };
  return act(state, Object.hasOwn(LETTERS, key) ? LETTERS[key]! : '');
}

function act(state: Menu, action: string): Step<Menu, MenuIntent> {
  const { selected } = state;
  if (action === 'cancel') return { state, intents: [{ type: 'cancel' }] };
  if (action === 'accept')
    return { state, intents: selected < 0 ? [{ type: 'cancel' }] : [{ type: 'accept', index: selected }] };
  const moved = Object.hasOwn(MOVES, action) ? MOVES[action]!(state) : selected;
  return still({ ...state, selected: moved });
}

const MOVES: Readonly<Record<string, (state: Menu) => number>> = {
  up: state => next(state, -1),
  down: state => next(state, 1),
  'wheel-up': state => next(state, -1),
  'wheel-down': state => next(state, 1),
  top: ({ entries }) => next({ entries, selected: -1 }, 1),
  bottom: ({ entries }) => next({ entries, selected: entries.length }, -1),
};

function canChoose({ entries }: Menu, index: number): boolean {
  return entries[index]?.isEnabled === true;
}

/** The next entry that can be chosen, around the end; the selected one where there is no other. */
function next(state: Menu, step: 1 | -1): number {
  const count = state.entries.length;
  const from = state.selected < 0 && step < 0 ? count : state.selected;
  for (let n = 1; n <= count; n++) {
    const index = (((from + n * step) % count) + count) % count;
    if (canChoose(state, index)) return index;
  }
  return state.selected;
}
