/**
 * Fuzzy search in short texts: the characters of the query in order, anywhere. Unbroken matches come first, then those
 * at beginnings of words; ties stay in the order given.
 */
import UFuzzy from '@leeoniya/ufuzzy';

/** An item that matches. */
export interface FuzzyMatch {
  /** Index in the list searched. */
  readonly index: number;
  /** Stretches of the text to highlight, `[start, end)` in UTF-16 units. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** UTF-16 units of a text that are searched: titles and names are shorter. */
const MAX_TEXT = 300;
/** UTF-16 units of a query. */
const MAX_QUERY = 60;
/** Matches that are ranked; more only appear while a query is one or two characters long. */
const MAX_RANKED = 2_000;

const fuzzy = new UFuzzy({
  unicode: true,
  interSplit: '[^\\p{L}\\p{M}\\p{N}]+',
  intraSplit: '\\p{Ll}\\p{Lu}',
  interBound: '[^\\p{L}\\p{M}\\p{N}]',
  intraBound: '\\p{L}\\p{N}|\\p{N}\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: '.',
  intraIns: Infinity,
});

/** The texts that match `query`, best first; all of them, in order, where it is blank. Never throws. */
export function rank(texts: readonly string[], query: string): FuzzyMatch[] {
  const needle = query.slice(0, MAX_QUERY).trim();
  if (needle === '') return texts.map((_, index) => ({ index, ranges: [] }));
  const words = needle.match(/[\p{L}\p{M}\p{N}]+/gu)?.join(' ');
  // Signs alone, and characters beyond the BMP (which uFuzzy takes apart), are looked for as they stand.
  if (words === undefined || /[\u{10000}-\u{10ffff}]/u.test(needle)) return substrings(texts, needle);
  const haystack = texts.map(text => text.slice(0, MAX_TEXT).replace(/[\r\n]/g, ' '));
  const folded = [...words.toLowerCase()].filter(char => char !== ' ');
  const matching = [...haystack.keys()].filter(index => isSubsequence(folded, haystack[index]!));
  return [
    ...ranked(haystack, words, matching.slice(0, MAX_RANKED)),
    ...matching.slice(MAX_RANKED).map(index => ({ index, ranges: [] })),
  ];
}

/**
 * Whether the characters stand in `text` in this order. Besides choosing, this keeps uFuzzy's regular expressions away
 * from texts they would fail on only after trying every combination.
 */
function isSubsequence(chars: readonly string[], text: string): boolean {
  let next = 0;
  for (const char of text) {
    const lower = char.toLowerCase();
    if (lower === chars[next] || char === chars[next]) next++;
    if (next === chars.length) return true;
  }
  return false;
}

function ranked(haystack: string[], words: string, matching: number[]): FuzzyMatch[] {
  const found = fuzzy.filter(haystack, words, matching);
  if (!found || found.length === 0) return [];
  const info = fuzzy.info(found, haystack, words);
  return [...info.idx.keys()]
    .sort((a, b) => compare(info, a, b))
    .map(at => ({ index: info.idx[at]!, ranges: pairs(info.ranges[at]!) }));
}

/** uFuzzy's own criteria without its last one, the alphabet: a list's own order means more. */
function compare(info: UFuzzy.Info, a: number, b: number): number {
  const boundaries = (i: number): number => info.terms[i]! + info.interLft2[i]! + info.interLft1[i]! / 2;
  return (
    info.chars[b]! - info.chars[a]! ||
    info.intraIns[a]! - info.intraIns[b]! ||
    boundaries(b) - boundaries(a) ||
    info.interIns[a]! - info.interIns[b]! ||
    info.start[a]! - info.start[b]! ||
    info.cases[b]! - info.cases[a]!
  );
}

function pairs(flat: readonly number[]): (readonly [number, number])[] {
  const result: (readonly [number, number])[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) result.push([flat[i]!, flat[i + 1]!]);
  return result;
}

function substrings(texts: readonly string[], needle: string): FuzzyMatch[] {
  return texts.flatMap((text, index) => {
    const start = text.indexOf(needle);
    return start < 0 ? [] : [{ index, ranges: [[start, start + needle.length] as const] }];
  });
}
