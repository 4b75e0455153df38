/**
 * Numbers to a table: medians, ratios, targets met or not.
 */
import type { Name } from './contender.ts';

/** What a row shows of its values. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  /** One value per round and contender. */
  readonly values: Readonly<Partial<Record<Name, readonly number[]>>>;
  /** Which way is better: ratios above 1 are always mux being better than tmux. */
  readonly better: 'less' | 'more';
  readonly target?: { readonly text: string; isMet(mux: number, ratio: number | undefined): boolean };
}

/** The value in the middle; NaN of nothing. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The smallest value that `p` percent of all do not exceed (nearest rank). */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? NaN;
}

/** One row as data: medians, ratio of medians, spread, and whether the target is met. */
export function summary(row: Row) {
  const medians = Object.fromEntries(
    Object.entries(row.values).map(([name, values]) => [name, median(values)]),
  ) as Partial<Record<Name, number>>;
  const { mux = NaN, tmux } = medians;
  const quotient = row.better === 'less' ? (tmux ?? NaN) / mux : mux / (tmux ?? NaN);
  const ratio = Number.isFinite(quotient) ? quotient : undefined;
  return {
    name: row.name,
    unit: row.unit,
    medians,
    ratio,
    spread: spread(row.values.mux ?? []),
    target: row.target?.text,
    met: row.target?.isMet(mux, ratio),
    values: row.values,
  };
}

/** How far apart the values of one contender lie: largest by smallest. */
function spread(values: readonly number[]): number | undefined {
  return values.length > 1 ? Math.max(...values) / Math.min(...values) : undefined;
}

/** All rows as text. */
export function table(rows: readonly Row[]): string {
  const head = ['', 'unit', 'bare', 'tmux', 'mux', 'ratio', 'spread', 'target', ''];
  const body = rows.map(row => {
    const { medians, ratio, target, met, spread: wide } = summary(row);
    return [
      row.name,
      row.unit,
      number(medians.bare),
      number(medians.tmux),
      number(medians.mux),
      ratio === undefined ? '' : `${ratio.toFixed(2)}x`,
      wide === undefined ? '' : `${wide.toFixed(1)}x`,
      target ?? '',
      met === undefined ? '' : met ? 'met' : 'NOT MET',
    ];
  });
  const all = [head, ...body];
  const widths = head.map((_, i) => Math.max(...all.map(line => line[i]!.length)));
  return all
    .map(line =>
      line
        .map((cell, i) => (i >= 2 && i <= 6 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function number(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
