import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BoundedPayload } from '../../lib/term/payload.ts';
import { Recorder } from './terminal.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('hostile output');
/** Far above what any of these takes when it is bounded, far below what it takes when it is not. */
const LIMIT_MS = 3000;

function quickly(output: string, repeat = 1): Recorder {
  const recorder = new Recorder();
  const started = cpuMs();
  for (let i = 0; i < repeat; i++) recorder.write(output);
  assert.ok(cpuMs() - started < LIMIT_MS, `${JSON.stringify(output.slice(0, 30))} took too long`);
  assert.equal(recorder.faults, []);
  return recorder;
}

for (const output of [
  'x\x1b[2147483647b',
  '\x1b[2147483647S',
  '\x1b[2147483647T',
  '\x1b[2147483647L',
  '\x1b[2147483647M',
  '\x1b[2147483647@',
  '\x1b[2147483647P',
  '\x1b[2147483647X',
  '\x1b[2147483647I',
  '\x1b[2147483647Z',
  '\x1b[2147483647 @',
  '\x1b[2147483647 A',
  "\x1b[2147483647'}",
  "\x1b[2147483647'~",
  '\x1b[2147483647;2147483647H',
  '\x1b[1;1;1;1;2147483647;2147483647*y',
]) {
  test(`a huge count costs no more than the screen: ${JSON.stringify(output)}`, () => {
    quickly(output, 20);
  });
}

for (const ident of [
  '0',
  '2',
  '8;',
  '9',
  '52;c',
  '99',
  '777',
  '4',
  '11',
  '104',
  '1337',
  '7501',
  '99999999999999',
]) {
  test(`an unterminated OSC ${ident} of a megabyte is bounded, and ends`, () => {
    const recorder = quickly(`\x1b]${ident};` + 'x'.repeat(1 << 20));
    recorder.write('x'.repeat(1 << 20)).write('\x1b\\ok');
    assert.equal(recorder.text(), ['ok']);
  });
}

test('an unterminated DCS or APC of a megabyte is bounded, and ends', () => {
  for (const start of ['\x1bP+q', '\x1bP$q', '\x1bPtmux;', '\x1b_G', '\x1b_x', '\x1b^', '\x1bX']) {
    const recorder = quickly(start + 'a'.repeat(1 << 20)).write('\x1b\\ok');
    assert.equal(recorder.text(), ['ok'], JSON.stringify(start));
  }
});

test('a payload keeps no more than its limit while it arrives', () => {
  let got: string | undefined;
  const data = Uint32Array.from({ length: 100 }, () => 0x1f600);
  const dropped = new BoundedPayload(50, text => (got = text));
  dropped.start();
  for (let i = 0; i < 10; i++) dropped.put(data, 0, 100);
  dropped.end(true);
  assert.is(got, undefined);
  const cut = new BoundedPayload(50, text => (got = text), true);
  cut.start();
  for (let i = 0; i < 10; i++) cut.put(data, 0, 100);
  cut.end(true);
  assert.is(got?.length, 50);
});

test('an aborted string is nothing', () => {
  const recorder = new Recorder().write('\x1b]2;title\x18\x1b]52;c;eA==\x1a\x1bP+q436f\x18ok');
  assert.equal(recorder.signals, []);
  assert.is(recorder.replies, '');
  assert.equal(recorder.text(), ['ok']);
});

test('the same link drawn for ever costs nothing more', () => {
  quickly('\x1b]8;;http://x/\x07link\x1b]8;;\x07\r'.repeat(2000), 10);
});

test('one link held open over much text is no slower', () => {
  quickly('\x1b]8;id=1;http://x/\x07' + 'text\r\n'.repeat(20_000));
});

test('marks without end are bounded', () => {
  quickly('e' + '\u0301'.repeat(200_000));
  quickly('\x1b[m\u0301'.repeat(50_000));
  quickly('👩‍'.repeat(50_000));
});

test('titles put away without end are bounded', () => {
  quickly('\x1b]2;' + 'x'.repeat(4000) + '\x07\x1b[22;2t', 500);
});

test.run();
