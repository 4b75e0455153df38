import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InputDecoder } from '../../lib/input/decoder.ts';
import { bytes, decode, merged, typed, unexplained, words } from './stream.ts';

const test = suite('input decoder');

/** Bytes (Latin-1) and the keys that they are. */
const KEYS: readonly (readonly [input: string, ...keys: string[]])[] = [
  ['aZ%', 'a', 'Z', '%'],
  ['\xc3\xa9\xe2\x82\xac\xf0\x9f\x8d\x8c', 'é', '€', '🍌'],
  [' \t\r', 'Space', 'Tab', 'Enter'],
  ['\x00\x01\x02\x1a', 'C-Space', 'C-a', 'C-b', 'C-z'],
  ['\x1c\x1d\x1e\x1f', 'C-\\', 'C-]', 'C-^', 'C-/'],
  ['\x7f\x08\x0a', 'BSpace', 'C-h', 'C-j'],
  ['\x1bx\x1bX\x1b\r\x1b\x7f\x1b\x01', 'M-x', 'M-X', 'M-Enter', 'M-BSpace', 'C-M-a'],
  ['\x1b\xc3\xa9', 'M-é'],
  ['\x1b[A\x1b[B\x1b[C\x1b[D', 'Up', 'Down', 'Right', 'Left'],
  ['\x1bOA\x1bOB\x1bOC\x1bOD', 'Up', 'Down', 'Right', 'Left'],
  ['\x1b[H\x1b[F\x1bOH\x1bOF', 'Home', 'End', 'Home', 'End'],
  ['\x1b[1~\x1b[4~\x1b[7~\x1b[8~', 'Home', 'End', 'Home', 'End'],
  ['\x1b[2~\x1b[3~\x1b[5~\x1b[6~', 'IC', 'DC', 'PPage', 'NPage'],
  ['\x1bOP\x1bOQ\x1bOR\x1bOS', 'F1', 'F2', 'F3', 'F4'],
  ['\x1b[11~\x1b[12~\x1b[13~\x1b[14~\x1b[15~', 'F1', 'F2', 'F3', 'F4', 'F5'],
  ['\x1b[17~\x1b[21~\x1b[23~\x1b[24~\x1b[25~\x1b[34~', 'F6', 'F10', 'F11', 'F12', 'F13', 'F20'],
  ['\x1b[[A\x1b[[E', 'F1', 'F5'],
  ['\x1b[1;2A\x1b[1;3B\x1b[1;5C\x1b[1;8D', 'S-Up', 'M-Down', 'C-Right', 'C-M-S-Left'],
  ['\x1b[1;2P\x1b[1;5R\x1b[15;2~\x1b[3;5~', 'S-F1', 'C-F3', 'S-F5', 'C-DC'],
  ['\x1b[5A\x1bO5A\x1bO2P', 'C-Up', 'C-Up', 'S-F1'],
  ['\x1b[1;9A', 'M-Up'],
  ['\x1b[a\x1bOa\x1b[3^\x1b[3@\x1b[5$', 'S-Up', 'C-Up', 'C-DC', 'C-S-DC', 'S-PPage'],
  ['\x1b\x1b[A\x1b\x1bOB\x1b\x1b[5~', 'M-Up', 'M-Down', 'M-PPage'],
  ['\x1b[Z', 'BTab'],
  ['\x1bOM\x1bOp\x1bOy\x1bOk', 'Enter', '0', '9', '+'],
  ['\x9bA\x9b1;5B\x8fP', 'Up', 'C-Down', 'F1'],
];

for (const [input, ...keys] of KEYS)
  test(`${JSON.stringify(input)} is ${keys.join(' ')}`, () => assert.equal(typed(input), keys));

