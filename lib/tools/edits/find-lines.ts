/**
 * Where lines stand in a file: as they are, else by what is left of them without blanks at the end, or at both ends.
 */

/** How a window of the file is like the lines that were looked for. */
export type Likeness = 'exact' | 'end' | 'both';

/** Where lines were found. */
export interface Found {
  /** Zero-based. */
  readonly at: number;
  readonly likeness: Likeness;
}

/** Places that are told where there are several: more help nobody. */
const PLACES_MAX = 5;

/** What is compared, from the strictest. */
const FORMS: readonly (readonly [Likeness, (line: string) => string])[] = [
  ['exact', line => line],
  ['end', line => line.trimEnd()],
  ['both', line => line.trim()],
];

/** The one place where `wanted` stands, or all of them (zero-based, at most a few) where there is not one. */
export function findLines(
  lines: readonly string[],
  wanted: readonly string[],
): Found | { readonly places: readonly number[] } {
  for (const [likeness, form] of FORMS) {
    const places = placesOf(
      likeness === 'exact' ? lines : lines.map(form),
      likeness === 'exact' ? wanted : wanted.map(form),
    );
    if (places.length === 1) return { at: places[0]!, likeness };
    if (places.length > 1) return { places };
  }
  return { places: [] };
}

/** Knuth, Morris and Pratt over lines: time is bounded by their number, also where all lines are alike. */
function placesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = [];
  const back = fallbacks(wanted);
  let matched = 0;
  for (let at = 0; at < lines.length && places.length < PLACES_MAX; at++) {
    while (matched > 0 && lines[at] !== wanted[matched]) matched = back[matched - 1]!;
    if (lines[at] === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    places.push(at - matched + 1);
    matched = back[matched - 1]!;
  }
  return places;
}

function fallbacks(wanted: readonly string[]): number[] {
  const back = [0];
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) length = back[length - 1]!;
    if (wanted[at] === wanted[length]) length++;
    back.push(length);
  }
  return back;
}

/** How added lines are indented where a window was found by its text alone: as its first line differs. */
export function reindenter(inFile: readonly string[], wanted: readonly string[]): (line: string) => string {
  const at = wanted.findIndex(line => line.trim() !== '');
  if (at < 0) return line => line;
  const [from, to] = [indentOf(wanted[at]!), indentOf(inFile[at]!)];
  return line => (line.trim() === '' || !line.startsWith(from) ? line : to + line.slice(from.length));
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}
