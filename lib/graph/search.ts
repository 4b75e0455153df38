/**
 * Full-text search over lores.
 */
import { CodedError } from '../base/errors.ts';
import { printable } from './printable.ts';
import type { GraphLore, LoreHit } from './types.ts';

/** What is searched. */
export interface SearchableLore {
  readonly lore: GraphLore;
  readonly body: string;
  /** One-based line of the file where the body starts. */
  readonly bodyLine: number;
}

/** Longest pattern, in UTF-16 units: more than anyone types. */
const MAX_PATTERN = 500;
/** A line is searched this far, in UTF-16 units: a minified file in a lore must not cost seconds. */
const MAX_LINE = 2000;
/** Most lores an answer names. */
const MAX_HITS = 200;
const MAX_SNIPPETS = 3;
/** A snippet's length in characters: about two lines of a preview. */
const SNIPPET_LENGTH = 160;
/** What a match in the title or description, and in a label, is worth beside one for each line. */
const HEAD_SCORE = 10;
const LABEL_SCORE = 5;
/** Lines between two looks at the clock. */
const LINES_PER_CHECK = 256;

/**
 * The lores that match `pattern` (a regular expression, upper and lower case alike), best first: a match in title or
 * description weighs most, then labels, then lines. At most `limit` of them. `expired` is asked now and then; once it
 * says true the search ends with what it has. It is not asked inside one match: a pattern that backtracks without end
 * is for the caller to bound, by running this where it can be killed.
 *
 * @throws CodedError usage where the pattern is no regular expression
 */
export function searchLores(
  lores: Iterable<SearchableLore>,
  pattern: string,
  limit: number,
  expired: () => boolean = () => false,
): LoreHit[] {
  const regex = compile(pattern);
  const found: { hit: LoreHit; score: number }[] = [];
  for (const entry of lores) {
    if (expired()) break;
    const result = searchOne(entry, regex, expired);
    if (result) found.push(result);
  }
  found.sort((a, b) => b.score - a.score || (a.hit.name < b.hit.name ? -1 : 1));
  return found.slice(0, Math.max(0, Math.min(limit, MAX_HITS))).map(f => f.hit);
}

function compile(pattern: string): RegExp {
  if (pattern === '' || pattern.length > MAX_PATTERN)
    throw new CodedError(
      'usage',
      pattern === ''
        ? 'search: the pattern is empty'
        : `search: the pattern is longer than ${MAX_PATTERN} characters`,
    );
  try {
    return new RegExp(pattern, 'iu');
  } catch {
    // Without the u flag more is allowed, such as a needless backslash.
    try {
      return new RegExp(pattern, 'i');
    } catch (error) {
      const reason = printable((error as Error).message.split(': ').at(-1)!).toLowerCase();
      throw new CodedError(
        'usage',
        `search: not a regular expression: ${reason}`,
        'put a \\ before ( [ { * + ?',
        {
          cause: error,
        },
      );
    }
  }
}

function searchOne(
  { lore, body, bodyLine }: SearchableLore,
  regex: RegExp,
  expired: () => boolean,
): { hit: LoreHit; score: number } | undefined {
  // Title and name often say the same: together they are one match.
  const heads = [lore.title, lore.name, lore.description].some(text => regex.test(text)) ? 1 : 0;
  const labels = Object.entries(lore.labels).filter(([k, v]) => regex.test(k) || regex.test(v)).length;
  const snippets: { line: number; text: string }[] = [];
  let lines = 0;
  let number = bodyLine - 1;
  for (const line of body.split(/\r\n|\n|\r/)) {
    number++;
    if (number % LINES_PER_CHECK === 0 && expired()) break;
    const match = regex.exec(line.slice(0, MAX_LINE));
    if (!match) continue;
    lines++;
    if (snippets.length < MAX_SNIPPETS) snippets.push({ line: number, text: snippet(line, match.index) });
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
