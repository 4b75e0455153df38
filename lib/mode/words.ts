/**
 * Search by words: every word of the query stands somewhere in the text, whatever the case. Stricter than the fuzzy
 * search, for long texts that hold any few letters somewhere.
 */
import type { FuzzyMatch } from './fuzzy.ts';

/** UTF-16 units of a query: more is no search any more but a paste. */
const MAX_QUERY = 200;

/** The texts that hold all words of `query`, in their order; all of them where it is blank. */
export function matchWords(texts: readonly string[], query: string): FuzzyMatch[] {
  const words = query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean);
  return texts.flatMap((text, index) => {
    const lower = text.toLowerCase();
    const starts = words.map(word => lower.indexOf(word));
    if (starts.includes(-1)) return [];
    const ranges = starts
      .map((start, n) => [start, start + words[n]!.length] as const)
      .sort((a, b) => a[0] - b[0]);
    return [{ index, ranges }];
  });
}
