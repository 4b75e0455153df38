/**
 * Moving borders, by tmux's rules: a border belongs to the split it divides; what one side gains the nearest side that
 * can spare it loses, looking away from the border first.
 */
import { adjust, slack } from './fit.ts';
import { pathTo, rebuild } from './path.ts';
import type { Step } from './path.ts';
import { extent } from './tree.ts';
import type { Axis, Direction, LayoutNode, PaneId } from './types.ts';

/** The axis along which each direction lies, and whether it points towards the end of it. */
const DIRECTIONS: Readonly<Record<Direction, { readonly axis: Axis; readonly sign: 1 | -1 }>> = {
  left: { axis: 'h', sign: -1 },
  right: { axis: 'h', sign: 1 },
  up: { axis: 'v', sign: -1 },
  down: { axis: 'v', sign: 1 },
};

/**
 * tmux's resize-pane -L/-R/-U/-D: moves the border after pane `id` (the one before it, for the last of a split) by `n`
 * cells in `direction`, as far as there is room. Unchanged where there is no border or no such pane.
 */
export function resizePane(tree: LayoutNode, id: PaneId, direction: Direction, n: number): LayoutNode {
  const { axis, sign } = DIRECTIONS[direction];
  const path = pathTo(tree, id);
  const depth = path?.findLastIndex(step => step.split.axis === axis) ?? -1;
  if (!path || depth < 0) return tree;
  const { split, index } = path[depth]!;
  const border = Math.min(index, split.children.length - 2);
  return moveAt(path.slice(0, depth), { split, index: border }, sign * n, true);
}

/**
 * Gives pane `id` the size asked for, as near as the other panes allow; absent directions stay. Sizes below one cell
 * count as one.
 */
export function setPaneSize(
  tree: LayoutNode,
  id: PaneId,
  size: { readonly cols?: number; readonly rows?: number },
): LayoutNode {
  const afterCols = size.cols === undefined ? tree : setExtent(tree, id, 'h', size.cols);
  return size.rows === undefined ? afterCols : setExtent(afterCols, id, 'v', size.rows);
}

function setExtent(tree: LayoutNode, id: PaneId, axis: Axis, size: number): LayoutNode {
  const path = pathTo(tree, id);
  const depth = path?.findLastIndex(step => step.split.axis === axis) ?? -1;
  if (!path || depth < 0) return tree;
  const { split, index } = path[depth]!;
  const change = Math.max(1, size) - extent(split.children[index]!, axis);
  const last = index === split.children.length - 1;
  return moveAt(
    path.slice(0, depth),
    { split, index: last ? index - 1 : index },
    last ? -change : change,
    true,
  );
}

/**
 * Moves the border at the right of pane `id` (axis 'h') or below it (axis 'v') by `delta` cells, for a mouse drag: the
 * panes beyond the border give or take, those before it only when it is pushed into them. Unchanged at a window's edge.
 */
export function moveBorder(tree: LayoutNode, id: PaneId, axis: Axis, delta: number): LayoutNode {
  const path = pathTo(tree, id);
  const depth =
    path?.findLastIndex(({ split, index }) => split.axis === axis && index < split.children.length - 1) ?? -1;
  if (!path || depth < 0) return tree;
  return moveAt(path.slice(0, depth), path[depth]!, delta, false);
}

/** The tree with the border behind child `step.index` moved by `delta`; `path` leads to the split. */
function moveAt(path: readonly Step[], step: Step, delta: number, opposite: boolean): LayoutNode {
  const { split, index } = step;
  const children = [...split.children];
  let left = Math.abs(Math.trunc(delta) || 0);
  while (left > 0) {
    const moved =
      delta > 0
        ? grow(children, index, split.axis, left, opposite)
        : shrink(children, index, split.axis, left);
    if (moved === 0) break;
    left -= moved;
  }
  return rebuild(path, { ...split, children });
}

/** Child `index` takes up to `wanted` cells from the nearest later child that has some, else an earlier one. */
function grow(children: LayoutNode[], index: number, axis: Axis, wanted: number, opposite: boolean): number {
  const later = children.findIndex((child, i) => i > index && slack(child, axis) > 0);
  const earlier = opposite ? children.findLastIndex((child, i) => i < index && slack(child, axis) > 0) : -1;
  return transfer(children, axis, later >= 0 ? later : earlier, index, wanted);
}

/** The child behind the border takes up to `wanted` cells from the nearest one at or before `index`. */
function shrink(children: LayoutNode[], index: number, axis: Axis, wanted: number): number {
  const giver = children.findLastIndex((child, i) => i <= index && slack(child, axis) > 0);
  return transfer(children, axis, giver, index + 1, wanted);
}

function transfer(children: LayoutNode[], axis: Axis, from: number, to: number, wanted: number): number {
  const giver = children[from];
  const taker = children[to];
  if (!giver || !taker) return 0;
  const cells = Math.min(wanted, slack(giver, axis));
  children[from] = adjust(giver, axis, -cells);
  children[to] = adjust(taker, axis, cells);
  return cells;
}
