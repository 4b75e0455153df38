/**
 * Modes that outlive their program.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_MODES } from '../support/no-modes.ts';
import { Recorder } from './terminal.ts';

const test = suite('modes that outlive their program');

/** Everything that an agent or an editor may ask for. */
const ALL =
  '\x1b[?1049h\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[?1h\x1b=\x1b[?2031h\x1b[?2048h' +
  '\x1b[>31u\x1b[>4;2m\x1b[?25l\x1b[?7l\x1b[?2026h\x1b[?5h\x1b[4h\x1b[?6h\x1b[2;5r';

test('what a command has set ends with it: OSC 133 D gives the shell its terminal back', () => {
  const recorder = new Recorder().write('$ ');
  recorder.write('\x1b]133;C\x07').write(ALL);
  assert.is(recorder.emulator.modes.mouseTracking, 'any');
  recorder.write('\x1b]133;D;137\x07\x1b]133;A\x07$ ');
  assert.equal(recorder.emulator.modes, NO_MODES);
  assert.is(recorder.emulator.modeSet, 0);
  assert.is(recorder.emulator.cursor.visible, true);
  assert.is(recorder.emulator.colors, undefined);
  assert.equal(recorder.text(), ['$ $']);
});

test('what the shell had set before stays, and what it sets for its own line', () => {
  const recorder = new Recorder().write('\x1b[?1h\x1b[=5u\x1b]133;C\x07\x1b[?1004h\x1b[?2004h\x1b]133;D\x07');
  recorder.write('\x1b[?2004h\x1b]133;A\x07');
  const { applicationCursor, kittyFlags, focusReports, bracketedPaste } = recorder.emulator.modes;
  assert.equal([applicationCursor, kittyFlags, focusReports, bracketedPaste], [true, 5, false, true]);
});

test('a command that is not over is left alone, whatever it says of prompts', () => {
  const recorder = new Recorder().write('\x1b]133;C\x07\x1b[?1049h\x1b[?1000h\x1b]133;A\x07\x1b]133;B\x07');
  assert.is(recorder.emulator.modes.alternateScreen, true);
  assert.is(recorder.emulator.modes.mouseTracking, 'press');
});

test('whoever knows the dead drops what is theirs, while a prompt begins', () => {
  const recorder = new Recorder();
  const { emulator } = recorder.write('shell').write(ALL);
  const left = emulator.modeSet;
  let begun = 0;
  emulator.onLineEdit(() => {
    begun++;
    emulator.dropModes(left);
  });
  recorder.write('Killed\r\n\x1b[?2004h$ ');
  assert.is(begun, 1);
  assert.equal(emulator.modes, { ...NO_MODES, bracketedPaste: true });
  assert.equal(recorder.text(), ['shell$']);
});

test('margins, wrapping, insert and origin mode on the normal screen are taken back too, the cursor where it is', () => {
  const recorder = new Recorder({ cols: 20, rows: 6 }).write('\x1b[2;4r\x1b[?6h\x1b[4h\x1b[?7l\x1b[2;3Hx');
  const { emulator } = recorder;
  const before = emulator.cursor;
  emulator.dropModes(emulator.modeSet);
  assert.is(emulator.modeSet, 0);
  assert.equal(emulator.cursor, before);
  recorder.write('\x1b[6;1Hlast\nnext');
  assert.equal(recorder.text().slice(-2), ['last', '    next']);
});

test('in-band resize reports (mode 2048) are sent when asked for and whenever the size changes, until they are not', () => {
  const recorder = new Recorder({ cols: 80, rows: 24 }).write('\x1b[?2048h\x1b[?2048$p');
  assert.is(recorder.replies, '\x1b[48;24;80;384;640t\x1b[?2048;1$y');
  recorder.replies = '';
  recorder.emulator.resize(100, 30);
  recorder.emulator.resize(100, 30);
  assert.is(recorder.replies, '\x1b[48;30;100;480;800t');
  recorder.write('\x1b[?2048l').emulator.resize(80, 24);
  assert.is(recorder.replies, '\x1b[48;30;100;480;800t');
});

test('the mouse encoding set last holds, as in xterm', () => {
  const recorder = new Recorder();
  for (const [output, encoding] of [
    ['\x1b[?1005h', 'utf8'],
    ['\x1b[?1015h', 'urxvt'],
    ['\x1b[?1006h', 'sgr'],
    ['\x1b[?1015h', 'urxvt'],
    ['\x1b[?1015l', 'default'],
    ['\x1b[?1015h\x1b[?1006h\x1b[?1015l', 'sgr'],
    ['\x1b[?1005h\x1bc', 'default'],
  ] as const) {
    recorder.write(output);
    assert.is(recorder.emulator.modes.mouseEncoding, encoding, output);
  }
});

test('the wheel is arrows on the alternate screen unless a program says otherwise (mode 1007)', () => {
  const recorder = new Recorder().write('\x1b[?1007$p\x1b[?1007l\x1b[?1007$p');
  assert.is(recorder.replies, '\x1b[?1007;1$y\x1b[?1007;2$y');
  assert.is(recorder.emulator.modes.alternateScroll, false);
  assert.is(recorder.write('\x1bc').emulator.modes.alternateScroll, true);
});

test.run();
