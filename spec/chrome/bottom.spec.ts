import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { bottomPainting, isUrgent, type BottomView } from '../../lib/chrome/bottom.ts';

const test = suite('chrome/bottom');
const SIZE = { cols: 40, rows: 12 };
const HINTS = [
  { key: 'C-b ?', text: 'help' },
  { key: ':', text: 'command' },
  { key: 'd', text: 'detach' },
];
const IDLE: BottomView = { hints: HINTS, message: undefined, prompt: undefined, prefixHeld: false };

function draw(change: Partial<BottomView>, cols = 40): string[] {
  return bottomPainting({ ...IDLE, ...change }, { ...SIZE, cols }).boxes.flatMap(box =>
    box.lines.map(line => plain(line.runs).trimEnd()),
  );
}

test('hints are shown as far as whole ones fit', () => {
  assert.equal(draw({}), [' C-b ? help   : command   d detach']);
  assert.equal(draw({}, 30), [' C-b ? help   : command']);
  assert.equal(draw({ hints: undefined }), []);
});

test('a message stands before hints, a prompt before both', () => {
  const message = { text: 'no such window: 9', tone: 'error' as const };
  assert.equal(draw({ message }), [' ✕ no such window: 9']);
  assert.equal(draw({ message, prompt: { label: ':', text: 'split', caret: 5 } }), [':split']);
  assert.ok(isUrgent({ ...IDLE, message }));
  assert.not(isUrgent(IDLE));
});

test('the prompt has the caret', () => {
  const painting = bottomPainting({ ...IDLE, prompt: { label: ':', text: '港口 x', caret: 2 } }, SIZE);
  assert.equal(painting.caret, { x: 5, y: 11 });
});

test('while the prefix is held all its keys are shown, in columns over the lowest rows', () => {
  const hints = Array.from({ length: 10 }, (_, i) => ({ key: `${i}`, text: 'select window' }));
  const lines = draw({ hints, prefixHeld: true });
  assert.is(lines.length, 6);
  for (let i = 0; i < 10; i++) assert.match(lines.join('\n'), `${i} select window`);
  const { boxes } = bottomPainting({ ...IDLE, hints, prefixHeld: true }, SIZE);
  assert.equal(boxes.at(-1)!.rect, { x: 0, y: 7, width: 40, height: 5 });
});

test.run();
