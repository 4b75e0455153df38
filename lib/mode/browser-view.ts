/**
 * A browser as chrome draws it.
 */
import type { StyledLine } from '../base/styled.ts';
import type { BrowserView, Hint } from '../chrome/view.ts';
import { selectedIndex, selectedLore } from './browser.ts';
import type { Browser } from './browser.ts';
import { loreLabel } from './browser-list.ts';
import type { BrowserEntry } from './browser-list.ts';
import { facetName } from './facets.ts';
import { highlight } from './highlight.ts';

/** What a browser is of. */
export interface BrowserTexts {
  readonly title: string;
  /** Shown where there is nothing: what to do next. */
  readonly none: string;
  /** Shown where nothing fits. */
  readonly noneLike: string;
}

const LORE_TEXTS: BrowserTexts = {
  title: 'Lores',
  none: 'no lores yet: add .sgpt/lores/NAME.md',
  noneLike: 'no lore has all of that',
};

/**
 * All of the view but the preview's text, which whoever reads the file adds. `hints` are the keys bound to the actions
 * of the table in force: which keys those are is not the browser's to know.
 */
export function browserView(
  state: Browser,
  hints: readonly Hint[] = [],
  texts: BrowserTexts = LORE_TEXTS,
): Omit<BrowserView, 'preview'> {
  const line =
    state.focus === 'search' || (state.focus === 'list' && state.search) ? state.query : state.filter;
  return {
    type: 'browser',
    title: texts.title,
    facets: state.facets.map((facet, index) => ({
      // The sign is all that tells where facet-toggle would act.
      text: `${index === state.facetCursor ? '>' : ''}${facetName(facet)} ${facet.count}`,
      active: state.active.includes(facetName(facet)),
    })),
    filter: line.text,
    caret: line.caret,
    filterLabel: line === state.query ? 'full text' : 'filter',
    items: state.entries.map(entry => ({
      id: entry.item.name,
      line: entryLine(entry),
      note: entryNote(entry),
    })),
    selected: selectedIndex(state),
    total: state.lores.length,
    previewTitle: selectedLore(state)?.label ?? selectedLore(state)?.title ?? '',
    previewScroll: state.previewScroll,
    hints,
    empty: emptyText(state, texts),
  };
}

function entryLine({ item: lore, ranges }: BrowserEntry): StyledLine {
  const label = loreLabel(lore);
  const name = highlight(label, ranges);
  // A title that only repeats the name says nothing.
  return lore.title === '' || label.endsWith(lore.title)
    ? name
    : [...name, { text: `  ${lore.title}`, role: 'dim' }];
}

function entryNote({ hit, item }: BrowserEntry): string {
  if (!hit) return item.note ?? '';
  const first = hit.snippets[0];
  return first ? `${hit.matchCount} :${first.line}` : String(hit.matchCount);
}

function emptyText(state: Browser, { none, noneLike }: BrowserTexts): string {
  if (state.lores.length === 0) return none;
  if (!state.search) return noneLike;
  if (state.search.error !== '') return state.search.error;
  return state.search.hits ? 'nothing found: Esc shows all lores' : 'searching';
}
