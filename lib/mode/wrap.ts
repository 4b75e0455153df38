/**
 * Breaking text into rows of cells, at blanks where there are some. A row is a range of grapheme clusters, so that a caret
 * can be placed in it.
 */
import { cellWidth, clusterWidth, graphemes } from '../base/text.ts';

/** Clusters from `start` up to, and without, `end`. */
export interface WrappedRow {
  readonly start: number;
  readonly end: number;
}

/** The rows of one line of text of at most `width` cells each; one at least, and at most `max`. */
export function wrapClusters(clusters: readonly string[], width: number, max = Infinity): WrappedRow[] {
  const room = Math.max(1, width);
  const rows: WrappedRow[] = [];
  let start = 0;
  let cells = 0;
  /** Behind the last blank of the row. */
  let blank = 0;
  for (let at = 0; at < clusters.length && rows.length < max; at++) {
    const cluster = clusters[at]!;
    const own = clusterWidth(cluster);
    if (cells + own > room && at > start) {
      const end = blank > start ? blank : at;
      rows.push({ start, end });
      start = end;
      cells = clusters.slice(start, at).reduce((sum, one) => sum + clusterWidth(one), 0);
    }
    cells += own;
    if (cluster === ' ') blank = at + 1;
  }
  if (rows.length < max) rows.push({ start, end: clusters.length });
  return rows;
}

/** The same as texts. */
export function wrapText(line: string, width: number, max = Infinity): string[] {
  if (cellWidth(line) <= width) return [line];
  const clusters = graphemes(line);
  return wrapClusters(clusters, width, max).map(({ start, end }) =>
    clusters.slice(start, end).join('').trimEnd(),
  );
}
