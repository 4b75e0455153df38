/**
 * Packed history by itself: what goes in comes out, within its bounds.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import fc from 'fast-check';
import { BG, CELL_WORDS, COLOR, CONTENT, type CellLine, type Extended } from '../../../lib/term/cell.ts';
import { History } from '../../../lib/term/history/history.ts';
import { cpuMs } from '../../support/cpu.ts';

const test = suite('packed history');
const COLS = 12;
const NARROW = 1 << CONTENT.widthShift;
const WIDE = 2 << CONTENT.widthShift;

/** A cell to be packed; the right half of a wide one follows by itself. */
interface Cell {
  readonly text: string;
  readonly isWide: boolean;
  readonly fg: number;
  readonly bg: number;
  readonly extended: Extended | undefined;
}

function row(cells: readonly Cell[], wrapped: boolean, isPrompt = false): CellLine {
  const words = new Uint32Array(COLS * CELL_WORDS);
  const clusters: Record<number, string> = {};
  const extended: Record<number, Extended> = {};
  for (let x = 0; x < COLS; x++) words[x * CELL_WORDS] = NARROW;
  let x = 0;
  for (const cell of cells) {
    const width = cell.isWide ? 2 : 1;
    if (x + width > COLS) break;
    const isCluster = [...cell.text].length > 1;
    if (isCluster) clusters[x] = cell.text;
    const content = isCluster ? CONTENT.isCluster : (cell.text.codePointAt(0) ?? 0);
    words[x * CELL_WORDS] = content | (cell.isWide ? WIDE : NARROW);
    for (let i = 0; i < width; i++) {
      words[(x + i) * CELL_WORDS + 1] = cell.fg;
      words[(x + i) * CELL_WORDS + 2] = cell.bg | (cell.extended ? BG.hasExtended : 0);
      if (cell.extended) extended[x + i] = cell.extended;
    }
    if (cell.isWide) words[(x + 1) * CELL_WORDS] = 0;
    x += width;
  }
  return { words, clusters, wrapped, isPrompt, extended: column => extended[column] };
}

const text = (value: string): CellLine =>
  row(
    Array.from(value, char => ({ text: char, isWide: false, fg: 0, bg: 0, extended: undefined })),
    false,
  );

/** All that can be seen of a row. */
function seen(line: CellLine | undefined): unknown {
  if (!line) return undefined;
  return {
    wrapped: line.wrapped,
    isPrompt: line.isPrompt === true,
    cells: Array.from({ length: COLS }, (_, x) => {
      const words = [...line.words.subarray(x * CELL_WORDS, (x + 1) * CELL_WORDS)];
      return [
        ...words,
        words[0]! & CONTENT.isCluster ? line.clusters[x] : '',
        words[2]! & BG.hasExtended ? line.extended(x) : undefined,
      ];
    }),
  };
}

const color = fc.constantFrom(0, 0, 0, COLOR.p16 | 3, COLOR.p256 | 200, COLOR.rgb | 0x123456, 0x8000000);
const extended = fc.constantFrom<Extended | undefined>(
  undefined,
  undefined,
  undefined,
  { underlineStyle: 3, underlineColor: COLOR.rgb | 0xff0000, link: '', linkId: '' },
  { underlineStyle: 0, underlineColor: 0, link: 'https://example.org/', linkId: 'a' },
);
const glyph = fc.constantFrom(
  { text: 'a', isWide: false },
  { text: ' ', isWide: false },
  { text: '', isWide: false },
  { text: 'ÿ', isWide: false },
  { text: '─', isWide: false },
  { text: '𝒳', isWide: false },
  { text: 'e\u0301', isWide: false },
  { text: '漢', isWide: true },
  { text: '👩‍👩‍👧', isWide: true },
);
const cell = fc
  .tuple(glyph, color, color, extended)
  .map(([{ text, isWide }, fg, bg, more]): Cell => ({ text, isWide, fg, bg, extended: more }));
const line = fc.tuple(fc.array(cell, { maxLength: COLS }), fc.boolean(), fc.boolean());

test('every row comes back as it went in', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), lines => {
      const history = new History(1000, COLS);
      const rows = lines.map(([cells, wrapped, isPrompt], i) =>
        row(cells, wrapped && i > 0, isPrompt && !wrapped),
      );
      for (const one of rows) history.push(one);
      assert.is(history.size, rows.length);
      rows.forEach((one, i) => assert.equal(seen(history.row(i)), seen(one)));
    }),
    { numRuns: 300 },
  );
});

