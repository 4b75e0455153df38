/**
 * The way from a tree's root to a pane, and the tree rebuilt along it.
 */
import { join } from './tree.ts';
import type { LayoutNode, LayoutSplit, PaneId } from './types.ts';

/** One step from a split to one of its children. */
export interface Step {
  readonly split: LayoutSplit;
  readonly index: number;
}

/** The steps from the root to pane `id`; empty where the root is that pane; undefined where it is not in the tree. */
export function pathTo(tree: LayoutNode, id: PaneId): Step[] | undefined {
  if (tree.type === 'pane') return tree.id === id ? [] : undefined;
  for (const [index, child] of tree.children.entries()) {
    const rest = pathTo(child, id);
    if (rest) return [{ split: tree, index }, ...rest];
  }
  return undefined;
}

/** The tree again, with the node that `path` leads to put in place of the old one; sizes follow upwards. */
export function rebuild(path: readonly Step[], node: LayoutNode): LayoutNode {
  return path.reduceRight(
    (inner, { split, index }) => join(split.axis, split.children.toSpliced(index, 1, inner)),
    node,
  );
}
