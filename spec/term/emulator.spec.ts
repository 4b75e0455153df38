import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BG, CELL_WORDS, COLOR, FG, UNDERLINE } from '../../lib/term/cell.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import { LinkTable } from '../../lib/term/links.ts';
import { missingFields, openCore } from '../../lib/term/xterm-core.ts';
import { captureLines } from '../../lib/term/text-dump.ts';
import { cpuMs } from '../support/cpu.ts';
import { NO_MODES } from '../support/no-modes.ts';
import { bytes, Recorder } from './terminal.ts';

const test = suite('emulator');

test('bytes are on the screen when write returns', () => {
  const { emulator } = new Recorder();
  emulator.write(bytes('héllo\r\n漢'));
  assert.equal(captureLines(emulator).slice(0, 2), ['héllo', '漢']);
  assert.equal(emulator.cursor, { x: 2, y: 1, visible: true, shape: 'default', blink: false });
});

test('erasing the saved lines erases them in both forms of the sequence', () => {
  for (const erase of ['\x1b[3J', '\x1b[?3J']) {
    const { emulator } = new Recorder({ cols: 4, rows: 2 });
    emulator.write(bytes(`1\r\n2\r\n3\r\n4${erase}`));
    assert.is(emulator.historySize, 0, JSON.stringify(erase));
    assert.equal(captureLines(emulator), ['3', '4'], JSON.stringify(erase));
  }
});

test('marks turn into others where a window is resized: each stays on its letter', () => {
  const text = Array.from('abcdefghijklmnopqrstuvwxyz', (letter, n) =>
    n % 3 === 0 ? letter + String.fromCodePoint(0x300 + n) : letter,
  ).join('');
  const { emulator } = new Recorder({ cols: 30, rows: 12 });
  // The line with the cursor is the program's to draw anew.
  emulator.write(bytes(`${text}\r\n`));
  for (const cols of [12, 11, 8, 7, 4, 3, 17, 5, 26, 9, 30]) {
    emulator.resize(cols, 12);
    assert.is(captureLines(emulator).join('').trimEnd(), text, `${cols} columns`);
  }
});

test('of a wide character that a smaller window cuts through nothing is left, wherever its row is kept', () => {
  for (const rows of [1, 2]) {
    const { emulator } = new Recorder({ cols: 3, rows });
    emulator.write(bytes('a漢b'));
    emulator.resize(2, rows);
    emulator.resize(3, 2);
    assert.equal(captureLines(emulator), ['a', 'b'], `${rows} rows`);
  }
});

test('a window made one column wide and then wide again has lost nothing of its history', () => {
  const { emulator } = new Recorder({ cols: 20, rows: 10, historyLines: 30 });
  // The line with the cursor, the last one, is the program's to draw anew.
  const lines = [...Array.from({ length: 39 }, (_, n) => `line ${n} `.padEnd(20, '.')), ''];
  emulator.write(bytes(lines.join('\r\n')));
  const all = (): string[] => captureLines(emulator, { start: -emulator.historySize });
  assert.equal(all(), lines);
  for (const [cols, rows] of [
    [1, 1],
    [20, 10],
    [1, 10],
    [3, 1],
    [20, 10],
  ] as const)
    emulator.resize(cols, rows);
  assert.equal(all(), lines);
});

test('resizing at random hangs mux: no resize takes long, however much text there is', () => {
  const sizes = [
    [1, 1],
    [500, 200],
    [2, 3],
    [1, 60],
    [500, 200],
  ] as const;
  for (const text of [`${'y'.repeat(80)}\r\n`.repeat(50_000), 'x'.repeat(1_000_000)]) {
    const { emulator } = new Recorder({ cols: 500, rows: 200, historyLines: 50_000 });
    emulator.write(bytes(text));
    for (const [cols, rows] of sizes) {
      const start = cpuMs();
      emulator.resize(cols, rows);
      const took = cpuMs() - start;
      assert.ok(took < 1200, `${cols}×${rows} took ${took.toFixed(0)} ms`);
    }
  }
});

test('a rectangle that is copied leaves the marks beside it', () => {
  const { emulator } = new Recorder({ cols: 8, rows: 2 });
  // DECCRA of columns 1–2 of the first row to the second.
  emulator.write(bytes('abce\u0301\r\ndefe\u0300\x1b[1;1;1;2;1;2;1;1$v'));
  assert.equal(captureLines(emulator), ['abce\u0301', 'abfe\u0300']);
});

