import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nearest16, nearest256, paletteRgb } from '../../lib/base/palette.ts';

const test = suite('palette');

test('the cube and the greys are those of xterm', () => {
  assert.equal(
    [16, 21, 46, 196, 231, 232, 255].map(paletteRgb),
    [0x000000, 0x0000ff, 0x00ff00, 0xff0000, 0xffffff, 0x080808, 0xeeeeee],
  );
});

test('a colour of the palette is nearest to itself', () => {
  // 16 and 231 have twins among the greys only by distance, not by value.
  for (let i = 16; i < 256; i++) assert.is(paletteRgb(nearest256(paletteRgb(i))), paletteRgb(i));
  for (let i = 0; i < 16; i++) assert.is(nearest16(paletteRgb(i)), i);
});

test.run();
