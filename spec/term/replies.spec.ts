import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Recorder } from './terminal.ts';

const test = suite('replies');
const ST = '\x1b\\';
const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

const terminal = (): Recorder =>
  new Recorder({
    version: '1.2.3',
    termName: 'tmux-256color',
    palette: { foreground: 0xc0c0c0, background: 0x102030, cursor: 0xff8000, ansi: [0x010203] },
  });

for (const [name, question, answer] of [
  ['DA1 is a VT420 with selective erase, colour, rectangles and clipboard', '\x1b[c', '\x1b[?64;6;22;28;52c'],
  ['DA1 with an explicit zero', '\x1b[0c', '\x1b[?64;6;22;28;52c'],
  ['DA2 carries the version', '\x1b[>c', '\x1b[>1;20203;0c'],
  ['DA3 is a unit id', '\x1b[=c', `\x1bP!|6D757800${ST}`],
  ['XTVERSION names mux', '\x1b[>q', `\x1bP>|mux(1.2.3)${ST}`],
  ['XTVERSION with an explicit zero', '\x1b[>0q', `\x1bP>|mux(1.2.3)${ST}`],
  ['DSR 5 says all is well', '\x1b[5n', '\x1b[0n'],
  ['DSR 6 tells the cursor', '\x1b[3;7H\x1b[6n', '\x1b[3;7R'],
  ['DECXCPR tells the cursor', '\x1b[3;7H\x1b[?6n', '\x1b[?3;7R'],
  ['the size in pixels assumes cells of 8×16', '\x1b[14t', '\x1b[4;384;640t'],
  ['the size of a cell', '\x1b[16t', '\x1b[6;16;8t'],
  ['the size in cells', '\x1b[18t', '\x1b[8;24;80t'],
  ['the title is never told', '\x1b]2;rm -rf ~\x07\x1b[21t', ''],
  ['the foreground', '\x1b]10;?\x07', `\x1b]10;rgb:c0c0/c0c0/c0c0${ST}`],
  ['the background', `\x1b]11;?${ST}`, `\x1b]11;rgb:1010/2020/3030${ST}`],
  ['the cursor colour', '\x1b]12;?\x07', `\x1b]12;rgb:ffff/8080/0000${ST}`],
  [
    'several dynamic colours at once',
    '\x1b]10;?;?\x07',
    `\x1b]10;rgb:c0c0/c0c0/c0c0${ST}\x1b]11;rgb:1010/2020/3030${ST}`,
  ],
  ['a palette colour', '\x1b]4;0;?\x07', `\x1b]4;0;rgb:0101/0202/0303${ST}`],
  ['a colour of the cube', '\x1b]4;208;?\x07', `\x1b]4;208;rgb:ffff/8787/0000${ST}`],
  [
    'a grey',
    '\x1b]4;232;?;255;?\x07',
    `\x1b]4;232;rgb:0808/0808/0808${ST}\x1b]4;255;rgb:eeee/eeee/eeee${ST}`,
  ],
  ['no colour 256', '\x1b]4;256;?\x07', ''],
  ['setting a colour', '\x1b]4;1;#ff0000\x07\x1b]11;#ffffff\x07', ''],
  [
    'a colour that was set',
    '\x1b]4;1;#f00\x07\x1b]11;rgb:f/8/0\x07\x1b]4;1;?\x07\x1b]11;?\x07',
    `\x1b]4;1;rgb:f0f0/0000/0000${ST}\x1b]11;rgb:ffff/8888/0000${ST}`,
  ],
  ['a colour set and asked for in one', '\x1b]4;7;rgb:12/34/56;7;?\x07', `\x1b]4;7;rgb:1212/3434/5656${ST}`],
  [
    'a colour that was given back',
    '\x1b]4;0;red\x07\x1b]104;0\x07\x1b]4;0;?\x07\x1b]10;white\x07\x1b]110\x07\x1b]10;?\x07',
    `\x1b]4;0;rgb:0101/0202/0303${ST}\x1b]10;rgb:c0c0/c0c0/c0c0${ST}`,
  ],
  [
    'all colours given back',
    '\x1b]4;0;red\x07\x1b]104\x07\x1b]4;0;?\x07',
    `\x1b]4;0;rgb:0101/0202/0303${ST}`,
  ],
  ['colours after RIS', '\x1b]12;red\x07\x1bc\x1b]12;?\x07', `\x1b]12;rgb:ffff/8080/0000${ST}`],
  ['a colour that is none', '\x1b]11;rgb:1/2\x07\x1b]11;?\x07', `\x1b]11;rgb:1010/2020/3030${ST}`],
  ['a special colour', '\x1b]5;0;#123456\x07\x1b]5;0;?\x07', `\x1b]5;0;rgb:1212/3434/5656${ST}`],
  ['the clipboard is not given away', '\x1b]52;c;?\x07', `\x1b]52;c;${ST}`],
  ['kitty keyboard flags', '\x1b[?u', '\x1b[?0u'],
  ['kitty keyboard pushes are not answered', '\x1b[>1u\x1b[<u\x1b[=5;1u', ''],
  ['XTQMODKEYS', '\x1b[>4;2m\x1b[?4m', '\x1b[>4;2m'],
  ['XTQMODKEYS of cursor keys', '\x1b[?1m', '\x1b[>1;2m'],
  ['XTQMODKEYS of an option there is not is not answered', '\x1b[?99m', ''],
  ['dark colours are dark', '\x1b[?996n', '\x1b[?997;1n'],
  ['DECRQM of synchronized output', '\x1b[?2026$p', '\x1b[?2026;2$y'],
  ['DECRQM of synchronized output while on', '\x1b[?2026h\x1b[?2026$p', '\x1b[?2026;1$y'],
  ['DECRQM of a mode not known', '\x1b[?9999$p', '\x1b[?9999;0$y'],
  ['DECRQM of colour-scheme reports', '\x1b[?2031$p\x1b[?2031h\x1b[?2031$p', '\x1b[?2031;2$y\x1b[?2031;1$y'],
  ['DECRQM of grapheme clusters', '\x1b[?2027l\x1b[?2027$p', '\x1b[?2027;3$y'],
  ['DECRQM of 132 columns', '\x1b[?3h\x1b[?3$p\x1bc\x1b[?3$p', '\x1b[?3;1$y\x1b[?3;2$y'],
  [
    'the cursor at a pending wrap is in the last column',
    '\x1b[1;80Hx\x1b[6n\x1b[?6n',
    '\x1b[1;80R\x1b[?1;80R',
  ],
  ['the cursor in origin mode is told from the margin', '\x1b[5;9r\x1b[?6h\x1b[2;3H\x1b[6n', '\x1b[2;3R'],
  [
    'printer, keys, keyboard, locator',
    '\x1b[?15n\x1b[?25n\x1b[?26n\x1b[?53n',
    '\x1b[?13n\x1b[?21n\x1b[?27;1;0;0n\x1b[?50n',
  ],
  ['macros and their checksum', '\x1b[?62n\x1b[?63;7n', `\x1b[0*{\x1bP7!~0000${ST}`],
  ['data integrity', '\x1b[?75n', '\x1b[?70n'],
  ['DECRQSS of the level', `\x1bP$q"p${ST}`, `\x1bP1$r64;1"p${ST}`],
  ['DECRQSS of protection', `\x1b[1"q\x1bP$q"q${ST}`, `\x1bP1$r1"q${ST}`],
  ['DECRQSS of lines and columns', `\x1bP$qt${ST}\x1bP$q$|${ST}`, `\x1bP1$r24t${ST}\x1bP1$r80$|${ST}`],
  ['XTGETTCAP of colours', `\x1bP+q${hex('Co')}${ST}`, `\x1bP1+r${hex('Co')}=${hex('256')}${ST}`],
  ['XTGETTCAP of the name', `\x1bP+q${hex('TN')}${ST}`, `\x1bP1+r${hex('TN')}=${hex('tmux-256color')}${ST}`],
  [
    'XTGETTCAP of two, one unknown',
    `\x1bP+q${hex('RGB')};${hex('zz')}${ST}`,
    `\x1bP1+r${hex('RGB')}=${hex('8/8/8')}${ST}\x1bP0+r${hex('zz')}${ST}`,
  ],
  ['XTGETTCAP of nonsense', `\x1bP+qxyz;1;${ST}`, ''],
  ['DECRQSS of the pen', `\x1b[1;48;2;1;2;3m\x1bP$qm${ST}`, `\x1bP1$r0;1;48;2;1;2;3m${ST}`],
  ['DECRQSS of the cursor style', `\x1b[5 q\x1bP$q q${ST}`, `\x1bP1$r5 q${ST}`],
  ['DECRQSS of the margins', `\x1b[2;9r\x1bP$qr${ST}`, `\x1bP1$r2;9r${ST}`],
  ['DECRQSS of something else', `\x1bP$qx${ST}`, `\x1bP0$r${ST}`],
  ['DECRQCRA of an empty cell', '\x1b[7;1;1;1;1;1*y', `\x1bP7!~FFE0${ST}`],
  ['DECRQCRA of two letters', '\x1b[HAB\x1b[1;1;1;1;1;2*y', `\x1bP1!~FF7D${ST}`],
  ['a colour scheme that is a title', '\x1b]0;?\x07', ''],
] as const) {
  test(`${name}: answered exactly so, once`, () => {
    assert.is(JSON.stringify(terminal().write(question).replies), JSON.stringify(answer));
  });
}

