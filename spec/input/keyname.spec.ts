import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { KEY_NAMES } from '../../lib/input/event.ts';
import { canonicalKey, formatKey, keyId, parseKey } from '../../lib/input/keyname.ts';
import { decode, key } from './stream.ts';

const test = suite('key names');

/** One character that is no control, unassigned ones included. */
const character = fc
  .integer({ min: 0x21, max: 0x10ffff })
  .filter(code => !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code <= 0xdfff))
  .map(code => String.fromCodePoint(code));
const letter = fc.constantFrom(...'aZéÉßẞſKİıǅ-^C%5 ');
const held = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());
const anyKey = fc
  .tuple(fc.oneof(fc.constantFrom(...KEY_NAMES, 'Any'), letter, character), held)
  .map(([name, [ctrl, alt, shift]]) => ({ name, ctrl, alt, shift }));

test('every key is read back from how it is written', () => {
  fc.assert(
    fc.property(anyKey, any => {
      const canonical = canonicalKey(any);
      assert.equal(parseKey(formatKey(canonical)), canonical);
      assert.equal(canonicalKey(canonical), canonical);
      assert.is(keyId(any), formatKey(canonical));
    }),
    { numRuns: 2000 },
  );
});

test('every key that the decoder gives has a name that is read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), input => {
      for (const event of decode(input))
        if (event.type === 'key') assert.equal(parseKey(formatKey(event.key)), event.key);
    }),
    { numRuns: 2000 },
  );
});

/** Spellings and the key each is, in its one form. */
const SPELLINGS: readonly (readonly [text: string, canonical: string])[] = [
  ['C-b', 'C-b'],
  ['C-B', 'C-b'],
  ['^b', 'C-b'],
  ['c-b', 'C-b'],
  ['M-C-x', 'C-M-x'],
  ['S-M-C-Up', 'C-M-S-Up'],
  ['S-a', 'A'],
  ['M-S-a', 'M-A'],
  ['C-S-a', 'C-S-a'],
  ['S-Tab', 'BTab'],
  ['C-S-Tab', 'C-BTab'],
  [' ', 'Space'],
  ['space', 'Space'],
  ['PageUp', 'PPage'],
  ['PgDn', 'NPage'],
  ['Delete', 'DC'],
  ['esc', 'Escape'],
  ['f12', 'F12'],
  ['-', '-'],
  ['C--', 'C--'],
  ['M-^', 'M-^'],
  ['^', '^'],
  ['C-^', 'C-^'],
  ['C', 'C'],
  ['e\u0301', 'é'],
  ['🍌', '🍌'],
  ['any', 'Any'],
];

for (const [text, canonical] of SPELLINGS)
  test(`${JSON.stringify(text)} is ${canonical}`, () => assert.is(formatKey(parseKey(text)), canonical));

test('Control-Shift and a letter keeps both, Shift and a letter is the capital', () => {
  assert.equal(parseKey('C-S-a'), key('a', { ctrl: true, shift: true }));
  assert.equal(parseKey('S-a'), key('A'));
});

/** Texts that are no key, and what the error suggests. */
const MISTAKES: readonly (readonly [text: string, hint: RegExp])[] = [
  ['C-Entr', /did you mean C-Enter\?/],
  ['S-F99', /did you mean S-F9\?|C-b, M-Left/],
  ['Pagdown', /did you mean NPage\?/],
  ['', /C-b, M-Left/],
  ['C-', /C-b, M-Left/],
  ['\x01', /C-b, M-Left/],
  ['\ud800', /C-b, M-Left/],
  ['word'.repeat(100), /C-b, M-Left/],
];

for (const [text, hint] of MISTAKES)
  test(`${JSON.stringify(text.slice(0, 20))} is refused with a remedy`, () => {
    let error: unknown;
    try {
      parseKey(text);
    } catch (thrown) {
      error = thrown;
    }
    assert.instance(error, CodedError);
    assert.is((error as CodedError).code, 'invalid_key');
    assert.match((error as CodedError).hint ?? '', hint);
    assert.ok((error as CodedError).message.length < 120);
  });

test.run();
