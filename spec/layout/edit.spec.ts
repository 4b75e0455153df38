import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { formatLayout, parseLayout } from '../../lib/layout/codec.ts';
import { assign, removePane, rotate, splitPane, swap } from '../../lib/layout/edit.ts';
import { rects } from '../../lib/layout/query.ts';
import { paneIds, single } from '../../lib/layout/tree.ts';
import type { LayoutNode } from '../../lib/layout/types.ts';
import { assertSound, tree } from './arbitrary.ts';

const test = suite('layout edit');

function must(node: LayoutNode | 'no-space' | undefined): LayoutNode {
  assert.ok(node !== undefined && node !== 'no-space');
  return node as LayoutNode;
}
const widths = (node: LayoutNode): number[] => [...rects(node).values()].map(r => r.width);

test('a split halves the pane; the first gets the odd cell', () => {
  assert.equal(widths(must(splitPane(single(1, { cols: 80, rows: 24 }), 1, 'h', 2))), [40, 39]);
  assert.equal(
    widths(must(splitPane(single(1, { cols: 80, rows: 24 }), 1, 'h', 2, { before: true }))),
    [40, 39],
  );
  assert.equal(widths(must(splitPane(single(1, { cols: 79, rows: 24 }), 1, 'h', 2))), [39, 39]);
});

test('the new pane gets the cells or the percent asked for', () => {
  const one = single(1, { cols: 80, rows: 24 });
  assert.equal(widths(must(splitPane(one, 1, 'h', 2, { size: { cells: 20 } }))), [59, 20]);
  assert.equal(widths(must(splitPane(one, 1, 'h', 2, { size: { percent: 25 }, before: true }))), [20, 59]);
  assert.equal(widths(must(splitPane(one, 1, 'h', 2, { size: { cells: 500 } }))), [1, 78]);
  assert.equal(widths(must(splitPane(one, 1, 'h', 2, { size: { cells: -1 } }))), [78, 1]);
});

test('a split along the same axis stays in the same row', () => {
  const node = must(splitPane(must(splitPane(single(1, { cols: 80, rows: 24 }), 1, 'h', 2)), 1, 'h', 3));
  assert.equal(paneIds(node), [1, 3, 2]);
  assert.is(node.type === 'split' && node.children.length, 3);
});

test('a small split above lands where tmux puts it', () => {
  const node = parseLayout('6c9d,83x29,0,0{47x29,0,0,3,15x29,48,0,4,19x29,64,0,1}');
  assert.is(
    formatLayout(must(splitPane(node, 4, 'v', 5, { before: true, size: { cells: 5 } }))),
    '83cd,83x29,0,0{47x29,0,0,3,15x29,48,0[15x5,48,0,5,15x23,48,6,4],19x29,64,0,1}',
  );
});

test('a full split stands beside everything', () => {
  const node = must(splitPane(single(1, { cols: 81, rows: 24 }), 1, 'h', 2));
  const full = must(splitPane(node, 1, 'v', 3, { full: true, size: { cells: 4 } }));
  assert.equal(rects(full).get(3), { x: 0, y: 20, width: 81, height: 4 });
  const left = must(splitPane(node, 2, 'h', 3, { full: true, before: true, size: { percent: 50 } }));
  assert.equal(widths(left), [40, 20, 19]);
  assert.is(left.type === 'split' && left.children.length, 3);
});

test('there is no room for a split below three cells', () => {
  assert.is(splitPane(single(1, { cols: 2, rows: 9 }), 1, 'h', 2), 'no-space');
  assert.equal(widths(must(splitPane(single(1, { cols: 3, rows: 9 }), 1, 'h', 2))), [1, 1]);
});

test('a split of a pane that is not there, or with an id that is, is a bug and says so', () => {
  const one = single(1, { cols: 9, rows: 9 });
  assert.throws(() => splitPane(one, 7, 'h', 2), /%7 is not in the layout/);
  assert.throws(() => splitPane(one, 1, 'h', 1), /twice/);
});

test('freed cells go to the pane before, as in tmux', () => {
  const five = parseLayout('f330,83x29,0,0{15x29,0,0,0,15x29,16,0,1,15x29,32,0,2,15x29,48,0,3,19x29,64,0,4}');
  const four = must(removePane(five, 2));
  assert.is(formatLayout(four), '4de1,83x29,0,0{15x29,0,0,0,31x29,16,0,1,15x29,48,0,3,19x29,64,0,4}');
  assert.is(formatLayout(must(removePane(four, 0))), 'ec5a,83x29,0,0{47x29,0,0,1,15x29,48,0,3,19x29,64,0,4}');
});

test('removing the last pane leaves nothing, removing a stranger changes nothing', () => {
  const one = single(1, { cols: 9, rows: 9 });
  assert.is(removePane(one, 1), undefined);
  assert.is(removePane(one, 2), one);
});

test('removing all panes but one gives that one the whole window', () => {
  fc.assert(
    fc.property(tree, fc.nat(30), (node, n) => {
      const ids = paneIds(node);
      const kept = ids[n % ids.length]!;
      let now = node;
      for (const id of ids) if (id !== kept) now = must(removePane(now, id));
      assert.equal(now, single(kept, node));
    }),
    { numRuns: 60 },
  );
});

test('places stay when panes change them', () => {
  const node = parseLayout('ec5a,83x29,0,0{47x29,0,0,1,15x29,48,0,3,19x29,64,0,4}');
  assert.equal(paneIds(swap(node, 1, 4)), [4, 3, 1]);
  assert.equal(paneIds(swap(node, 1, 99)), [99, 3, 4], 'with a pane of another window');
  assert.is(formatLayout(rotate(node, 'up')), '6c9d,83x29,0,0{47x29,0,0,3,15x29,48,0,4,19x29,64,0,1}');
  assert.equal(rotate(rotate(node, 'up'), 'down'), node);
});

test('a shape takes other panes, and drops places it has no panes for', () => {
  const node = parseLayout('ec5a,83x29,0,0{47x29,0,0,1,15x29,48,0,3,19x29,64,0,4}');
  assert.equal(paneIds(must(assign(node, [7, 8, 9]))), [7, 8, 9]);
  const two = must(assign(node, [3, 4]));
  assert.equal(widths(two), [47, 35]);
  assertSound(two);
  assert.is(assign(node, [1, 2, 3, 4]), undefined);
  assert.is(assign(node, []), undefined);
});

test.run();