/** The keyboard protocols: kitty's and modifyOtherKeys. */
const PROTOCOL_KEYS: readonly (readonly [input: string, ...keys: string[]])[] = [
  ['\x1b[97u\x1b[97;5u\x1b[97;6u\x1b[97;3u\x1b[97;7u', 'a', 'C-a', 'C-S-a', 'M-a', 'C-M-a'],
  ['\x1b[97;2u\x1b[97:65;2u\x1b[97;4u', 'A', 'A', 'M-A'],
  ['\x1b[53:37;2;37u\x1b[53;6u\x1b[53:37;6u', '%', 'C-S-5', 'C-%'],
  [
    '\x1b[27u\x1b[13;2u\x1b[13;5u\x1b[127;3u\x1b[32;2u',
    'Escape',
    'S-Enter',
    'C-Enter',
    'M-BSpace',
    'S-Space',
  ],
  ['\x1b[97;1:1u\x1b[97;5:2u', 'a', 'C-a'],
  ['\x1b[97;65u\x1b[97;129u', 'a', 'a'],
  ['\x1b[0;;229u\x1b[97;;228u', 'å', 'ä'],
  ['\x1b[1089::99;5u', 'C-c'],
  ['\x1b[57376u\x1b[57387;5u\x1b[57399u\x1b[57414u\x1b[57419;2u', 'F13', 'C-F24', '0', 'Enter', 'S-Up'],
  ['\x1b[1;5:2A\x1b[3;2:1~\x1b[13~\x1b[P', 'C-Up', 'S-DC', 'F3', 'F1'],
  ['\x1b[27;5;105~\x1b[27;2;13~\x1b[27;6;65~\x1b[27;5;46~', 'C-i', 'S-Enter', 'C-S-a', 'C-.'],
  ['\x1b[27;2;65~\x1b[27;4;37~\x1b[27;5;9~', 'A', 'M-%', 'C-Tab'],
];

for (const [input, ...keys] of PROTOCOL_KEYS)
  test(`with a keyboard protocol ${JSON.stringify(input)} is ${keys.join(' ')}`, () =>
    assert.equal(typed(input), keys));

test('a press that made several characters gives each, and its bytes once', () => {
  const events = decode(bytes('\x1b[0;;104:105u'));
  assert.equal(words(events), ['h', 'i']);
  assert.is(unexplained(bytes('\x1b[0;;104:105u'), events), '');
});

test('C-i, C-m and C-[ are told from Tab, Enter and Escape only by a protocol', () => {
  assert.equal(typed('\x09\x0d'), ['Tab', 'Enter']);
  assert.equal(typed('\x1b[105;5u\x1b[109;5u\x1b[91;5u'), ['C-i', 'C-m', 'C-[']);
  assert.equal(typed('\x1b[9u\x1b[13u\x1b[27u'), ['Tab', 'Enter', 'Escape']);
});

test('Control-Shift-Tab is known in both forms', () => {
  assert.equal(typed('\x1b[1;5Z\x1b[9;6u'), ['C-BTab', 'C-BTab']);
});

test('a Control-Enter does not collapse into Enter', () => {
  assert.equal(typed('\x1b[13;5u\x1b[27;5;13~'), ['C-Enter', 'C-Enter']);
});

test('Alt-Shift-letter keeps both modifiers', () => {
  assert.equal(typed('\x1bA\x1b[97;4u\x1b[27;4;65~'), ['M-A', 'M-A', 'M-A']);
});

test('Enter and Tab fire once where the terminal reports releases', () => {
  const input = '\x1b[13;1:1u\x1b[13;1:3u\x1b[9;1:1u\x1b[9;1:3u\x1b[1;1:1A\x1b[1;1:3A\x1b[3;1:3~';
  assert.equal(
    typed(input).filter(word => word !== 'key-report'),
    ['Enter', 'Tab', 'Up'],
  );
});

test('keys with Super or Hyper, locks and bare modifiers are no keys of ours', () => {
  assert.equal(
    typed('\x1b[97;9u\x1b[97;17u\x1b[57358u\x1b[57441;2u\x1b[27;9;99~'),
    Array.from({ length: 5 }, () => 'key-report'),
  );
});

