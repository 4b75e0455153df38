import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { selectionStretches } from '../../../lib/mode/copy/view.ts';
import { Played } from './play.ts';

const test = suite('copy mode: selecting and copying');

test('zellij#1330: a key that wraps is copied in one piece, without the blanks behind it', () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kx0q9yQ7q3k';
  const played = new Played(`$ cat key\n${key}   \n$ `, { cols: 20, rows: 8 });
  played.do(
    'history-top',
    'cursor-down',
    'begin-selection',
    'end-of-line',
    'cursor-down',
    'start-of-line',
    'copy-selection',
  );
  assert.is(played.copied[0], `${key}\n$`);
  assert.is(new Played(key, { cols: 20 }).do('select-line', 'copy-selection').copied[0], `${key}\n`);
});

test('a wide character that did not fit leaves no blank behind', () => {
  const played = new Played('abcdefg漢字', { cols: 8 }).do('select-line', 'copy-selection');
  assert.is(played.copied[0], 'abcdefg漢字\n');
});

test('vi takes the character under the cursor, emacs stops before it', () => {
  for (const [isVi, text] of [
    [true, 'abc'],
    [false, 'ab'],
  ] as const) {
    const played = new Played('abcdef', { isVi }).do('start-of-line', 'begin-selection', '2 cursor-right');
    assert.is(played.selected, text);
  }
});

test('the mouse takes what is under the pointer, with either keys', () => {
  for (const isVi of [true, false]) {
    const played = new Played('abcdef', { isVi });
    played.event({ type: 'press', at: { x: 3, y: 0 }, unit: 'char' });
    played.event({ type: 'drag', at: { x: 1, y: 0 } });
    played.event({ type: 'release' });
    assert.is(played.selected, 'bcd');
    assert.is(played.do('history-top').selected, 'bcd', 'let go, it stays what it is');
  }
});

test('a double click takes a word and a drag from there whole words', () => {
  const played = new Played('one two-three four');
  played.event({ type: 'press', at: { x: 5, y: 0 }, unit: 'word' });
  assert.is(played.selected, 'two');
  played.event({ type: 'drag', at: { x: 15, y: 0 } });
  assert.is(played.selected, 'two-three four');
});

test('a double click behind the end of a line takes its last word', () => {
  const played = new Played('one two');
  played.event({ type: 'press', at: { x: 15, y: 0 }, unit: 'word' });
  assert.is(played.selected, 'two');
});

test('a block takes its columns of every row', () => {
  const played = new Played('abcdef\nab\n漢字xyz\nlast row', { rows: 6 });
  played.do(
    'history-top',
    'cursor-right',
    'begin-selection',
    'rectangle-toggle',
    '3 cursor-down',
    '2 cursor-right',
  );
  assert.is(played.do('copy-selection').copied[0], 'bcd\nb\n漢字\nast');
});

test('lines are taken whole wherever the cursor goes', () => {
  const played = new Played('one\ntwo\nthree\nfour');
  played.do('history-top', 'cursor-down', 'select-line', 'cursor-down', 'start-of-line');
  assert.is(played.selected, 'two\nthree\n');
});

test('the other end swaps, and clearing forgets', () => {
  const played = new Played('abcdef').do('start-of-line', 'begin-selection', '3 cursor-right', 'other-end');
  assert.is(played.state.cursor.x, 0);
  assert.is(played.do('cursor-right').selected, 'bcd');
  assert.is(played.do('clear-selection').selected, '');
});

test('names of copying say what follows: clear, keep, leave, add, pipe', () => {
  const begin = (): Played => new Played('abcdef').do('start-of-line', 'begin-selection', 'cursor-right');
  assert.is(begin().do('copy-selection').state.selection, undefined);
  assert.ok(begin().do('copy-pipe-no-clear').state.selection);
  assert.ok(begin().do('copy-selection-and-cancel').isOver);
  assert.not(begin().do('copy-selection').isOver);
  assert.equal(begin().do('append-selection').copied, ['ab']);
  assert.equal(
    new Played('abc').do('copy-selection-and-cancel').copied,
    [],
    'nothing selected, nothing copied',
  );
});

test('the selection survives output and a resize', () => {
  const played = new Played('first\nsecond\nthird', { rows: 3 });
  played.do('history-top', 'begin-selection', 'end-of-line', 'cursor-left');
  played.print('\nmore\nand more');
  assert.is(played.selected, 'first');
  played.resize(4, 3);
  assert.is(played.selected, 'first');
});

test('what is lit is what is selected, and an empty row in it shows one cell', () => {
  const played = new Played('abc\n\ndef', { rows: 4 }).do(
    'history-top',
    'cursor-right',
    'begin-selection',
    '2 cursor-down',
  );
  assert.equal(
    selectionStretches(played.state, played.context).map(({ y, x0, x1 }) => [y, x0, x1]),
    [
      [0, 1, 3],
      [1, 0, 1],
      [2, 0, 2],
    ],
  );
});

test.run();
