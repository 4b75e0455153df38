/**
 * Windows and histories of operations for property specs, and what must hold of every tree.
 */
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { removePane, rotate, splitPane, swap } from '../../lib/layout/edit.ts';
import { minimumSize, resizeTree } from '../../lib/layout/fit.ts';
import { preset, spreadEvenly } from '../../lib/layout/presets.ts';
import { borders, rects } from '../../lib/layout/query.ts';
import { moveBorder, resizePane, setPaneSize } from '../../lib/layout/resize.ts';
import { paneIds, single } from '../../lib/layout/tree.ts';
import { PRESETS } from '../../lib/layout/types.ts';
import type { Axis, Direction, LayoutNode } from '../../lib/layout/types.ts';

export type Operation = (tree: LayoutNode, freshId: number) => LayoutNode;

const axis = fc.constantFrom<Axis>('h', 'v');
const direction = fc.constantFrom<Direction>('left', 'right', 'up', 'down');
/** Which pane: an index taken modulo the number of panes. */
const pick = fc.nat(20);
const pane = (tree: LayoutNode, n: number): number => {
  const ids = paneIds(tree);
  return ids[n % ids.length]!;
};

export const size = fc.record({
  cols: fc.integer({ min: 1, max: 500 }),
  rows: fc.integer({ min: 1, max: 200 }),
});

const placement = fc.record(
  {
    before: fc.boolean(),
    full: fc.boolean(),
    size: fc.oneof(
      fc.record({ cells: fc.integer({ min: -5, max: 300 }) }),
      fc.record({ percent: fc.integer({ min: -5, max: 120 }) }),
    ),
  },
  { requiredKeys: [] },
);

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.tuple(pick, axis, placement).map(([n, a, p]): Operation => (tree, id) => {
      const result = splitPane(tree, pane(tree, n), a, id, p);
      return result === 'no-space' ? tree : result;
    }),
  },
  fc.tuple(pick).map(
    ([n]): Operation =>
      tree =>
        removePane(tree, pane(tree, n)) ?? tree,
  ),
  fc.tuple(pick, direction, fc.integer({ min: -10, max: 60 })).map(
    ([n, d, by]): Operation =>
      tree =>
        resizePane(tree, pane(tree, n), d, by),
  ),
  fc.tuple(pick, size).map(
    ([n, s]): Operation =>
      tree =>
        setPaneSize(tree, pane(tree, n), s),
  ),
  fc.tuple(pick, axis, fc.integer({ min: -60, max: 60 })).map(
    ([n, a, by]): Operation =>
      tree =>
        moveBorder(tree, pane(tree, n), a, by),
  ),
  fc.tuple(pick, pick).map(
    ([a, b]): Operation =>
      tree =>
        swap(tree, pane(tree, a), pane(tree, b)),
  ),
  fc.constantFrom<'up' | 'down'>('up', 'down').map(
    (d): Operation =>
      tree =>
        rotate(tree, d),
  ),
  size.map(
    (s): Operation =>
      tree =>
        resizeTree(tree, s),
  ),
  fc.tuple(fc.constantFrom(...PRESETS), size).map(
    ([name, s]): Operation =>
      tree =>
        preset(name, paneIds(tree), s),
  ),
  pick.map(
    (n): Operation =>
      tree =>
        spreadEvenly(tree, pane(tree, n)),
  ),
);

/** A tree that came about by a history of operations on one pane. */
export const tree: fc.Arbitrary<LayoutNode> = fc
  .tuple(size, fc.array(operation, { maxLength: 40 }))
  .map(([start, operations]) =>
    operations.reduce<LayoutNode>((node, run, i) => run(node, i + 1), single(0, start)),
  );

/** Fails unless the tree keeps its contract: sizes add up, no pane below 1×1, panes and borders tile the window. */
export function assertSound(node: LayoutNode): void {
  assertShape(node);
  const cells = new Uint8Array(node.cols * node.rows);
  const paint = (x: number, y: number, width: number, height: number): void => {
    assert.ok(x >= 0 && y >= 0 && x + width <= node.cols && y + height <= node.rows, 'inside the window');
    for (let row = y; row < y + height; row++) {
      for (let col = x; col < x + width; col++) cells[row * node.cols + col]! += 1;
    }
  };
  for (const rect of rects(node).values()) paint(rect.x, rect.y, rect.width, rect.height);
  for (const b of borders(node))
    paint(b.x, b.y, b.axis === 'h' ? 1 : b.length, b.axis === 'h' ? b.length : 1);
  assert.ok(
    cells.every(n => n === 1),
    'every cell belongs to exactly one pane or border',
  );
  const least = minimumSize(node);
  assert.ok(least.cols <= node.cols && least.rows <= node.rows);
  const ids = paneIds(node);
  assert.is(new Set(ids).size, ids.length);
}

function assertShape(node: LayoutNode): void {
  assert.ok(node.cols >= 1 && node.rows >= 1, 'at least one cell');
  if (node.type === 'pane') return;
  assert.ok(node.children.length >= 2, 'a split has two or more children');
  for (const child of node.children) {
    assert.not(child.type === 'split' && child.axis === node.axis, 'no split in a split of the same axis');
    assert.is(node.axis === 'h' ? child.rows : child.cols, node.axis === 'h' ? node.rows : node.cols);
    assertShape(child);
  }
  const along = node.children.reduce(
    (sum, c) => sum + (node.axis === 'h' ? c.cols : c.rows),
    node.children.length - 1,
  );
  assert.is(along, node.axis === 'h' ? node.cols : node.rows);
}
