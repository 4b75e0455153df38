/**
 * A browser: lores of the graph, or documents, at the left, narrowed by label facets, a filter, or a full-text search that
 * somebody else runs; the chosen one is previewed at the right. The selection belongs to an item's name and survives
 * changes of the list.
 */
import type { LoreHit } from '../graph/types.ts';
import { moveIndex, pageRows, still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';
import { listEntries } from './browser-list.ts';
import type { BrowserEntry, BrowserItem } from './browser-list.ts';
import { facetName, facetsOf } from './facets.ts';
import type { Facet } from './facets.ts';
import { editLine, lineEditor } from './line-editor.ts';
import type { LineEditor } from './line-editor.ts';

/** What typing goes to. In the list letters are keys. */
export type BrowserFocus = 'list' | 'filter' | 'search';

/** A full-text search: asked for, or answered. */
interface BrowserSearch {
  readonly query: string;
  /** Undefined until the answer is there. */
  readonly hits: readonly LoreHit[] | undefined;
  /** Why there is none, '' if there is nothing wrong. */
  readonly error: string;
}

export interface Browser {
  readonly lores: readonly BrowserItem[];
  readonly focus: BrowserFocus;
  readonly filter: LineEditor;
  /** The search line being edited. */
  readonly query: LineEditor;
  readonly search: BrowserSearch | undefined;
  readonly facets: readonly Facet[];
  /** Names (`key=value`) of chosen facets. */
  readonly active: readonly string[];
  /** Index in `facets` that `facet-toggle` acts on. */
  readonly facetCursor: number;
  readonly entries: readonly BrowserEntry[];
  /** Name of the selected lore, '' where there is none. */
  readonly selected: string;
  readonly previewScroll: number;
  /** Names of the lores that links were followed from, the last one last. */
  readonly trail: readonly string[];
  /** Measures from drawing: visible rows of the list and the preview, rows of the previewed text. */
  readonly rows: number;
  readonly previewRows: number;
  readonly previewHeight: number;
}

export type BrowserEvent =
  | ModeEvent
  | { readonly type: 'lores'; readonly lores: readonly BrowserItem[] }
  /** The answer to a 'search' intent; ignored when another search has been asked for since. */
  | {
      readonly type: 'hits';
      readonly query: string;
      readonly hits: readonly LoreHit[];
      readonly error?: string;
    }
  | { readonly type: 'select'; readonly index: number }
  | { readonly type: 'facet'; readonly index: number }
  | {
      readonly type: 'extent';
      readonly rows: number;
      readonly previewRows: number;
      readonly previewHeight: number;
    };

/** What can be done with the selected item. */
export type BrowserDeed = 'open' | 'copy' | 'insert-path' | 'edit' | 'history' | 'rename';

export type BrowserIntent =
  /** `name` is the item's address; of a lore `file` is its path relative to the graph root. */
  | {
      readonly type: BrowserDeed;
      readonly name: string;
      readonly file: string;
    }
  | { readonly type: 'search'; readonly query: string }
  /** Answered as a search for `query` is. */
  | { readonly type: 'backlinks' | 'links'; readonly name: string; readonly query: string }
  | { readonly type: 'new' }
  | { readonly type: 'cancel' };

/** Links followed that can be gone back: nobody remembers more of a way. */
const MAX_TRAIL = 100;
/** Rows before anything has been drawn. */
const DEFAULT_ROWS = 30;

/** The browser over `lores`, on the list; `selected` names the lore to begin with. */
export function browser(lores: readonly BrowserItem[], selected = ''): Browser {
  return withLores(
    {
      lores: [],
      focus: 'list',
      filter: lineEditor(),
      query: lineEditor(),
      search: undefined,
      facets: [],
      active: [],
      facetCursor: 0,
      entries: [],
      selected,
      previewScroll: 0,
      trail: [],
      rows: DEFAULT_ROWS,
      previewRows: DEFAULT_ROWS,
      previewHeight: 0,
    },
    lores,
  );
}

/** The selected lore. */
export function selectedLore(state: Browser): BrowserItem | undefined {
  return state.entries.find(entry => entry.item.name === state.selected)?.item;
}

/** The browser after `event`. */
export function reduceBrowser(state: Browser, event: BrowserEvent): Step<Browser, BrowserIntent> {
  if (typeof event === 'string') return act(state, event);
  if (event.type === 'text' || event.type === 'paste') {
    return still(state.focus === 'list' ? state : edit(state, event));
  }
  if (event.type === 'lores') return still(withLores(state, event.lores));
  if (event.type === 'hits') {
    if (state.search?.query !== event.query) return still(state);
    const search = { query: event.query, hits: event.hits, error: event.error ?? '' };
    return still(relist({ ...state, search }, true));
  }
  if (event.type === 'select') return still(select(state, event.index));
  if (event.type === 'facet') return still(toggle({ ...state, facetCursor: event.index }));
  const { rows, previewRows, previewHeight } = event;
  return still(scrollPreview({ ...state, rows, previewRows, previewHeight }, state.previewScroll));
}

function act(state: Browser, action: string): Step<Browser, BrowserIntent> {
  const moved = moveIndex(action, selectedIndex(state), state.entries.length, pageRows(state.rows));
  if (moved !== undefined) return still(select(state, moved));
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run) return run(state);
  const preview = action.startsWith('preview-') ? action.slice('preview-'.length) : '';
  const last = Math.max(1, state.previewHeight - state.previewRows + 1);
  const scroll = moveIndex(preview, state.previewScroll, last, pageRows(state.previewRows));
  if (scroll !== undefined) return still({ ...state, previewScroll: scroll });
  return still(state.focus === 'list' ? state : edit(state, action));
}

