import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { adjust, minimumSize, resizeTree, share } from '../../lib/layout/fit.ts';
import { rects } from '../../lib/layout/query.ts';
import { join, paneIds, single } from '../../lib/layout/tree.ts';
import type { LayoutNode } from '../../lib/layout/types.ts';
import { assertSound, operation, size, tree } from './arbitrary.ts';

const test = suite('layout tree');

test('panes and borders tile the window exactly after any sequence of operations', () => {
  fc.assert(
    fc.property(size, fc.array(operation, { maxLength: 40 }), (start, operations) => {
      let node: LayoutNode = single(0, start);
      for (const [i, run] of operations.entries()) {
        node = run(node, i + 1);
        assertSound(node);
      }
    }),
    { numRuns: 150 },
  );
});

test('a thousand resizes between 1×1 and 500×200 keep every pane and the shape', () => {
  fc.assert(
    fc.property(tree, fc.array(size, { minLength: 100, maxLength: 100 }), (node, sizes) => {
      const ids = paneIds(node);
      let now = node;
      for (const s of sizes) {
        now = resizeTree(now, s);
        const least = minimumSize(now);
        assert.is(now.cols, Math.max(s.cols, least.cols));
        assert.is(now.rows, Math.max(s.rows, least.rows));
        assert.equal(paneIds(now), ids);
      }
      assertSound(now);
    }),
    { numRuns: 10 },
  );
});

test('resizing from the same tree to any size and back gives the same tree', () => {
  fc.assert(
    fc.property(tree, size, (node, s) => {
      assert.equal(resizeTree(node, node), node);
      assertSound(resizeTree(node, s));
    }),
    { numRuns: 50 },
  );
});

test('a window keeps its proportions when it grows', () => {
  const node = join('h', [single(0, { cols: 59, rows: 24 }), single(1, { cols: 20, rows: 24 })]);
  const wide = resizeTree(node, { cols: 159, rows: 24 });
  assert.equal(wide.type === 'split' && wide.children.map(c => c.cols), [118, 40]);
});

test('sizes that are no sizes count as one cell, endless ones as the largest window', () => {
  const node = single(1, { cols: 10, rows: 10 });
  assert.equal(resizeTree(node, { cols: Number.NaN, rows: -3 }), { ...node, cols: 1, rows: 1 });
  assert.is(resizeTree(node, { cols: Infinity, rows: 1 }).cols, 10_000);
});

test('shares add up and keep their minimums', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 9 })), { minLength: 1 }),
      fc.nat(500),
      (parts, extra) => {
        const mins = parts.map(([, min]) => min);
        const total = mins.reduce((a, b) => a + b, extra);
        const shares = share(
          total,
          parts.map(([weight]) => weight),
          mins,
        );
        assert.is(
          shares.reduce((a, b) => a + b, 0),
          total,
        );
        assert.ok(shares.every((n, i) => n >= mins[i]!));
      },
    ),
  );
});

test('cells handed out or taken one by one go round the children', () => {
  const row = join(
    'h',
    [1, 5, 3].map((cols, i) => single(i, { cols, rows: 4 })),
  );
  const widths = (node: LayoutNode): number[] => [...rects(node).values()].map(r => r.width);
  assert.equal(widths(adjust(row, 'h', 4)), [3, 6, 4]);
  assert.equal(widths(adjust(row, 'h', -5)), [1, 2, 1]);
  assert.throws(() => adjust(row, 'h', -7), /below its minimum/);
  const stack = join('v', [row, single(9, { cols: 11, rows: 4 })]);
  assert.equal(widths(adjust(stack, 'h', -2)), [1, 4, 2, 9]);
});

test('a split of the same axis is spliced into its parent', () => {
  const [a, b, c] = [1, 2, 3].map(id => single(id, { cols: 5, rows: 4 }));
  const node = join('h', [a!, join('h', [b!, c!])]);
  assert.is(node.type === 'split' && node.children.length, 3);
  assert.is(node.cols, 17);
});

test.run();
