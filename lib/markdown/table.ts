/**
 * Tables, aligned by cells. Columns that do not fit give up room, the widest first, and their cells are cut.
 */
import type { Tokens } from 'marked';
import type { Run, StyledLine } from '../base/styled.ts';
import { inlineRuns } from './inline.ts';
import { clip, lineWidth, wrap } from './wrap.ts';

/** Between two columns. */
const GAP: Run = { text: ' │ ', role: 'border' };
const GAP_CELLS = 3;
/** A column narrower than this shows nothing of use: the table is then shown as a list of rows. */
const COLUMN_MIN = 3;
/** The heading that stands before a value where the table is a list, in cells; keeps long headings from repeating. */
const LABEL_MAX = 20;

/** The lines of a table, none wider than `width` cells. */
export function tableLines(table: Tokens.Table, width: number): StyledLine[] {
  const header = table.header.map(cell => inlineRuns(cell.tokens, { bold: true }));
  const rows = table.rows.map(row => row.map(cell => inlineRuns(cell.tokens)));
  const room = width - GAP_CELLS * (header.length - 1);
  if (room < header.length * COLUMN_MIN) return listLines(header, rows, width);
  const natural = header.map((cell, i) => Math.max(1, ...maxima([cell, ...rows.map(row => row[i] ?? [])])));
  const widths = shrink(natural, room);
  const line = (cells: readonly (readonly Run[])[]): StyledLine =>
    widths.flatMap((w, i) => [
      ...(i > 0 ? [GAP] : []),
      ...align(clip(cells[i] ?? [], w), w, table.align[i] ?? null),
    ]);
  const rule: StyledLine = [{ text: widths.map(w => '─'.repeat(w)).join('─┼─'), role: 'border' }];
  return [line(header), rule, ...rows.map(line)];
}

/** One number, so that a table of a hundred thousand rows is not a hundred thousand arguments. */
function maxima(cells: readonly (readonly Run[])[]): [number] {
  return [cells.reduce((most, cell) => Math.max(most, lineWidth(cell)), 0)];
}

/** `natural` lowered to one common limit where it is above it, so that the sum fits `room`. */
function shrink(natural: readonly number[], room: number): number[] {
  if (natural.reduce((a, b) => a + b, 0) <= room) return [...natural];
  const sorted = [...natural].sort((a, b) => a - b);
  let rest = room;
  let limit = room;
  for (const [i, cells] of sorted.entries()) {
    limit = Math.floor(rest / (sorted.length - i));
    if (cells > limit) break;
    rest -= cells;
  }
  return natural.map(cells => Math.min(cells, Math.max(1, limit)));
}

function align(line: StyledLine, width: number, side: 'left' | 'right' | 'center' | null): StyledLine {
  const space = Math.max(0, width - lineWidth(line));
  const before = side === 'right' ? space : side === 'center' ? space >> 1 : 0;
  const blank = (cells: number): Run[] => (cells > 0 ? [{ text: ' '.repeat(cells) }] : []);
  return [...blank(before), ...line, ...blank(space - before)];
}

/** Each row as `heading: value` lines, for screens too narrow for columns. */
function listLines(
  header: readonly (readonly Run[])[],
  rows: readonly (readonly (readonly Run[])[])[],
  width: number,
): StyledLine[] {
  const labels = header.map(cell => [...clip(cell, LABEL_MAX), { text: ': ', bold: true }]);
  if (rows.length === 0) return header.flatMap(cell => wrap(cell, width));
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [[]] : []),
    ...row.flatMap((cell, i) => wrap([...(labels[i] ?? []), ...cell], width)),
  ]);
}
