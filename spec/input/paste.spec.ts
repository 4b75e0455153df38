import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InputDecoder } from '../../lib/input/decoder.ts';
import type { InputEvent } from '../../lib/input/event.ts';
import { PasteEncoder, encodePaste } from '../../lib/input/paste.ts';
import { bytes, decode, merged, pieces, typed, words } from './stream.ts';

const test = suite('paste');

const START = '\x1b[200~';
const END = '\x1b[201~';

/** The pasted bytes of the only paste in the input, with what came around it in words. */
function pasted(...input: readonly Uint8Array[]): { text: string; around: string[] } {
  const events = merged(decode(...input));
  const paste = events.find(event => event.type === 'paste');
  return {
    text: paste?.type === 'paste' ? String.fromCharCode(...paste.data) : '',
    around: words(events.filter(event => event !== paste)),
  };
}

/** What a program reads that asked for markers, or did not. */
function written(
  text: string,
  bracketedPaste: boolean,
  cuts: readonly number[] = [text.length || 1],
): string {
  return Buffer.concat(encodePaste(pieces(bytes(text), cuts), { bracketedPaste })).toString('latin1');
}

/** Seconds of processor time that `work` takes: unlike the clock, the same on a busy machine. */
function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

test('a paste is one event with its ends marked, and its bytes as they came', () => {
  const [event, ...others] = decode(bytes(`${START}a\x1b[Ab\r\n\xff${END}`));
  assert.equal(event, { type: 'paste', data: bytes('a\x1b[Ab\r\n\xff'), first: true, last: true });
  assert.equal(others, []);
});

test('an empty paste is a paste', () => {
  assert.equal(decode(bytes(START + END)), [{ type: 'paste', data: bytes(''), first: true, last: true }]);
});

test('a paste cut anywhere leaks neither marker nor content', () => {
  const input = bytes(`x${START}rm \x1b[20 -rf\x1b[201${END}y`);
  for (let size = 1; size < input.length; size++)
    assert.equal(pasted(...pieces(input, [size])), { text: 'rm \x1b[20 -rf\x1b[201', around: ['x', 'y'] });
});

test('a paste of a megabyte in odd pieces takes under a second and is whole', () => {
  const text = Buffer.alloc(1 << 20, 'mux \x1b[20 é\n');
  const input = Buffer.concat([bytes(START), text, bytes(END + 'x')]);
  const decoder = new InputDecoder();
  const cut = pieces(input, [1, 7, 4093, 13, 611, 65_536]);
  const events: InputEvent[] = [];
  const seconds = cpuSeconds(() => cut.forEach(piece => events.push(...decoder.feed(piece))));
  const data = events.flatMap(event => (event.type === 'paste' ? [event.data] : []));
  assert.ok(Buffer.concat(data).equals(text));
  assert.equal(words(events.slice(-1)), ['x']);
  assert.is(events.filter(event => event.type === 'paste' && event.first).length, 1);
  assert.is(events.filter(event => event.type === 'paste' && event.last).length, 1);
  assert.ok(seconds < 1, `${seconds} s`);
});

test('a paste is given out as it comes, not when it ends', () => {
  const decoder = new InputDecoder();
  decoder.feed(bytes(START));
  assert.equal(decoder.feed(bytes('abc')), [{ type: 'paste', data: bytes('abc'), first: true, last: false }]);
  assert.is(decoder.pending, false);
  assert.equal(decoder.feed(bytes('d\x1b[2')), [
    { type: 'paste', data: bytes('d'), first: false, last: false },
  ]);
  assert.is(decoder.pending, false);
  assert.equal(decoder.flush(), []);
  assert.equal(decoder.feed(bytes('01~')), [{ type: 'paste', data: bytes(''), first: false, last: true }]);
});

test('an end marker inside the text ends the paste, and the second one is not typed', () => {
  assert.equal(pasted(bytes(`${START}a${END}b${END}c`)), { text: 'a', around: ['b', 'unknown', 'c'] });
});

test('an 8-bit end marker inside a 7-bit paste is content', () => {
  assert.equal(pasted(bytes(`${START}a\x9b201~b${END}c`)), { text: 'a\x9b201~b', around: ['c'] });
});

test('an 8-bit paste ends with its own marker, but not within a character', () => {
  assert.equal(pasted(bytes('\x9b200~\xc3\x9b201~x\x9b201~c')), { text: '\xc3\x9b201~x', around: ['c'] });
  const cut = pieces(bytes('\x9b200~\xc3\x9b201~x\x9b201~c'), [1]);
  assert.equal(pasted(...cut), { text: '\xc3\x9b201~x', around: ['c'] });
});

test('an end marker alone is not typed', () => {
  assert.equal(typed(`a${END}b`), ['a', 'unknown', 'b']);
});

test('markers go only to programs that asked for them', () => {
  assert.is(written('ls', true), `${START}ls${END}`);
  assert.is(written('ls', false), 'ls');
  assert.is(written('', true), START + END);
});

test('line ends become Enter, also where CR and LF come apart', () => {
  assert.is(written('a\nb\r\nc\rd\n\ne', false), 'a\rb\rc\rd\r\re');
  assert.is(written('a\r\nb', false, [1]), 'a\rb');
});

test('an end marker inside a paste is harmless, whole or split, in 7 and 8 bits', () => {
  for (const cuts of [[100], [1], [2, 3], [5]]) {
    assert.is(written(`a${END}b`, true, cuts), `${START}a [201~b${END}`);
    assert.is(written('a\x9b201~b', true, cuts), `${START}a 201~b${END}`);
    assert.is(written('\xe2\x9b201~\x9b201~', true, cuts), `${START}\xe2 201~ 201~${END}`);
    assert.is(written(`\x1b${END}[201~`, true, cuts), `${START}\x1b [201~[201~${END}`);
  }
});

test('text that only resembles a marker is written as it is', () => {
  for (const text of ['\x1b[20', '\x1b[202~', '\x1b\x1b[20\x1b[1m', '\xc3\x9b201~', '\x9b20'])
    assert.is(written(text, true, [1]), START + text + END);
});

test('no text, however cut, ends a paste early', () => {
  const part = fc.constantFrom('\x1b', '[', '201~', '\x9b', '\xc3', END, 'a', '\xe2\x9b', '\x1b[2', '01~');
  const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), cuts, (parts, sizes) => {
      const out = written(parts.join(''), true, sizes);
      assert.is(out.indexOf(END), out.length - END.length);
      const inside = out.slice(START.length, -END.length);
      assert.is(inside.length, parts.join('').length);
      // A sign stands for each character, or what lies around one would seem to meet.
      const outsideCharacters = inside.replace(/\xe2[\x80-\xbf]{2}|\xc3[\x80-\xbf]/g, '?');
      assert.is(outsideCharacters.includes('\x9b201~'), false);
    }),
    { numRuns: 1000 },
  );
});

test('what was pasted comes out of the decoder of the program', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const clean = text.replace(/[\r\n\x1b]/g, '');
      const out = encodePaste([Buffer.from(clean)], { bracketedPaste: true });
      const [event] = merged(decode(...out));
      assert.is(event?.type === 'paste' && Buffer.from(event.data).toString(), clean);
    }),
  );
});

test('a megabyte is written in under a second', () => {
  const encoder = new PasteEncoder({ bracketedPaste: true });
  const piece = Buffer.alloc(1 << 16, 'line \x1b[20 é\n');
  const seconds = cpuSeconds(() => {
    for (let i = 0; i < 16; i++) encoder.encode(piece, i === 15);
  });
  assert.ok(seconds < 1, `${seconds} s`);
});

test.run();
