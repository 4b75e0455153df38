/**
 * What an emulator remembers is in its checkpoint: each thing by an output that tells whether it is.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emulator } from '../../../lib/term/emulator.ts';
import { DEFAULT_PALETTE } from '../../../lib/term/palette.ts';
import { captureLines } from '../../../lib/term/text-dump.ts';
import { XTERM_VERSION } from '../../../lib/term/xterm-core.ts';
import { Heard, seenText } from '../../support/checkpoint-property.ts';
import { bytes } from '../terminal.ts';

const test = suite('checkpoint');
const SIZE = { cols: 40, rows: 10, historyLines: 100 };
const ST = '\x1b\\';

function written(...parts: readonly (string | Uint8Array)[]): Heard {
  const heard = new Heard(new Emulator(SIZE));
  for (const part of parts) heard.emulator.write(typeof part === 'string' ? bytes(part) : part);
  return heard;
}

function restored(emulator: Emulator): Heard {
  const checkpoint = emulator.checkpoint();
  assert.ok(checkpoint, 'there is a checkpoint');
  return new Heard(Emulator.restore(checkpoint));
}

/** What is seen and told of an emulator, without its count of changes. */
const outcome = ({ emulator, told }: Heard): string =>
  seenText(emulator).replace(/"seq":\d+/, '') + told.join('\n');

/** Things to remember: an output, and a second one which does something else where the first is forgotten. */
const REMEMBERED: Readonly<
  Record<string, readonly [before: string | Uint8Array, after: string | Uint8Array]>
> = {
  'the pen': ['\x1b[1;31;4:3;58:2::1:2:3m', 'x'],
  'an open link': ['\x1b]8;id=a;http://x/\x07', 'text'],
  'a pending wrap': ['x'.repeat(40), 'y'],
  'the wrap of a line': ['x'.repeat(50), '\x1b[2;1H'],
  'a letter that a mark may follow': ['e', '\u0301'],
  'a cluster that goes on': ['👩', '\u200d👩'],
  'half a flag': ['🇳', '🇴'],
  'half a character': [Uint8Array.of(0xe6, 0xbc), Uint8Array.of(0xa2)],
  'what REP repeats': ['ab', '\x1b[3b'],
  margins: ['\x1b[3;5r\x1b[5H', '\n\n\nx'],
  'origin mode': ['\x1b[3;5r\x1b[?6h', '\x1b[1;1Hx\x1b[6n'],
  'insert mode': ['xyz\x1b[4h', '\rab'],
  'line feed mode': ['\x1b[20h', 'a\nb'],
  'no wrapping': ['\x1b[?7l', 'x'.repeat(50)],
  'wrapping backwards': [`${'x'.repeat(41)}\x1b[?45h`, '\b\b\by'],
  'tab stops': ['\x1b[3g\x1b[5G\x1bH\r', '\tx'],
  'character sets': ['\x1b)0\x0e', 'lqk_'],
  'protected cells': ['\x1b[1"qkeep\x1b[0"q gone', '\x1b[?2K'],
  'that a pen protects': ['\x1b[1"q', 'kept\x1b[?2K'],
  'a saved cursor': ['\x1b[31m\x1b[4;9H\x1b(0\x1b7\x1b[m\x1b(B\x1b[H', '\x1b8q'],
  'origin mode in a saved cursor': ['\x1b[3;5r\x1b[?6h\x1b7\x1b[?6l', '\x1b8\x1b[1;1Hx\x1b[6n'],
  'the saved cursor of the other screen': ['\x1b[3;3H\x1b7\x1b[?1047h\x1b[H', '\x1b[?1047l\x1b8x'],
  'the screen below the alternate one': ['below\x1b[?1049habove', '\x1b[?1049l'],
  'the shape of the cursor': ['\x1b[5 q', `\x1bP$q q${ST}`],
  'that the cursor is hidden': ['\x1b[?25l', 'x'],
  'that the cursor blinks': ['\x1b[?12h', 'x'],
  'mouse modes': ['\x1b[?1003;1016h', '\x1b[?1003$p\x1b[?1016$p'],
  'focus reports': ['\x1b[?1004h', '\x1b[?1004$p'],
  'keypad and cursor keys': ['\x1b=\x1b[?1h', '\x1b[?66$p\x1b[?1$p'],
  'bracketed paste': ['\x1b[?2004h', '\x1b[?2004$p'],
  'synchronized output': ['\x1b[?2026h', '\x1b[?2026$p'],
  'that it tells of light and dark': ['\x1b[?2031h', '\x1b[?2031$p'],
  'the mode of 132 columns': ['\x1b[?3h', '\x1b[?3$p'],
  'the stack of keyboard flags': ['\x1b[>1u\x1b[>5u', '\x1b[<u\x1b[?u'],
  'keyboard flags of the other screen': ['\x1b[?1049h\x1b[>3u\x1b[?1049l', '\x1b[?1049h\x1b[?u'],
  modifyOtherKeys: ['\x1b[>4;2m', '\x1b[?4m'],
  colours: [
    '\x1b]4;1;#010203\x07\x1b]5;0;blue\x07\x1b]11;red\x07',
    '\x1b]4;1;?\x07\x1b]5;0;?\x07\x1b]11;?\x07',
  ],
  'the title': ['\x1b]2;one\x07', 'x'],
  'the stack of titles': ['\x1b]2;one\x07\x1b[22;0t\x1b]2;two\x07', '\x1b[23;0t'],
  'where a prompt is': ['\x1b]133;A\x07$ ', 'x'],
  'where a prompt is, in history': [`\x1b]133;A\x07$ ${'\r\n'.repeat(12)}`, 'x'],
  'half a notification': [`\x1b]99;i=1:d=0;Half${ST}`, `\x1b]99;i=1:p=body;rest${ST}`],
  'the size of a picture to be shown': [`\x1b_Ga=t,i=7,f=24,s=80,v=60;AAAA${ST}`, `\x1b_Ga=p,i=7${ST}`],
  'half a picture': [`\x1b_Ga=T,f=24,s=80,v=60,m=1;AAAA${ST}`, `\x1b_Gm=0;AAAA${ST}`],
  'what DECCARA changes': ['\x1b[2*x', '\x1b[1;2;2;3;1$r'],
  'directory, progress and prompt': ['\x1b]7;file:///tmp\x07\x1b]9;4;1;50\x07\x1b]133;D;3\x07', 'x'],
};

