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
  '\x1b[65;1;1;2147483647;2147483647$x',
  '\x1b[1;1;2147483647;2147483647$z',
  '\x1b[1;1;2147483647;2147483647${',
  '\x1b[1;1;2147483647;2147483647;1;2;2;1$v',
  '\x1b[1;1;2147483647;2147483647;7$r',
  '\x1b[2147483647;1;1;1;7$t',
  '\x1b[2147483647^',
  '\x1b[?2147483647h\x1b[?2147483647$p',
  '\x1b]4;2147483647;?\x07\x1b]104;2147483647\x07',
  '\x1b[' + '9;'.repeat(5000) + 'H',
  '\x1b[' + '9'.repeat(5000) + 'H',
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

test('titles and links of a megabyte are cut or left out, and the text stays', () => {
  const long = 'x'.repeat(1 << 20);
  const recorder = quickly(`\x1b]2;${long}\x07\x1b]8;;http://${long}\x07link\x1b]8;;\x07`);
  assert.ok(recorder.emulator.title.length <= 4096);
  assert.equal(recorder.text(), ['link']);
});

test('bytes that are no UTF-8 are nothing or a sign for it, and what follows is text', () => {
  for (const broken of [
    [0xff],
    [0xc0, 0xaf],
    [0xe2, 0x82],
    [0xf5, 0x80, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0x80],
    [0xbf],
  ]) {
    const recorder = new Recorder();
    recorder.emulator.write(Uint8Array.from([...broken, 0x0d, 0x0a, 0x6f, 0x6b]));
    assert.equal(recorder.faults, []);
    assert.is(recorder.text().at(-1), 'ok', broken.join());
  }
});

test('lone C1 bytes are no controls, those in UTF-8 are', () => {
  for (let byte = 0x80; byte < 0xa0; byte++) {
    const raw = new Recorder();
    raw.emulator.write(Uint8Array.from([0x61, byte, 0x62, 0x0d, 0x0a, 0x6f, 0x6b]));
    assert.equal([raw.text().at(-1), raw.faults], ['ok', []], `raw ${byte}`);
    const encoded = new Recorder().write(`a${String.fromCodePoint(byte)}b\x1b\\\r\nok`);
    assert.equal([encoded.text().at(-1), encoded.faults], ['ok', []], `encoded ${byte}`);
  }
});

test('a row copied into itself again and again stays as long as it is', () => {
  const recorder = quickly('e\u0301' + '\x1b[1;1;1;1;1;1;11$v'.repeat(20_000));
  assert.equal(Object.keys(recorder.emulator.line(0)!.clusters), ['0', '10']);
});

test('copied cells leave the clusters beside them as they are', () => {
  // The first cell is copied to the sixth; what is in the third must not come into the eighth.
  const recorder = new Recorder().write('a.e\u0301....o\u0308.\x1b[1;1;1;1;1;1;6$v');
  assert.equal(recorder.text(), ['a.e\u0301..a.o\u0308.']);
});

test('a thousand resizes between 1×1 and 500×200 leave a screen that works', () => {
  const recorder = new Recorder({ historyLines: 200 });
  let seed = 7;
  const next = (most: number): number => 1 + ((seed = (seed * 48_271) % 2_147_483_647) % most);
  const started = cpuMs();
  for (let i = 0; i < 1000; i++) {
    recorder.write(`\x1b]133;A\x07$ 漢字 👩‍👩‍👧 line ${i} ${'.'.repeat(next(90))}\r\n\x1b7`);
    if (i % 7 === 0) recorder.write('\x1b[?1049h\x1b[5;5Hx');
    recorder.emulator.resize(next(500), next(200));
    if (i % 7 === 3) recorder.write('\x1b[?1049l\x1b8');
    const { cols, rows, cursor } = recorder.emulator;
    assert.ok(
      cursor.x < cols && cursor.y < rows && cursor.y >= 0,
      `${cursor.x},${cursor.y} in ${cols}×${rows}`,
    );
  }
  assert.ok(cpuMs() - started < 10 * LIMIT_MS, 'it took too long');
  assert.equal(recorder.faults, []);
  recorder.emulator.resize(80, 24);
  assert.equal(recorder.write('\x1bcok').text(), ['ok']);
});

test.run();
