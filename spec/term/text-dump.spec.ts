import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureLines } from '../../lib/term/text-dump.ts';
import type { CaptureOptions } from '../../lib/term/text-dump.ts';
import { Recorder } from './terminal.ts';

const test = suite('text dump');

const capture = (output: string, options: CaptureOptions = {}, size = { cols: 20, rows: 4 }): string[] =>
  captureLines(new Recorder(size).write(output).emulator, options);

test('the screen is its lines, blanks at their ends left out', () => {
  assert.equal(capture('one  \r\n  two\r\n\r\n漢字 x'), ['one', '  two', '', '漢字 x']);
});

test('lines are counted from the top of the screen, history negatively', () => {
  const output = '1\r\n2\r\n3\r\n4\r\n5\r\n6';
  assert.equal(capture(output, { start: -1, end: 0 }), ['2', '3']);
  assert.equal(capture(output, { start: -2, end: -1 }), ['1', '2']);
  assert.equal(capture(output, { start: 3 }), ['6']);
  assert.equal(capture(output, { start: -99, end: 99 }), ['1', '2', '3', '4', '5', '6']);
  assert.equal(capture(output, { start: -Infinity, end: -1 }), ['1', '2']);
  assert.equal(capture(output, { start: 1, end: 0 }), ['3', '4']);
});

test('a cluster and a wide character stand there once', () => {
  assert.equal(capture('👨‍👩‍👧e\u0301漢|', { end: 0 }), ['👨‍👩‍👧e\u0301漢|']);
});

test('half a wide character that was overwritten is a space', () => {
  assert.equal(capture('漢字\x1b[2Gx', { end: 0 }), [' x字']);
  assert.equal(capture('漢字\x1b[3Gx', { end: 0 }), ['漢x']);
});

test('wrapped lines are joined, their written blanks kept', () => {
  const output = 'abcdefgh  ijk  \r\nlmn';
  assert.equal(capture(output, {}, { cols: 8, rows: 4 }), ['abcdefgh', '  ijk', 'lmn', '']);
  assert.equal(capture(output, { join: true }, { cols: 8, rows: 4 }), ['abcdefgh  ijk  ', 'lmn', '']);
});

test('a wide character pushed to the next line leaves no gap in a joined line', () => {
  assert.equal(capture('abc漢d', { join: true }, { cols: 4, rows: 3 }), ['abc漢d', '']);
});

test('only what is asked for is joined', () => {
  assert.equal(capture('abcdefgh', { join: true, end: 0 }, { cols: 4, rows: 3 }), ['abcd']);
});

for (const [name, output, line] of [
  ['plain text', 'plain', 'plain'],
  ['a colour and its end', 'a\x1b[31mb\x1b[0mc', 'a\x1b[31mb\x1b[0mc'],
  ['a style left on', '\x1b[1mbold', '\x1b[1mbold\x1b[0m'],
  ['only what changes', '\x1b[1ma\x1b[32mb', '\x1b[1ma\x1b[32mb\x1b[0m'],
  ['taking a flag away', '\x1b[1;32ma\x1b[22mb', '\x1b[1;32ma\x1b[0;32mb\x1b[0m'],
  ['24 bits', '\x1b[38;2;1;2;3;48;2;4;5;6mx', '\x1b[38;2;1;2;3;48;2;4;5;6mx\x1b[0m'],
  ['bright and indexed colours', '\x1b[91;102ma\x1b[38;5;200mb', '\x1b[91;102ma\x1b[38;5;200mb\x1b[0m'],
  ['all flags', '\x1b[1;2;3;5;7;8;9;53mx', '\x1b[1;2;3;5;7;8;9;53mx\x1b[0m'],
  ['an undercurl and its colour', '\x1b[4:3;58:2::1:2:3mx', '\x1b[4:3;58:2::1:2:3mx\x1b[0m'],
  ['an underline with an indexed colour', '\x1b[4;58:5:9mx', '\x1b[4;58:5:9mx\x1b[0m'],
  ['a link', '\x1b]8;;http://x/\x07ab\x1b]8;;\x07c', '\x1b]8;;http://x/\x1b\\ab\x1b]8;;\x1b\\c'],
  ['a link with an id', '\x1b]8;id=q;http://x/\x07a', '\x1b]8;id=q;http://x/\x1b\\a\x1b]8;;\x1b\\'],
  ['a background to the end', '\x1b[44ma\x1b[K', `\x1b[44ma${' '.repeat(19)}\x1b[0m`],
  ['blanks that are not seen', 'a\x1b[31m   ', 'a'],
] as const) {
  test(`escapes: ${name}`, () => {
    assert.is(JSON.stringify(capture(output, { escapes: true, end: 0 })[0]), JSON.stringify(line));
  });
}

test('a screen written again from its capture with escapes looks the same', () => {
  const piece = fc.constantFrom(
    'a', ' ', '漢', '👨‍👩‍👧', 'e\u0301', '\x1b[1m', '\x1b[0m', '\x1b[31m', '\x1b[48;5;20m', '\x1b[38;2;9;8;7m', '\x1b[4:3;58;2;1;2;3m', '\x1b[59m',
    '\x1b[24m', '\x1b[22m', '\x1b[7m', '\x1b]8;id=1;http://x\x07', '\x1b]8;;http://y\x07', '\x1b]8;;\x07', '\x1b[3X', '\x1b[K', '\x1b[G', '\x1b[4C',
  ); // prettier-ignore
  const size = { cols: 30, rows: 1, historyLines: 0 };
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), pieces => {
      const first = captureLines(new Recorder(size).write(pieces.join('')).emulator, { escapes: true });
      const again = new Recorder(size).write(first.join(''));
      assert.equal(captureLines(again.emulator, { escapes: true }), first);
    }),
    { numRuns: 300 },
  );
});

test.run();
