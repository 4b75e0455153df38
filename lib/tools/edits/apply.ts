/**
 * Changes of a text, one after the other, each on what the ones before it have made. All of them or none.
 */
import { findLines, reindenter } from './find-lines.ts';
import type { Hunk } from './parse-diff.ts';

/** A piece to replace. */
export interface Patch {
  readonly search: string;
  readonly replace: string;
  readonly replace_all?: boolean;
}

/** The new text, or why there is none; with what had to be healed. */
export type Applied = { readonly text: string; readonly healed: number } | { readonly trouble: string };

/** Lines without their ends, and whether the last one has one. */
interface Lines {
  readonly list: readonly string[];
  readonly hasEnd: boolean;
}

function linesOf(text: string): Lines {
  if (text === '') return { list: [], hasEnd: true };
  const hasEnd = text.endsWith('\n');
  return { list: (hasEnd ? text.slice(0, -1) : text).split('\n'), hasEnd };
}

function textOf({ list, hasEnd }: Lines): string {
  return list.length === 0 ? '' : list.join('\n') + (hasEnd ? '\n' : '');
}

/** Applies hunks. Their numbers do not count: their lines must be in the text once. */
export function applyHunks(text: string, hunks: readonly Hunk[]): Applied {
  let lines = linesOf(text);
  let healed = 0;
  for (const [at, hunk] of hunks.entries()) {
    const result = applyHunk(lines, hunk);
    if ('trouble' in result) return { trouble: `hunk ${at + 1}: ${result.trouble}` };
    if (result.isHealed) healed++;
    lines = result.lines;
  }
  return { text: textOf(lines), healed };
}

function applyHunk(
  { list, hasEnd }: Lines,
  hunk: Hunk,
): { readonly lines: Lines; readonly isHealed: boolean } | { readonly trouble: string } {
  const wanted = hunk.filter(({ sign }) => sign !== '+').map(line => line.text);
  if (wanted.length === 0 && list.length > 0)
    return { trouble: 'it has only added lines: give the lines around them, too' };
  const found = wanted.length === 0 ? { at: 0, likeness: 'exact' as const } : findLines(list, wanted);
  if ('places' in found) return { trouble: whyNot(found.places, 'its lines are') };
  const inFile = list.slice(found.at, found.at + wanted.length);
  const indented = found.likeness === 'both' ? reindenter(inFile, wanted) : (line: string): string => line;
  let next = 0;
  const made = hunk.flatMap(({ sign, text }) => {
    if (sign === '+') return [indented(text)];
    // What is kept stays as it is in the file, blanks and all.
    const own = inFile[next++]!;
    return sign === ' ' ? [own] : [];
  });
  const all = [...list.slice(0, found.at), ...made, ...list.slice(found.at + wanted.length)];
  return { lines: { list: all, hasEnd }, isHealed: found.likeness !== 'exact' };
}

/** Applies patches; where a search text is not there as it is, its lines are looked for as those of hunks are. */
export function applyPatches(text: string, patches: readonly Patch[]): Applied {
  let now = text;
  let healed = 0;
  for (const [at, patch] of patches.entries()) {
    const result = applyPatch(now, patch);
    if ('trouble' in result) return { trouble: `patch ${at + 1}: ${result.trouble}` };
    healed += result.healed;
    now = result.text;
  }
  return { text: now, healed };
}

function applyPatch(text: string, patch: Patch): Applied {
  // Lines in the text end with \n alone.
  const [search, replace] = [patch.search, patch.replace].map(one => one.replaceAll('\r\n', '\n')) as [
    string,
    string,
  ];
  if (search === '') return { trouble: 'there is nothing to search for' };
  if (search === replace) return { trouble: 'both texts are the same' };
  const first = text.indexOf(search);
  if (first < 0)
    return patch.replace_all ? { trouble: whyNot([], 'the text is') } : healPatch(text, search, replace);
  if (patch.replace_all) return { text: text.split(search).join(replace), healed: 0 };
  const second = text.indexOf(search, first + 1);
  if (second >= 0)
    return {
      trouble: whyNot(
        [first, second].map(at => lineAt(text, at)),
        'the text is',
        '',
      ),
    };
  return { text: text.slice(0, first) + replace + text.slice(first + search.length), healed: 0 };
}

function healPatch(text: string, search: string, replace: string): Applied {
  const { list, hasEnd } = linesOf(text);
  const wanted = linesOf(search).list;
  const found = findLines(list, wanted);
  if ('places' in found) return { trouble: whyNot(found.places, 'the text is') };
  const inFile = list.slice(found.at, found.at + wanted.length);
  const indented = found.likeness === 'both' ? reindenter(inFile, wanted) : (line: string): string => line;
  const made = linesOf(replace).list.map(indented);
  const all = [...list.slice(0, found.at), ...made, ...list.slice(found.at + wanted.length)];
  return { text: textOf({ list: all, hasEnd }), healed: 1 };
}

function whyNot(places: readonly number[], what: string, more = ' and perhaps more'): string {
  if (places.length === 0) return `${what} not in the file: read it again`;
  const lines = places.map(at => at + 1).join(', ');
  return `${what} there more than once (lines ${lines}${places.length > 4 ? more : ''}): give more lines around the change`;
}

function lineAt(text: string, at: number): number {
  let line = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++;
  return line;
}
