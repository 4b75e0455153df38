import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Composer } from '../../lib/chrome/compose.ts';
import { hitTest } from '../../lib/chrome/paint.ts';
import { picker, sampleView } from './views.ts';

const test = suite('chrome/compose');
const SIZE = { cols: 100, rows: 30 };

test('parts of a view that did not change keep their boxes', () => {
  const composer = new Composer();
  const view = sampleView(SIZE);
  const before = new Set(composer.compose(view, SIZE).boxes);
  const after = composer.compose(
    sampleView(SIZE, { status: { ...view.status, clock: '10:00' } }),
    SIZE,
  ).boxes;
  const made = after.filter(box => !before.has(box));
  assert.ok(made.length > 0);
  assert.ok(made.every(box => box.rect.y === 0));
});

test('a message is painted over an overlay, hints are under it', () => {
  const composer = new Composer();
  const overlay = picker({ total: 99 });
  const low = { cols: 40, rows: 8 };
  const last = { x: 20, y: 7 };
  const under = composer.compose({ ...sampleView(low, { overlay }), size: low }, low);
  assert.equal(hitTest(under.boxes, last), { type: 'overlay' });
  const message = { text: 'saved', tone: 'info' as const };
  const over = composer.compose({ ...sampleView(low, { overlay, message }), size: low }, low);
  assert.equal(hitTest(over.boxes, last), { type: 'none' });
});

test('a sidebar beside the panes joins their lines; over them it hides them', () => {
  const composer = new Composer();
  const { sidebar } = sampleView(SIZE);
  const beside = composer.compose(sampleView(SIZE), SIZE).boxes;
  assert.equal(hitTest(beside, { x: 24, y: 5 }), { type: 'sidebar-border' });
  const narrow = { cols: 60, rows: 18 };
  const over = composer.compose(sampleView(narrow, { sidebar }), narrow).boxes;
  assert.equal(hitTest(over, { x: 3, y: 2 }), { type: 'sidebar', id: 'roles' });
  assert.equal(hitTest(over, { x: 24, y: 5 }), { type: 'sidebar-border' });
  assert.equal(hitTest(over, { x: 25, y: 5 }), { type: 'pane', pane: 1, x: 25, y: 3 });
});

test('without hints the pane area reaches the last row, and a message is shown over it', () => {
  const composer = new Composer();
  const view = sampleView(SIZE, { hints: undefined, window: { cols: 75, rows: 28 } });
  const tall = {
    ...view,
    panes: view.panes.slice(0, 1).map(pane => ({ ...pane, rect: { x: 0, y: 0, width: 75, height: 28 } })),
  };
  assert.is(hitTest(composer.compose(tall, SIZE).boxes, { x: 40, y: 29 }).type, 'pane');
  const message = { text: 'saved', tone: 'info' as const };
  assert.is(hitTest(composer.compose({ ...tall, message }, SIZE).boxes, { x: 40, y: 29 }).type, 'none');
});

test.run();