const about =
  (type: BrowserDeed) =>
  (state: Browser): Step<Browser, BrowserIntent> => {
    // Before a search has answered, the list is still the old one: what is selected is not what was meant.
    const isSearching = state.search !== undefined && state.search.hits === undefined;
    const lore = isSearching ? undefined : selectedLore(state);
    return { state, intents: lore ? [{ type, name: lore.name, file: lore.file }] : [] };
  };

const ACTIONS: Readonly<Record<string, (state: Browser) => Step<Browser, BrowserIntent>>> = {
  accept: state =>
    state.focus === 'search'
      ? startSearch(state)
      : state.focus === 'filter'
        ? still(toList(state))
        : about('open')(state),
  copy: about('copy'),
  'insert-path': about('insert-path'),
  edit: about('edit'),
  new: state => ({ state, intents: [{ type: 'new' }] }),
  backlinks: state => startLinks(state, 'backlinks'),
  links: state => startLinks(state, 'links'),
  return: goBack,
  rename: about('rename'),
  history: about('history'),
  filter: state => still({ ...state, focus: 'filter' }),
  search: state => still({ ...state, focus: 'search' }),
  cancel: back,
  'facet-next': state => still(moveFacet(state, 1)),
  'facet-previous': state => still(moveFacet(state, -1)),
  'facet-toggle': state => still(toggle(state)),
  'facet-clear': state => still(relist({ ...state, active: [] }, false)),
};

function toList(state: Browser): Browser {
  return { ...state, focus: 'list' };
}

/** Leaves the topmost thing: the line being edited, then search results, then the filter, then the browser. */
function back(state: Browser): Step<Browser, BrowserIntent> {
  if (state.focus === 'search')
    return still({ ...toList(state), query: lineEditor(state.search?.query ?? '') });
  if (state.focus === 'list' && state.search) {
    return still(relist({ ...state, search: undefined, query: lineEditor() }, false));
  }
  if (state.filter.text !== '') return still(relist({ ...toList(state), filter: lineEditor() }, false));
  if (state.focus === 'filter') return still(toList(state));
  return { state, intents: [{ type: 'cancel' }] };
}

