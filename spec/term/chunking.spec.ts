import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bytes, Recorder } from './terminal.ts';

const test = suite('chunking');

const SEQUENCES = [
  'plain text ', '漢字', '👨‍👩‍👧', 'e\u0301', '–—…', '─│┌', '\r\n', '\n', '\r', '\b', '\t', '\x1b[31;1m', '\x1b[0m', '\x1b[4:3;58;2;1;2;3m',
  '\x1b[38;2;1;2;3m', '\x1b[5;5H', '\x1b[K', '\x1b[2J', '\x1b[3L', '\x1b[2M', '\x1b[4S', '\x1b[4T', '\x1b[9@', '\x1b[5P', '\x1b[40X', '\x1b[7b',
  '\x1b[2;9r', '\x1b[r', '\x1b[?6h', '\x1b[?6l', '\x1b[?7l', '\x1b[?7h', '\x1b[4h', '\x1b[4l', '\x1b7', '\x1b8', '\x1bM', '\x1bD', '\x1bc', '\x1b[!p',
  '\x1b[?1049h', '\x1b[?1049l', '\x1b[?2026h', '\x1b[?2026l', '\x1b[?25l', '\x1b[3 q', '\x1b]2;title 漢\x07', '\x1b]8;id=1;http://x/\x1b\\',
  '\x1b]8;;\x07', '\x1b]52;c;aGk=\x07', '\x1b]133;A\x07', '\x1b]9;4;1;50\x07', '\x1b]unknown', '\x1bP+q436f\x1b\\', '\x1bPtmux;\x1b\x1b[c\x1b\\',
  '\x1b(0lqk\x1b(B', '\x1b_Gi=1;x\x1b\\', '\x9b31m', '\x84', '\x18', '\x1a', '\x7f', '\x1b', '\x1b[', '\x1b[999999999;9999999999H',
  '\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;33;34m', '\x1b[c', '\x1b[6n',
]; // prettier-ignore

const sequence = fc.constantFrom(...SEQUENCES).map(bytes);
const garbage = fc.uint8Array({ maxLength: 12 });
const stream = fc.array(fc.oneof({ weight: 4, arbitrary: sequence }, { weight: 1, arbitrary: garbage }), {
  maxLength: 60,
});
const cuts = fc.array(fc.nat(), { maxLength: 12 });

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** The screen and answers after `data`, written in one piece or cut. Signals are merged by write, so not compared. */
function outcome(data: Uint8Array, at: readonly number[]): unknown {
  const recorder = new Recorder({ cols: 20, rows: 6, historyLines: 20 });
  let start = 0;
  const sorted = [...new Set(at.map(cut => cut % (data.length + 1)))].sort((a, b) => a - b);
  for (const end of [...sorted, data.length]) {
    recorder.emulator.write(data.subarray(start, end));
    start = end;
  }
  assert.equal(recorder.faults, []);
  return { screen: recorder.dump(), replies: recorder.replies };
}

test('any bytes give the same screen and the same answers however they are cut', () => {
  fc.assert(
    fc.property(stream, cuts, (parts, at) => {
      const data = joined(parts);
      assert.equal(outcome(data, at), outcome(data, []));
    }),
    { numRuns: 250 },
  );
});

test('one byte at a time is the same too', () => {
  fc.assert(
    fc.property(stream, parts => {
      const data = joined(parts);
      assert.equal(outcome(data, Array.from(data.keys())), outcome(data, []));
    }),
    { numRuns: 60 },
  );
});

test('random garbage is no fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4000 }), data => {
      const recorder = new Recorder({ cols: 20, rows: 6, historyLines: 20 });
      recorder.emulator.write(data);
      recorder.emulator.resize(7, 9);
      recorder.emulator.write(data);
      assert.equal(recorder.faults, []);
      recorder.emulator.reset();
      recorder.write('fine');
      assert.equal(recorder.text(), ['fine']);
    }),
    { numRuns: 100 },
  );
});

test('characters of two, three and four bytes survive a cut at every place', () => {
  const data = bytes('é – ─ \u2000漢\u0800 😀\u{10000}\u{40000}|');
  const whole = outcome(data, []);
  for (let cut = 0; cut <= data.length; cut++) assert.equal(outcome(data, [cut]), whole, String(cut));
  for (let cut = 0; cut < data.length; cut++) assert.equal(outcome(data, [cut, cut + 1]), whole, String(cut));
});

test.run();
