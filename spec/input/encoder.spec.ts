import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeFocus, encodeKey, passKeyReport, passThrough } from '../../lib/input/encoder.ts';
import type { KeyModes } from '../../lib/input/encoder.ts';
import { KEY_NAMES } from '../../lib/input/event.ts';
import type { Key } from '../../lib/input/event.ts';
import { canonicalKey, parseKey } from '../../lib/input/keyname.ts';
import { bytes, decode } from './stream.ts';

const test = suite('input encoder');

const LEGACY: KeyModes = { applicationCursor: false, applicationKeypad: false };
const APPLICATION: KeyModes = { applicationCursor: true, applicationKeypad: true };
const KITTY: KeyModes = { ...LEGACY, kittyFlags: 1 };
const KITTY_ALL: KeyModes = { ...LEGACY, kittyFlags: 1 | 8 | 16 };
const OTHER_1: KeyModes = { ...LEGACY, modifyOtherKeys: 1 };
const OTHER_2: KeyModes = { ...LEGACY, modifyOtherKeys: 2 };

function sent(key: string, modes: KeyModes): string {
  return Buffer.from(encodeKey(parseKey(key), modes)).toString('latin1');
}

/** What a program in those modes reads when the outer terminal sends `latin1`. */
function passed(latin1: string, modes: KeyModes): string {
  const out = decode(bytes(latin1)).flatMap(event =>
    event.type === 'key'
      ? [passThrough(event, modes)]
      : event.type === 'key-report'
        ? [passKeyReport(event.raw, modes)]
        : [],
  );
  return Buffer.concat(out).toString('latin1');
}

/** Keys and the bytes of a program without any mode. */
const PLAIN: readonly (readonly [key: string, bytes: string])[] = [
  ['a', 'a'],
  ['A', 'A'],
  ['M-A', '\x1bA'],
  ['é', '\xc3\xa9'],
  ['C-a', '\x01'],
  ['C-S-a', '\x01'],
  ['C-M-a', '\x1b\x01'],
  ['Space', ' '],
  ['C-Space', '\x00'],
  ['C-@', '\x00'],
  ['C-/', '\x1f'],
  ['C-_', '\x1f'],
  ['C-[', '\x1b'],
  ['C-?', '\x7f'],
  ['C-h', '\x08'],
  ['C-8', '\x7f'],
  ['C-,', ','],
  ['C-é', '\xc3\xa9'],
  ['BSpace', '\x7f'],
  ['M-BSpace', '\x1b\x7f'],
  ['C-BSpace', '\x08'],
  ['Enter', '\r'],
  ['S-Enter', '\x1b\r'],
  ['C-Enter', '\r'],
  ['M-Enter', '\x1b\r'],
  ['Tab', '\t'],
  ['BTab', '\x1b[Z'],
  ['C-Tab', '\t'],
  ['Escape', '\x1b'],
  ['Up', '\x1b[A'],
  ['S-Up', '\x1b[1;2A'],
  ['C-M-S-Left', '\x1b[1;8D'],
  ['Home', '\x1b[H'],
  ['DC', '\x1b[3~'],
  ['C-PPage', '\x1b[5;5~'],
  ['F1', '\x1bOP'],
  ['S-F3', '\x1b[1;2R'],
  ['F5', '\x1b[15~'],
  ['F12', '\x1b[24~'],
  ['F20', '\x1b[34~'],
  ['Any', ''],
];

for (const [key, expected] of PLAIN)
  test(`${key} is sent as ${JSON.stringify(expected)}`, () => assert.is(sent(key, LEGACY), expected));

test('cursor keys follow the application mode of the program, others do not', () => {
  assert.is(sent('Up', APPLICATION), '\x1bOA');
  assert.is(sent('End', APPLICATION), '\x1bOF');
  assert.is(sent('C-Up', APPLICATION), '\x1b[1;5A');
  assert.is(sent('DC', APPLICATION), '\x1b[3~');
  assert.is(passed('\x1b[A', APPLICATION), '\x1bOA');
  assert.is(passed('\x1bOA', LEGACY), '\x1b[A');
});