test('an ESC before another key is Escape when the timer fires in between, else Alt', () => {
  const decoder = new InputDecoder();
  assert.equal(decoder.feed(bytes('\x1b')), []);
  assert.is(decoder.pending, true);
  assert.equal(words(decoder.flush()), ['Escape']);
  assert.is(decoder.pending, false);
  assert.equal(words(decoder.feed(bytes('x'))), ['x']);
  assert.equal(typed('\x1bx'), ['M-x']);
});

test('two Escapes in one read are two, and one before a mouse report is not lost', () => {
  assert.equal(typed('\x1b\x1b'), ['Escape', 'Escape']);
  assert.equal(typed('\x1b\x1bx'), ['Escape', 'M-x']);
  assert.equal(typed('\x1b\x1b[<35;3;4M'), ['Escape', 'mouse']);
});

test('Alt with a key that begins sequences is that key once the timer fires', () => {
  assert.equal(typed('\x1b['), ['M-[']);
  assert.equal(typed('\x1bO'), ['M-O']);
  assert.equal(typed('\x1b]'), ['M-]']);
  assert.equal(typed('\x1bP'), ['M-P']);
  assert.equal(typed('\x1b_'), ['M-_']);
  assert.equal(typed('\x1b]x\x1bPls'), ['M-]', 'x', 'M-P', 'l', 's']);
});

test('a sequence split over a slow line prints nothing, even when the timer fires inside it', () => {
  for (const input of ['\x1b[1;5A', '\x1b]11;rgb:ff/ff/ff\x07', '\x1b[<0;10;10M', '\xf0\x9f\x8d\x8c'])
    for (let cut = 3; cut < input.length; cut++) {
      const decoder = new InputDecoder();
      assert.equal(decoder.feed(bytes(input.slice(0, cut))), [], JSON.stringify(input));
      assert.is(decoder.pending, true);
      assert.equal(decoder.flush(), []);
      assert.is(decoder.pending, true);
      const rest = decoder.feed(bytes(input.slice(cut) + 'x'));
      assert.equal(words(rest), [...typed(input), 'x'], JSON.stringify(input));
    }
});

test('a sequence that never goes on is given up at the second timer and eats nothing after', () => {
  const decoder = new InputDecoder();
  decoder.feed(bytes('\x1b]11;rgb:'));
  assert.equal(decoder.flush(), []);
  assert.equal(words(decoder.flush()), ['unknown']);
  assert.equal(words(decoder.feed(bytes('ls\r'))), ['l', 's', 'Enter']);
});

test('each unfinished sequence is waited for anew', () => {
  const decoder = new InputDecoder();
  decoder.feed(bytes('\x1b[1;5'));
  decoder.flush();
  assert.equal(words(decoder.feed(bytes('A\x1b[1;2'))), ['C-Up']);
  assert.equal(decoder.flush(), []);
  assert.equal(words(decoder.feed(bytes('B'))), ['S-Down']);
});

/** Answers to queries; late ones must not reach a program as keys. */
const REPLIES: readonly (readonly [what: string, input: string])[] = [
  ['DA1', '\x1b[?62;22c'],
  ['DA2', '\x1b[>0;276;0c'],
  ['DA3', '\x1bP!|00000000\x1b\\'],
  ['DSR', '\x1b[0n'],
  ['a cursor position', '\x1b[24;80R'],
  ['an extended cursor position', '\x1b[?24;80;1R'],
  ['DECRPM', '\x1b[?2026;2$y'],
  ['kitty flags', '\x1b[?1u'],
  ['modifyOtherKeys', '\x1b[>4;2m'],
  ['a window size', '\x1b[8;24;80t'],
  ['a colour scheme', '\x1b[?997;1n'],
  ['a colour ended by BEL', '\x1b]11;rgb:1111/2222/3333\x07'],
  ['a colour ended by ST', '\x1b]10;rgb:1111/2222/3333\x1b\\'],
  ['a palette colour', '\x1b]4;0;rgb:0/0/0\x1b\\'],
  ['XTVERSION', '\x1bP>|XTerm(389)\x1b\\'],
  ['XTGETTCAP', '\x1bP1+r524742=38\x1b\\'],
  ['kitty graphics', '\x1b_Gi=1;OK\x1b\\'],
  ['DA1 in 8 bits', '\x9b?1;2c'],
  ['a colour in 8 bits', '\x9d11;rgb:0/0/0\x9c'],
];

