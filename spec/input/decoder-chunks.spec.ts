import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InputDecoder } from '../../lib/input/decoder.ts';
import { bytes, decode, merged, pieces, unexplained } from './stream.ts';

const test = suite('input decoder, cut anywhere');

/** Whole sequences, starts of sequences and the bytes that end them, so that random input meets the tables. */
const FRAGMENTS = [
  '\x1b',
  '\x1b\x1b',
  '\x1b[',
  '\x1b[A',
  '\x1b[1;5',
  '\x1b[1;5A',
  '\x1b[3~',
  '\x1b[3$',
  '\x1b[?2026;2$y',
  '\x1b[97;5:3u',
  '\x1b[0;;104:105u',
  '\x1b[27;5;105~',
  '\x1b[<35;10;10M',
  '\x1b[M !!',
  '\x1b[M',
  '\x1b[[A',
  '\x1b[[',
  '\x1bO',
  '\x1bO5',
  '\x1bOP',
  '\x1b[I',
  '\x1b[O',
  '\x1b[200~',
  '\x1b[201~',
  '\x1b[20',
  '\x9b200~',
  '\x9b201~',
  '\x1b]11;rgb:0/0/0',
  '\x1b]11;rgb:0/0/0\x07',
  '\x1bP>|x\x1b\\',
  '\x1b_Gok\x1b\\',
  '\x9d11;x\x9c',
  '\x90',
  '\x8f',
  '\x9b',
  '\x07',
  '\x1b\\',
  '\xc3\x9b',
  '\xe2\x82',
  '\xf0\x9f\x8d\x8c',
  '\xff',
  'a',
  '1;2',
  '~',
  '\r',
  '\x18',
];

const fragment = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...FRAGMENTS).map(bytes) },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 8 }) },
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }).map(text => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('\x1b[', '\x1b]1', '\x1bP1'), fc.constantFrom(250, 253, 256, 260, 263, 4095))
      .map(([start, length]) => bytes(start + '1'.repeat(length))),
  },
);
const stream = fc.array(fragment, { maxLength: 12 }).map(parts => Uint8Array.from(Buffer.concat(parts)));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });

test('events are the same however the bytes are cut', () => {
  fc.assert(
    fc.property(stream, sizes, (input, cuts) => {
      assert.equal(merged(decode(...pieces(input, cuts))), merged(decode(input)));
    }),
    { numRuns: 500 },
  );
});

test('the bytes of all events, in order, are the input', () => {
  fc.assert(
    fc.property(stream, sizes, (input, cuts) => {
      const rest = unexplained(input, decode(...pieces(input, cuts)));
      // Only a paste that has not ended may hold bytes back: its marker, or half of the one that ends it.
      assert.match(
        rest ?? 'an event does not fit',
        /^((\x1b\[|\x9b)200~)?((\x1b(\[(2(01?)?)?)?)|\x9b(2(01?)?)?)?$/,
      );
    }),
    { numRuns: 500 },
  );
});

test('the same holds when the timer fires anywhere', () => {
  fc.assert(
    fc.property(
      stream,
      sizes,
      fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
      (input, cuts, fires) => {
        const decoder = new InputDecoder();
        const events = pieces(input, cuts).flatMap((piece, i) => {
          const fed = decoder.feed(piece);
          return fires[i % fires.length] ? [...fed, ...decoder.flush()] : fed;
        });
        events.push(...decoder.flush(), ...decoder.flush());
        assert.ok(unexplained(input, events) !== undefined);
        assert.is(decoder.pending, false);
      },
    ),
    { numRuns: 500 },
  );
});

test('what is typed after any noise and a pause is read', () => {
  fc.assert(
    fc.property(stream, input => {
      const decoder = new InputDecoder();
      decoder.feed(input);
      decoder.flush();
      decoder.flush();
      const events = decoder.feed(bytes('\x1b[201~ok'));
      assert.equal(
        events.slice(-2).map(event => event.type === 'key' && event.key.name),
        ['o', 'k'],
      );
    }),
    { numRuns: 500 },
  );
});

test.run();
