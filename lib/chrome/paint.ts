/**
 * What widgets hand to the screen: boxes in painter's order, each a rectangle with lines of styled text.
 */
import { contains, type Point, type Rect } from '../base/geometry.ts';
import type { Role, StyledLine } from '../base/styled.ts';
import type { Hit } from './view.ts';

/** One line of a box. `fill` colours the whole line's background instead of the box's own fill. */
export interface PaintLine {
  readonly runs: StyledLine;
  readonly fill?: Role;
}

/** A rectangle of the screen. A box hides all boxes painted before it. */
export interface Box {
  /** In screen cells; may reach over the screen's edge, where it is cut. */
  readonly rect: Rect;
  /** Background, and the foreground of text without a role. */
  readonly fill: Role;
  /** From the top of the inner area; text beyond its width or height is cut. */
  readonly lines: readonly PaintLine[];
  /** A single line around the box, in this role. The inner area is then one cell smaller on each side. */
  readonly frame?: Role;
  /** Fills cells without text: one character of one cell. */
  readonly pattern?: { readonly char: string; readonly role: Role };
  /** The box is a window onto a pane: its top left cell shows the pane's cell (x, y). */
  readonly pane?: { readonly id: number; readonly x: number; readonly y: number };
  /** What lies under a cell of the box; coordinates are relative to `rect`. */
  readonly hit?: (x: number, y: number) => Hit;
}

/** Everything to paint for a view. */
export interface Painting {
  readonly boxes: readonly Box[];
  /** Where the text cursor goes, in screen cells. */
  readonly caret: Point | undefined;
}

/** No cell of interest. */
export const NOTHING: Hit = { type: 'none' };

/** What the topmost box at a point says about it. */
export function hitTest(boxes: readonly Box[], point: Point): Hit {
  const box = boxes.findLast(candidate => contains(candidate.rect, point));
  return box?.hit?.(point.x - box.rect.x, point.y - box.rect.y) ?? NOTHING;
}

/** A box of one row in role bg. */
export function rowBox(x: number, y: number, width: number, runs: StyledLine, fill: Role = 'bg'): Box {
  return { rect: { x, y, width: Math.max(0, width), height: 1 }, fill, lines: [{ runs }] };
}
