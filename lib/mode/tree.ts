/**
 * A whole-screen list of things that may hold other things: windows with their panes, paste buffers. Branches fold, a
 * filter narrows, rows are tagged and acted on together. As in tmux's trees letters are keys until the filter is opened.
 * The selection belongs to an item, not to a row.
 */
import type { StyledLine } from '../base/styled.ts';
import { moveIndex, pageRows, still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';
import { rank, type FuzzyMatch } from './fuzzy.ts';
import { editLine, lineEditor } from './line-editor.ts';
import type { LineEditor } from './line-editor.ts';

/** Something in the tree. Parents stand before what they hold. */
export interface TreeItem {
  /** Unique in the tree. */
  readonly id: string;
  /** Id of the item that holds it, '' for none. */
  readonly parent: string;
  /** Shown and searched. */
  readonly text: string;
  /** Before the text: a state's mark. */
  readonly mark: StyledLine;
  /** Right-aligned and dim, not searched. */
  readonly note: string;
  /** Searched besides the text. */
  readonly keywords: string;
  /** A heading over others: the filter looks for those, not for it. */
  readonly isHeading?: boolean;
}

/** A row that is shown. */
export interface TreeEntry {
  readonly item: TreeItem;
  readonly depth: number;
  /** Undefined where it holds nothing. */
  readonly open: boolean | undefined;
  readonly ranges: readonly (readonly [number, number])[];
}

/** What one tree can do besides being looked at. */
export interface TreeKind {
  readonly title: string;
  readonly empty: string;
  /** Names of what can be done to items; see `carryOut`. */
  readonly acts: readonly string[];
  /** Ways to sort, the first being how items come. */
  readonly orders: readonly string[];
  /** How the filter looks; fuzzily where it does not say. */
  readonly match?: (texts: readonly string[], query: string) => readonly FuzzyMatch[];
}

export interface Tree {
  readonly kind: TreeKind;
  readonly items: readonly TreeItem[];
  readonly focus: 'list' | 'filter';
  readonly filter: LineEditor;
  readonly folded: ReadonlySet<string>;
  readonly tagged: ReadonlySet<string>;
  readonly entries: readonly TreeEntry[];
  /** Id of the selected item, '' where nothing is shown. */
  readonly selected: string;
  /** Item that `home` goes to. */
  readonly home: string;
  readonly order: string;
  readonly isReversed: boolean;
  readonly hasPreview: boolean;
  /** Visible rows, for page keys. */
  readonly rows: number;
}

export type TreeEvent =
  | ModeEvent
  /** The items have changed. */
  | { readonly type: 'items'; readonly items: readonly TreeItem[] }
  /** A row was pointed at. */
  | { readonly type: 'select'; readonly index: number }
  | { readonly type: 'rows'; readonly rows: number };

export type TreeIntent =
  | { readonly type: 'accept'; readonly id: string }
  /** One of the kind's acts. */
  | { readonly type: 'act'; readonly action: string; readonly ids: readonly string[] }
  /** Items are wanted in another order. */
  | { readonly type: 'sort' }
  | { readonly type: 'cancel' };

/** Items kept; a thousand panes are far more than anybody has. */
const MAX_ITEMS = 5_000;
const DEFAULT_ROWS = 30;
/** Rows that a digit key chooses. */
const DIGITS = 10;
/** Nobody nests deeper, and rows that hold each other in a ring must end somewhere. */
const MAX_DEPTH = 8;

/** A tree over `items`. `selected` is where it begins and where `home` leads; `folded` are closed branches. */
export function tree(
  kind: TreeKind,
  items: readonly TreeItem[],
  options: { readonly selected?: string; readonly folded?: Iterable<string> } = {},
): Tree {
  const home = options.selected ?? '';
  return withItems(
    {
      kind,
      items: [],
      focus: 'list',
      filter: lineEditor(),
      folded: new Set(options.folded),
      tagged: new Set(),
      entries: [],
      selected: home,
      home,
      order: kind.orders[0] ?? '',
      isReversed: false,
      hasPreview: true,
      rows: DEFAULT_ROWS,
    },
    items,
  );
}

/** The selected item. */
export function selectedItem(state: Tree): TreeItem | undefined {
  return state.entries[selectedRow(state)]?.item;
}

/** Row of the selected item; 0 where it is not shown. */
export function selectedRow(state: Tree): number {
  return Math.max(
    0,
    state.entries.findIndex(({ item }) => item.id === state.selected),
  );
}

/** The tree after `event`. */
export function reduceTree(state: Tree, event: TreeEvent): Step<Tree, TreeIntent> {
  if (typeof event === 'string') return act(state, event);
  if (event.type === 'items') return still(withItems(state, event.items));
  if (event.type === 'rows') return still({ ...state, rows: Math.max(1, event.rows) });
  if (event.type === 'select') return still(selectAt(state, event.index));
  if (state.focus === 'filter') return still(edit(state, event));
  return event.type === 'text' && /^[0-9]$/.test(event.text)
    ? choose(state, Number(event.text))
    : still(state);
}

function act(state: Tree, action: string): Step<Tree, TreeIntent> {
  const moved = moveIndex(action, selectedRow(state), state.entries.length, pageRows(state.rows));
  if (moved !== undefined) return still(selectAt(state, moved));
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run) return run(state);
  if (state.focus === 'filter') return still(edit(state, action));
  return carryOut(state, action);
}

