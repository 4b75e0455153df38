/**
 * The short way of plain text against xterm's own printing: no difference may be seen, whatever comes before.
 */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SHORT_WAYS } from '../../lib/term/ways.ts';
import { LONG_WAY } from '../support/long-way.ts';
import { bytes, Recorder } from './terminal.ts';

const test = suite('plain runs');

/** Text that runs begin and end in, with everything that changes what printing means. */
const PIECES = [
  'a', 'plain text', 'a line that is longer than the terminal is wide', '1', '#', ' ', '~', '\x7f',
  '漢', '漢字', '👨‍👩‍👧', '👩', '\u200d', '\ufe0f', 'e\u0301', '\u0301', '\u0600', '\u20e3', '🇯', '\uff9e', 'कि',
  '\r', '\n', '\r\n', '\b', '\t', '\x1b[4h', '\x1b[4l', '\x1b[?7l', '\x1b[?7h', '\x1b(0', '\x1b(B', '\x1b)0', '\x0e', '\x0f',
  '\x1b[31;1;44m', '\x1b[4:3;58;5;9m', '\x1b[m', '\x1b[38;2;1;2;3m', '\x1b]8;;http://x/\x07', '\x1b]8;;\x07', '\x1b[3b', '\x1b[5G', '\x1b[19G',
  '\x1b[20G', '\x1b[A', '\x1b[2@', '\x1b[2P', '\x1b[K', '\x1b[?1049h', '\x1b[?1049l', '\x1b7', '\x1b8', '\x1b[2;4r', '\x1b[r', '\x1b[!p', '\x1bc',
]; // prettier-ignore

const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 80 });

/** What is seen of parts that came one by one: clusters go on from one to the next. */
function screen(parts: readonly string[], isShort: boolean): unknown {
  const ways = isShort ? SHORT_WAYS : LONG_WAY;
  const recorder = new Recorder({ cols: 20, rows: 6, historyLines: 20, ways });
  for (const part of parts) recorder.emulator.write(bytes(part));
  assert.equal(recorder.faults, []);
  return { dump: recorder.dump(), cells: words(recorder), replies: recorder.replies };
}

/** Every word of every cell: what a dump does not show, as the width of a blank, must be the same too. */
function words({ emulator }: Recorder): unknown {
  return Array.from({ length: emulator.historySize + emulator.rows }, (_, i) => [
    ...emulator.line(i - emulator.historySize)!.words,
  ]);
}

test('plain text gives the same cells by the short way as by the long one', () => {
  fc.assert(
    fc.property(pieces, parts => {
      assert.equal(screen(parts, true), screen(parts, false));
    }),
    { numRuns: 600 },
  );
});

test('a run over half of a wide character leaves no half behind', () => {
  for (const column of [1, 2, 3, 4]) {
    const parts = [`漢漢\x1b[${column}Gx`];
    assert.equal(screen(parts, true), screen(parts, false), `column ${column}`);
  }
});

test('what changes the meaning of printing is heeded', () => {
  for (const before of ['abc\r\x1b[4h', '\x1b(0', '\u0600', '\x1b[4:3;58;5;9m', '\x1b]8;;http://x/\x07']) {
    const parts = [before, 'xyz'];
    assert.equal(screen(parts, true), screen(parts, false), JSON.stringify(before));
  }
});

/** Lines of a flood, with what ends one now and then. */
const LINES = [
  'a line of a log\r\n', '\r\n', '\n', 'exactly twenty wide..\r\n', 'a line that is longer than the terminal is wide, twice over\r\n',
  '   \r\n', 'x\r\r\n', 'over\rwritten\r\n', 'straight down\n', 'no end', '漢字\r\n', 'tab\there\r\n', '\x1b[32mgreen\x1b[m\r\n', '\x1b[32m', '\x1b[3;9m',
  '\x1b[44m', '\x1b[m', '\x1b[2;5r', '\x1b[r', '\x1b[99H', '\x1b[H', '\x1b[20h', '\x1b[20l', '\x1b[?7l', '\x1b[?7h', '\x1b[4h', '\x1b[4l',
  '\x1b(0', '\x1b(B', '\x1b[?1049h', '\x1b[?1049l', '\x1b]8;;http://x/\x07', '\x1b]8;;\x07', '\x1b[A', '\x1b[5G', '\x1b[J', '\x1bP', '\x1b\\', '\xc3',
]; // prettier-ignore
const flood = fc.array(
  fc
    .tuple(fc.constantFrom(...LINES), fc.integer({ min: 1, max: 12 }))
    .map(([line, times]) => line.repeat(times)),
  { maxLength: 40 },
);

test('a flood of lines leaves the same screen and history by its own way as by the parser', () => {
  fc.assert(
    fc.property(flood, fc.array(fc.nat(2000), { maxLength: 4 }), (lines, cuts) => {
      const all = lines.join('');
      const parts: string[] = [];
      let from = 0;
      for (const cut of [...cuts.filter(cut => cut < all.length).sort((a, b) => a - b), all.length]) {
        parts.push(all.slice(from, cut));
        from = cut;
      }
      assert.equal(screen(parts, true), screen(parts, false));
    }),
    { numRuns: 600 },
  );
});

test.run();
