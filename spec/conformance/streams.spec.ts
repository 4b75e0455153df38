import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emulator } from '../../lib/term/emulator.ts';
import { captureLines } from '../../lib/term/text-dump.ts';
import { STREAMS } from './streams.ts';
import type { Stream } from './streams.ts';

const test = suite('streams of our own');

interface Result {
  readonly screen: string[];
  readonly cursor: string;
}

/** Plays a stream in pieces of `size` bytes. */
function play({ send, cols = 20, rows = 6 }: Stream, size: number): Result {
  const emulator = new Emulator({ cols, rows, historyLines: 100 });
  let cursor = '';
  emulator.onFault(fault => {
    throw fault;
  });
  const bytes = Buffer.from(send);
  for (let i = 0; i < bytes.length; i += size) emulator.write(bytes.subarray(i, i + size));
  emulator.onReply(reply => (cursor = Buffer.from(reply).toString()));
  emulator.write(Buffer.from('\x1b[6n'));
  const screen = captureLines(emulator);
  while (screen.at(-1) === '') screen.pop();
  return { screen, cursor };
}

for (const stream of STREAMS) {
  test(stream.name, () => {
    const whole = play(stream, stream.send.length * 4);
    assert.equal(whole.screen, stream.screen);
    if (stream.cursor) assert.is(whole.cursor, `\x1b[${stream.cursor.join(';')}R`);
    assert.equal(play(stream, 1), whole, 'byte by byte it ends otherwise');
  });
}

test.run();
