/**
 * What a checkpoint's bytes are is said by FORMAT: a server of today may find those of yesterday.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FORMAT, sumOf } from '../../../lib/term/checkpoint/envelope.ts';
import { Emulator } from '../../../lib/term/emulator.ts';
import { bytes } from '../terminal.ts';

const test = suite('format of a checkpoint');

/** Something of everything that is written. */
const OUTPUT =
  '\x1b]8;id=1;http://a/\x07link\x1b]8;;\x07 \x1b[4:3;58:5:9m漢字 e\u0301\x1b[m\x1b[44m \x1b[m\r\n\x1b]133;A\x07$ '.repeat(
    9,
  ) +
  '\x1b]4;1;red\x07\x1b[?2031h\x1b]2;title\x07\x1b[22;0t\x1b[>5u\x1b]7;file:///tmp\x07\x1b]9;4;1;50\x07\x1b]133;D;1\x07' +
  '\x1b]99;i=1:d=0;Half\x1b\\\x1b_Ga=t,i=7,f=24,s=80,v=60;AAAA\x1b\\\x1b_Ga=T,s=8,v=6,m=1;AAAA\x1b\\' +
  '\x1b[?1002;1006h\x1b[5 q\x1b[2;4r\x1b[?1049h\x1b(0above\x1b7\x1b[3g\x1b[5G\x1bH\x1b[1;31m👩\u200d';

test('is another with every change of its bytes', () => {
  const emulator = new Emulator({ cols: 20, rows: 5, historyLines: 50 });
  emulator.write(bytes(OUTPUT));
  const checkpoint = emulator.checkpoint()!;
  assert.equal(
    { format: FORMAT, bytes: checkpoint.length, sum: sumOf(checkpoint) },
    { format: 2, bytes: 1432, sum: 1227238428 },
    'raise FORMAT in lib/term/checkpoint/envelope.ts, then write here what is now',
  );
});

test.run();
