/**
 * Places on a character screen. Units are cells; the origin is the top left; `x` grows right, `y` down.
 */

/** A size in cells. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** A position in cells, zero-based. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in cells; `width` and `height` may be zero, never negative. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whether the cell at `point` lies inside `rect`. */
export function contains(rect: Rect, point: Point): boolean {
  return (
    point.x >= rect.x && point.x < rect.x + rect.width && point.y >= rect.y && point.y < rect.y + rect.height
  );
}

/** The common part of two rectangles; of zero size where they do not meet. */
export function intersect(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x),
    height: Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y),
  };
}

/** `value` moved into `min..max`; `min` wins where they cross. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
