/**
 * Where things are in a window. Cells, origin at the window's top left.
 */
import type { Rect } from '../base/geometry.ts';
import { extent } from './tree.ts';
import type { Axis, Direction, LayoutNode, PaneId } from './types.ts';

/** A straight piece of border between two neighbours of a split. */
export interface BorderSegment {
  /** Axis of the split it divides: an 'h' border is an upright line that moves left and right. */
  readonly axis: Axis;
  /** First cell: the topmost of an 'h' border, the leftmost of a 'v' border. */
  readonly x: number;
  readonly y: number;
  /** Cells, along the line. */
  readonly length: number;
  /** A pane that touches it from the left or from above: `moveBorder(tree, pane, axis, …)` moves this border. */
  readonly pane: PaneId;
}

/** Calls `visit` for every node with its place, parents first. */
function walk(tree: LayoutNode, visit: (node: LayoutNode, x: number, y: number) => void, x = 0, y = 0): void {
  visit(tree, x, y);
  if (tree.type === 'pane') return;
  let at = 0;
  for (const child of tree.children) {
    walk(child, visit, x + (tree.axis === 'h' ? at : 0), y + (tree.axis === 'v' ? at : 0));
    at += extent(child, tree.axis) + 1;
  }
}

/** The rectangle of every pane, in order of `paneIds`. */
export function rects(tree: LayoutNode): Map<PaneId, Rect> {
  const result = new Map<PaneId, Rect>();
  walk(tree, (node, x, y) => {
    if (node.type === 'pane') result.set(node.id, { x, y, width: node.cols, height: node.rows });
  });
  return result;
}

/** Every border, for drawing and for finding what the mouse took hold of. Together with `rects` they tile the window. */
export function borders(tree: LayoutNode): BorderSegment[] {
  const result: BorderSegment[] = [];
  walk(tree, (node, x, y) => {
    if (node.type === 'pane') return;
    let at = -1;
    for (const child of node.children.slice(0, -1)) {
      at += extent(child, node.axis) + 1;
      const place =
        node.axis === 'h' ? { x: x + at, y, length: node.rows } : { x, y: y + at, length: node.cols };
      result.push({ axis: node.axis, ...place, pane: trailing(child, node.axis) });
    }
  });
  return result;
}

/** A pane whose end along `axis` is the end of `node`. */
function trailing(node: LayoutNode, axis: Axis): PaneId {
  if (node.type === 'pane') return node.id;
  return trailing(node.axis === axis ? node.children.at(-1)! : node.children[0]!, axis);
}

/** A pane's rectangle seen along a direction: `start`/`end` in the direction of travel's axis, `from`/`to` across. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

const SPANS: Readonly<Record<Axis, (rect: Rect) => Span>> = {
  h: r => ({ start: r.x, end: r.x + r.width, from: r.y, to: r.y + r.height }),
  v: r => ({ start: r.y, end: r.y + r.height, from: r.x, to: r.x + r.width }),
};

/**
 * The pane next to `id` in `direction`, by tmux's rule: of those that touch that edge (the border's own column or row
 * counts) the one used most recently, else the first; from the window's edge it wraps round to the opposite one.
 * Undefined where there is none.
 *
 * @param recency pane ids, the most recently used first
 */
export function neighbour(
  tree: LayoutNode,
  id: PaneId,
  direction: Direction,
  recency: readonly PaneId[] = [],
): PaneId | undefined {
  const places = rects(tree);
  const own = places.get(id);
  if (!own) return undefined;
  const axis: Axis = direction === 'left' || direction === 'right' ? 'h' : 'v';
  const forward = direction === 'right' || direction === 'down';
  const here = SPANS[axis](own);
  const size = extent(tree, axis);
  // The coordinate that a neighbour's near edge must have: just beyond the border, or the far side of the window.
  const edge = forward ? (here.end >= size ? 0 : here.end + 1) : here.start === 0 ? size : here.start - 1;
  const candidates = [...places].filter(([other, rect]) => {
    const there = SPANS[axis](rect);
    if (other === id || (forward ? there.start : there.end) !== edge) return false;
    return there.from <= here.to && there.to > here.from;
  });
  const rank = (pane: PaneId): number => {
    const at = recency.indexOf(pane);
    return at < 0 ? recency.length : at;
  };
  return candidates.map(([pane]) => pane).sort((a, b) => rank(a) - rank(b))[0];
}
