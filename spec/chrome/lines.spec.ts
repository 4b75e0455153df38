import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { plain } from '../../lib/base/styled.ts';
import { cellWidth } from '../../lib/base/text.ts';
import {
  clean,
  cutLine,
  editLine,
  justify,
  lineWidth,
  run,
  scrollTo,
  wrapLine,
} from '../../lib/chrome/lines.ts';
import { text } from './views.ts';

const test = suite('chrome/lines');
const twoRuns = (): fc.Arbitrary<ReturnType<typeof run>[]> =>
  fc.array(text(), { maxLength: 4 }).map(parts => parts.map(part => run(part)));

test('text from outside holds no control characters and is never longer than can be shown', () => {
  assert.not.match(run('a\x1b[31m\r\nb').text, /[\x00-\x1f]/);
  assert.ok(run('x'.repeat(1e6)).text.length <= 4096);
  assert.equal(clean([{ text: 'a\x07', role: 'dim' }])[0]!.role, 'dim');
});

test('a line that fits stays as it is; one that does not ends in an ellipsis inside its room', () => {
  assert.is(plain(cutLine([{ text: 'abc' }, { text: 'def' }], 6)), 'abcdef');
  assert.is(plain(cutLine([{ text: 'abc' }, { text: 'def' }], 5)), 'abcd…');
  assert.is(plain(cutLine([{ text: 'abc' }, { text: 'def' }], 3)), 'ab…');
  assert.is(plain(cutLine([{ text: '港口港口' }], 5)), '港口…');
  fc.assert(fc.property(twoRuns(), fc.nat(40), (line, cols) => lineWidth(cutLine(line, cols)) <= cols));
});

test('left and right parts are pushed apart to the full width, the left one cut', () => {
  assert.is(plain(justify([{ text: 'left' }], [{ text: '12' }], 10)), 'left    12');
  assert.is(plain(justify([{ text: 'a long left' }], [{ text: '12' }], 10)), 'a long… 12');
  assert.is(plain(justify([{ text: 'left' }], [{ text: 'too wide' }], 8)), 'left');
});

test('an edited text scrolls so that the caret is in sight', () => {
  assert.equal(editLine('hello', 5, 10), { text: 'hello', caretX: 5 });
  assert.equal(editLine('hello world', 11, 6), { text: 'world', caretX: 5 });
  assert.equal(editLine('hello world', 0, 5), { text: 'hello', caretX: 0 });
  fc.assert(
    fc.property(text(), fc.integer(), fc.integer({ min: 1, max: 30 }), (value, caret, cols) => {
      const edit = editLine(value, caret, cols);
      return edit.caretX >= 0 && edit.caretX < cols && cellWidth(edit.text) <= cols;
    }),
  );
});

test('wrapping breaks at spaces, splits what is wider than a line, keeps the indent', () => {
  const wrap = (value: string, cols: number): string[] => wrapLine([{ text: value }], cols, 9).map(plain);
  assert.equal(wrap('one two three', 8), ['one two ', 'three']);
  assert.equal(wrap('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
  assert.equal(wrap('  in dent', 6), ['  in ', 'dent']);
  assert.is(wrapLine([{ text: 'a b c d e f' }], 1, 3).length, 3);
  fc.assert(
    fc.property(twoRuns(), fc.integer({ min: 2, max: 30 }), (line, cols) =>
      wrapLine(line, cols, 20).every(piece => lineWidth(piece) <= cols),
    ),
  );
});

test('a list shows its selected row near the middle and never scrolls past its ends', () => {
  assert.equal(
    [0, 3, 10, 19, -1, 99].map(selected => scrollTo(selected, 20, 6)),
    [0, 0, 7, 14, 0, 14],
  );
  assert.is(scrollTo(2, 3, 6), 0);
});

test.run();
