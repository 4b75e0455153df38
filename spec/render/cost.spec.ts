import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Frame } from '../../lib/frame/frame.ts';
import { composeChrome, composePane } from '../../lib/frame/compose.ts';
import { deriveCaps } from '../../lib/render/caps.ts';
import { Renderer } from '../../lib/render/renderer.ts';
import { COLOR, FG } from '../../lib/term/cell.ts';
import {
  bareChrome,
  cellLine,
  differences,
  frameOf,
  plainGlyphs,
  screen,
  textFrame,
} from '../support/scene.ts';
import type { Glyph } from '../support/scene.ts';
import { outerScreen } from '../support/bare-terminal.ts';

const test = suite('bytes of an update');

const KITTY = deriveCaps({ term: 'xterm-kitty' });
const log = (first: number, count: number): string[] =>
  Array.from(
    { length: count },
    (_, n) => `12:00:${first + n} worker[${(first + n) * 37}]: request served in ${first + n} ms`,
  );

/** A renderer that has drawn `frames`, and what the last took. */
function draw(caps = KITTY, ...frames: readonly Frame[]): { renderer: Renderer; text: string } {
  const renderer = new Renderer(caps);
  const terminal = outerScreen(frames[0]!.cols, frames[0]!.rows);
  let text = '';
  for (const frame of frames) {
    const bytes = renderer.render(frame);
    text = Buffer.from(bytes).toString();
    terminal.write(bytes);
    assert.is(differences(frameOf(terminal), frame), '', JSON.stringify(text));
  }
  return { renderer, text };
}

function at(frame: Frame, x: number, y: number): Frame {
  frame.cursor = { ...frame.cursor, x, y };
  return frame;
}

/** A frame of glyph rows. */
function glyphFrame(cols: number, rows: number, lines: readonly (readonly Glyph[])[]): Frame {
  const frame = frameOf(screen(cols, rows, lines.map(cellLine)));
  frame.cursor = { x: 0, y: 0, visible: true, shape: 'default', blink: false };
  return frame;
}

test('a typed character is one byte when the cursor stands there', () => {
  const { text } = draw(KITTY, at(textFrame(80, 24, ['$ l']), 3, 0), at(textFrame(80, 24, ['$ ls']), 4, 0));
  assert.is(text, 's');
});

test('a typed character is one byte in the last column too', () => {
  const { text } = draw(KITTY, at(textFrame(4, 3, ['abc']), 3, 0), at(textFrame(4, 3, ['abcd']), 3, 0));
  assert.is(text, 'd');
});

test('a character erased by backspace takes three bytes', () => {
  const { text } = draw(KITTY, at(textFrame(80, 24, ['$ ls']), 4, 0), at(textFrame(80, 24, ['$ l']), 3, 0));
  assert.is(text, '\b \b');
});

test('the same picture drawn again is nothing', () => {
  const { text } = draw(KITTY, textFrame(80, 24, log(0, 24)), textFrame(80, 24, log(0, 24)));
  assert.is(text, '');
});

test('a pen in another colour is used again for a character in the same colour', () => {
  const red = COLOR.p16 | 1;
  const { text } = draw(
    KITTY,
    at(glyphFrame(20, 3, [plainGlyphs('ab', red)]), 2, 0),
    at(glyphFrame(20, 3, [plainGlyphs('abc', red)]), 3, 0),
  );
  assert.is(text, 'c');
});

test('one line scrolling through a full screen is a scroll and the new line', () => {
  const next = log(49, 1)[0]!;
  const first = at(textFrame(200, 50, log(0, 49)), 0, 49);
  const { text } = draw(KITTY, first, at(textFrame(200, 50, log(1, 49)), 0, 49));
  assert.ok(text.length <= next.length + 60, JSON.stringify(text));
});

test('the second line scrolling between fixed rows does not set the region again', () => {
  const frame = (n: number): Frame => at(textFrame(80, 24, ['1 shell', ...log(n, 22), '^B ? keys']), 0, 22);
  const { text } = draw(KITTY, frame(0), frame(1), frame(2));
  assert.is(text, `\x1b[S${log(23, 1)[0]!}\r`);
});

test('a line taken out in the middle moves the lines below up', () => {
  const lines = log(0, 40);
  const without = lines.filter((_, n) => n !== 10);
  const { text } = draw(KITTY, textFrame(100, 50, lines), textFrame(100, 50, without));
  assert.ok(text.length < 60, JSON.stringify(text));
});

test('text scrolling down is a scroll too, on a terminal without SD as well', () => {
  for (const caps of [KITTY, { ...KITTY, scroll: false }]) {
    const { text } = draw(caps, textFrame(100, 40, log(10, 40)), textFrame(100, 40, log(9, 40)));
    assert.ok(text.length < 110, JSON.stringify(text));
  }
});

