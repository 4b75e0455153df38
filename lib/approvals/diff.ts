/**
 * Unified diffs of passages that a tool exchanges. A hook tells the passage and not its place in the file, so line
 * numbers count from the passage's first line.
 */

/** Lines kept around what changes, as diff -u has it. */
const CONTEXT = 3;
/** Characters of a diff: what a person reads before they say yes; longer ones say that they are cut. */
const DIFF_MAX = 128 * 1024;

/** One passage before and after. */
export interface Passage {
  readonly before: string;
  readonly after: string;
}

/** The diff of a file's passages, one hunk each; undefined where none changes anything. */
export function passageDiff(path: string, passages: readonly Passage[]): string | undefined {
  const hunks = passages.flatMap(hunk);
  if (hunks.length === 0) return undefined;
  const text = [`--- a/${strip(path)}`, `+++ b/${strip(path)}`, ...hunks].join('\n');
  if (text.length <= DIFF_MAX) return text;
  return `${text.slice(0, DIFF_MAX)}\n\\ ${text.length - DIFF_MAX} more characters are not shown`;
}

function hunk({ before, after }: Passage): string[] {
  if (before === after) return [];
  const old = linesOf(before);
  const now = linesOf(after);
  const shared = Math.min(old.length, now.length);
  let start = 0;
  while (start < shared && old[start] === now[start]) start++;
  let end = 0;
  while (end < shared - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const from = Math.max(0, start - CONTEXT);
  const tail = Math.min(end, CONTEXT);
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const around = start - from + tail;
  return [
    `@@ -${range(from, removed.length + around)} +${range(from, added.length + around)} @@`,
    ...old.slice(from, start).map(line => ` ${line}`),
    ...removed.map(line => `-${line}`),
    ...added.map(line => `+${line}`),
    ...old.slice(old.length - end, old.length - end + tail).map(line => ` ${line}`),
  ];
}

/** As diff -u writes it: the line before an empty range. */
function range(from: number, count: number): string {
  return `${count === 0 ? from : from + 1},${count}`;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

/** A path on one line, below a/ and b/. */
function strip(path: string): string {
  return path.replace(/^\/+/, '').replace(/[\r\n]/g, '?');
}
