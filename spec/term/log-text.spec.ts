/**
 * Text of output logs: what a terminal would have shown.
 */
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LogText } from '../../lib/term/log-text.ts';

const test = suite('log text');

function textOf(pieces: readonly string[], options: { follow?: boolean; rows?: number } = {}): string[] {
  const text = new LogText({ escapes: false });
  const lines = text.size({ cols: 20, rows: options.rows ?? 4 }, true);
  if (options.follow) lines.push(...text.follow());
  for (const piece of pieces) lines.push(...text.push(Buffer.from(piece)));
  return [...lines, ...text.end()];
}

test('control sequences are carried out, and lines that were wrapped are whole', () => {
  assert.equal(textOf(['\x1b[31mred\x1b[m\r\n', 'ab\x1b[Dc\r\n', 'x'.repeat(50), '\r\nend']), [
    'red',
    'ac',
    'x'.repeat(50),
    'end',
  ]);
});

test('every line is there once, however many, in whatever pieces', () => {
  fc.assert(
    fc.property(
      fc.nat(300),
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1 }),
      fc.boolean(),
      (count, cuts, follow) => {
        const lines = Array.from({ length: count }, (_, i) => `line ${i} ${'y'.repeat(i % 37)}.`);
        const all = lines.map(line => line + '\r\n').join('');
        const pieces: string[] = [];
        for (let at = 0, i = 0; at < all.length; i++) {
          const length = cuts[i % cuts.length]!;
          pieces.push(all.slice(at, at + length));
          at += length;
        }
        assert.equal(textOf(pieces, { follow }), lines);
      },
    ),
    { numRuns: 50 },
  );
});

test('while following, a line is given as soon as the cursor is below it', () => {
  const text = new LogText({ escapes: false });
  text.size({ cols: 20, rows: 5 }, true);
  text.push(Buffer.from('one\r\n'));
  assert.equal(text.follow(), ['one']);
  assert.equal(text.push(Buffer.from('two\r\nthr')), ['two']);
  assert.equal(text.push(Buffer.from('ee')), []);
  assert.equal(text.push(Buffer.from('\r\n')), ['three']);
  assert.equal(text.end(), []);
});

test('what was drawn over on the alternate screen is not there, its last picture is', () => {
  assert.equal(textOf(['$ vim\r\n\x1b[?1049h\x1b[Hold\x1b[2J\x1b[Hnew']), ['$ vim', 'new']);
  assert.equal(textOf(['$ vim\r\n\x1b[?1049h\x1b[Hnew\x1b[?1049l$ ls\r\n']), ['$ vim', '$ ls']);
});

test('another run begins on a screen of its own, after the lines of the one before', () => {
  const text = new LogText({ escapes: false });
  const lines = [
    ...text.size({ cols: 20, rows: 4 }, true),
    ...text.push(Buffer.from('first\r\n\x1b[?1049h')),
    ...text.size({ cols: 30, rows: 4 }, true),
    ...text.push(Buffer.from('second')),
    ...text.end(),
  ];
  assert.equal(lines, ['first', 'second']);
});

test('a terminal that is reset, or has its history cleared, loses no line that follows', () => {
  assert.equal(textOf(['a\r\nb\r\nc\r\nd\r\ne\r\nf\r\n', '\x1bc', 'g\r\nh\r\n']).slice(-2), ['g', 'h']);
  assert.equal(textOf(['a\r\nb\r\nc\r\nd\r\ne\r\nf\r\n', '\x1b[H\x1b[2J\x1b[3J', 'g\r\nh\r\n']).slice(-2), [
    'g',
    'h',
  ]);
});

test('with escapes colours stay', () => {
  const text = new LogText({ escapes: true });
  text.size({ cols: 20, rows: 4 }, true);
  text.push(Buffer.from('\x1b[31mred\x1b[m'));
  assert.match(text.end()[0]!, /\x1b\[31mred/);
});

test('nothing that a program writes makes it throw', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), pieces => {
      const text = new LogText({ escapes: false });
      text.size({ cols: 3, rows: 2 }, true);
      for (const piece of pieces) text.push(piece);
      text.size({ cols: 9, rows: 1 }, false);
      text.end();
    }),
    { numRuns: 50 },
  );
});

test.run();
