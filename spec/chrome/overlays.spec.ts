import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { browserAreas, browserPainting } from '../../lib/chrome/browser.ts';
import { dialogPainting } from '../../lib/chrome/dialog.ts';
import { helpPainting } from '../../lib/chrome/help.ts';
import { filterLine, floatingRect, listLines } from '../../lib/chrome/list.ts';
import { hitTest, type Painting } from '../../lib/chrome/paint.ts';
import { pickerPainting } from '../../lib/chrome/picker.ts';
import { browser, dialog, help, picker } from './views.ts';

const test = suite('chrome overlays');
const SIZE = { cols: 120, rows: 36 };

const boxText = (painting: Painting): string[] =>
  painting.boxes[0]!.lines.map(line => plain(line.runs).trimEnd());
const item = (i: number): { id: string; line: { text: string }[]; note: string } => ({
  id: `${i}`,
  line: [{ text: `item ${i}` }],
  note: '',
});

test('floating boxes are at most as large as asked, centred, in the upper third, inside any screen', () => {
  assert.equal(floatingRect(SIZE, 80, 20), { x: 20, y: 5, width: 80, height: 20 });
  for (const cols of [1, 20, 60, 200]) {
    for (const rows of [1, 6, 18, 60]) {
      const rect = floatingRect({ cols, rows }, 80, 20);
      assert.ok(rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= cols && rect.y + rect.height <= rows);
    }
  }
});

test('a list keeps its selected item in sight', () => {
  const items = Array.from({ length: 100 }, (_, i) => item(i));
  for (const selected of [0, 50, 99]) {
    const { lines, first } = listLines(items, selected, 30, 7);
    assert.is(lines.length, 7);
    assert.is(plain(lines[selected - first]!.runs), `▸ item ${selected}`);
    assert.is(lines[selected - first]!.fill, 'selection');
  }
});

test('a filter line shows the count while there is room for it', () => {
  assert.is(
    plain(filterLine({ label: ' > ', text: 'ab', caret: 2 }, '3/9', 20).line.runs),
    ' > ab           3/9 ',
  );
  assert.is(plain(filterLine({ label: ' > ', text: 'ab', caret: 2 }, '3/9', 12).line.runs), ' > ab');
});

test('a picker has its filter on top, its hint below, and does not move while it is filtered', () => {
  const all = pickerPainting(picker(), SIZE);
  const none = pickerPainting(picker({ items: [], filter: 'zzz', caret: 3 }), SIZE);
  assert.equal(all.boxes[0]!.rect, none.boxes[0]!.rect);
  assert.is(boxText(all)[0]!.replace(/ +/g, ' '), ' > fi 2/5');
  assert.is(boxText(all).at(-1), ' Enter open   Esc close');
  assert.is(boxText(none)[1], '  nothing matches');
  assert.equal(all.caret, { x: all.boxes[0]!.rect.x + 6, y: all.boxes[0]!.rect.y + 1 });
});

test('clicks in a picker find items, its frame is only itself', () => {
  const { boxes } = pickerPainting(picker(), SIZE);
  const { x, y } = boxes[0]!.rect;
  assert.equal(hitTest(boxes, { x: x + 5, y: y + 3 }), { type: 'overlay-item', index: 1 });
  assert.equal(hitTest(boxes, { x, y: y + 3 }), { type: 'overlay' });
  assert.equal(hitTest(boxes, { x: x + 5, y: y + 1 }), { type: 'overlay' });
  assert.equal(hitTest(boxes, { x: 0, y: 0 }), { type: 'none' });
});

test('a dialog wraps its text and keeps its input and keys where there is little room', () => {
  const long = 'word '.repeat(60);
  const view = dialog({ lines: [[{ text: long }]], input: { text: 'new', caret: 3 } });
  const wide = dialogPainting(view, SIZE);
  assert.is(wide.boxes[0]!.rect.width, 80);
  assert.ok(boxText(wide).length > 5);
  const tight = boxText(dialogPainting(view, { cols: 30, rows: 6 }));
  assert.ok(tight.includes(' > new'), tight.join('\n'));
  assert.ok(tight.some(line => line.startsWith(' y stop')));
});

test('help has two columns where there is room, scrolls, and says when nothing matches', () => {
  assert.match(boxText(helpPainting(help(), SIZE))[1]!, /^ Panes +Copy mode$/);
  assert.match(boxText(helpPainting(help(), { cols: 60, rows: 18 }))[1]!, /^ Panes$/);
  const low = helpPainting(help({ scroll: 99 }), { cols: 60, rows: 8 });
  assert.match(boxText(low)[0]!, 'of 12');
  assert.match(boxText(helpPainting(help({ groups: [] }), SIZE))[1]!, 'no key matches');
});

test('a browser gives the list 40 % and the rest to the preview', () => {
  assert.equal(browserAreas(SIZE, true), {
    list: { x: 0, y: 4, width: 48, height: 31 },
    preview: { x: 49, y: 4, width: 71, height: 31 },
  });
});

test('on a narrow screen the preview is below the list, on a low one hidden', () => {
  const narrow = browserAreas({ cols: 60, rows: 24 }, false);
  assert.is(narrow.list.width, 60);
  assert.ok(narrow.preview.y > narrow.list.y + narrow.list.height);
  assert.is(narrow.preview.y + narrow.preview.height, 23);
  assert.is(browserAreas({ cols: 60, rows: 12 }, false).preview.width, 0);
});

test('a browser’s list and preview answer to the mouse, its chosen facets stand in brackets', () => {
  const { boxes } = browserPainting(browser(), SIZE);
  assert.equal(hitTest(boxes, { x: 3, y: 5 }), { type: 'overlay-item', index: 1 });
  assert.equal(hitTest(boxes, { x: 90, y: 9 }), { type: 'overlay-preview' });
  assert.equal(hitTest(boxes, { x: 3, y: 20 }), { type: 'overlay' });
  assert.is(plain(boxes[0]!.lines[1]!.runs), ' [db] ops ');
});

test.run();
