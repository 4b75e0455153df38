import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Box } from '../../lib/chrome/paint.ts';
import { markRows, stripsOf, touchesRows } from '../../lib/chrome/strips.ts';

const test = suite('chrome/strips');
const BOX: Box = {
  rect: { x: 2, y: 3, width: 10, height: 4 },
  fill: 'bg',
  lines: [{ runs: [{ text: 'one' }] }, { runs: [] }, { runs: [{ text: 'three' }], fill: 'selection' }],
};

test('a box is its ground and one strip for each line with text', () => {
  assert.equal(
    stripsOf(BOX).map(strip => [strip.rect.y, strip.rect.height, strip.fill, strip.runs?.[0]?.text]),
    [
      [3, 4, 'bg', undefined],
      [3, 1, 'bg', 'one'],
      [5, 1, 'selection', 'three'],
    ],
  );
});

test('lines of a framed box are inside it and none reaches beyond', () => {
  const strips = stripsOf({ ...BOX, frame: 'border', rect: { ...BOX.rect, height: 3 } });
  assert.equal(
    strips.map(strip => strip.rect),
    [
      { x: 2, y: 3, width: 10, height: 3 },
      { x: 3, y: 4, width: 8, height: 1 },
    ],
  );
});

test('a box of one line needs no ground, an empty one has no strips', () => {
  assert.is(stripsOf({ ...BOX, rect: { ...BOX.rect, height: 1 } }).length, 1);
  assert.equal(stripsOf({ ...BOX, rect: { ...BOX.rect, width: 0 } }), []);
});

test('rows are marked and found as far as they are on the screen', () => {
  const rows = new Uint8Array(5);
  const [ground] = stripsOf(BOX);
  markRows(rows, ground!);
  assert.equal([...rows], [0, 0, 0, 1, 1]);
  assert.ok(touchesRows(rows, ground!));
  assert.not(touchesRows(rows, { rect: { x: 0, y: -1, width: 1, height: 3 }, fill: 'bg' }));
});

test.run();
