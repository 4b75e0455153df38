/**
 * Searching the lores of a graph, in bounded time.
 */
import { createContext, Script } from 'node:vm';
import { CodedError } from '../base/errors.ts';
import type { Resolver } from '../graph/resolve.ts';
import { searchLores, type SearchableLore } from '../graph/search.ts';
import { qualify } from '../graph/selector.ts';
import type { LoreHit } from '../graph/types.ts';

/** A search takes at most this long, ms: thousands of lores take a tenth, and only a pattern that backtracks more. */
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

/** V8 looks for the end of its time while a pattern backtracks, so that none runs on. Throws CodedError `timeout`. */
export function boundedSearch(lores: readonly SearchableLore[], pattern: string, limit: number): LoreHit[] {
  const sandbox = createContext({ run: () => searchLores(lores, pattern, limit) });
  try {
    return new Script('run()').runInContext(sandbox, { timeout: SEARCH_MS }) as LoreHit[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new CodedError(
      'timeout',
      `lore search: no end within ${SEARCH_MS / 1000} s`,
      'try a pattern without nested repetition',
    );
  }
}
