/**
 * Rows as a person or a script reads them.
 */
import { cellWidth, pad } from '../base/text.ts';

/** An aligned table for a terminal, values with tabs between for a pipe; '' without rows. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  isTerminal: boolean,
): string {
  // Neither a tab nor an escape sequence of a value must count.
  const clean = rows.map(row => row.map(cell => cell.replace(/\p{Cc}/gu, ' ')));
  if (!isTerminal || rows.length === 0) return clean.map(row => `${row.join('\t')}\n`).join('');
  const all = [header, ...clean];
  const widths = header.map((_, i) => Math.max(...all.map(row => cellWidth(row[i] ?? ''))));
  return all
    .map(
      row =>
        `${row
          .map((cell, i) => pad(cell, widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
