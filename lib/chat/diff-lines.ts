/**
 * Unified diffs as lines: one below the other, or the old beside the new where there is room; what changed inside a line
 * stands out.
 */
import type { Run, StyledLine } from '../base/styled.ts';
import { cellWidth, graphemes, pad, truncate } from '../base/text.ts';
import { revealed } from '../base/visible.ts';

/** One line of a hunk. */
interface Row {
  readonly kind: ' ' | '-' | '+';
  readonly text: string;
  readonly old: number;
  readonly now: number;
}

/** Lines of a diff that are shown: a person reads no more, and what follows is counted. */
const LINES_MAX = 2000;
/** Cells from which on the two sides stand beside each other. */
export const SIDE_BY_SIDE_COLS = 110;
/** A line longer than this is compared as a whole. */
const INTRA_MAX = 400;

/** A diff as lines of at most `width` cells. */
export function diffLines(diff: string, width: number, isSideBySide: boolean): StyledLine[] {
  const given = diff.split('\n');
  const rows = rowsOf(given.slice(0, LINES_MAX));
  const digits = String(
    rows.reduce((most, row) => (typeof row === 'string' ? most : Math.max(most, row.old, row.now)), 0),
  ).length;
  const draw = isSideBySide ? beside : below;
  const lines = draw(rows, width, digits);
  const left = given.length - LINES_MAX;
  return left > 0 ? [...lines, [{ text: `… ${left} more lines`, role: 'dim' }]] : lines;
}

/** `+12 −3` of a diff. */
export function diffCounts(diff: string): { readonly added: number; readonly removed: number } {
  const rows = rowsOf(diff.split('\n'));
  const count = (kind: Row['kind']): number =>
    rows.filter(row => typeof row !== 'string' && row.kind === kind).length;
  return { added: count('+'), removed: count('-') };
}

/** Rows of hunks; headings and remarks as they stand. */
function rowsOf(lines: readonly string[]): (Row | string)[] {
  const rows: (Row | string)[] = [];
  let old = 0;
  let now = 0;
  let isInside = false;
  for (const line of lines) {
    const head = /^@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@/.exec(line);
    if (head) {
      old = Number(head[1]);
      now = Number(head[2]);
      isInside = true;
      rows.push(line);
      continue;
    }
    if (!isInside || (/^(?:diff |--- |\+\+\+ |index )/.test(line) && !isInHunk(line))) {
      if (line !== '') rows.push(line);
      continue;
    }
    const kind = line[0];
    if (kind !== ' ' && kind !== '-' && kind !== '+') {
      if (line !== '') rows.push(line);
      continue;
    }
    rows.push({ kind, text: line.slice(1), old: kind === '+' ? 0 : old, now: kind === '-' ? 0 : now });
    if (kind !== '+') old++;
    if (kind !== '-') now++;
  }
  return rows;
}

/** `--- a/x` begins another file; `---x` is a removed line that begins with two dashes. */
function isInHunk(line: string): boolean {
  return !/^(?:diff --git |index [0-9a-f]+\.\.|(?:---|\+\+\+) (?:[ab]\/|\/dev\/null))/.test(line);
}

function heading(text: string, width: number): StyledLine {
  const isHunk = text.startsWith('@@');
  return [{ text: truncate(revealed(text), width), role: 'dim', ...(isHunk ? {} : { bold: true }) }];
}

const ROLES = { ' ': undefined, '-': 'del', '+': 'add' } as const;

function below(rows: readonly (Row | string)[], width: number, digits: number): StyledLine[] {
  const lines: StyledLine[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (typeof row === 'string') {
      lines.push(heading(row, width));
      continue;
    }
    const pair = pairOf(rows, at);
    lines.push(...numbered(row, row.kind === '+' ? row.now : row.old, emphasised(row, pair), width, digits));
  }
  return lines;
}

function beside(rows: readonly (Row | string)[], width: number, digits: number): StyledLine[] {
  const half = Math.floor((width - 3) / 2);
  const lines: StyledLine[] = [];
  const put = (left: StyledLine[], right: StyledLine[]): void => {
    for (let n = 0; n < Math.max(left.length, right.length); n++)
      lines.push([...filled(left[n] ?? [], half), { text: ' │ ', role: 'border' }, ...(right[n] ?? [])]);
  };
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (typeof row === 'string') {
      lines.push(heading(row, width));
      continue;
    }
    if (row.kind === ' ') {
      put(
        numbered(row, row.old, [{ text: row.text }], half, digits),
        numbered(row, row.now, [{ text: row.text }], half, digits),
      );
      continue;
    }
    const { removed, added } = changeAt(rows, at);
    for (let n = 0; n < Math.max(removed.length, added.length); n++) {
      const [old, now] = [removed[n], added[n]];
      put(
        old ? numbered(old, old.old, emphasised(old, now), half, digits) : [],
        now ? numbered(now, now.now, emphasised(now, old), half, digits) : [],
      );
    }
    at += removed.length + added.length - 1;
  }
  return lines;
}