test('a line taken back leaves what was before it', () => {
  const history = new History(10, COLS);
  history.push(text('one'));
  history.push(text('two'));
  history.push({ ...text('more of two'), wrapped: true });
  assert.is(history.takeLine(Infinity).length, 2);
  assert.is(history.size, 1);
  assert.is(history.takeLine(Infinity).length, 1);
  assert.equal(history.takeLine(Infinity), []);
  history.push(text('anew'));
  assert.equal(seen(history.row(0)), seen(text('anew')));
});

test('the oldest rows go when there are too many, and are counted', () => {
  const history = new History(100, COLS);
  for (let n = 0; n < 5000; n++) history.push(text(`line ${n}`));
  assert.is(history.size, 100);
  assert.is(history.forgottenRows, 4900);
  assert.equal(seen(history.row(0)), seen(text('line 4900')));
  assert.is(history.rowOf(4899), undefined);
  assert.equal(history.lineOf(99), { number: 4999, row: 99 });
  history.setLimit(10);
  assert.equal(seen(history.row(0)), seen(text('line 4990')));
  history.clear();
  assert.is(history.size, 0);
  assert.is(history.forgottenRows, 5000);
  assert.is(history.totalLines, 5000);
});

test('what is left after a resize and a flood are the newest rows as they were', () => {
  const lines = fc.array(fc.integer({ min: 0, max: COLS }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 2 * COLS }), lines, (before, cols, after) => {
      const few = new History(20, COLS);
      const all = new History(10_000, COLS);
      const add = (length: number): void => {
        for (const history of [few, all]) history.push(text('x'.repeat(length)));
      };
      before.forEach(add);
      for (const history of [few, all]) history.setCols(cols);
      after.forEach(add);
      for (let y = 1; y <= few.size; y++)
        assert.equal(seen(few.row(few.size - y)), seen(all.row(all.size - y)));
    }),
    { numRuns: 300 },
  );
});

test('rows that a resize adds push nothing out; what is printed then does, little by little', () => {
  const history = new History(10, COLS);
  for (let n = 0; n < 10; n++) history.push(text(`line ${n}`));
  for (let n = 0; n < 30; n++) history.putBack(text(`put ${n}`));
  assert.is(history.size, 40);
  assert.equal(seen(history.row(0)), seen(text('line 0')));
  history.push(text('printed'));
  assert.is(history.size, 39);
  for (let n = 0; n < 30; n++) history.push(text('printed'));
  assert.is(history.size, 10);
});

test('a flood is as quick after a resize as before', () => {
  const history = new History(5000, 80);
  const bytes = Buffer.from('x'.repeat(60));
  const flood = (): number => {
    const start = cpuMs();
    for (let n = 0; n < 10_000; n++) history.pushAscii(bytes, 0, bytes.length, 0, 0, false);
    return cpuMs() - start;
  };
  flood();
  const before = flood();
  history.setCols(100);
  const after = flood();
  assert.ok(after < 4 * before + 60, `${before.toFixed(1)} ms before, ${after.toFixed(1)} ms after`);
});

test('without room nothing is kept', () => {
  const history = new History(0, COLS);
  history.push(text('gone'));
  assert.is(history.size, 0);
  assert.is(history.row(0), undefined);
});

test('a line costs little more than its text', () => {
  const history = new History(100_000, 200);
  const bytes = Buffer.from('x'.repeat(100));
  for (let n = 0; n < 50_000; n++) history.pushAscii(bytes, 0, bytes.length, 0, 0, false);
  const each = history.bytes / 50_000;
  assert.ok(each < 130, `${each} bytes for a line of 100`);
});

test('a line that never ends is kept in pieces, all of it', () => {
  const history = new History(100_000, COLS);
  const bytes = Buffer.from('0123456789ab');
  for (let n = 0; n < 100_000; n++) history.pushAscii(bytes, 0, COLS, 0, 0, n > 0);
  assert.is(history.size, 100_000);
  history.setCols(24);
  // Cut at most once for each mebibyte.
  assert.ok(history.size >= 50_000 && history.size <= 50_002, String(history.size));
  const all = [...history.lines(0, 1)].reduce((sum, one) => sum + one.text.length, 0);
  assert.is(all, 1_200_000);
});

test('a hundred thousand lines are read in both directions', () => {
  const history = new History(100_000, COLS);
  for (let n = 0; n < 100_000; n++) history.push(text(`${n}`));
  const down = Array.from(history.lines(0, 1), one => one.text);
  const up = Array.from(history.lines(99_999, -1), one => one.text);
  assert.is(down.length, 100_000);
  assert.is(down[77_777], '77777');
  assert.equal(up.toReversed(), down);
});

test.run();