for (const [what, input] of REPLIES)
  test(`a late reply (${what}) between typed keys is never typed`, () => {
    const events = decode(bytes(`a${input}b`));
    assert.equal(words(events), ['a', 'reply', 'b']);
    assert.equal(events[1], { type: 'reply', raw: bytes(input) });
  });

test('focus reports are told from keys', () => {
  const events = decode(bytes('\x1b[Ia\x1b[O'));
  assert.equal(words(events), ['focus', 'a', 'focus']);
  assert.equal(events[0], { type: 'focus', focused: true });
  assert.equal(events[2], { type: 'focus', focused: false });
});

test('invalid UTF-8 is unknown, and what follows is typed', () => {
  assert.equal(typed('\xffa\xc3b\xe2\x82c'), ['unknown', 'a', 'unknown', 'b', 'unknown', 'c']);
  assert.equal(typed('\xc0\x80\xed\xa0\x80\xf5d'), ['unknown', 'd']);
});

test('0x9b inside a character begins no sequence', () => {
  assert.equal(typed('\xc3\x9bA'), ['Û', 'A']);
  assert.equal(typed('\xe2\x9bA'), ['unknown', 'A']);
});

test('an endless sequence is dropped in pieces and what comes after it is typed', () => {
  for (const start of ['\x1b[', '\x1b]11;', '\x1bP>|']) {
    const decoder = new InputDecoder();
    const noise = bytes(start + '1'.repeat(100_000));
    assert.equal(words(merged(decoder.feed(noise))), ['unknown']);
    assert.equal(words(merged(decoder.feed(bytes('2'.repeat(10))))), ['unknown']);
    assert.is(decoder.pending, true);
    decoder.flush();
    assert.equal(words(decoder.feed(bytes('ls\r'))), ['l', 's', 'Enter']);
  }
});

test('an endless sequence may still end as it should', () => {
  assert.equal(words(merged(decode(bytes('\x1b[' + '1'.repeat(1000) + 'Ax')))), ['unknown', 'x']);
  assert.equal(words(merged(decode(bytes('\x1b]1' + '1'.repeat(9000) + '\x07x')))), ['unknown', 'x']);
  assert.equal(words(merged(decode(bytes('\x1b]1' + '1'.repeat(9000) + '\x1b\\x')))), ['unknown', 'x']);
  assert.equal(words(merged(decode(bytes('\x1b]1' + '1'.repeat(9000) + '\x1b[A')))), ['unknown', 'Up']);
});

test('a sequence that is cut off ends at the next control and does not eat it', () => {
  assert.equal(typed('\x1b[1;5\rls'), ['unknown', 'Enter', 'l', 's']);
  assert.equal(typed('\x1b]11;rgb:00\rls'), ['unknown', 'Enter', 'l', 's']);
  assert.equal(typed('\x1b[1;\x1b[A'), ['unknown', 'Up']);
});

test('events own their bytes', () => {
  const input = Buffer.from('a\x1b[A');
  const [first, second] = new InputDecoder().feed(input);
  input.fill(0);
  assert.equal(first?.type === 'key' && first.raw, bytes('a'));
  assert.equal(second?.type === 'key' && second.raw, bytes('\x1b[A'));
});

test.run();
