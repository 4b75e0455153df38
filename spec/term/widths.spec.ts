import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cellWidth } from '../../lib/base/text.ts';
import { widthProvider } from '../../lib/term/widths.ts';
import { bytes, Recorder } from './terminal.ts';

const test = suite('widths in the emulator');

/** Pieces of text whose width terminals disagree about, and plain ones between. */
const CLUSTERS = [
  'a', ' ', '7', '#', '漢', 'ｱ', 'ﾞ', '😀', '👨‍👩‍👧‍👦', '🇳🇴', '🇳', '❤', '❤️', '👍🏽', '☝🏽', 'é', 'e\u0301', 'नि', 'क्ष', '🫨',
  '1️⃣', '*️⃣', '각', '\u1100\u1161\u11a8', '\u1161', '⚙️', '✅', '★', '·', '\u200b', '\u200d', '\ufe0f', '\u0301', '\u00ad',
  '\u0600', 'ก็', '\u{e0067}', '🏴\u{e0067}\u{e0062}\u{e007f}', '\ue0b0', '\u202e', '…', '─', '\u3099', '\u{1f3fb}',
]; // prettier-ignore
const cluster = fc.constantFrom(...CLUSTERS);
const text = fc.array(cluster, { maxLength: 30 }).map(parts => parts.join(''));

/** Columns the cursor moved for `data`, written in pieces cut at the given bytes. */
function columns(data: string, cuts: readonly number[] = []): number {
  const { emulator } = new Recorder({ cols: 200, rows: 1, historyLines: 0 });
  const all = bytes(data);
  const at = [...new Set(cuts.map(cut => cut % (all.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...at, all.length]) {
    emulator.write(all.subarray(start, end));
    start = end;
  }
  return emulator.cursor.x;
}

for (const [name, sample, width] of [
  ['a Han character', '漢', 2],
  ['an emoji beyond the BMP', '😀', 2],
  ['a family joined by ZWJ', '👨‍👩‍👧', 2],
  ['a flag', '🇳🇴', 2],
  ['half a flag', '🇳', 1],
  ['a text heart', '❤', 1],
  ['a heart made an emoji by VS16', '❤️', 2],
  ['an emoji with a skin tone', '👍🏽', 2],
  ['a letter with a combining mark', 'e\u0301', 1],
  ['a Devanagari syllable', 'नि', 1],
  ['an emoji of Unicode 14', '🫨', 2],
  ['a keycap', '1️⃣', 2],
  ['a Hangul syllable of three jamo', '\u1100\u1161\u11a8', 2],
  ['an ambiguous character', '·', 1],
  ['a soft hyphen', '\u00ad', 1],
  ['a gear with VS16', '⚙️', 2],
] as const) {
  test(`${name} takes ${width} in the emulator and in the chrome`, () => {
    assert.is(columns(sample), width);
    assert.is(cellWidth(sample), width);
  });
}

test('any text takes the columns that cellWidth says, however it is cut', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (data, cuts) => {
      assert.is(columns(data, cuts), cellWidth(data), JSON.stringify(data));
    }),
    { numRuns: 200 },
  );
});

test('any code points at all take the columns that cellWidth says', () => {
  const printable = fc
    .string({ unit: 'binary', maxLength: 30 })
    .map(data => data.replace(/[\u0000-\u001f\u007f-\u009f]/g, ''));
  fc.assert(
    fc.property(printable, data => assert.is(columns(data), cellWidth(data), JSON.stringify(data))),
    { numRuns: 200 },
  );
});

test('a cluster is one cell with its whole text', () => {
  const { emulator } = new Recorder().write('x👨‍👩‍👧y');
  const line = emulator.line(0)!;
  assert.is(line.clusters[1], '👨‍👩‍👧');
  assert.is((line.words[3]! >> 22) & 3, 2);
  assert.is(line.words[9]! & 0x1fffff, 'y'.charCodeAt(0));
});

test('a mark goes on its letter across writes, and is not shown after a control', () => {
  const across = new Recorder().write('e').write('\u0301');
  assert.equal(across.text(), ['e\u0301']);
  const after = new Recorder().write('e\x1b[m\u0301').write('\r\u0301\u0301f');
  assert.equal(after.text(), ['f']);
});

test('a heart that becomes wide in the last column moves to the next line whole', () => {
  const recorder = new Recorder({ cols: 4, rows: 3 }).write('abc❤').write('\ufe0f');
  assert.equal(recorder.text(), ['abc', '❤️']);
  assert.is(recorder.emulator.cursor.x, 2);
});

test('a cell cannot be made to grow without end', () => {
  const { emulator } = new Recorder().write('e' + '\u0301'.repeat(5000));
  for (let x = 0; x < 80; x++) assert.ok((emulator.line(0)!.clusters[x]?.length ?? 0) <= 31);
});

test('printable ASCII is one cell each and joins nothing', () => {
  for (let cp = 0x20; cp < 0x7f; cp++) {
    const value = widthProvider.charProperties(cp, widthProvider.charProperties(0x61, 0));
    assert.is(value & 7, 1 << 1, String.fromCharCode(cp));
  }
});

test.run();