test('the application keypad reaches only a program that asked for it', () => {
  assert.is(passed('\x1bOp', APPLICATION), '\x1bOp');
  assert.is(passed('\x1bOp', LEGACY), '0');
  assert.is(passed('\x1bOM', LEGACY), '\r');
});

test('Shift-Enter reaches a program with the protocol exactly, and is ESC CR for others', () => {
  assert.is(passed('\x1b[13;2u', KITTY), '\x1b[13;2u');
  assert.is(passed('\x1b[13;2u', LEGACY), '\x1b\r');
  assert.is(passed('\x1b[27;2;13~', LEGACY), '\x1b\r');
  assert.is(passed('\x1b[27;2;13~', KITTY), '\x1b[13;2u');
});

test('Control-Enter reaches a program with the protocol and is CR for others', () => {
  assert.is(passed('\x1b[13;5u', KITTY), '\x1b[13;5u');
  assert.is(passed('\x1b[13;5u', LEGACY), '\r');
});

test('Shift, Control and Alt with Enter stay apart for a program with the protocol', () => {
  for (const key of ['\x1b[13;2u', '\x1b[13;3u', '\x1b[13;5u', '\x1b[13;6u'])
    assert.is(passed(key, KITTY), key);
});

test('a key goes out in the form that the program asked for, whatever form it came in', () => {
  assert.is(passed('\x1b[27;5;49~', KITTY), '\x1b[49;5u');
  assert.is(passed('\x1b[49;5u', OTHER_2), '\x1b[27;5;49~');
  assert.is(passed('\x1b[49;5u', LEGACY), '1');
});

test('C-i, C-m and C-j are told apart only for a program that asked', () => {
  assert.is(passed('\x1b[105;5u\x1b[109;5u\x1b[106;5u', KITTY), '\x1b[105;5u\x1b[109;5u\x1b[106;5u');
  assert.is(passed('\x1b[105;5u\x1b[109;5u\x1b[106;5u', LEGACY), '\t\r\n');
});

test('Control-Shift-Tab is Shift-Tab for a program without the protocol', () => {
  assert.is(passed('\x1b[9;6u', KITTY), '\x1b[9;6u');
  assert.is(passed('\x1b[9;6u', LEGACY), '\x1b[Z');
});

test('Alt-Shift-letter keeps both modifiers', () => {
  assert.is(passed('\x1b[97;4u', KITTY), '\x1b[97;4u');
  assert.is(passed('\x1b[97;4u', LEGACY), '\x1bA');
});

test('Control-/ is 0x1f and Alt-Backspace ESC DEL', () => {
  assert.is(passed('\x1b[47;5u\x1b[127;3u', LEGACY), '\x1f\x1b\x7f');
  assert.is(passed('\x1f\x1b\x7f', LEGACY), '\x1f\x1b\x7f');
});

