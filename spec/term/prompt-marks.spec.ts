import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Recorder } from './terminal.ts';

const test = suite('prompt marks');
const PROMPT = '\x1b]133;A\x07$ ';

/** First words of the lines that are marked, history first. */
function marked({ emulator }: Recorder): string[] {
  const found: string[] = [];
  for (let y = -emulator.historySize; y < emulator.rows; y++) {
    const line = emulator.line(y);
    if (!line?.isPrompt) continue;
    const codes = Array.from({ length: emulator.cols }, (_, x) => line.words[x * 3]! & 0x1fffff);
    found.push(String.fromCodePoint(...codes.map(code => code || 0x20)).trim());
  }
  return found;
}

test('the line on which a prompt starts is marked, in any terminator', () => {
  const recorder = new Recorder({ cols: 20, rows: 5 }).write(
    `${PROMPT}one\r\nout\r\n\x1b]133;A;cl=m\x1b\\$ two\r\n\x1b]133;C\x07out`,
  );
  assert.equal(marked(recorder), ['$ one', '$ two']);
});

test('marks go up with their lines, and are gone with them', () => {
  const recorder = new Recorder({ cols: 20, rows: 3, historyLines: 4 });
  for (let i = 0; i < 5; i++) recorder.write(`${PROMPT}${i}\r\nout\r\n`);
  assert.equal(marked(recorder), ['$ 2', '$ 3', '$ 4']);
  recorder.write('x\r\n'.repeat(20));
  assert.equal(marked(recorder), []);
});

test('marks stay with their text when lines are wrapped anew', () => {
  const recorder = new Recorder({ cols: 20, rows: 6 }).write(
    `${PROMPT}abcdefghijkl\r\nout\r\n${PROMPT}two\r\n`,
  );
  recorder.emulator.resize(8, 6);
  assert.equal(marked(recorder), ['$ abcdef', '$ two']);
  recorder.emulator.resize(30, 6);
  assert.equal(marked(recorder), ['$ abcdefghijkl', '$ two']);
});

test('an erased screen has no marks, and the alternate screen gets none', () => {
  const recorder = new Recorder({ cols: 20, rows: 6 }).write(`${PROMPT}one\r\n${PROMPT}two`);
  recorder.write('\x1b[H\x1b[2J');
  assert.equal(marked(recorder), []);
  recorder.write(`\x1b[?1049h${PROMPT}`);
  assert.equal(marked(recorder), []);
});

test.run();
