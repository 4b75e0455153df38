/**
 * Lines as programs wrote them, read from rows.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emulator } from '../../lib/term/emulator.ts';

const test = suite('logical lines');

function written(cols: number, text: string): Emulator {
  const emulator = new Emulator({ cols, rows: 4, historyLines: 100 });
  emulator.write(Buffer.from(text));
  return emulator;
}

test('wrapped rows are one line, from any of them, in both directions', () => {
  const view = written(5, 'abcdefghijkl\r\nsecond\r\n');
  assert.equal(
    [...view.logicalLines(-1, 1)].map(({ y, rows, text }) => [y, rows, text]),
    [
      [-2, 3, 'abcdefghijkl'],
      [1, 2, 'second'],
      [3, 1, ''],
    ],
  );
  assert.equal(
    [...view.logicalLines(2, -1)].map(({ text }) => text),
    ['second', 'abcdefghijkl'],
  );
});

test('every unit of the text names its cell', () => {
  const [line] = written(20, 'a漢e\u0301👍b   ').logicalLines(0, 1);
  assert.is(line!.text, 'a漢e\u0301👍b');
  assert.equal(line!.cells, [0, 1, 3, 3, 4, 4, 6]);
  assert.is([...written(20, 'plain').logicalLines(0, 1)][0]!.cells, undefined);
});

test('an anchor finds its cell again after scrolling and re-wrapping', () => {
  const view = written(10, 'first\r\nabcdefghijklmnop\r\n');
  const anchor = view.anchor(2, 1);
  assert.equal(view.locate(anchor), { y: 2, x: 1 });
  view.write(Buffer.from('x\r\ny\r\n'));
  assert.equal(view.locate(anchor), { y: 0, x: 1 });
  view.resize(6, 4);
  const { y, x } = view.locate(anchor)!;
  assert.is(String.fromCodePoint(view.line(y)!.words[x * 3]! & 0x1fffff), 'l');
});

test.run();