test('the sequence number grows with every change that can be seen', () => {
  const { emulator } = new Recorder();
  let last = emulator.seq;
  const grew = (what: string): void => {
    assert.ok(emulator.seq > last, what);
    last = emulator.seq;
  };
  for (const output of [
    'x',
    '\x1b[5;5H',
    '\x1b[?25l',
    '\x1b[?1049h',
    '\x1b]2;t\x07',
    '\x1b[?2026h',
    '\x1b[3 q',
  ]) {
    emulator.write(bytes(output));
    grew(JSON.stringify(output));
  }
  emulator.resize(70, 20);
  grew('resize');
  emulator.clearHistory();
  grew('clearHistory');
  emulator.setHistoryLines(5);
  grew('setHistoryLines');
  emulator.reset();
  grew('reset');
  emulator.write(new Uint8Array(0));
  assert.is(emulator.seq, last);
});

test('a line is read in place, with colours and attributes in the packed layout', () => {
  const { emulator } = new Recorder().write('\x1b[1;31;48;2;1;2;3mA\x1b[0;3;38;5;200mB');
  const line = emulator.line(0)!;
  assert.is(line.words, emulator.line(0)!.words);
  assert.is(line.words[1]! >>> 0, (COLOR.p16 | 1 | FG.bold) >>> 0);
  assert.is(line.words[2]! >>> 0, COLOR.rgb | 0x010203);
  assert.is(line.words[CELL_WORDS + 1]! >>> 0, COLOR.p256 | 200);
  assert.is(line.words[CELL_WORDS + 2]! >>> 0, BG.italic);
  assert.is(emulator.line(24), undefined);
  assert.is(emulator.line(-1), undefined);
  assert.is(emulator.line(NaN), undefined);
});

test('colours may be written with colons, with and without a colour space', () => {
  const { emulator } = new Recorder().write(
    '\x1b[38:2:1:2:3mA\x1b[38:2::4:5:6;48:5:7mB\x1b[0;38;5;59;58:2:9:8:7;4mC',
  );
  const line = emulator.line(0)!;
  assert.is(line.words[1], COLOR.rgb | 0x010203);
  assert.is(line.words[CELL_WORDS + 1], COLOR.rgb | 0x040506);
  assert.is(line.words[CELL_WORDS + 2], COLOR.p256 | 7);
  assert.is(line.words[2 * CELL_WORDS + 1]! & COLOR.rgb, COLOR.p256);
  assert.is(line.extended(2)!.underlineColor, COLOR.rgb | 0x090807);
});

test('underline styles and colours, and links, are told apart from each other', () => {
  const { emulator } = new Recorder().write(
    '\x1b[4:3;58;2;255;0;9mA\x1b[59mB\x1b[58:5:7mC\x1b[0m\x1b]8;id=x;http://a/;b\x07D\x1b[4mE\x1b]8;;\x07F\x1b[0mG\x1b[21;58:2::255:255:255mH',
  );
  const line = emulator.line(0)!;
  const style = UNDERLINE.curly;
  const none = { underlineColor: COLOR.default, link: '', linkId: '' };
  const link = { link: 'http://a/;b', linkId: 'x', underlineColor: COLOR.default };
  assert.equal(line.extended(0), { ...none, underlineStyle: style, underlineColor: COLOR.rgb | 0xff0009 });
  assert.equal(line.extended(1), { ...none, underlineStyle: style });
  assert.equal(line.extended(2), { ...none, underlineStyle: style, underlineColor: COLOR.p256 | 7 });
  assert.equal(line.extended(3), { ...link, underlineStyle: UNDERLINE.none });
  assert.is(line.words[3 * CELL_WORDS + 1]! & FG.underline, 0);
  assert.equal(line.extended(4), { ...link, underlineStyle: UNDERLINE.single });
  assert.is(line.words[6 * CELL_WORDS + 2]! & BG.hasExtended, 0);
  assert.equal(line.extended(7), {
    ...none,
    underlineStyle: UNDERLINE.double,
    underlineColor: COLOR.rgb | 0xffffff,
  });
});