/** `NAME` is done to the selected item, `NAME-tagged` to the tagged ones, `command` to those or else to the selected. */
function carryOut(state: Tree, action: string): Step<Tree, TreeIntent> {
  const name = action.replace(/-tagged$/, '');
  if (!state.kind.acts.includes(name)) return still(state);
  const tagged = name === action && name !== 'command' ? [] : [...state.tagged];
  const isOne = name === action && tagged.length === 0 && state.selected !== '';
  const ids = isOne ? [state.selected] : tagged;
  return { state, intents: ids.length > 0 ? [{ type: 'act', action: name, ids }] : [] };
}

const ACTIONS: Readonly<Record<string, (state: Tree) => Step<Tree, TreeIntent>>> = {
  accept(state) {
    if (state.focus === 'filter') return still({ ...state, focus: 'list' });
    return choose(state, selectedRow(state));
  },
  cancel: back,
  filter: state => still({ ...state, focus: 'filter' }),
  expand: state => still(fold(state, false)),
  collapse: state => still(fold(state, true)),
  toggle(state) {
    const entry = state.entries[selectedRow(state)];
    return still(entry?.open === undefined ? state : fold(state, entry.open));
  },
  'expand-all': state => still(relist({ ...state, folded: new Set() })),
  'collapse-all': state =>
    still(relist({ ...state, folded: new Set(state.items.map(item => item.parent).filter(Boolean)) })),
  tag: state => still(tag(state)),
  'tag-all': state => still({ ...state, tagged: new Set(state.entries.map(({ item }) => item.id)) }),
  'tag-none': state => still({ ...state, tagged: new Set() }),
  home: state => still(reveal(state, state.home)),
  preview: state => still({ ...state, hasPreview: !state.hasPreview }),
  sort(state) {
    const { orders } = state.kind;
    const order = orders[(orders.indexOf(state.order) + 1) % orders.length] ?? '';
    return { state: { ...state, order }, intents: [{ type: 'sort' }] };
  },
  reverse: state => ({ state: { ...state, isReversed: !state.isReversed }, intents: [{ type: 'sort' }] }),
};

/** Leaves the topmost thing: the filter line with its text, then the tree. */
function back(state: Tree): Step<Tree, TreeIntent> {
  if (state.focus === 'filter' || state.filter.text !== '')
    return still(relist({ ...state, focus: 'list', filter: lineEditor() }));
  return { state, intents: [{ type: 'cancel' }] };
}

function choose(state: Tree, row: number): Step<Tree, TreeIntent> {
  const entry = state.entries[row];
  if (!entry) return still(state);
  return { state: selectAt(state, row), intents: [{ type: 'accept', id: entry.item.id }] };
}

/** Typing selects the first row that matches itself, not the branch that holds it. */
function edit(state: Tree, event: ModeEvent): Tree {
  const filter = editLine(state.filter, event).state;
  if (filter.text === state.filter.text) return { ...state, filter };
  const next = relist({ ...state, filter });
  const first = next.entries.find(entry => entry.ranges.length > 0) ?? next.entries[0];
  return { ...next, selected: first?.item.id ?? '' };
}

