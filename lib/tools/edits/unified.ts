/**
 * Two texts as a unified diff, as `diff -u` writes it (POSIX diff, -U 3): true line numbers, three lines around each change.
 */
import { lineChanges, type Change } from './line-diff.ts';

/** Lines shown around a change. */
const CONTEXT = 3;
/** Characters of a diff that anyone looks at. */
const DIFF_MAX = 512 * 1024;
const NO_END = '\\ No newline at end of file';

/** Names in the header. */
export interface Names {
  /** Absent: the file is created. */
  readonly from?: string | undefined;
  /** Absent: the file is deleted. */
  readonly to?: string | undefined;
}

/** The diff, '' where the texts are the same. Long ones end with a note. */
export function unifiedDiff(before: string, after: string, { from, to }: Names): string {
  if (before === after) return '';
  const [old, made] = [linesOf(before), linesOf(after)];
  const text = [
    `--- ${from === undefined ? '/dev/null' : `a/${from}`}`,
    `+++ ${to === undefined ? '/dev/null' : `b/${to}`}`,
    ...grouped(lineChanges(old, made)).flatMap(changes => hunkOf(old, made, changes)),
    '',
  ].join('\n');
  if (text.length <= DIFF_MAX) return text;
  const end = text.lastIndexOf('\n', DIFF_MAX);
  return `${text.slice(0, end)}\n[… ${text.length - end} more characters …]\n`;
}

/** A last line without an end has the note about it within: so it differs from the same line with one. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  if (text.endsWith('\n')) return text.slice(0, -1).split('\n');
  const lines = text.split('\n');
  lines.push(`${lines.pop()}\n${NO_END}`);
  return lines;
}

/** Changes whose surroundings touch are told together. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last && change.oldFrom - last.oldTo <= 2 * CONTEXT) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(old: readonly string[], made: readonly string[], changes: readonly Change[]): string[] {
  const [first, last] = [changes[0]!, changes.at(-1)!];
  const before = Math.min(CONTEXT, first.oldFrom);
  const after = Math.min(CONTEXT, old.length - last.oldTo);
  const lines: string[] = [];
  const add = (sign: string, list: readonly string[]): void => {
    for (const line of list) lines.push(sign + line);
  };
  let kept = first.oldFrom - before;
  for (const { oldFrom, oldTo, newFrom, newTo } of changes) {
    add(' ', old.slice(kept, oldFrom));
    add('-', old.slice(oldFrom, oldTo));
    add('+', made.slice(newFrom, newTo));
    kept = oldTo;
  }
  add(' ', old.slice(kept, kept + after));
  const oldRange = range(first.oldFrom - before, last.oldTo + after);
  const newRange = range(first.newFrom - before, last.newTo + after);
  return [`@@ -${oldRange} +${newRange} @@`, ...lines];
}

/** Of no lines, the one before them is named; of one, the number is left out. */
function range(from: number, to: number): string {
  if (to === from) return `${from},0`;
  return to - from === 1 ? String(from + 1) : `${from + 1},${to - from}`;
}
