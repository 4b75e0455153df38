import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { formatLayout, parseLayout } from '../../lib/layout/codec.ts';
import { borders, rects } from '../../lib/layout/query.ts';
import { moveBorder, resizePane, setPaneSize } from '../../lib/layout/resize.ts';
import { single } from '../../lib/layout/tree.ts';
import { assertSound, tree } from './arbitrary.ts';

const test = suite('layout resize');

// What tmux 3.3a made of the same requests, one after the other.
const FIVE = 'f330,83x29,0,0{15x29,0,0,0,15x29,16,0,1,15x29,32,0,2,15x29,48,0,3,19x29,64,0,4}';
const STEPS = [
  [
    (t: typeof first) => resizePane(t, 1, 'right', 5),
    'ab39,83x29,0,0{15x29,0,0,0,20x29,16,0,1,10x29,37,0,2,15x29,48,0,3,19x29,64,0,4}',
  ],
  [
    (t: typeof first) => resizePane(t, 4, 'left', 3),
    '8f69,83x29,0,0{15x29,0,0,0,20x29,16,0,1,10x29,37,0,2,12x29,48,0,3,22x29,61,0,4}',
  ],
  [
    (t: typeof first) => resizePane(t, 1, 'left', 60),
    'bd1c,83x29,0,0{1x29,0,0,0,1x29,2,0,1,43x29,4,0,2,12x29,48,0,3,22x29,61,0,4}',
  ],
  [
    (t: typeof first) => setPaneSize(t, 2, { cols: 30 }),
    'a89b,83x29,0,0{1x29,0,0,0,1x29,2,0,1,30x29,4,0,2,25x29,35,0,3,22x29,61,0,4}',
  ],
] as const;
const first = parseLayout(FIVE);

test('borders move as they do in tmux', () => {
  let node = first;
  for (const [step, expected] of STEPS) {
    node = step(node);
    assert.is(formatLayout(node), expected);
  }
});

test('a pane never shrinks below one cell, and then its neighbours give', () => {
  const node = resizePane(first, 4, 'right', 1000);
  assert.equal(
    [...rects(node).values()].map(r => r.width),
    [1, 1, 1, 75, 1],
  );
});

test('where there is no border in that direction nothing changes', () => {
  assert.is(resizePane(first, 1, 'down', 3), first);
  assert.is(resizePane(first, 99, 'left', 3), first);
  assert.equal(resizePane(single(1, { cols: 9, rows: 9 }), 1, 'left', 3), single(1, { cols: 9, rows: 9 }));
});

test('a dragged border follows the mouse, and pushes what stands in its way', () => {
  const node = moveBorder(first, 1, 'h', -20);
  assert.equal(
    [...rects(node).values()].map(r => r.width),
    [9, 1, 35, 15, 19],
  );
});

test('the last border cannot be dragged out of the window', () => {
  assert.is(moveBorder(first, 4, 'h', -3), first);
  assert.equal(
    [...rects(moveBorder(first, 3, 'h', 100)).values()].map(r => r.width),
    [15, 15, 15, 33, 1],
  );
});

test('every drawn border can be taken by the pane it names and moves by exactly one cell where there is room', () => {
  fc.assert(
    fc.property(tree, node => {
      for (const border of borders(node)) {
        const moved = moveBorder(node, border.pane, border.axis, 1);
        assertSound(moved);
        if (formatLayout(moved) === formatLayout(node)) continue;
        const place = {
          ...border,
          x: border.x + (border.axis === 'h' ? 1 : 0),
          y: border.y + (border.axis === 'v' ? 1 : 0),
        };
        assert.ok(
          borders(moved).some(
            b => b.axis === place.axis && b.x === place.x && b.y === place.y && b.length === place.length,
          ),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test('a pane gets the size it asks for when the others can spare it', () => {
  const node = setPaneSize(
    parseLayout('f474,83x29,0,0[83x24,0,0,0,83x4,0,25{41x4,0,25,1,41x4,42,25,2}]'),
    2,
    {
      cols: 60,
      rows: 10,
    },
  );
  const rect = rects(node).get(2)!;
  assert.equal([rect.width, rect.height], [60, 10]);
});

test.run();
