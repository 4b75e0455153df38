/**
 * Adding, removing and exchanging panes.
 */
import { adjust, fitNode, minimum } from './fit.ts';
import { pathTo, rebuild } from './path.ts';
import { across, extent, join, mapIds, paneIds } from './tree.ts';
import type { Axis, LayoutNode, PaneId } from './types.ts';

/** Where a new part goes. */
export interface Placement {
  /** Left of or above the target instead of right of or below it. */
  readonly before?: boolean;
  /** Size of the new part along the axis; half the target's where absent. Moved into what is possible. */
  readonly size?: { readonly cells: number } | { readonly percent: number };
  /** Beside everything, over the window's whole width or height. */
  readonly full?: boolean;
}

/**
 * tmux's split-window and join-pane: a pane `id`, new in the tree, beside pane `target`. 'no-space' where the target has fewer than three cells
 * along the axis. A target that is not in the tree, or an id that already is, is a broken invariant and throws.
 */
export function splitPane(
  tree: LayoutNode,
  target: PaneId,
  axis: Axis,
  id: PaneId,
  placement: Placement = {},
): LayoutNode | 'no-space' {
  const path = pathTo(tree, target);
  if (!path) throw new Error(`pane %${target} is not in the layout`);
  if (paneIds(tree).includes(id)) throw new Error('a pane cannot stand in a layout twice');
  const node: LayoutNode = { type: 'pane', id, cols: 1, rows: 1 };
  const parent = path.at(-1);
  const place: LayoutNode = placement.full || !parent ? tree : parent.split.children[parent.index]!;
  const inner = divide(place, axis, node, placement);
  if (inner === 'no-space') return inner;
  return placement.full ? inner : rebuild(path, inner);
}

/** `place` and `node` side by side in the room that `place` had. */
function divide(
  place: LayoutNode,
  axis: Axis,
  node: LayoutNode,
  placement: Placement,
): LayoutNode | 'no-space' {
  const room = extent(place, axis) - 1;
  const cross = extent(place, across(axis));
  const leastNew = minimum(node, axis);
  const leastOld = minimum(place, axis);
  if (leastNew + leastOld > room || minimum(node, across(axis)) > cross) return 'no-space';
  const wanted = wantedSize(room + 1, placement);
  const newSize = Math.max(leastNew, Math.min(room - leastOld, wanted));
  const added = fitNode(fitNode(node, axis, newSize), across(axis), cross);
  const kept = fitNode(place, axis, room - newSize);
  return join(axis, placement.before ? [added, kept] : [kept, added]);
}

/** Cells that a new part asks for out of `total`. By default the first of the two gets the odd cell. */
function wantedSize(total: number, { size, before }: Placement): number {
  if (!size) return before ? Math.floor(total / 2) : Math.floor((total - 1) / 2);
  const cells = 'cells' in size ? size.cells : Math.floor((total * size.percent) / 100);
  return Number.isFinite(cells) ? Math.trunc(cells) : total;
}

/**
 * The tree without pane `id`; its cells go to the neighbour before it, or for a first child to the one after, as in
 * tmux. Undefined when it was the last pane; unchanged when it is not there.
 */
export function removePane(tree: LayoutNode, id: PaneId): LayoutNode | undefined {
  const path = pathTo(tree, id);
  if (!path) return tree;
  const parent = path.at(-1);
  if (!parent) return undefined;
  const { split, index } = parent;
  const heir = index === 0 ? 1 : index - 1;
  const freed = extent(split.children[index]!, split.axis) + 1;
  const children = split.children
    .map((child, i) => (i === heir ? adjust(child, split.axis, freed) : child))
    .toSpliced(index, 1);
  return rebuild(path.slice(0, -1), join(split.axis, children));
}

/** Panes `a` and `b` change places; sizes belong to the places. Where one of them is in another tree, it comes from there. */
export function swap(tree: LayoutNode, a: PaneId, b: PaneId): LayoutNode {
  return mapIds(tree, id => (id === a ? b : id === b ? a : id));
}

/** Every pane moves on by one place: 'up' towards the first (which goes last), 'down' the other way. */
export function rotate(tree: LayoutNode, direction: 'up' | 'down'): LayoutNode {
  const ids = paneIds(tree);
  const turned =
    direction === 'up' ? [...ids.slice(1), ...ids.slice(0, 1)] : [...ids.slice(-1), ...ids.slice(0, -1)];
  return assign(tree, turned) ?? tree;
}

/**
 * The shape of `tree` filled with `ids` in order; places left over are removed from the end. Undefined where there are
 * more ids than places, or none.
 */
export function assign(tree: LayoutNode, ids: readonly PaneId[]): LayoutNode | undefined {
  const places = paneIds(tree);
  if (ids.length === 0 || ids.length > places.length) return undefined;
  // Negative numbers mark places while ids are exchanged: no pane has one.
  let next = 0;
  let shape: LayoutNode = mapIds(tree, () => --next);
  for (let place = places.length; place > ids.length; place--) shape = removePane(shape, -place) ?? shape;
  return mapIds(shape, place => ids[-place - 1]!);
}
