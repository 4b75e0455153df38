/**
 * What a browser lists: lores, documents, changes of a document.
 */
import type { GraphLore, LoreHit } from '../graph/types.ts';
import { applyFacets } from './facets.ts';
import type { Facet } from './facets.ts';
import { rank } from './fuzzy.ts';
import type { FuzzyMatch } from './fuzzy.ts';

/** Something that can be looked at. Its name is its own in the list. */
export type BrowserItem = Pick<GraphLore, 'name' | 'title' | 'file' | 'description' | 'labels'> & {
  /** Shown and searched in place of the name. */
  readonly label?: string;
  /** Right-aligned and dim, not searched. */
  readonly note?: string;
};

/** A row of the list. */
export interface BrowserEntry {
  readonly item: BrowserItem;
  readonly ranges: FuzzyMatch['ranges'];
  /** In full-text results only. */
  readonly hit?: LoreHit;
}

/** Entries kept of a list or of search results. */
const MAX_ENTRIES = 1_000;

/** What narrows the list. */
export interface BrowserQuery {
  readonly facets: readonly Facet[];
  readonly filter: string;
  /** Results of a full-text search, in their order; undefined where none is in force. */
  readonly hits: readonly LoreHit[] | undefined;
}

/** The lores that fit, best first; at most 1,000. */
export function listEntries(all: readonly BrowserItem[], query: BrowserQuery): BrowserEntry[] {
  const lores = applyFacets(all, query.facets);
  if (!query.hits) return filtered(lores, query.filter).slice(0, MAX_ENTRIES);
  const byName = new Map(lores.map(lore => [lore.name, lore]));
  const hitOf = new Map(query.hits.slice(0, MAX_ENTRIES).map(hit => [hit.name, hit]));
  const found = [...hitOf.keys()].flatMap(name => byName.get(name) ?? []);
  return filtered(found, query.filter).map(entry => ({ ...entry, hit: hitOf.get(entry.item.name)! }));
}

/** Fuzzy by name and title first, then those whose description holds every word. */
function filtered(lores: readonly BrowserItem[], query: string): BrowserEntry[] {
  const byName = rank(
    lores.map(lore => `${loreLabel(lore)} ${lore.title}`),
    query,
  );
  const entries = byName.map(({ index, ranges }) => ({ item: lores[index]!, ranges }));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  const found = new Set(byName.map(match => match.index));
  const described = lores.filter((lore, index) => {
    const text = lore.description.toLowerCase();
    return !found.has(index) && words.every(word => text.includes(word));
  });
  return [...entries, ...described.map(item => ({ item, ranges: [] }))];
}

/** A lore's address without the folder that all lores are in. */
export function loreLabel(lore: BrowserItem): string {
  return lore.label ?? lore.name.replace(/^lores\//, '');
}
