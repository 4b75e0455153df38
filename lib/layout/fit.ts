/**
 * Giving a tree another size. Two rules: `fitNode` keeps proportions (the window's size changed, or the room for a
 * whole subtree did), `adjust` hands out cells one by one (a border moved, a pane was closed), as tmux does.
 */
import type { Size } from '../base/geometry.ts';
import { across, extent, join } from './tree.ts';
import type { Axis, LayoutNode } from './types.ts';

/** The least size along `axis` at which every pane still has one cell. */
export function minimum(node: LayoutNode, axis: Axis): number {
  if (node.type === 'pane') return 1;
  const mins = node.children.map(child => minimum(child, axis));
  if (node.axis !== axis) return Math.max(...mins);
  return mins.reduce((sum, min) => sum + min, mins.length - 1);
}

/** The smallest window that shows every pane of the tree. */
export function minimumSize(tree: LayoutNode): Size {
  return { cols: minimum(tree, 'h'), rows: minimum(tree, 'v') };
}

/** Cells that `node` can give up along `axis`. */
export function slack(node: LayoutNode, axis: Axis): number {
  return extent(node, axis) - minimum(node, axis);
}

/**
 * Shares `total` among parts in proportion to `weights`, none below its minimum; exact to the cell (largest
 * remainder, ties to the first). The minimums must fit into `total`.
 */
export function share(total: number, weights: readonly number[], mins: readonly number[]): number[] {
  const fixed = weights.map(() => false);
  for (;;) {
    const free = indices(weights).filter(i => !fixed[i]);
    const room = total - indices(weights).reduce((sum, i) => sum + (fixed[i] ? mins[i]! : 0), 0);
    const weight = free.reduce((sum, i) => sum + weights[i]!, 0);
    const ideal = (i: number): number => (weights[i]! * room) / weight;
    const short = free.filter(i => ideal(i) < mins[i]!);
    if (short.length > 0) {
      for (const i of short) fixed[i] = true;
      continue;
    }
    const result = indices(weights).map(i => (fixed[i] ? mins[i]! : Math.floor(ideal(i))));
    const left = total - result.reduce((sum, n) => sum + n, 0);
    const byRemainder = [...free].sort((a, b) => (ideal(b) % 1) - (ideal(a) % 1) || a - b);
    for (const i of byRemainder.slice(0, left)) result[i]! += 1;
    return result;
  }
}

function indices(list: readonly unknown[]): number[] {
  return [...list.keys()];
}

/** `node` at exactly `size` along `axis`, proportions kept. `size` must not be below `minimum(node, axis)`. */
export function fitNode(node: LayoutNode, axis: Axis, size: number): LayoutNode {
  if (extent(node, axis) === size) return node;
  if (node.type === 'pane') return axis === 'h' ? { ...node, cols: size } : { ...node, rows: size };
  if (node.axis !== axis)
    return join(
      node.axis,
      node.children.map(child => fitNode(child, axis, size)),
    );
  const sizes = share(
    size - (node.children.length - 1),
    node.children.map(child => extent(child, axis)),
    node.children.map(child => minimum(child, axis)),
  );
  return join(
    axis,
    node.children.map((child, i) => fitNode(child, axis, sizes[i]!)),
  );
}

/** tmux's own limit for a window's side, in cells: no terminal comes near it. */
export const MAX_SIDE = 10_000;

function side(cells: number): number {
  return Math.min(MAX_SIDE, Math.floor(cells) || 1);
}

/**
 * The tree for a window of `size`, proportions kept.
 *
 * A window too small for its panes: the tree stays at `minimumSize(tree)` in that direction, every pane keeps at least
 * one cell, and whoever draws clips what lies beyond the window. Sizes below one cell count as one.
 *
 * Shrinking far loses proportions; to get the old ones back after growing again, resize the tree the person last
 * shaped, not the one that was shrunk.
 */
export function resizeTree(tree: LayoutNode, size: Size): LayoutNode {
  const least = minimumSize(tree);
  const cols = Math.max(side(size.cols), least.cols);
  const rows = Math.max(side(size.rows), least.rows);
  return fitNode(fitNode(tree, 'h', cols), 'v', rows);
}

/**
 * `node` larger by `change` cells along `axis` (smaller where negative; at most `slack` cells). Children along the
 * axis take turns from the first, a cell each; across it all change alike.
 */
export function adjust(node: LayoutNode, axis: Axis, change: number): LayoutNode {
  if (change === 0) return node;
  if (node.type === 'pane') {
    return axis === 'h' ? { ...node, cols: node.cols + change } : { ...node, rows: node.rows + change };
  }
  if (node.axis === across(axis)) {
    return join(
      node.axis,
      node.children.map(child => adjust(child, axis, change)),
    );
  }
  const changes = takeTurns(
    change,
    node.children.map(child => slack(child, axis)),
  );
  return join(
    axis,
    node.children.map((child, i) => adjust(child, axis, changes[i]!)),
  );
}

/** How much each child changes when `change` cells go round one by one; a child gives no more than its `slacks`. */
function takeTurns(change: number, slacks: readonly number[]): number[] {
  const changes = slacks.map(() => 0);
  const step = Math.sign(change);
  let left = Math.abs(change);
  while (left > 0) {
    const able = indices(slacks).filter(i => step > 0 || slacks[i]! + changes[i]! > 0);
    if (able.length === 0) throw new Error('a layout cannot shrink below its minimum');
    for (const i of able.slice(0, left)) changes[i]! += step;
    left -= Math.min(left, able.length);
  }
  return changes;
}