test('lines with links scroll like any others', () => {
  const link = (n: number): Glyph[] =>
    plainGlyphs(`see pull request ${n} for more`).map(glyph => ({
      ...glyph,
      extended: { underlineStyle: 0, underlineColor: 0, link: `https://example.com/${n}`, linkId: '' },
    }));
  const frame = new Frame(60, 20);
  const chrome = bareChrome(60, 20);
  const renderer = new Renderer(KITTY);
  const terminal = outerScreen(60, 20);
  let bytes = new Uint8Array(0);
  for (const first of [0, 1]) {
    const lines = Array.from({ length: 20 }, (_, y) => cellLine(link(first + y)));
    composeChrome(frame, chrome);
    composePane(frame, chrome.spans, screen(60, 20, lines), 0);
    bytes = new Uint8Array(renderer.render(frame));
    terminal.write(bytes);
    assert.is(differences(frameOf(terminal), frame), '');
  }
  assert.ok(bytes.length < 120, Buffer.from(bytes).toString());
});

test('clearing the screen erases it at once', () => {
  const { text } = draw(KITTY, textFrame(80, 24, log(0, 24)), textFrame(80, 24, ['$ ']));
  assert.ok(text.length < 30, JSON.stringify(text));
});

test('the tail of a row is erased, not overwritten with blanks', () => {
  const { text } = draw(KITTY, textFrame(80, 24, ['a'.repeat(70)]), textFrame(80, 24, ['aa']));
  assert.is(text, 'aa\x1b[K\r');
});

test('blanks between two words that stay are erased in place', () => {
  const frame = (middle: string): Frame => textFrame(80, 24, [`left ${middle.padEnd(40)} right`]);
  const { text } = draw(KITTY, frame('x'.repeat(40)), frame(''));
  assert.is(text, '\x1b[5C\x1b[40X\r');
});

test('a short unchanged gap is written again instead of skipped', () => {
  const { text } = draw(KITTY, textFrame(80, 24, ['a--b']), textFrame(80, 24, ['A--B']));
  assert.is(text, 'A--B\r');
});

test('a rule is one character and a repetition where the terminal can', () => {
  const frame = textFrame(80, 24, ['─'.repeat(78)]);
  const { text } = draw({ ...KITTY, repeat: true }, textFrame(80, 24, []), frame);
  assert.is(text, '─\x1b[77b\r');
});

test('attributes change by the shorter of difference and reset', () => {
  const bold = plainGlyphs('b', COLOR.p16 | 2 | FG.bold);
  const frame = glyphFrame(20, 2, [[...plainGlyphs('a', COLOR.p16 | 2), ...bold, ...plainGlyphs('c')]]);
  assert.is(draw(KITTY, textFrame(20, 2, []), frame).text, '\x1b[32ma\x1b[1mb\x1b[mc\r');
});

test('a blank between two coloured words does not change the pen', () => {
  const red = COLOR.p16 | 1;
  const frame = glyphFrame(20, 2, [
    [...plainGlyphs('ab', red), ...plainGlyphs(' '), ...plainGlyphs('cd', red)],
  ]);
  assert.is(draw(KITTY, textFrame(20, 2, []), frame).text, '\x1b[31mab cd\r');
});

test('only a long update is synchronized, and then the cursor is not hidden', () => {
  const { renderer, text } = draw(KITTY, textFrame(80, 24, []), textFrame(80, 24, log(0, 24)));
  assert.match(text, /^\x1b\[\?2026h.*\x1b\[\?2026l$/s);
  assert.not.match(text, /\?25/);
  assert.not.match(Buffer.from(renderer.render(textFrame(80, 24, [...log(0, 23), '!']))).toString(), /2026/);
});

test('without synchronized output the cursor is hidden while a long update is drawn', () => {
  const caps = { ...KITTY, synchronized: false };
  const { text } = draw(caps, textFrame(80, 24, []), textFrame(80, 24, log(0, 24)));
  assert.match(text, /^\x1b\[\?25l.*\x1b\[\?25h$/s);
});

test('the cursor shape is set only when it changes', () => {
  const renderer = new Renderer(KITTY);
  const frame = textFrame(10, 2, []);
  const shown = (shape: 'default' | 'bar', blink: boolean): string => {
    frame.cursor = { ...frame.cursor, shape, blink };
    return Buffer.from(renderer.render(frame)).toString();
  };
  assert.not.match(shown('default', false), / q/);
  assert.is(shown('bar', true), '\x1b[5 q');
  assert.is(shown('bar', true), '');
  assert.is(shown('default', false), '\x1b[0 q');
});

test('a change in one of two panes side by side touches its half only', () => {
  const frame = new Frame(81, 20);
  const half = (pane: number, x: number) =>
    Array.from({ length: 20 }, (_, y) => ({ y, x, width: 40, pane, paneX: 0, paneY: y }));
  const chrome = bareChrome(81, 20, [...half(1, 0), ...half(2, 41)]);
  const view = (lines: readonly string[]) =>
    screen(
      40,
      20,
      lines.map(line => cellLine(plainGlyphs(line))),
    );
  const compose = (right: readonly string[]): Frame => {
    composeChrome(frame, chrome);
    composePane(frame, chrome.spans.slice(0, 20), view(log(0, 20).map(line => line.slice(0, 40))), 0);
    composePane(frame, chrome.spans.slice(20), view(right), 0);
    return frame;
  };
  const renderer = new Renderer(KITTY);
  renderer.render(compose(['$ ']));
  assert.is(Buffer.from(renderer.render(compose(['$ x']))).toString(), '\x1b[43Cx\r');
});

test.run();
