/**
 * Searching the lores of a graph, in bounded time.
 */
import { systemClock } from '../base/clock.ts';
import type { Resolver } from '../graph/resolve.ts';
import { searchLores, type SearchRank } from '../graph/search.ts';
import { qualify } from '../graph/selector.ts';
import type { LoreHit, SearchableLore } from '../graph/types.ts';

/** A search takes at most this long, ms: thousands of lores take a tenth, and only hostile patterns more. */
const SEARCH_MS = 2000;

/** All lores by the names under which they are known here. */
export function allLores(resolver: Resolver): SearchableLore[] {
  return resolver.repositories().flatMap(repository =>
    resolver.shelf('lore', repository).list.map(lore => {
      const { body = '', bodyLine = 1 } = repository.files.get(lore.file) ?? {};
      return { lore: { ...lore, name: qualify(repository.prefix, lore.name) }, body, bodyLine };
    }),
  );
}

/** What is found in time, and tells on stderr where that was not all. Throws CodedError for a pattern that is none. */
export function boundedSearch(
  lores: readonly SearchableLore[],
  pattern: string,
  limit: number,
  rank: SearchRank = 'matches',
): readonly LoreHit[] {
  const end = systemClock.now() + SEARCH_MS;
  let isCut = false;
  const expired = (): boolean => (isCut = systemClock.now() > end);
  const hits = searchLores(lores, { pattern, limit, rank, expired });
  if (isCut) console.error(`lore search: after ${SEARCH_MS / 1000} s not all lores had been looked through`);
  return hits;
}
