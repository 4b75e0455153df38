/**
 * A list with a filter line: palette, choosers, file pickers. The selection belongs to an item, not to a row: when the
 * list changes under it, it stays on the same item, and only where that is gone it falls to the row it stood in.
 */
import type { StyledLine } from '../base/styled.ts';
import type { PickerView } from '../chrome/view.ts';
import { moveIndex, pageRows, still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';
import { rank } from './fuzzy.ts';
import type { FuzzyMatch } from './fuzzy.ts';
import { highlight } from './highlight.ts';
import { editLine, lineEditor } from './line-editor.ts';
import type { LineEditor } from './line-editor.ts';

/** Something to choose. */
export interface PickerItem {
  /** Unique in the list. */
  readonly id: string;
  /** Shown and searched. */
  readonly text: string;
  /** Right-aligned and dim, not searched. */
  readonly note: string;
  /** Searched besides the text, not shown. */
  readonly keywords?: string;
}

/** Rows given to the view: nobody walks further than this, a longer filter gets there. */
const MAX_SHOWN = 1_000;
/** Items kept; more than any list here has. */
const MAX_ITEMS = 20_000;
/** Rows of a box before its real height is known. */
const DEFAULT_ROWS = 16;

export interface Picker {
  readonly title: string;
  readonly hint: string;
  /** Shown when nothing matches or there is nothing. */
  readonly empty: string;
  readonly items: readonly PickerItem[];
  readonly filter: LineEditor;
  readonly matches: readonly FuzzyMatch[];
  /** Id of the selected item, '' where nothing matches. */
  readonly selected: string;
  /** Visible rows, for page keys. */
  readonly rows: number;
}

export type PickerEvent =
  | ModeEvent
  /** The list has changed. */
  | { readonly type: 'items'; readonly items: readonly PickerItem[] }
  /** A row of the view was pointed at. */
  | { readonly type: 'select'; readonly index: number }
  /** The list's visible rows. */
  | { readonly type: 'rows'; readonly rows: number };

export type PickerIntent =
  | { readonly type: 'accept'; readonly id: string; readonly filter: string }
  | { readonly type: 'cancel' }
  /** Another item is selected now: what shows a preview follows it. */
  | { readonly type: 'selected'; readonly id: string };

/** A picker over `items`; `selected` is the item to begin with, else the first. */
export function picker(
  options: {
    readonly title: string;
    readonly hint?: string;
    readonly empty?: string;
    readonly selected?: string;
  },
  items: readonly PickerItem[],
): Picker {
  const start: Picker = {
    title: options.title,
    hint: options.hint ?? '',
    empty: options.empty ?? 'nothing matches',
    items: [],
    filter: lineEditor(),
    matches: [],
    selected: options.selected ?? '',
    rows: DEFAULT_ROWS,
  };
  return withItems(start, items);
}

/** The picker after `event`. */
export function reducePicker(state: Picker, event: PickerEvent): Step<Picker, PickerIntent> {
  if (event === 'accept') {
    const { selected: id, filter } = state;
    return { state, intents: id === '' ? [] : [{ type: 'accept', id, filter: filter.text }] };
  }
  if (event === 'cancel') return { state, intents: [{ type: 'cancel' }] };
  const next = change(state, event);
  if (next.selected === state.selected) return still(next);
  return { state: next, intents: [{ type: 'selected', id: next.selected }] };
}

function change(state: Picker, event: PickerEvent): Picker {
  if (typeof event === 'string') {
    const index = moveIndex(event, selectedIndex(state), shown(state).length, pageRows(state.rows));
    if (index !== undefined) return { ...state, selected: idAt(state, index) };
    return withFilter(state, editLine(state.filter, event).state);
  }
  if (event.type === 'items') return withItems(state, event.items);
  if (event.type === 'rows') return { ...state, rows: Math.max(1, event.rows) };
  if (event.type === 'select') {
    return event.index in shown(state) ? { ...state, selected: idAt(state, event.index) } : state;
  }
  return withFilter(state, editLine(state.filter, event).state);
}

/** Typing selects the best match. */
function withFilter(state: Picker, filter: LineEditor): Picker {
  if (filter.text === state.filter.text) return { ...state, filter };
  const next = { ...state, filter, matches: search(state.items, filter.text) };
  return { ...next, selected: idAt(next, 0) };
}

function withItems(state: Picker, given: readonly PickerItem[]): Picker {
  const items = given.slice(0, MAX_ITEMS);
  const row = selectedIndex(state);
  const next = { ...state, items, matches: search(items, state.filter.text) };
  if (shown(next).some(match => items[match.index]!.id === state.selected)) return next;
  return { ...next, selected: idAt(next, Math.max(0, Math.min(row, shown(next).length - 1))) };
}

function search(items: readonly PickerItem[], query: string): FuzzyMatch[] {
  return rank(
    items.map(item => (item.keywords ? `${item.text} ${item.keywords}` : item.text)),
    query,
  );
}

function shown(state: Picker): readonly FuzzyMatch[] {
  return state.matches.slice(0, MAX_SHOWN);
}

function idAt(state: Picker, index: number): string {
  const match = state.matches[index];
  return match ? state.items[match.index]!.id : '';
}

function selectedIndex(state: Picker): number {
  return shown(state).findIndex(match => state.items[match.index]!.id === state.selected);
}

/** What chrome draws. `line` overrides how an item's text looks; by default matched characters stand out. */
export function pickerView(
  state: Picker,
  line: (item: PickerItem, ranges: FuzzyMatch['ranges']) => StyledLine = (item, ranges) =>
    highlight(item.text, ranges),
): PickerView {
  return {
    type: 'picker',
    title: state.title,
    filter: state.filter.text,
    caret: state.filter.caret,
    items: shown(state).map(({ index, ranges }) => {
      const item = state.items[index]!;
      return { id: item.id, line: line(item, ranges), note: item.note };
    }),
    selected: Math.max(0, selectedIndex(state)),
    total: state.items.length,
    hint: state.hint,
    empty: state.empty,
  };
}
