/**
 * Unified diffs as models write them: with text around them, numbers that are wrong, and lines that have lost their sign.
 */

/** A line of a hunk: kept, removed, or added. */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

export type Hunk = readonly HunkLine[];

/** What a diff says. */
export interface ParsedDiff {
  /** The path behind `---`, as written; '' where there is none. */
  readonly oldPath: string;
  /** The path behind `+++`. */
  readonly newPath: string;
  readonly isCreation: boolean;
  readonly isDeletion: boolean;
  readonly hunks: readonly Hunk[];
}

const NO_FILE = '/dev/null';

/** Reads a diff of one file. Never throws: what is no diff has no hunks. */
export function parseDiff(diff: string): ParsedDiff {
  const lines = diff.replaceAll('\r\n', '\n').split('\n');
  const first = lines.findIndex(line => line.startsWith('@@'));
  const head = first < 0 ? lines : lines.slice(0, first);
  const oldPath = pathBehind('--- ', head);
  const newPath = pathBehind('+++ ', head);
  return {
    oldPath,
    newPath,
    isCreation: oldPath === NO_FILE,
    isDeletion: newPath === NO_FILE,
    hunks: first < 0 ? [] : hunksOf(lines.slice(first)),
  };
}

/** The path in a header, without the date that may stand behind a tab, and without the quotes that git gives odd names. */
function pathBehind(sign: string, lines: readonly string[]): string {
  const line = lines.find(one => one.startsWith(sign));
  const text = (line ?? '').slice(sign.length).split('\t')[0]!.trim();
  return /^".*"$/.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text;
}

function hunksOf(lines: readonly string[]): Hunk[] {
  const hunks: HunkLine[][] = [];
  for (const line of lines) {
    if (line.startsWith('@@')) hunks.push([]);
    else if (isFileHeader(line)) break;
    else if (!line.startsWith('\\')) hunks.at(-1)?.push(hunkLine(line));
  }
  return hunks.map(withoutBlankEnd).filter(hunk => hunk.length > 0);
}

/** The next file of a diff of several: only the first is meant. */
function isFileHeader(line: string): boolean {
  return line.startsWith('diff --git ');
}

/** A line without a sign is one whose blank was lost. */
function hunkLine(line: string): HunkLine {
  const sign = line[0];
  if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: line.slice(1) };
  return { sign: ' ', text: line };
}

/** Blank lines at the end are those between hunks, or behind the diff. */
function withoutBlankEnd(hunk: readonly HunkLine[]): Hunk {
  const end = hunk.findLastIndex(({ sign, text }) => sign !== ' ' || text.trim() !== '');
  return hunk.slice(0, end + 1);
}