function selectAt(state: Tree, row: number): Tree {
  const entry = state.entries[Math.max(0, Math.min(row, state.entries.length - 1))];
  return { ...state, selected: entry?.item.id ?? '' };
}

/** Folds or unfolds the selected branch; where it is a leaf or closed already, the branch that holds it. */
function fold(state: Tree, close: boolean): Tree {
  const entry = state.entries[selectedRow(state)];
  if (!entry) return state;
  const isOwn = entry.open !== undefined && !(close && !entry.open);
  const id = isOwn ? entry.item.id : close ? entry.item.parent : '';
  if (id === '') return state;
  const folded = new Set(state.folded);
  if (close) folded.add(id);
  else folded.delete(id);
  return relist({ ...state, folded, selected: close ? id : state.selected });
}

function tag(state: Tree): Tree {
  if (state.selected === '') return state;
  const tagged = new Set(state.tagged);
  if (!tagged.delete(state.selected)) tagged.add(state.selected);
  return selectAt({ ...state, tagged }, selectedRow(state) + 1);
}

/** Selects an item wherever it is: what folds it away is opened. */
function reveal(state: Tree, id: string): Tree {
  const byId = new Map(state.items.map(item => [item.id, item]));
  const folded = new Set(state.folded);
  let at = byId.get(id);
  if (!at) return state;
  for (let n = 0; at && n < MAX_DEPTH; n++) {
    folded.delete(at.parent);
    at = byId.get(at.parent);
  }
  return relist({ ...state, folded, selected: id, filter: lineEditor() });
}

function withItems(state: Tree, given: readonly TreeItem[]): Tree {
  const items = given.slice(0, MAX_ITEMS);
  const ids = new Set(items.map(item => item.id));
  const tagged = new Set([...state.tagged].filter(id => ids.has(id)));
  return relist({ ...state, items, tagged });
}

/** The rows anew. The selection stays on its item, else goes to what held it, else stays in its row. */
function relist(state: Tree): Tree {
  const row = selectedRow(state);
  const before = selectedItem(state);
  const next = { ...state, entries: entriesOf(state) };
  const isThere = (id: string): boolean => next.entries.some(({ item }) => item.id === id);
  if (isThere(state.selected)) return next;
  const holder = state.items.find(item => item.id === state.selected)?.parent ?? before?.parent ?? '';
  return isThere(holder) ? { ...next, selected: holder } : selectAt(next, row);
}

/** Rows in the order of the items. A filter shows what matches with the branches it is in, all of them open. */
function entriesOf({ kind, items, filter, folded }: Tree): readonly TreeEntry[] {
  const children = new Set(items.map(item => item.parent));
  const query = filter.text.trim();
  const ranges = new Map(
    (kind.match ?? rank)(
      items.map(item => (item.isHeading && query !== '' ? '' : `${item.text} ${item.keywords}`)),
      query,
    ).map(match => [items[match.index]!.id, match.ranges]),
  );
  const byId = new Map(items.map(item => [item.id, item]));
  const holdersOf = (item: TreeItem): TreeItem[] => {
    const holders: TreeItem[] = [];
    let at = byId.get(item.parent);
    for (; at && holders.length < MAX_DEPTH; at = byId.get(at.parent)) holders.push(at);
    return holders;
  };
  const needed = new Set<string>();
  if (query !== '') {
    for (const item of items.filter(({ id }) => ranges.has(id)))
      for (const holder of [item, ...holdersOf(item)]) needed.add(holder.id);
  }
  return items.flatMap((item): TreeEntry[] => {
    const holders = holdersOf(item);
    const isShown = query === '' ? !holders.some(({ id }) => folded.has(id)) : needed.has(item.id);
    if (!isShown) return [];
    const open = children.has(item.id) ? query !== '' || !folded.has(item.id) : undefined;
    return [{ item, depth: holders.length, open, ranges: ranges.get(item.id) ?? [] }];
  });
}

/** Whether a digit key chooses the row, and which. */
export function digitOf(row: number): string {
  return row < DIGITS ? String(row) : '';
}