/** What each set of flags leaves of what a terminal tells by the kitty protocol. */
const REPORTS: readonly (readonly [what: string, input: string, flags: number, output: string])[] = [
  ['a release, unasked', '\x1b[97;5:3u', 1, ''],
  ['a release, asked', '\x1b[97;5:3u', 3, '\x1b[97;5:3u'],
  ['the release of an arrow, asked', '\x1b[1;1:3A', 3, '\x1b[1;1:3A'],
  ['the release of an arrow, unasked', '\x1b[1;1:3A', 1, ''],
  ['the release of Enter, whose press was CR', '\x1b[13;1:3u', 3, ''],
  ['the release of Enter among all keys', '\x1b[13;1:3u', 11, '\x1b[13;1:3u'],
  ['a release of text', '\x1b[97;1:3u', 3, ''],
  ['a repeat, unasked', '\x1b[97;5:2u', 1, '\x1b[97;5u'],
  ['a repeat, asked', '\x1b[97;5:2u', 3, '\x1b[97;5:2u'],
  ['a repeat, asked without sequences for presses', '\x1b[1;5:2A', 2, '\x1b[1;5:2A'],
  ['a press without sequences for presses', '\x1b[27u', 2, '\x1b'],
  ['Shift alone, unasked', '\x1b[57441;2u', 1, ''],
  ['Shift alone among all keys', '\x1b[57441;2u', 9, '\x1b[57441;2u'],
  ['Caps Lock, unasked', '\x1b[57358u', 3, ''],
  ['a key with Super', '\x1b[99;9u', 1, '\x1b[99;9u'],
  ['a media key', '\x1b[57430u', 1, '\x1b[57430u'],
  ['Enter of the keypad', '\x1b[57414u', 1, '\x1b[57414u'],
  ['a digit of the keypad', '\x1b[57400;129u', 1, '1'],
  ['a key on another layout', '\x1b[1080::98;5u', 1, '\x1b[1080;5u'],
  ['a key on another layout, asked', '\x1b[1080::98;5u', 5, '\x1b[1080::98;5u'],
  ['Control-Shift-5', '\x1b[53:37;6u', 1, '\x1b[53;6u'],
  ['text with Shift', '\x1b[97:65;2;65u', 1, 'A'],
  ['text with Caps Lock', '\x1b[97;65u', 1, 'A'],
  ['text with both', '\x1b[97;66u', 1, 'a'],
  ['text without text asked', '\x1b[97;;97u', 9, '\x1b[97u'],
  ['text of an input method', '\x1b[0;;104:105u', 1, 'hi'],
  ['text of an input method, not asked among all keys', '\x1b[0;;104:105u', 9, 'hi'],
  ['Num Lock and an arrow', '\x1b[1;129A', 1, '\x1b[1;129A'],
  ['an arrow without modifiers and its event', '\x1b[1;1:1A', 1, '\x1b[A'],
  ['Delete with its event', '\x1b[3;1:1~', 1, '\x1b[3~'],
  ["xterm's F13", '\x1b[25~', 1, '\x1b[57376u'],
  ["xterm's Shift-F3", '\x1b[1;2R', 1, '\x1b[13;2~'],
  ['a capital letter typed', 'A', 12, '\x1b[97:65;2u'],
];

for (const [what, input, kittyFlags, output] of REPORTS)
  test(`${what}, for a program with flags ${kittyFlags}, is ${JSON.stringify(output)}`, () =>
    assert.is(passed(input, { ...LEGACY, kittyFlags }), output));

test('what only the kitty protocol can say is typed nowhere else', () => {
  const input = '\x1b[97;5:3u\x1b[57441;2u\x1b[99;9u\x1b[27;9;99~\x1b[1;1:3A';
  for (const modes of [LEGACY, APPLICATION, OTHER_1, OTHER_2]) assert.is(passed(input, modes), '');
});

test('a keypad that speaks the kitty protocol has its own sequences for a program in application mode', () => {
  assert.is(passed('\x1b[57399u\x1b[57414u\x1b[57409u', APPLICATION), '\x1bOp\x1bOM\x1bOn');
  assert.is(passed('\x1b[57399u\x1b[57414u', LEGACY), '0\r');
});

test('Control-Shift-letter by modifyOtherKeys is the capital that xterm sends', () => {
  assert.is(sent('C-S-a', OTHER_2), '\x1b[27;6;65~');
});

test('releases are not typed, and repeats are', () => {
  assert.is(passed('\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u', LEGACY), 'aa');
});

test('text, controls and Alt keys pass as they came', () => {
  const text = 'h\xc3\xa9\r\t\x7f\x08\x01\x1bx\x1b\x01\x1b\r';
  assert.is(passed(text, LEGACY), text);
  assert.is(passed('\x1b\x1b', LEGACY), '\x1b\x1b');
  assert.is(passed('\x1b[', LEGACY), '\x1b[');
});

test('the forms of rxvt and the Linux console go out as those of xterm', () => {
  assert.is(
    passed('\x1b[a\x1b[7~\x1b[3^\x1b[[A\x1b\x1b[A', LEGACY),
    '\x1b[1;2A\x1b[H\x1b[3;5~\x1bOP\x1b[1;3A',
  );
});

test('a legacy key goes to a program with the protocol in its form', () => {
  assert.is(passed('\x1b', KITTY), '\x1b[27u');
  assert.is(passed('\x03\x1bx', KITTY), '\x1b[99;5u\x1b[120;3u');
  assert.is(passed('ab\r\t\x7f', KITTY), 'ab\r\t\x7f');
});

