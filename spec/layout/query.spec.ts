import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { parseLayout } from '../../lib/layout/codec.ts';
import { borders, neighbour, rects } from '../../lib/layout/query.ts';
import { join, paneIds, single } from '../../lib/layout/tree.ts';
import type { LayoutNode } from '../../lib/layout/types.ts';
import { tree } from './arbitrary.ts';

const test = suite('layout query');

// 0 above; 1 and 2 side by side below.
const node = parseLayout('f474,83x29,0,0[83x24,0,0,0,83x4,0,25{41x4,0,25,1,41x4,42,25,2}]');

test('every pane has its rectangle', () => {
  assert.equal(
    [...rects(node)],
    [
      [0, { x: 0, y: 0, width: 83, height: 24 }],
      [1, { x: 0, y: 25, width: 41, height: 4 }],
      [2, { x: 42, y: 25, width: 41, height: 4 }],
    ],
  );
});

test('borders are named by a pane left of or above them', () => {
  assert.equal(borders(node), [
    { axis: 'v', x: 0, y: 24, length: 83, pane: 0 },
    { axis: 'h', x: 41, y: 25, length: 4, pane: 1 },
  ]);
  assert.equal(borders(single(1, { cols: 5, rows: 5 })), []);
});

test('the most recently used of the touching panes is the neighbour', () => {
  assert.is(neighbour(node, 0, 'down'), 1);
  assert.is(neighbour(node, 0, 'down', [0, 2, 1]), 2);
  assert.is(neighbour(node, 1, 'right'), 2);
  assert.is(neighbour(node, 2, 'left'), 1);
  assert.is(neighbour(node, 2, 'up', [1, 0]), 0);
});

test('a pane touches those above its own columns and above the border at its right, as in tmux', () => {
  const row = (left: number, ids: readonly [number, number]): LayoutNode =>
    join('h', [single(ids[0], { cols: left, rows: 5 }), single(ids[1], { cols: 80 - left, rows: 5 })]);
  const shifted = join('v', [row(40, [1, 2]), row(39, [3, 4])]);
  assert.is(neighbour(shifted, 4, 'up', [1]), 2);
  const back = join('v', [row(39, [1, 2]), row(40, [3, 4])]);
  assert.is(neighbour(back, 3, 'up', [2]), 2);
  assert.is(neighbour(back, 4, 'up', [1]), 2);
});

test('at the edge of the window it goes round', () => {
  assert.is(neighbour(node, 1, 'down'), 0);
  assert.is(neighbour(node, 0, 'up', [2]), 2);
  assert.is(neighbour(node, 1, 'left'), 2);
  assert.is(neighbour(node, 2, 'right'), 1);
});

test('a pane that spans the window has no neighbour in that direction', () => {
  assert.is(neighbour(node, 0, 'left'), undefined);
  assert.is(neighbour(single(1, { cols: 9, rows: 9 }), 1, 'up'), undefined);
  assert.is(neighbour(node, 77, 'up'), undefined);
});

test('neighbours are other panes of the same window, and every pane of several has one', () => {
  fc.assert(
    fc.property(tree, layout => {
      const ids = paneIds(layout);
      for (const id of ids) {
        const found = (['left', 'right', 'up', 'down'] as const).map(d => neighbour(layout, id, d));
        assert.ok(found.every(other => other === undefined || (other !== id && ids.includes(other))));
        assert.is(
          found.some(other => other !== undefined),
          ids.length > 1,
        );
      }
    }),
    { numRuns: 60 },
  );
});

test.run();