function filled(line: StyledLine, width: number): StyledLine {
  const gap = width - cellWidth(line.map(({ text }) => text).join(''));
  return gap > 0 ? [...line, { text: ' '.repeat(gap) }] : line;
}

/** The change that begins with this row: what goes, then what comes. */
function changeAt(
  rows: readonly (Row | string)[],
  from: number,
): { readonly removed: Row[]; readonly added: Row[] } {
  const take = (start: number, kind: Row['kind']): Row[] => {
    const found: Row[] = [];
    for (let at = start; at < rows.length; at++) {
      const row = rows[at]!;
      if (typeof row === 'string' || row.kind !== kind) break;
      found.push(row);
    }
    return found;
  };
  const removed = take(from, '-');
  return { removed, added: take(from + removed.length, '+') };
}

/** The line that this one takes the place of, or that takes its place. */
function pairOf(rows: readonly (Row | string)[], at: number): Row | undefined {
  const row = rows[at] as Row;
  if (row.kind === ' ') return undefined;
  let start = at;
  const isChange = (one: Row | string | undefined): one is Row => typeof one === 'object' && one.kind !== ' ';
  while (
    isChange(rows[start - 1]) &&
    !((rows[start - 1] as Row).kind === '+' && (rows[start] as Row).kind === '-')
  )
    start--;
  const { removed, added } = changeAt(rows, start);
  return row.kind === '-' ? added[removed.indexOf(row)] : removed[added.indexOf(row)];
}

/** The text with the part that its counterpart does not have inverted. */
function emphasised(row: Row, pair: Row | undefined): Run[] {
  const role = ROLES[row.kind];
  const style = role === undefined ? {} : { role };
  if (!pair || row.text.length > INTRA_MAX || pair.text.length > INTRA_MAX)
    return [{ text: row.text, ...style }];
  const own = graphemes(row.text);
  const other = graphemes(pair.text);
  const shared = Math.min(own.length, other.length);
  let start = 0;
  while (start < shared && own[start] === other[start]) start++;
  let end = 0;
  while (end < shared - start && own.at(-1 - end) === other.at(-1 - end)) end++;
  // Lines that have next to nothing in common are no change of each other.
  if (start + end < own.length / 4) return [{ text: row.text, ...style }];
  const part = (from: number, to: number): string => own.slice(from, to).join('');
  return [
    { text: part(0, start), ...style },
    { text: part(start, own.length - end), ...style, inverse: true },
    { text: part(own.length - end, own.length), ...style },
  ].filter(({ text }) => text !== '');
}

/** A row with its number and sign, broken where it is wider than there is room. */
function numbered(
  row: Row,
  number: number,
  runs: readonly Run[],
  width: number,
  digits: number,
): StyledLine[] {
  const role = ROLES[row.kind];
  const style = role === undefined ? {} : { role };
  const lead = `${pad(String(number), digits, 'right')} ${row.kind} `;
  const room = Math.max(1, width - lead.length);
  const lines: Run[][] = [[]];
  let cells = 0;
  for (const run of runs) {
    const { text, ...look } = run;
    for (const cluster of graphemes(text.replaceAll('\t', '    '))) {
      const shown = revealed(cluster);
      const own = cellWidth(shown);
      if (cells + own > room && cells > 0) {
        lines.push([]);
        cells = 0;
      }
      const last = lines.at(-1)!;
      const before = last.at(-1);
      if (before && before.role === look.role && before.inverse === look.inverse)
        last[last.length - 1] = { ...before, text: before.text + shown };
      else last.push({ ...look, text: shown });
      cells += own;
    }
  }
  return lines.map((line, n) => [
    n === 0
      ? { text: lead.slice(0, digits), role: 'dim' as const }
      : { text: ' '.repeat(digits), role: 'dim' as const },
    n === 0 ? { text: lead.slice(digits), ...style } : { text: '   ' },
    ...line,
  ]);
}
