import fc from 'fast-check';
import { collectGraphemes } from 'unicode-segmenter/grapheme';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cellWidth, clusterWidth, codepointWidth, graphemes, pad, truncate } from '../../lib/base/text.ts';
import { visible } from '../../lib/base/visible.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('text');

const PIECES = [
  'a', 'Z', '1', '漢', '😀', '👨‍👩‍👧', '🇳🇴', '🇳', '❤️', '👍🏽', 'e\u0301', 'नि', 'क्', 'ष', '\u0a4d', '\u094d', '\u200c', '\u200d', '1️⃣', '\u1100',
  '\u1161', '\u11a8', '각', '가', '\u0600', '\u200b', '\r', '\n', '\u{1f3fb}', '⚙️', '\ufe0f', '\u0d4d', 'ക', '\u{e0001}', 'ﾞ',
]; // prettier-ignore
const mixed = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map(parts => parts.join(''));

test('clusters are those of UAX #29', () => {
  const any = fc.oneof(mixed, fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(any, s => assert.equal(graphemes(s), collectGraphemes(s))),
    { numRuns: 1000 },
  );
});

test('every code point joins a conjunct, a syllable or a pictograph exactly where UAX #29 says', () => {
  for (const before of ['क्', '\u1100', '👩\u200d', '🇳', '\u0600', 'a']) {
    for (let cp = 0xa0; cp < 0x20000; cp += 1) {
      if (cp >= 0xd800 && cp < 0xe000) continue;
      const s = before + String.fromCodePoint(cp);
      if (graphemes(s).length !== collectGraphemes(s).length)
        assert.unreachable(`${before} ${cp.toString(16)}`);
    }
  }
});

test('clusters put together again are the text, lone surrogates included', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', '\u0301', '漢') }), s =>
      assert.is(graphemes(s).join(''), s),
    ),
  );
});

test('what stands beside each other in the sidebar is as wide as it looks', () => {
  for (const [s, width] of [
    ['', 0],
    ['plain', 5],
    ['漢字', 4],
    ['🍌✅⚙️👩‍👩‍👧🇳🇴1️⃣', 12],
    ['naïve', 5],
    ['nai\u0308ve', 5],
    ['각', 2],
    ['a\tb', 2],
    ['\u0301x', 1],
    ['\ud800', 1],
    ['★·…─', 4],
  ] as const)
    assert.is(cellWidth(s), width, s);
});

test('a code point alone has the width of its kind', () => {
  for (const [cp, width] of [
    [0x41, 1],
    [0x0a, 0],
    [0x7f, 0],
    [0x9b, 0],
    [0x301, 0],
    [0x200d, 0],
    [0x4e00, 2],
    [0xac00, 2],
    [0x1f600, 2],
    [0x1fae8, 2],
    [0x1f1f3, 1],
    [0xe0b0, 1],
    [0x20000, 2],
    [0x110000, 1],
    [-1, 1],
  ] as const)
    assert.is(codepointWidth(cp), width, cp.toString(16));
});

test('a text that fits is left whole, one that does not ends in an ellipsis', () => {
  assert.is(truncate('main', 4), 'main');
  assert.is(truncate('feature', 4), 'fea…');
  assert.is(truncate('漢字漢字', 5), '漢字…');
  assert.is(truncate('漢字漢字', 6), '漢字…');
  assert.is(truncate('👨‍👩‍👧👨‍👩‍👧', 3), '👨‍👩‍👧…');
  assert.is(truncate('feature', 0), '');
  assert.is(truncate('漢', 1, ''), '');
  assert.is(truncate('feature', 2, '...'), 'fe');
});

test('a truncated text fits, begins with whole clusters, and is as long as it can be', () => {
  fc.assert(
    fc.property(mixed, fc.integer({ min: 0, max: 30 }), (s, cols) => {
      const cut = truncate(s, cols);
      assert.ok(cellWidth(cut) <= cols);
      if (cut === s) return;
      const kept = cut.endsWith('…') ? cut.slice(0, -1) : cut;
      assert.ok(s.startsWith(kept));
      assert.equal(graphemes(s).slice(0, graphemes(kept).length), graphemes(kept));
      assert.ok(cols === 0 || cellWidth(s) > cols);
    }),
    { numRuns: 500 },
  );
});

test('a padded text is exactly as wide as asked', () => {
  assert.is(pad('ab', 5), 'ab   ');
  assert.is(pad('ab', 5, 'right'), '   ab');
  assert.is(pad('ab', 5, 'center'), ' ab  ');
  assert.is(pad('漢字漢', 5), '漢字…');
  assert.is(pad('漢字漢', 4), '漢… ');
  fc.assert(
    fc.property(
      mixed,
      fc.integer({ min: 0, max: 30 }),
      fc.constantFrom('left', 'right', 'center'),
      (s, n, a) => assert.is(cellWidth(pad(s, n, a)), n),
    ),
  );
});

test('controls, direction overrides and halves of characters become visible', () => {
  assert.is(visible('a\nb\x1b[0m\x7f'), 'a^Jb^[[0m^?');
  assert.is(visible('\x9b\u202etxt\u2028\ud800'), '\\u{9b}\\u{202e}txt\\u{2028}\\u{d800}');
  assert.is(visible('👨‍👩‍👧 e\u0301 漢'), '👨‍👩‍👧 e\u0301 漢');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), s =>
      assert.not.match(visible(s), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/),
    ),
  );
});

test('a cluster is at most two cells unless it is beyond all bounds', () => {
  for (const piece of PIECES) for (const c of graphemes(piece)) assert.ok(clusterWidth(c) <= 2, c);
});

test('a very long text is measured in a blink', () => {
  const started = cpuMs();
  assert.is(cellWidth('x'.repeat(1_000_000)), 1_000_000);
  assert.is(cellWidth('漢'.repeat(200_000)), 400_000);
  assert.is(truncate('e' + '\u0301'.repeat(500_000), 1), '…');
  assert.ok(cpuMs() - started < 2000);
});

test.run();
