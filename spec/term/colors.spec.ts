import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseColor } from '../../lib/term/colors.ts';
import { DEFAULT_PALETTE } from '../../lib/term/palette.ts';
import { Recorder } from './terminal.ts';

const test = suite('colours of a pane');
const LIGHT = { ...DEFAULT_PALETTE, foreground: 0x000000, background: 0xffffff };

for (const [spec, color] of [
  ['#f00', 0xf00000],
  ['#123456', 0x123456],
  ['#123456789', 0x124578],
  ['#111122223333', 0x112233],
  ['rgb:f/8/0', 0xff8800],
  ['rgb:12/34/56', 0x123456],
  ['rgb:ffff/8080/0000', 0xff8000],
  ['rgbi:1.0/0.5/0', 0xff8000],
  ['Red', 0xff0000],
  ['', undefined],
  ['#12', undefined],
  ['rgb:1/2', undefined],
  ['rgbi:2/0/0', undefined],
  ['constructor', undefined],
] as const)
  test(`${spec || 'nothing'} is read as XParseColor reads it`, () => assert.is(parseColor(spec), color));

test('what a program sets is told to whoever draws, until it is given back', () => {
  const { emulator } = new Recorder().write('');
  assert.is(emulator.colors, undefined);
  emulator.write(Buffer.from('\x1b]4;1;#102030\x07\x1b]11;#405060\x07\x1b]12;red\x07'));
  assert.equal(emulator.colors, {
    foreground: undefined,
    background: 0x405060,
    cursor: 0xff0000,
    indexed: new Map([[1, 0x102030]]),
  });
  emulator.write(Buffer.from('\x1b]104\x07\x1b]111\x07\x1b]112\x07'));
  assert.is(emulator.colors, undefined);
});

test('reverse screen (DECSCNM): text and background change places, also what a program or the person has set', () => {
  const { emulator } = new Recorder().write('\x1b[?5h\x1b[?5$p');
  const { foreground, background } = DEFAULT_PALETTE;
  const told = (): unknown => emulator.colors && [emulator.colors.foreground, emulator.colors.background];
  assert.equal(told(), [background, foreground]);
  emulator.write(Buffer.from('\x1b]11;#405060\x07'));
  assert.equal(told(), [0x405060, foreground]);
  emulator.setPalette(LIGHT);
  assert.equal(told(), [0x405060, LIGHT.foreground]);
  emulator.write(Buffer.from('\x1b[?5l'));
  assert.equal(told(), [undefined, 0x405060]);
  emulator.write(Buffer.from('\x1b[?5h\x1bc'));
  assert.is(emulator.colors, undefined);
});

test('a program that asked for it is told when light turns to dark, others are not', () => {
  const asker = new Recorder().write('\x1b[?2031h');
  const other = new Recorder();
  for (const { emulator } of [asker, other]) {
    emulator.setPalette(LIGHT);
    emulator.setPalette({ ...LIGHT, cursor: 1 });
    emulator.setPalette(DEFAULT_PALETTE);
  }
  assert.is(asker.replies, '\x1b[?997;2n\x1b[?997;1n');
  assert.is(other.replies, '');
});

test('colours of the person are told at once, whoever attached last', () => {
  const recorder = new Recorder();
  recorder.emulator.setPalette(LIGHT);
  recorder.write('\x1b]11;?\x07\x1b[?996n');
  assert.is(recorder.replies, '\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?997;2n');
});

test('light and dark are reported no more after RIS', () => {
  const recorder = new Recorder().write('\x1b[?2031h\x1bc');
  recorder.emulator.setPalette(LIGHT);
  assert.is(recorder.replies, '');
});

test.run();
