import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recolored } from '../../lib/frame/recolor.ts';
import { CELL_WORDS, COLOR, FG } from '../../lib/term/cell.ts';
import type { CellLine } from '../../lib/term/cell.ts';
import { Emulator } from '../../lib/term/emulator.ts';

const test = suite('colours that a program has set');

/** Foreground and background of the first cells, in hexadecimal. */
function drawn(output: string, count: number): string[] {
  const emulator = new Emulator({ cols: 8, rows: 2, historyLines: 0 });
  emulator.write(Buffer.from(output));
  const line: CellLine = recolored(emulator.line(0)!, emulator.colors!, emulator.cols);
  return Array.from({ length: count }, (_, x) => {
    const [, fg = 0, bg = 0] = line.words.subarray(x * CELL_WORDS, (x + 1) * CELL_WORDS);
    return `${(fg >>> 0).toString(16)} ${(bg >>> 0).toString(16)}`;
  });
}

test('defaults and palette entries are written out, 24-bit colours are left', () => {
  assert.equal(
    drawn(
      '\x1b]10;#010203\x07\x1b]11;#040506\x07\x1b]4;1;#070809\x07a\x1b[31mb\x1b[32mc\x1b[38;2;1;1;1md',
      5,
    ),
    ['3010203 3040506', '3070809 3040506', '1000002 3040506', '3010101 3040506', '3010203 3040506'],
  );
});

test('flags stay, and so does what nobody set', () => {
  const [cell] = drawn('\x1b]4;9;#0a0b0c\x07\x1b[1;7;91ma', 1);
  assert.is(cell, `${(FG.bold | FG.inverse | COLOR.rgb | 0x0a0b0c).toString(16)} 0`);
});

test('the underline of a palette colour changes with it', () => {
  const emulator = new Emulator({ cols: 8, rows: 2, historyLines: 0 });
  emulator.write(Buffer.from('\x1b]4;2;#112233\x07\x1b[4:3;58:5:2ma'));
  const line = recolored(emulator.line(0)!, emulator.colors!, 8);
  assert.equal(line.extended(0), {
    underlineStyle: 3,
    underlineColor: (COLOR.rgb | 0x112233) >>> 0,
    link: '',
    linkId: '',
  });
});

test.run();