for (const [name, [before, after]] of Object.entries(REMEMBERED)) {
  test(`remembers ${name}`, () => {
    const original = written(before);
    original.told.length = 0;
    const second = restored(original.emulator);
    assert.is(outcome(second), outcome(original));
    for (const { emulator } of [original, second])
      emulator.write(typeof after === 'string' ? bytes(after) : after);
    assert.is(outcome(second), outcome(original));
    assert.is.not(outcome(original), outcome(written(after)), 'the second output tells of the first');
  });
}

/** An editor on the alternate screen, over a shell with history. */
const EDITOR =
  Array.from({ length: 30 }, (_, i) => `line ${i}\r\n`).join('') +
  '$ vim\x1b[?1049h\x1b[22;0t\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?1002;1006h\x1b[>4;2m\x1b[1;9r\x1b]2;file\x07' +
  '\x1b[1;1H\x1b[38;5;130m  1 \x1b[mtext 漢字 👩‍👩‍👧\x1b[9;1H\x1b[7mINSERT\x1b[m\x1b[2 q\x1b[1;6H';

test('an editor goes on where it was, and leaves the shell as it found it', () => {
  const original = written(EDITOR);
  original.told.length = 0;
  const second = restored(original.emulator);
  assert.ok(second.emulator.modes.alternateScreen);
  assert.is(second.emulator.modes.mouseTracking, 'drag');
  assert.match(captureLines(second.emulator).join('\n'), /text 漢字 👩‍👩‍👧/);
  for (const { emulator } of [original, second]) {
    emulator.write(bytes('typed\x1b[9;1H\n'));
    emulator.resize(60, 14);
    emulator.write(bytes('\x1b[?1049l\x1b[23;0t\x1b[?1l\x1b>'));
  }
  assert.is(outcome(second), outcome(original));
  assert.match(captureLines(second.emulator, { start: -Infinity }).join('\n'), /line 0\n(.*\n)*\$ vim/);
});

