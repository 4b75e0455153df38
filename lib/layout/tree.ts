/**
 * Building and walking split trees. Along a split's axis sits one border cell between neighbours; across it every
 * child has the split's own size. Zooming needs no operation: a zoomed window is drawn as `single(id, size)`.
 */
import type { Size } from '../base/geometry.ts';
import type { Axis, LayoutNode, LayoutPane, PaneId } from './types.ts';

/** A window with one pane. Sizes below one cell are raised to it. */
export function single(id: PaneId, size: Size): LayoutPane {
  return { type: 'pane', id, cols: Math.max(1, size.cols), rows: Math.max(1, size.rows) };
}

/** Size of `node` along `axis`, in cells. */
export function extent(node: LayoutNode, axis: Axis): number {
  return axis === 'h' ? node.cols : node.rows;
}

/** The other axis. */
export function across(axis: Axis): Axis {
  return axis === 'h' ? 'v' : 'h';
}

/**
 * A split over children that already have their final sizes: its own size follows from them. Children that split
 * along the same axis are spliced in, so that the contract "no child is a split of the same axis" holds; a single
 * child stands for itself.
 */
export function join(axis: Axis, children: readonly LayoutNode[]): LayoutNode {
  const flat = children.flatMap(child =>
    child.type === 'split' && child.axis === axis ? child.children : [child],
  );
  const first = flat[0];
  if (!first) throw new Error('a split needs children');
  if (flat.length === 1) return first;
  const along = flat.reduce((sum, child) => sum + extent(child, axis), flat.length - 1);
  const cross = extent(first, across(axis));
  return axis === 'h'
    ? { type: 'split', axis, cols: along, rows: cross, children: flat }
    : { type: 'split', axis, cols: cross, rows: along, children: flat };
}

/** Pane ids in order: left to right, top to bottom, depth first. This order numbers the panes of a window. */
export function paneIds(tree: LayoutNode): PaneId[] {
  return tree.type === 'pane' ? [tree.id] : tree.children.flatMap(paneIds);
}

/** The tree with every pane id passed through `rename`; shape and sizes stay. */
export function mapIds(tree: LayoutNode, rename: (id: PaneId) => PaneId): LayoutNode {
  if (tree.type === 'pane') return { ...tree, id: rename(tree.id) };
  return { ...tree, children: tree.children.map(child => mapIds(child, rename)) };
}
