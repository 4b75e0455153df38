/**
 * Full-text search over lores, with the regular expressions of RE2: whatever the pattern, a line takes time in proportion
 * to its length.
 */
import { patternOf, type Pattern } from './pattern.ts';
import { printable } from './printable.ts';
import { Relevance } from './relevance.ts';
import type { LoreHit, SearchableLore } from './types.ts';

/**
 * What comes first. `matches`: a match in title or description weighs 10, one in a label 5, each line 1. `relevance`: of
 * the words that the pattern offers, those that few lores have weigh most, and many lines count little more than a few.
 */
export const SEARCH_RANKS = ['matches', 'relevance'] as const;
export type SearchRank = (typeof SEARCH_RANKS)[number];

/** What is asked for. */
export interface SearchWish {
  /** A regular expression, upper and lower case alike. */
  readonly pattern: string;
  /** Lores that are named at most; never more than MAX_HITS. */
  readonly limit: number;
  /** `matches` where it is left out. */
  readonly rank?: SearchRank;
  /** Asked now and then; once it says true the search ends with what it has. */
  readonly expired?: () => boolean;
}

/** A line is searched this far, in UTF-16 units: no answer waits for the end of a minified file. */
const MAX_LINE = 2000;
/** A body of so many UTF-16 units is looked through as a whole first, which most lores are done with. */
const MAX_WHOLE = 64 * 1024;
/** Most lores an answer names. */
const MAX_HITS = 200;
const MAX_SNIPPETS = 3;
/** A snippet's length in characters: about two lines of a preview. */
const SNIPPET_LENGTH = 160;
/** What a match in the title or description, and in a label, is worth beside one for each line. */
const HEAD_SCORE = 10;
const LABEL_SCORE = 5;
/** Lines between two looks at the clock: the slowest patterns take some 20 ms for a line. */
const LINES_PER_CHECK = 16;

/**
 * The lores that match, best first.
 *
 * @throws CodedError usage where RE2 refuses the pattern
 */
export function searchLores(lores: Iterable<SearchableLore>, wish: SearchWish): LoreHit[] {
  const { pattern, limit, rank = 'matches', expired = () => false } = wish;
  const compiled = patternOf(pattern);
  const found: Found[] = [];
  const relevance = rank === 'relevance' ? new Relevance(pattern) : undefined;
  for (const entry of lores) {
    if (expired()) break;
    relevance?.count();
    const result = searchOne(entry, compiled, expired);
    if (!result) continue;
    found.push(result);
    relevance?.add(entry);
  }
  const scores = relevance?.scores();
  const scoreOf = ({ hit, score }: Found): number => scores?.get(hit.name) ?? score;
  found.sort((a, b) => scoreOf(b) - scoreOf(a) || (a.hit.name < b.hit.name ? -1 : 1));
  return found.slice(0, Math.max(0, Math.min(limit, MAX_HITS))).map(f => f.hit);
}

interface Found {
  readonly hit: LoreHit;
  readonly score: number;
}

function searchOne(
  { lore, body, bodyLine }: SearchableLore,
  pattern: Pattern,
  expired: () => boolean,
): Found | undefined {
  // Title and name often say the same: together they are one match.
  const heads = [lore.title, lore.name, lore.description].some(text => text !== '' && pattern.test(text))
    ? 1
    : 0;
  const labels = Object.entries(lore.labels).filter(([k, v]) => pattern.test(k) || pattern.test(v)).length;
  const snippets: { line: number; text: string }[] = [];
  let lines = 0;
  if (body.length > MAX_WHOLE || pattern.mayBeIn(body)) {
    let number = bodyLine - 1;
    for (const line of body.split(/\r\n|\n|\r/)) {
      number++;
      if (number % LINES_PER_CHECK === 0 && expired()) break;
      const text = line.slice(0, MAX_LINE);
      if (!pattern.test(text)) continue;
      lines++;
      if (snippets.length < MAX_SNIPPETS)
        snippets.push({ line: number, text: snippet(line, pattern.indexIn(text)) });
    }
  }
  const matchCount = heads + labels + lines;
  if (matchCount === 0) return undefined;
  const score = heads * HEAD_SCORE + labels * LABEL_SCORE + lines;
  return { hit: { name: lore.name, matchCount, snippets }, score };
}

/** The part of a line around a match, printable. */
function snippet(line: string, index: number): string {
  const chars = Array.from(line.slice(0, MAX_LINE));
  const start = Math.max(0, Math.min(index - SNIPPET_LENGTH / 4, chars.length - SNIPPET_LENGTH));
  const text = printable(chars.slice(start, start + SNIPPET_LENGTH).join(''));
  return (start > 0 ? '…' : '') + text + (start + SNIPPET_LENGTH < chars.length ? '…' : '');
}