test('a log that is replayed from a checkpoint on leads to the same screen, and says nothing', () => {
  const log =
    '\x07\x1b[6n\x1b]52;c;aGk=\x07\x1b]9;done\x07\x1b]7;file:///srv\x07\x1b]2;later\x07\r\n'.repeat(20) +
    'end';
  const original = written('start');
  const second = restored(original.emulator);
  original.emulator.write(bytes(log));
  second.emulator.replay(bytes(log));
  assert.is(seenText(second.emulator), seenText(original.emulator));
  assert.equal(second.told, []);
  assert.is(second.emulator.said.cwd?.path, '/srv');
});

test('a program that watches light and dark hears of a change while nobody was there', () => {
  const original = written('\x1b[?2031h');
  const second = restored(original.emulator);
  second.emulator.setPalette({ ...DEFAULT_PALETTE, background: 0xffffff });
  assert.equal(second.told, ['\x1b[?997;2n']);
});

test('there is none inside a sequence or a string, and one after it', () => {
  const sequence = bytes('\x1b[31m\x1b]2;t\x07\x1bPtmux;\x1b\x1b[c\x1b\\\x1b_Ga=q\x1b\\x');
  const { emulator } = written('');
  const there = Array.from(sequence, byte => {
    emulator.write(Uint8Array.of(byte));
    return emulator.checkpoint() ? '+' : '-';
  });
  const text = Buffer.from(sequence).toString('latin1');
  const ends = [4, 10, text.indexOf('\x1b[c\x1b\\') + 4, text.length - 2, text.length - 1];
  assert.equal(
    there.flatMap((sign, i) => (sign === '+' ? [i] : [])),
    ends,
  );
});

test('nearly every chunk of a flood ends where there is one', () => {
  const { emulator } = written('');
  const flood = bytes('some line of a log, 漢字 and é as well\r\n'.repeat(4000));
  let count = 0;
  let there = 0;
  for (let at = 0; at < flood.length; at += 4093, count++) {
    emulator.write(flood.subarray(at, at + 4093));
    if (emulator.checkpoint()) there++;
  }
  assert.is(there, count);
});

test('without history the lines above are forgotten, and places keep their numbers', () => {
  const original = written(EDITOR, '\x1b[?1049l').emulator;
  const without = original.checkpoint({ history: false });
  assert.ok(without && without.length < original.checkpoint()!.length);
  const second = Emulator.restore(without);
  assert.is(second.historySize, 0);
  assert.is(second.scrolledRows, original.scrolledRows);
  assert.equal(captureLines(second), captureLines(original));
  assert.equal(second.anchor(3, 2), original.anchor(3, 2));
});

test('another limit of history holds at once', () => {
  const { emulator } = written('line\r\n'.repeat(60));
  const second = Emulator.restore(emulator.checkpoint()!, { historyLines: 7 });
  assert.is(second.historySize, 7);
});

test('lines go from a full history alike where it once held rows of another width', () => {
  const emulator = new Emulator({ cols: 3, rows: 1, historyLines: 3 });
  emulator.write(bytes('\x1bD\x1bD'));
  emulator.resize(2, 1);
  emulator.write(bytes('aabbcc'));
  const second = restored(emulator).emulator;
  for (const one of [emulator, second]) one.write(bytes('ddee'));
  assert.is(seenText(second), seenText(emulator));
});

test('a checkpoint is no more than the text and a little', () => {
  const { emulator } = written('x'.repeat(39) + '\r\n');
  assert.ok(emulator.checkpoint()!.length < 400);
});

test('an emulator that is no more has none', () => {
  const { emulator } = written('x');
  emulator.dispose();
  assert.is(emulator.checkpoint(), undefined);
});

test('the version of the package is the one that is installed', () => {
  const path = createRequire(import.meta.url).resolve('@xterm/headless/package.json');
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  assert.is(XTERM_VERSION, version);
});

test.run();
