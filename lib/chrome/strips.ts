/**
 * Boxes cut into pieces that can be painted one screen row at a time: what fills a rectangle with one character, and
 * single rows of text. Rows in which no piece changed are neither painted nor read again.
 */
import type { Rect } from '../base/geometry.ts';
import type { Role, StyledLine } from '../base/styled.ts';
import type { Box } from './paint.ts';

/** A piece of a box: a filled rectangle, or one row of text. */
export interface Strip {
  readonly rect: Rect;
  readonly fill: Role;
  /** One row's text; undefined for a filled rectangle. */
  readonly runs?: StyledLine;
  readonly frame?: Role;
  readonly pattern?: Box['pattern'];
  readonly pane?: Box['pane'];
}

/** The pieces of a box in painter's order: its ground, then its lines. */
export function stripsOf(box: Box): readonly Strip[] {
  const { rect, fill, frame, pattern, pane } = box;
  if (rect.width <= 0 || rect.height <= 0) return [];
  const edge = frame ? 1 : 0;
  const rows = box.lines.slice(0, Math.max(0, rect.height - 2 * edge));
  const strips = rows.flatMap((line, i): Strip[] => {
    // An empty line on the box's own ground looks like the ground.
    if (line.runs.length === 0 && line.fill === undefined) return [];
    const at = { x: rect.x + edge, y: rect.y + edge + i, width: rect.width - 2 * edge, height: 1 };
    return at.width > 0 ? [{ rect: at, fill: line.fill ?? fill, runs: line.runs }] : [];
  });
  const isCovered = rect.height === 1 && strips.length === 1 && !frame;
  if (isCovered) return strips;
  return [
    { rect, fill, ...(frame && { frame }), ...(pattern && { pattern }), ...(pane && { pane }) },
    ...strips,
  ];
}

/** Marks the rows of the screen a strip lies in. */
export function markRows(rows: Uint8Array, strip: Strip): void {
  rows.fill(1, Math.max(0, strip.rect.y), Math.max(0, strip.rect.y + strip.rect.height));
}

/** Whether a strip lies in a marked row. */
export function touchesRows(rows: Uint8Array, { rect }: Strip): boolean {
  return rows.subarray(Math.max(0, rect.y), Math.max(0, rect.y + rect.height)).includes(1);
}
