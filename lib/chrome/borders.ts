/**
 * Lines between panes, from the panes' rectangles alone.
 *
 * The grid covers the pane area, the header row above it and one column left of it: where a sidebar stands, its
 * border is part of the same lines and joins them.
 */
import { contains, type Rect } from '../base/geometry.ts';
import type { Role, Run } from '../base/styled.ts';
import { JUNCTIONS } from './glyphs.ts';
import { NOTHING, type Box } from './paint.ts';
import type { Hit } from './view.ts';

const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;
/** Above the four direction bits: the line belongs to the focused pane. */
const FOCUS = 16;

/** A pane as far as it is on the screen, in screen cells. */
export interface ShownPane {
  readonly id: number;
  readonly rect: Rect;
  readonly focused: boolean;
}

/** Where lines are drawn. */
export interface BorderArea {
  /** The pane area in screen cells. The header row is the one above it. */
  readonly area: Rect;
  /** The column left of the area is a sidebar's border. */
  readonly sidebar: boolean;
}

/** Directions (bits UP, DOWN, LEFT, RIGHT) and focus of each cell of the grid, row by row; 0 where there is no line. */
export interface BorderGrid {
  readonly x: number;
  readonly y: number;
  readonly cols: number;
  readonly rows: number;
  readonly cells: Uint8Array;
}

/** Draws a frame around every pane into the grid; frames share their lines. */
export function borderGrid(panes: readonly ShownPane[], { area, sidebar }: BorderArea): BorderGrid {
  const grid: BorderGrid = {
    x: area.x - 1,
    y: area.y - 1,
    cols: area.width + 1,
    rows: area.height + 1,
    cells: new Uint8Array((area.width + 1) * (area.height + 1)),
  };
  const firstCol = sidebar ? 0 : 1;
  const join = (x: number, y: number, bits: number): void => {
    const gx = x - grid.x;
    const gy = y - grid.y;
    if (gx < firstCol || gx >= grid.cols || gy < 0 || gy >= grid.rows) return;
    grid.cells[gy * grid.cols + gx]! |= bits;
  };
  if (sidebar) {
    for (let gy = 0; gy < grid.rows; gy++) join(grid.x, grid.y + gy, gy === 0 ? DOWN : UP | DOWN);
  }
  for (const pane of panes) frame(pane, join);
  return grid;
}

function frame({ rect, focused }: ShownPane, join: (x: number, y: number, bits: number) => void): void {
  const mark = focused ? FOCUS : 0;
  const left = rect.x - 1;
  const top = rect.y - 1;
  const right = rect.x + rect.width;
  const bottom = rect.y + rect.height;
  for (let x = rect.x; x < right; x++) {
    join(x, top, LEFT | RIGHT | mark);
    join(x, bottom, LEFT | RIGHT | mark);
  }
  for (let y = rect.y; y < bottom; y++) {
    join(left, y, UP | DOWN | mark);
    join(right, y, UP | DOWN | mark);
  }
  join(left, top, RIGHT | DOWN | mark);
  join(right, top, LEFT | DOWN | mark);
  join(left, bottom, RIGHT | UP | mark);
  join(right, bottom, LEFT | UP | mark);
}

/** The grid's lines as boxes: rows of two cells and more first, then what is left as columns of one sign. */
export function borderBoxes(grid: BorderGrid, hit: (x: number, y: number) => Hit): Box[] {
  const boxes: Box[] = [];
  const taken = new Uint8Array(grid.cells.length);
  const box = (gx: number, gy: number, width: number, height: number): Box => {
    const rect = { x: grid.x + gx, y: grid.y + gy, width, height };
    return { rect, fill: 'bg', lines: [], hit: (dx, dy) => hit(rect.x + dx, rect.y + dy) };
  };
  for (let gy = 0; gy < grid.rows; gy++) {
    for (let gx = 0; gx < grid.cols;) {
      const width = rowLength(grid, gx, gy);
      if (width > 1) {
        boxes.push({ ...box(gx, gy, width, 1), lines: [{ runs: lineRuns(grid, gx, gy, width) }] });
        taken.fill(1, gy * grid.cols + gx, gy * grid.cols + gx + width);
      }
      gx += Math.max(1, width);
    }
  }
  for (let gx = 0; gx < grid.cols; gx++) {
    for (let gy = 0; gy < grid.rows;) {
      const height = columnLength(grid, taken, gx, gy);
      const { text, role } = sign(grid.cells[gy * grid.cols + gx]!);
      if (height > 0) boxes.push({ ...box(gx, gy, 1, height), pattern: { char: text, role } });
      gy += Math.max(1, height);
    }
  }
  return boxes;
}

/** Number of line cells from a cell on to the right. */
function rowLength(grid: BorderGrid, gx: number, gy: number): number {
  let n = 0;
  while (gx + n < grid.cols && grid.cells[gy * grid.cols + gx + n] !== 0) n++;
  return n;
}

/** Number of equal line cells from a cell on downwards that no row has taken. */
function columnLength(grid: BorderGrid, taken: Uint8Array, gx: number, gy: number): number {
  const first = grid.cells[gy * grid.cols + gx];
  let n = 0;
  for (let i = gy * grid.cols + gx; gy + n < grid.rows; i += grid.cols) {
    if (first === 0 || grid.cells[i] !== first || taken[i] !== 0) break;
    n++;
  }
  return n;
}

/** One line cell as a run. */
function sign(cell: number): { readonly text: string; readonly role: Role } {
  return { text: JUNCTIONS[cell & ~FOCUS] ?? ' ', role: (cell & FOCUS) !== 0 ? 'border-focus' : 'border' };
}

/** One row of line cells as runs of equal colour. */
function lineRuns(grid: BorderGrid, gx: number, gy: number, width: number): Run[] {
  const runs: { text: string; role: Role }[] = [];
  for (let i = 0; i < width; i++) {
    const next = sign(grid.cells[gy * grid.cols + gx + i]!);
    const last = runs.at(-1);
    if (last?.role === next.role) last.text += next.text;
    else runs.push({ ...next });
  }
  return runs;
}

/**
 * What a border cell moves: the pane left of a vertical line, or above a horizontal one. In the header row it is
 * the header of the pane below; on the sidebar's column the sidebar's border.
 */
export function borderHit(
  panes: readonly ShownPane[],
  { area, sidebar }: BorderArea,
  x: number,
  y: number,
): Hit {
  if (sidebar && x === area.x - 1) return { type: 'sidebar-border' };
  const at = (dx: number, dy: number): ShownPane | undefined =>
    panes.find(pane => contains(pane.rect, { x: x + dx, y: y + dy }));
  const below = at(0, 1);
  if (y === area.y - 1 && below) return { type: 'header', pane: below.id };
  const left = at(-1, 0) ?? (at(0, -1) ? undefined : (at(-1, -1) ?? at(-1, 1)));
  // A line at the window's outer edge moves nothing.
  if (left && (at(1, 0) ?? at(1, -1) ?? at(1, 1))) return { type: 'border', pane: left.id, axis: 'x' };
  const above = at(0, -1);
  if (above && (below ?? at(-1, 1) ?? at(1, 1))) return { type: 'border', pane: above.id, axis: 'y' };
  return NOTHING;
}
