import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Recorder } from './terminal.ts';

const test = suite('pictures');
const ST = '\x1b\\';
const screen = (output: string, cols = 20, rows = 8): Recorder => new Recorder({ cols, rows }).write(output);
const png = (width: number, height: number): string => {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
};

test('a sixel picture is a frame of its size, and the text goes on under it', () => {
  const recorder = screen(`\x1bPq"1;1;120;48#0;2;0;0;0#0~~~~$-~~~~${ST}\r\nnext`);
  assert.equal(recorder.text(), ['┌─────────────┐', '│image 120×48 │', '└─────────────┘', 'next']);
  assert.is(recorder.emulator.cursor.y, 3);
});

test('without raster attributes a sixel picture is counted', () => {
  assert.equal(screen(`\x1bP0;1;0q#1!24~$!8?-!24~-!24~${ST}`).text(), ['┌─┐', '└─┘']);
});

test('a sixel picture leaves the cursor in its last row, where it began', () => {
  const { emulator } = screen(`\x1b[2;3H\x1bPq"1;1;32;32~${ST}`);
  assert.equal([emulator.cursor.y, emulator.cursor.x], [2, 2]);
});

test('a picture at the bottom scrolls, one larger than the screen is cut', () => {
  assert.equal(screen(`top\x1b[8;1H\x1bPq"1;1;24;32~${ST}`).text(), ['', '', '', '', '', '', '┌─┐', '└─┘']);
  const large = screen(`\x1bPq"1;1;9999;9999~${ST}`);
  assert.is(large.text().length, 8);
  assert.is(large.text()[0]!.length, 20);
});

test('a picture of the kitty protocol takes the cells it asks for, and the cursor goes behind it', () => {
  const recorder = screen(`\x1b_Ga=T,f=24,s=10,v=10,c=9,r=3;AAAA${ST}x`);
  assert.equal(recorder.text(), ['┌───────┐', '│       │', '└───────┘x']);
});

test('a PNG of the kitty protocol in parts is as large as its header says', () => {
  const data = png(136, 48);
  const recorder = screen(
    `\x1b_Gf=100,a=T,m=1;${data.slice(0, 32)}${ST}\x1b_Gm=1;AAAA${ST}\x1b_Gm=0;AA==${ST}\r\n`,
  );
  assert.equal(recorder.text(), ['┌───────────────┐', '│ image 136×48  │', '└───────────────┘']);
});

test('a picture sent first is shown when it is placed, as often as it is placed', () => {
  const recorder = screen(`\x1b_Gi=7,f=32,s=24,v=32;AAAA${ST}`);
  assert.equal(recorder.text(), []);
  recorder.write(`\x1b_Ga=p,i=7${ST}\r\n\x1b_Ga=p,i=7,C=1${ST}x`);
  assert.equal(recorder.text(), ['┌─┐', '└─┘', 'x─┐', '└─┘']);
});

test('questions about pictures are not answered, so that programs know there are none', () => {
  const recorder = screen(`\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA${ST}\x1b_Ga=d${ST}`);
  assert.is(recorder.replies, '');
  assert.equal(recorder.text(), []);
});

test('a picture of OSC 1337 takes the cells it asks for, or those of its PNG', () => {
  const cells = screen(`\x1b]1337;File=name=eA==;inline=1;width=5;height=2:${'A'.repeat(5000)}\x07x`);
  assert.equal(cells.text(), ['┌───┐', '└───┘x']);
  const own = screen(`\x1b]1337;File=inline=1;width=auto:${png(24, 32)}\x07`);
  assert.equal(own.text(), ['┌─┐', '└─┘']);
  assert.equal(screen('\x1b]1337;File=inline=0:AAAA\x07\x1b]1337;SetMark\x07').text(), []);
});

test('a single row or column is shaded', () => {
  assert.equal(screen(`\x1bPq"1;1;40;8~${ST}`).text(), ['▒▒▒▒▒']);
});

test('nonsense draws nothing', () => {
  for (const output of [
    `\x1bPq${ST}`,
    `\x1bPq"1;1;0;0${ST}`,
    `\x1bPq!99999999999;;;;;;;#;${ST}`,
    `\x1b_G${ST}`,
    `\x1b_Ga=T,s=-1,v=x;${ST}`,
    `\x1b_Ga=T,f=100;%%%${ST}`,
    '\x1bPq~~~\x18',
    '\x1b_Ga=T,c=3,r=3\x1a',
  ])
    assert.equal(screen(output).text(), [], JSON.stringify(output));
});

test('a picture that never ends costs nothing and can be cancelled', () => {
  const recorder = screen('\x1bPq"1;1;16;16');
  for (let i = 0; i < 20; i++) recorder.write('~'.repeat(65_536));
  recorder.write('\x18ok');
  assert.equal(recorder.text(), ['ok']);
});

test.run();
