import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { hitTest, type Box } from '../../lib/chrome/paint.ts';
import { tooSmallBox, windowBoxes, type WindowView } from '../../lib/chrome/window.ts';
import { pane } from './views.ts';

const test = suite('chrome/window');
const AREA = { x: 0, y: 2, width: 40, height: 10 };
const WINDOW: WindowView = {
  window: { cols: 40, rows: 10 },
  offset: { x: 0, y: 0 },
  panes: [
    pane(1, { rect: { x: 0, y: 0, width: 20, height: 10 }, focused: true }),
    pane(2, { rect: { x: 21, y: 0, width: 19, height: 10 } }),
  ],
  emptyText: 'C-b c opens a pane',
};

const boxesOf = (change: Partial<WindowView> = {}): Box[] =>
  windowBoxes({ ...WINDOW, ...change }, { area: AREA, sidebar: false });
const paneRects = (boxes: readonly Box[]): unknown[] =>
  boxes.filter(box => box.pane).map(box => [box.pane, box.rect]);
const texts = (boxes: readonly Box[]): string =>
  boxes.flatMap(box => box.lines.map(line => plain(line.runs))).join('\n');

test('panes lie where the window has them', () => {
  assert.equal(paneRects(boxesOf()), [
    [
      { id: 1, x: 0, y: 0 },
      { x: 0, y: 2, width: 20, height: 10 },
    ],
    [
      { id: 2, x: 0, y: 0 },
      { x: 21, y: 2, width: 19, height: 10 },
    ],
  ]);
});

test('a larger window is cut at the offset, and signs say where it goes on', () => {
  const boxes = boxesOf({
    window: { cols: 90, rows: 30 },
    offset: { x: 15, y: 4 },
    panes: [
      pane(1, { rect: { x: 0, y: 0, width: 44, height: 30 } }),
      pane(2, { rect: { x: 45, y: 0, width: 45, height: 30 } }),
    ],
  });
  assert.equal(paneRects(boxes), [
    [
      { id: 1, x: 15, y: 4 },
      { x: 0, y: 2, width: 29, height: 10 },
    ],
    [
      { id: 2, x: 0, y: 4 },
      { x: 30, y: 2, width: 10, height: 10 },
    ],
  ]);
  assert.equal(boxes.at(-1)!.rect, { x: 36, y: 1, width: 4, height: 1 });
  assert.is(plain(boxes.at(-1)!.lines[0]!.runs), '«↑↓»');
  assert.equal(hitTest(boxes, { x: 0, y: 2 }), { type: 'pane', pane: 1, x: 15, y: 4 });
});

test('beside a smaller window it is blank, and says the size', () => {
  const boxes = boxesOf({
    window: { cols: 20, rows: 6 },
    panes: [pane(1, { rect: { x: 0, y: 0, width: 20, height: 6 } })],
  });
  assert.is(boxes[0]!.pattern, undefined);
  assert.match(texts(boxes), 'window 20×6');
});

test('headers and panes answer to the mouse in painter’s order', () => {
  const boxes = boxesOf();
  assert.equal(hitTest(boxes, { x: 3, y: 1 }), { type: 'header', pane: 1 });
  assert.equal(hitTest(boxes, { x: 20, y: 5 }), { type: 'border', pane: 1, axis: 'x' });
  assert.equal(hitTest(boxes, { x: 25, y: 5 }), { type: 'pane', pane: 2, x: 4, y: 3 });
});

test('a window without panes says what to do', () => {
  assert.is(texts(boxesOf({ panes: [] })), 'C-b c opens a pane');
});

test('the remark on a screen too small is cut to what there is', () => {
  const box = tooSmallBox({ cols: 9, rows: 3 }, { cols: 20, rows: 6 });
  assert.equal(box.rect, { x: 0, y: 1, width: 9, height: 1 });
});

test.run();