function startSearch(state: Browser): Step<Browser, BrowserIntent> {
  const query = state.query.text;
  if (query.trim() === '') return still(relist({ ...toList(state), search: undefined }, false));
  const search = { query, hits: undefined, error: '' };
  return { state: { ...toList(state), search }, intents: [{ type: 'search', query }] };
}

/** Lists what links to the selected lore, or what it links to, as a search for the link. */
function startLinks(state: Browser, type: 'backlinks' | 'links'): Step<Browser, BrowserIntent> {
  const lore = selectedLore(state);
  if (!lore) return still(state);
  const link = `[[${lore.name.replace(/^lores\//, '')}]]`;
  const query = type === 'links' ? `from ${link}` : link;
  const search = { query, hits: undefined, error: '' };
  // What it leads to may have other labels and another name.
  const open = { ...state, filter: lineEditor(), active: [] };
  return {
    state: {
      ...open,
      search,
      query: lineEditor(query),
      trail: [...state.trail, lore.name].slice(-MAX_TRAIL),
    },
    intents: [{ type, name: lore.name, query }],
  };
}

/** Back to the lore that the last link was followed from, among all of them. */
function goBack(state: Browser): Step<Browser, BrowserIntent> {
  const selected = state.trail.at(-1);
  if (selected === undefined) return still(state);
  const open = { ...state, filter: lineEditor(), query: lineEditor(), active: [], search: undefined };
  return still(relist({ ...open, selected, previewScroll: 0, trail: state.trail.slice(0, -1) }, false));
}

function edit(state: Browser, event: ModeEvent): Browser {
  if (state.focus === 'search') return { ...state, query: editLine(state.query, event).state };
  const filter = editLine(state.filter, event).state;
  const changed = filter.text !== state.filter.text;
  return changed ? relist({ ...state, filter }, true) : { ...state, filter };
}

function withLores(state: Browser, lores: readonly BrowserItem[]): Browser {
  const facets = facetsOf(lores);
  const names = new Set(facets.map(facetName));
  const active = state.active.filter(name => names.has(name));
  const facetCursor = Math.max(0, Math.min(state.facetCursor, facets.length - 1));
  return relist({ ...state, lores, facets, active, facetCursor }, false);
}

/** The list anew. The selection stays on its lore where it still is, unless `best` asks for the first. */
function relist(state: Browser, best: boolean): Browser {
  const row = selectedIndex(state);
  const next = {
    ...state,
    entries: listEntries(state.lores, {
      facets: state.facets.filter(facet => state.active.includes(facetName(facet))),
      filter: state.filter.text,
      hits: state.search?.hits,
    }),
  };
  if (!best && next.entries.some(entry => entry.item.name === state.selected)) return next;
  return select(next, best ? 0 : row);
}

/** Index of the selected entry; 0 where it is not listed. */
export function selectedIndex(state: Browser): number {
  return Math.max(
    0,
    state.entries.findIndex(entry => entry.item.name === state.selected),
  );
}

function select(state: Browser, index: number): Browser {
  const entry = state.entries[Math.max(0, Math.min(index, state.entries.length - 1))];
  const selected = entry?.item.name ?? '';
  return selected === state.selected ? state : { ...state, selected, previewScroll: 0 };
}

function scrollPreview(state: Browser, to: number): Browser {
  return { ...state, previewScroll: Math.max(0, Math.min(to, state.previewHeight - state.previewRows)) };
}

function moveFacet(state: Browser, by: 1 | -1): Browser {
  const count = state.facets.length;
  return count === 0 ? state : { ...state, facetCursor: (state.facetCursor + by + count) % count };
}

function toggle(state: Browser): Browser {
  const facet = state.facets[state.facetCursor];
  if (!facet) return { ...state, facetCursor: 0 };
  const name = facetName(facet);
  const active = state.active.includes(name) ? state.active.filter(n => n !== name) : [...state.active, name];
  return relist({ ...state, active }, false);
}