test('answers come in the order of the questions, whoever gives them', () => {
  assert.is(
    terminal().write('\x1b[5n\x1b[>0q\x1b[5n\x1b[?u\x1b[c').replies,
    `\x1b[0n\x1bP>|mux(1.2.3)${ST}\x1b[0n\x1b[?0u\x1b[?64;6;22;28;52c`,
  );
});

test('a replay answers nothing, then or later', () => {
  const recorder = terminal();
  recorder.emulator.replay(Buffer.from('\x1b[c\x1b[6n\x1b]11;?\x07\x1b[>q\x1bP+q436f\x1b\\\x07hello'));
  recorder.write('!');
  assert.is(recorder.replies, '');
  assert.equal(recorder.signals, []);
  assert.equal(recorder.text(), ['hello!']);
});

test('a program that asks without end is answered within bounds', () => {
  const recorder = terminal();
  recorder.write('\x1b[c'.repeat(20_000));
  assert.ok(recorder.replies.length <= 16 * 1024);
  assert.ok(recorder.replies.endsWith('c'));
});

test('a listener may write to the same emulator', () => {
  const recorder = terminal();
  let once = true;
  recorder.emulator.onReply(() => {
    if (!once) return;
    once = false;
    recorder.write('[echo]\x1b[5n');
  });
  recorder.write('a\x1b[cb');
  assert.equal(recorder.text(), ['ab[echo]']);
});

test('the default version and name answer too', () => {
  assert.match(new Recorder().write('\x1b[>q\x1b[>c').replies, /mux\(0\.0\.0\).*>1;10000;0c/s);
});

test.run();