test('fields that a program did not ask for are left out, others pass', () => {
  const input = '\x1b[97:65;2:1;65u';
  assert.is(passed(input, { ...KITTY, kittyFlags: 31 }), input);
  assert.is(passed(input, KITTY), 'A');
  assert.is(passed('\x1b[1;5:2A', KITTY), '\x1b[1;5A');
  assert.is(passed('\x1b[1;5:2A', { ...KITTY, kittyFlags: 3 }), '\x1b[1;5:2A');
  assert.is(passed('\x1b[0;;104:105u', LEGACY), 'hi');
  assert.is(passed('\x1b[0;;104:105u', { ...KITTY, kittyFlags: 31 }), '\x1b[0;;104:105u');
});

test('all keys as sequences: codes, text and capital letters', () => {
  assert.is(sent('a', { ...KITTY, kittyFlags: 9 }), '\x1b[97u');
  assert.is(sent('A', KITTY_ALL), '\x1b[97;2;65u');
  assert.is(sent('Enter', KITTY_ALL), '\x1b[13u');
});

test('modifyOtherKeys level 1 changes only keys that would turn into others', () => {
  assert.is(sent('C-a', OTHER_1), '\x01');
  assert.is(sent('C-i', OTHER_1), '\x1b[27;5;105~');
  assert.is(sent('S-Enter', OTHER_1), '\x1b[27;2;13~');
  assert.is(sent('C-a', OTHER_2), '\x1b[27;5;97~');
  assert.is(sent('BTab', OTHER_2), '\x1b[Z');
  assert.is(sent('Up', OTHER_2), '\x1b[A');
});

test('focus reports go only to programs that asked', () => {
  assert.equal(encodeFocus(true, { focusReports: true }), bytes('\x1b[I'));
  assert.equal(encodeFocus(false, { focusReports: true }), bytes('\x1b[O'));
  assert.is(encodeFocus(true, { focusReports: false }), undefined);
  for (const focused of [true, false])
    assert.equal(decode(encodeFocus(focused, { focusReports: true })!), [{ type: 'focus', focused }]);
});

const letters = fc.constantFrom(...'azAZéÉß09%/-[ €🍌');
const anyKey = fc
  .tuple(fc.oneof(fc.constantFrom<string>(...KEY_NAMES), letters), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([name, ctrl, alt, shift]) => canonicalKey({ name, ctrl, alt, shift }));

function readsBack(key: Key, modes: KeyModes): void {
  const raw = encodeKey(key, modes);
  assert.equal(decode(raw), [{ type: 'key', key, raw }]);
}

test('with the kitty protocol every key is read back as itself', () => {
  fc.assert(
    fc.property(
      anyKey,
      fc.integer({ min: 1, max: 31 }).filter(flags => (flags & 9) !== 0),
      (key, kittyFlags) => readsBack(key, { ...LEGACY, kittyFlags }),
    ),
    { numRuns: 2000 },
  );
});

test('with modifyOtherKeys every key but shifted symbols is read back as itself', () => {
  const representable = anyKey.filter(key => !key.shift || key.name.length > 2 || /[a-zé]/.test(key.name));
  fc.assert(fc.property(representable, fc.constantFrom(OTHER_1, OTHER_2), readsBack), { numRuns: 2000 });
});

/** Keys that legacy bytes cannot say: they share bytes with another key, or with its Alt. */
function isLegacyKey(key: Key): boolean {
  const sequence = /^(Up|Down|Left|Right|Home|End|PPage|NPage|IC|DC|F\d+)$/.test(key.name);
  if (sequence) return true;
  if (key.shift || key.name === 'Escape') return false;
  if (key.ctrl) return /^([a-hj-ln-z/\\\]^]|Space)$/.test(key.name);
  return true;
}

test('without a protocol every key that legacy bytes can say is read back as itself', () => {
  fc.assert(fc.property(anyKey.filter(isLegacyKey), fc.constantFrom(LEGACY, APPLICATION), readsBack), {
    numRuns: 2000,
  });
});

test('no key is sent as nothing, in any mode', () => {
  const modes = fc.constantFrom(LEGACY, APPLICATION, KITTY, KITTY_ALL, OTHER_1, OTHER_2);
  fc.assert(fc.property(anyKey, modes, (key, mode) => assert.ok(encodeKey(key, mode).length > 0)));
});

test.run();
