import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientColors, COLOR_QUERY } from '../../../lib/server/client/colors.ts';
import { Emulator } from '../../../lib/term/emulator.ts';
import { DEFAULT_PALETTE } from '../../../lib/term/palette.ts';
import type { Palette } from '../../../lib/term/palette.ts';
import { InputDecoder } from '../../../lib/input/decoder.ts';

const test = suite("a terminal's colours");
const OTHER: Palette = {
  foreground: 0x111111,
  background: 0xfafafa,
  cursor: 0x0000ff,
  ansi: DEFAULT_PALETTE.ansi.map((_, i) => i * 0x010101),
};
const reply = (text: string): Uint8Array => Buffer.from(text, 'latin1');

test('what a terminal answers to the questions are its colours', () => {
  const terminal = new Emulator({ cols: 80, rows: 24, historyLines: 0, palette: OTHER });
  const colors = new ClientColors();
  terminal.onReply(bytes => {
    for (const event of new InputDecoder().feed(bytes)) {
      assert.is(event.type, 'reply');
      if (event.type === 'reply') colors.take(event.raw);
    }
  });
  terminal.write(reply(COLOR_QUERY));
  assert.equal(colors.palette(DEFAULT_PALETTE), OTHER);
});

test('a terminal that tells some of its colours has the rest of others', () => {
  const colors = new ClientColors();
  assert.is(colors.take(reply('\x1b]11;rgb:ffff/ffff/ffff\x07')), 'changed');
  assert.is(colors.take(reply('\x1b]11;rgb:ffff/ffff/ffff\x1b\\')), undefined);
  assert.equal(colors.palette(DEFAULT_PALETTE), { ...DEFAULT_PALETTE, background: 0xffffff });
});

test('a terminal whose colours have changed is asked for them', () => {
  assert.is(new ClientColors().take(reply('\x1b[?997;2n')), 'ask');
});

test('other answers, and answers that make no sense, change nothing', () => {
  const colors = new ClientColors();
  for (const text of [
    '\x1b[?62;22c',
    '\x1b]11;?\x07',
    '\x1b]11;rgb:x/y/z\x07',
    '\x1b]4;99;rgb:0/0/0\x07',
    '\x1b]4;-1;rgb:0/0/0\x07',
    `\x1b]11;${'f'.repeat(1000)}\x07`,
    '\x1b]12;rgb:0/0/0',
    '',
  ])
    assert.is(colors.take(reply(text)), undefined, JSON.stringify(text));
  assert.equal(colors.palette(DEFAULT_PALETTE), DEFAULT_PALETTE);
});

test.run();
