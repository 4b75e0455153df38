import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveCaps } from '../../lib/render/caps.ts';
import { nearest16, nearest256, paletteRgb } from '../../lib/base/palette.ts';
import { RESTORE } from '../../lib/client/restore.ts';
import { ColorMapper } from '../../lib/render/color.ts';
import { enterSequence, mouseSequence, titleSequence } from '../../lib/render/modes.ts';
import { COLOR } from '../../lib/term/cell.ts';
import { outerScreen } from '../support/bare-terminal.ts';

const test = suite('terminal capabilities, colours and modes');

test('names of terminals give their colours', () => {
  const colors = (term: string, colorterm?: string): unknown =>
    deriveCaps(colorterm === undefined ? { term } : { term, colorterm }).colors;
  assert.is(colors('xterm-256color'), 256);
  assert.is(colors('xterm-256color', 'truecolor'), 'truecolor');
  assert.is(colors('xterm-kitty'), 'truecolor');
  assert.is(colors('xterm-direct'), 'truecolor');
  assert.is(colors('xterm'), 16);
  assert.is(colors('linux'), 16);
  assert.is(colors('screen'), 16);
  assert.is(colors('vt220'), 0);
  assert.is(colors('xterm-mono'), 0);
  assert.is(colors('never-heard-of'), 16);
});

test('the program outside a nested multiplexer is not taken for the terminal', () => {
  assert.ok(deriveCaps({ term: 'xterm-256color', termProgram: 'WezTerm' }).synchronized);
  assert.not.ok(deriveCaps({ term: 'screen-256color', termProgram: 'WezTerm' }).synchronized);
});

test('features known better turn capabilities on and off, and unknown names do nothing', () => {
  const caps = deriveCaps({
    term: 'xterm-kitty',
    features: ['-sync', '256', 'repeat', 'flying', '-toString'],
  });
  assert.is(caps.synchronized, false);
  assert.is(caps.colors, 256);
  assert.is(caps.repeat, true);
});

test('a locale without UTF-8 counts whatever the terminal', () => {
  assert.is(deriveCaps({ term: 'xterm-kitty', termProgram: 'kitty', utf8: false }).unicode, false);
});

test('every palette entry from 16 on is its own nearest', () => {
  for (let index = 16; index < 256; index++) {
    assert.is(paletteRgb(nearest256(paletteRgb(index))), paletteRgb(index));
  }
});

test('dark and pale colours keep their hue with 16 colours', () => {
  assert.is(nearest16(0x600000), 1);
  assert.is(nearest16(0x00ff00), 10);
  assert.is(nearest16(0x000080), 4);
  assert.is(nearest16(0xffffff), 15);
  assert.is(nearest16(0x0a0a0a), 0);
});

test('palette colours below 16 are left alone at any depth but none', () => {
  assert.is(new ColorMapper(16).map(COLOR.p16 | 9), COLOR.p16 | 9);
  assert.is(new ColorMapper(256).map(COLOR.p256 | 99), COLOR.p256 | 99);
  assert.is(new ColorMapper(0).map(COLOR.p16 | 9), COLOR.default);
});

test('a terminal left is as it was found', () => {
  const caps = deriveCaps({ term: 'xterm-kitty' });
  const { terminal } = outerScreen(20, 4);
  const fresh = JSON.stringify(terminal.modes);
  const send = (text: string): void =>
    (terminal as unknown as { _core: { writeSync(text: string): void } })._core.writeSync(text);
  send('\x1b[?1049l\x1b[5;5Hhello');
  send(enterSequence(caps, { mouse: 'any' }));
  assert.is(terminal.buffer.active.type, 'alternate');
  assert.is(terminal.modes.mouseTrackingMode, 'any');
  assert.is(terminal.modes.wraparoundMode, false);
  assert.is(terminal.modes.bracketedPasteMode, true);
  assert.is(terminal.modes.sendFocusMode, true);
  send(mouseSequence('drag'));
  assert.is(terminal.modes.mouseTrackingMode, 'drag');
  send('\x1b[?2026h\x1b[2;3r\x1b[1;31m' + RESTORE);
  assert.is(terminal.buffer.active.type, 'normal');
  assert.is(JSON.stringify(terminal.modes), fresh);
});

test('leaving resets every mode that may be on', () => {
  const text = RESTORE;
  for (const mode of [1000, 1002, 1003, 1005, 1006, 1015, 1016, 2004, 1004, 2026, 2031, 1049]) {
    assert.ok(text.includes(`\x1b[?${mode}l`), String(mode));
  }
  for (const part of [
    '\x1b[?25h',
    '\x1b[0 q',
    '\x1b[<u',
    '\x1b[>4;0m',
    '\x1b[m',
    '\x1b]8;;\x1b\\',
    '\x1b[r',
    '\x1b[23;0t',
  ]) {
    assert.ok(text.includes(part), JSON.stringify(part));
  }
});

test('a title cannot carry control sequences, and is cut', () => {
  const caps = deriveCaps({ term: 'xterm-kitty' });
  assert.is(titleSequence(caps, 'a\x07b\x1b]0;c\u009cd'), '\x1b]2;ab]0;cd\x1b\\');
  assert.ok(titleSequence(caps, 'x'.repeat(5000)).length < 300);
  assert.is(titleSequence(deriveCaps({ term: 'linux' }), 'x'), '');
});

test.run();
