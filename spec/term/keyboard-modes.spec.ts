import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Recorder } from './terminal.ts';

const test = suite('keyboard modes of a program');

/** Flags in force after the output. */
function flags(...output: readonly string[]): number {
  const recorder = new Recorder();
  for (const text of output) recorder.write(text);
  return recorder.emulator.modes.kittyFlags;
}

test('a push puts flags in force and a pop takes them back', () => {
  assert.is(flags('\x1b[>1u'), 1);
  assert.is(flags('\x1b[>1u\x1b[>31u'), 31);
  assert.is(flags('\x1b[>1u\x1b[>31u\x1b[<u'), 1);
  assert.is(flags('\x1b[>1u\x1b[>31u\x1b[<2u'), 0);
  assert.is(flags('\x1b[>1u\x1b[>u'), 0);
});

test('more pops than pushes leave no flags', () => {
  assert.is(flags('\x1b[>5u\x1b[<99999u'), 0);
  assert.is(flags('\x1b[=5u\x1b[<u'), 0);
});

test('flags are set, added and taken away', () => {
  assert.is(flags('\x1b[=5u'), 5);
  assert.is(flags('\x1b[=5;1u\x1b[=2;2u'), 7);
  assert.is(flags('\x1b[=7;1u\x1b[=2;3u'), 5);
  assert.is(flags('\x1b[=7u\x1b[=1;9u'), 7);
});

test('flags beyond the five are not kept', () => {
  assert.is(flags('\x1b[>2147483647u'), 31);
  assert.is(flags('\x1b[=225u'), 1);
});

test('the query tells the flags in force', () => {
  assert.is(new Recorder().write('\x1b[?u\x1b[>5u\x1b[?u\x1b[<u\x1b[?u').replies, '\x1b[?0u\x1b[?5u\x1b[?0u');
});

test('each screen has flags of its own', () => {
  assert.is(flags('\x1b[>1u\x1b[?1049h'), 0);
  assert.is(flags('\x1b[>1u\x1b[?1049h\x1b[>8u'), 8);
  assert.is(flags('\x1b[>1u\x1b[?1049h\x1b[>8u\x1b[?1049l'), 1);
  assert.is(flags('\x1b[>1u\x1b[?1049h\x1b[<u\x1b[?1049l'), 1);
});

test('modifyOtherKeys has a level, a query and a way back', () => {
  const level = (output: string): number => new Recorder().write(output).emulator.modes.modifyOtherKeys;
  assert.is(level('\x1b[>4;1m'), 1);
  assert.is(level('\x1b[>4;2m'), 2);
  assert.is(level('\x1b[>4;2m\x1b[>4m'), 0);
  assert.is(level('\x1b[>4;2m\x1b[>4;0m'), 0);
  assert.is(level('\x1b[>4;2m\x1b[>m'), 0);
  assert.is(level('\x1b[>4;2m\x1b[>4n'), 0);
  assert.is(level('\x1b[>4;2m\x1b[>4;7m'), 2);
  assert.is(level('\x1b[>4;2m\x1b[>1;0m'), 2);
});

test('asking for modifyOtherKeys underlines nothing', () => {
  const { emulator } = new Recorder().write('\x1b[>4;2mx');
  assert.is(emulator.line(0)!.extended(0), undefined);
});

test('RIS and DECSTR set both protocols back, on both screens', () => {
  for (const reset of ['\x1bc', '\x1b[!p']) {
    const recorder = new Recorder().write('\x1b[>5u\x1b[>4;2m\x1b[?1049h\x1b[>8u' + reset);
    assert.is(recorder.emulator.modes.kittyFlags, 0);
    assert.is(recorder.emulator.modes.modifyOtherKeys, 0);
    assert.is(recorder.write('\x1b[?1049l').emulator.modes.kittyFlags, 0);
    assert.is(recorder.write('\x1b[<u').emulator.modes.kittyFlags, 0, 'nothing was kept');
  }
});

test('a program that pushes for ever can pop its newest, and nothing grows', () => {
  const recorder = new Recorder();
  for (let i = 0; i < 1000; i++) recorder.write('\x1b[>1u\x1b[>3u'.repeat(50));
  assert.is(recorder.emulator.modes.kittyFlags, 3);
  assert.is(recorder.write('\x1b[<u').emulator.modes.kittyFlags, 1);
  assert.is(recorder.write('\x1b[<40u').emulator.modes.kittyFlags, 0);
});

test('no order of requests makes flags that cannot be', () => {
  const request = fc
    .tuple(fc.constantFrom('>', '<', '=', '?'), fc.nat(), fc.nat(9), fc.constantFrom('u', 'm', 'n'))
    .map(([prefix, a, b, final]) => `\x1b[${prefix}${a};${b}${final}`);
  const screens = fc.constantFrom('\x1b[?1049h', '\x1b[?1049l', '\x1b[!p');
  fc.assert(
    fc.property(fc.array(fc.oneof(request, screens), { maxLength: 60 }), requests => {
      const { kittyFlags, modifyOtherKeys } = new Recorder().write(requests.join('')).emulator.modes;
      assert.ok(kittyFlags >= 0 && kittyFlags <= 31);
      assert.ok(modifyOtherKeys >= 0 && modifyOtherKeys <= 2);
    }),
  );
});

test.run();