test('a pending wrap leaves the cursor in the last column', () => {
  const { emulator } = new Recorder({ cols: 5 }).write('12345');
  assert.is(emulator.cursor.x, 4);
  emulator.write(bytes('6'));
  assert.equal([emulator.cursor.x, emulator.cursor.y], [1, 1]);
});

test('cursor shape, blinking and visibility follow DECSCUSR and DECTCEM', () => {
  const { emulator } = new Recorder();
  const cursor = (output: string): string => {
    emulator.write(bytes(output));
    const { shape, blink, visible } = emulator.cursor;
    return `${shape}${blink ? ' blinks' : ''}${visible ? '' : ' hidden'}`;
  };
  assert.is(cursor('\x1b[1 q'), 'block blinks');
  assert.is(cursor('\x1b[2 q'), 'block');
  assert.is(cursor('\x1b[3 q'), 'underline blinks');
  assert.is(cursor('\x1b[6 q\x1b[?25l'), 'bar hidden');
  assert.is(cursor('\x1b[!p'), 'default');
  assert.is(cursor('\x1b[?12h'), 'block blinks');
  assert.is(cursor('\x1b[!p'), 'default');
  assert.is(cursor('\x1b[5 q\x1b[?25l\x1b[?12h\x1bc'), 'default');
  assert.is(cursor('\x1b[5 q\x1b[0 q'), 'default');
});

test('modes are those the program set, and none after RIS', () => {
  const recorder = new Recorder();
  const before = recorder.emulator.modes;
  assert.equal(before, NO_MODES);
  recorder.write('\x1b[?1049h\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?1002h\x1b[?1006h\x1b[?2026h');
  assert.equal(recorder.emulator.modes, {
    alternateScreen: true,
    applicationCursor: true,
    applicationKeypad: true,
    bracketedPaste: true,
    focusReports: true,
    kittyFlags: 0,
    modifyOtherKeys: 0,
    mouseTracking: 'drag',
    mouseEncoding: 'sgr',
    alternateScroll: true,
    synchronized: true,
  });
  recorder.write('\x1b[?1003h\x1b[?1016h\x1b[?2026l');
  assert.is(recorder.emulator.modes.mouseTracking, 'any');
  assert.is(recorder.emulator.modes.mouseEncoding, 'sgr-pixels');
  assert.is(recorder.emulator.modes.synchronized, false);
  recorder.write('\x1bc');
  assert.equal(recorder.emulator.modes, before);
});

test('the alternate screen has no history and gives the other one back', () => {
  const recorder = new Recorder({ rows: 3 }).write('1\r\n2\r\n3\r\n4\r\n5');
  assert.is(recorder.emulator.historySize, 2);
  assert.equal(captureLines(recorder.emulator, { start: -2, end: 0 }), ['1', '2', '3']);
  recorder.write('\x1b[?1049hfull screen');
  assert.is(recorder.emulator.historySize, 0);
  assert.is(recorder.emulator.line(-1), undefined);
  recorder.write('\x1b[?1049l');
  assert.equal(recorder.text(), ['3', '4', '5']);
  assert.is(recorder.emulator.historySize, 2);
});

test('a narrower screen wraps lines again, and a wider one joins them', () => {
  const recorder = new Recorder({ cols: 12, rows: 5 }).write('abcdefghij\r\n漢字漢字\r\n$ ');
  recorder.emulator.resize(5, 5);
  assert.equal(captureLines(recorder.emulator, { start: 0, end: 4 }), [
    'abcde',
    'fghij',
    '漢字',
    '漢字',
    '$',
  ]);
  assert.is(recorder.emulator.cols, 5);
  recorder.emulator.resize(12, 5);
  assert.equal(captureLines(recorder.emulator, { start: -9, end: 4 }).slice(0, 3), [
    'abcdefghij',
    '漢字漢字',
    '$',
  ]);
});

test('a size out of bounds is moved into them', () => {
  const { emulator } = new Recorder({ cols: 0, rows: -3 });
  assert.equal([emulator.cols, emulator.rows], [2, 1]);
  emulator.resize(1e9, 0);
  assert.equal([emulator.cols, emulator.rows], [2000, 1]);
});

