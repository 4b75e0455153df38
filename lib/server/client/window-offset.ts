/**
 * Which part of a window that is larger than the screen a client sees.
 */
import type { Size } from '../../base/geometry.ts';
import type { Model } from '../../model/model.ts';

/** Cell of the current window at the top left of `room` cells: the cursor of the focused pane stays in sight. */
export function windowOffset(model: Model, room: Size): { x: number; y: number } {
  const window = model.windows.current;
  if (!window || (window.size.cols <= room.cols && window.size.rows <= room.rows)) return { x: 0, y: 0 };
  const pane = model.windows.focused!;
  const rect = model.windows.place(pane);
  const cursor = model.sessionOf(pane).terminal?.view.cursor ?? { x: 0, y: 0 };
  const along = (at: number, all: number, shown: number): number =>
    Math.max(0, Math.min(all - shown, at - Math.floor(shown / 2)));
  return {
    x: along(rect.x + cursor.x, window.size.cols, room.cols),
    y: along(rect.y + cursor.y, window.size.rows, room.rows),
  };
}