test('history is bounded, can be shortened, and can be cleared without touching the screen', () => {
  const recorder = new Recorder({ rows: 3, historyLines: 10 });
  recorder.write(Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\r\n'));
  assert.is(recorder.emulator.historySize, 10);
  recorder.emulator.setHistoryLines(4);
  assert.is(recorder.emulator.historySize, 4);
  assert.is(captureLines(recorder.emulator, { start: -4, end: -4 })[0], 'line 43');
  recorder.emulator.clearHistory();
  assert.is(recorder.emulator.historySize, 0);
  assert.equal(recorder.text(), ['line 47', 'line 48', 'line 49']);
  recorder.write('\r\nmore');
  assert.equal(recorder.text(), ['line 48', 'line 49', 'more']);
  assert.is(recorder.emulator.historySize, 1);
});

test('history can be cleared while a full-screen program runs', () => {
  const recorder = new Recorder({ rows: 2 }).write('1\r\n2\r\n3\r\n4\x1b[?1049h\x1b[Hvim');
  recorder.emulator.clearHistory();
  assert.equal(recorder.text(), ['vim']);
  recorder.write('\x1b[?1049l');
  assert.is(recorder.emulator.historySize, 0);
  assert.equal(recorder.text(), ['3', '4']);
});

test('reset leaves nothing behind', () => {
  const recorder = new Recorder().write(
    'text\x1b[31m\x1b[?1049h\x1b]2;t\x07\x1b[?25l\x1b[5 q\x1b]52;c;unfinished',
  );
  recorder.emulator.reset();
  assert.equal(recorder.dump(), new Recorder().dump());
  recorder.write('ok');
  assert.equal(recorder.text(), ['ok']);
});

test('a fault inside the parser is reported, and the emulator goes on', () => {
  const recorder = new Recorder();
  const original = String.fromCodePoint;
  String.fromCodePoint = () => {
    throw new Error('broken');
  };
  try {
    recorder.write('a\x1b]2;title');
  } finally {
    String.fromCodePoint = original;
  }
  assert.is(recorder.faults.length, 1);
  recorder.write('b\x1b]2;t\x07');
  assert.equal(recorder.text(), ['ab']);
  assert.is(recorder.emulator.title, 't');
  assert.is(recorder.faults.length, 1);
});

test('a disposed emulator ignores what comes, and disposing twice is harmless', () => {
  const recorder = new Recorder().write('x');
  recorder.emulator.dispose();
  recorder.emulator.dispose();
  recorder.write('\x07\x1b[c');
  recorder.emulator.resize(10, 10);
  recorder.emulator.setHistoryLines(3);
  recorder.emulator.reset();
  assert.equal(recorder.signals, []);
});

test('the private fields of xterm that mux needs are there, and a missing one is named', () => {
  const { core } = openCore({ cols: 10, rows: 2 });
  assert.equal(missingFields(core), []);
  const broken = { ...core, _inputHandler: { _parser: {} } };
  assert.ok(missingFields(broken).includes('_inputHandler.parse'));
  assert.ok(missingFields(undefined).includes('line._data'));
});

test('the same link is one link, and old links are forgotten at last', () => {
  const links = new LinkTable();
  const first = links.registerLink({ uri: 'http://a' });
  assert.is(links.registerLink({ uri: 'http://a' }), first);
  assert.is.not(links.registerLink({ id: '1', uri: 'http://a' }), first);
  for (let i = 0; i < 50_000; i++) links.registerLink({ uri: `http://host/${i}` });
  assert.ok(links.size < 20_000);
  assert.is(links.getLinkData(first), undefined);
});

test('cells of a forgotten link are plain', () => {
  const { emulator } = new Recorder().write('\x1b]8;;http://first\x07x\x1b]8;;\x07');
  assert.is(emulator.line(0)!.extended(0)?.link, 'http://first');
  let flood = '';
  for (let i = 0; i < 30_000; i++) flood += `\x1b]8;;http://host/${i}\x07`;
  emulator.write(bytes(flood));
  assert.is(emulator.line(0)!.extended(0)?.link, '');
});

test('an emulator is a screen view', () => {
  const view: { readonly seq: number; readonly title: string } = new Emulator({
    cols: 2,
    rows: 1,
    historyLines: 0,
  });
  assert.is(view.seq, 0);
  assert.is(view.title, '');
});

test.run();
