import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Frame } from '../../lib/frame/frame.ts';
import { composeChrome, composePane } from '../../lib/frame/compose.ts';
import { deriveCaps } from '../../lib/render/caps.ts';
import type { TerminalCaps } from '../../lib/render/caps.ts';
import { Renderer } from '../../lib/render/renderer.ts';
import { BG, COLOR, FG } from '../../lib/term/cell.ts';
import type { Extended } from '../../lib/term/cell.ts';
import {
  bareChrome,
  cellLine,
  describeCell,
  differences,
  frameOf,
  plainGlyphs,
  screen,
} from '../support/scene.ts';
import type { Glyph } from '../support/scene.ts';
import { outerScreen } from '../support/bare-terminal.ts';

const test = suite('terminals that can less');

const FOOT = deriveCaps({ term: 'foot' });
const extended = (given: Partial<Extended>): Extended => ({
  underlineStyle: 0,
  underlineColor: 0,
  link: '',
  linkId: '',
  ...given,
});

/** What a terminal shows of a line, cell by cell. */
function shown(caps: TerminalCaps, glyphs: readonly Glyph[], agrees = true): string[] {
  const frame = frameOf(screen(20, 2, [cellLine(glyphs)]));
  const terminal = outerScreen(20, 2, { like: agrees ? 'widths' : 'xterm' });
  terminal.write(new Renderer(caps).render(frame));
  return Array.from({ length: 20 }, (_, x) => describeCell(frameOf(terminal), x, 0));
}

const hex = (n: number): string => (n >>> 0).toString(16);

test('24-bit colours become the nearest of 256, of 16, or none', () => {
  const orange = plainGlyphs('x', COLOR.rgb | 0xff8800, COLOR.rgb | 0x010203);
  const cell = (colors: TerminalCaps['colors']): string => shown({ ...FOOT, colors }, orange)[0]!;
  assert.is(cell('truecolor'), `"x" w1 ${hex(COLOR.rgb | 0xff8800)} ${hex(COLOR.rgb | 0x010203)}`);
  assert.is(cell(256), `"x" w1 ${hex(COLOR.p256 | 208)} ${hex(COLOR.p256 | 16)}`);
  assert.is(cell(16), `"x" w1 ${hex(COLOR.p16 | 9)} ${hex(COLOR.p16)}`);
  assert.is(cell(0), '"x" w1 0 0');
});

test('two colours that become one stay readable', () => {
  const cell = shown(
    { ...FOOT, colors: 16 },
    plainGlyphs('x', COLOR.rgb | 0x050505, COLOR.rgb | 0x0a0a0a),
  )[0];
  assert.is(cell, `"x" w1 ${hex(COLOR.p16 | 15)} ${hex(COLOR.p16)}`);
});

test('a curly coloured underline becomes a plain one', () => {
  const wavy: Glyph = {
    ...plainGlyphs('x', FG.underline)[0]!,
    extended: extended({ underlineStyle: 3, underlineColor: COLOR.rgb | 0xff0000 }),
  };
  assert.match(shown(FOOT, [wavy])[0]!, / u3\/3ff0000 /);
  assert.is(shown({ ...FOOT, underlineStyles: false }, [wavy])[0], `"x" w1 ${hex(FG.underline)} 0`);
});

test('links, italics, strikethrough and overline are left out where they are not known', () => {
  const glyph: Glyph = {
    ...plainGlyphs('x', FG.strikethrough, BG.italic | BG.overline)[0]!,
    extended: extended({ link: 'https://example.com' }),
  };
  const caps = { ...FOOT, hyperlinks: false, italic: false, strikethrough: false, overline: false };
  assert.is(shown(caps, [glyph])[0], '"x" w1 0 0');
});

test('only ASCII reaches a terminal without UTF-8, and nothing moves', () => {
  const glyphs: Glyph[] = [
    ...plainGlyphs('┌─┐│'),
    { text: '漢', width: 2, fg: 0, bg: 0 },
    { text: '👍🏽', width: 2, fg: 0, bg: 0 },
    ...plainGlyphs('│'),
  ];
  const frame = frameOf(screen(20, 2, [cellLine(glyphs)]));
  const bytes = new Renderer({ ...FOOT, unicode: false, repeat: false }).render(frame);
  assert.ok(bytes.every(byte => byte < 0x7f));
  assert.match(Buffer.from(bytes).toString(), /\+-\+\|\?\?\?\?\|/);
});

test('borders stay in their columns on a terminal that measures emoji differently', () => {
  const emoji = ['🍌', '✅', '⚙️', '👩‍👩‍👧', '🇳🇴', '1️⃣', '🫨', 'e\u0301'];
  const rows = emoji.map(text => {
    const width = text === 'e\u0301' ? 1 : 2;
    return [{ text, width, fg: 0, bg: 0 } as Glyph, ...plainGlyphs('x'.repeat(10 - width) + '│ok')];
  });
  const frame = new Frame(20, rows.length);
  const chrome = bareChrome(20, rows.length);
  const renderer = new Renderer(FOOT);
  const terminal = outerScreen(20, rows.length, { like: 'xterm' });
  const draw = (lines: readonly (readonly Glyph[])[]): void => {
    composeChrome(frame, chrome);
    composePane(frame, chrome.spans, screen(20, rows.length, lines.map(cellLine)), 0);
    terminal.write(renderer.render(frame));
  };
  for (let n = 0; n < 50; n++) {
    // Every other frame turns the order around: what was there before must not stay.
    draw(n % 2 === 0 ? rows : rows.toReversed());
    const seen = frameOf(terminal);
    rows.forEach((_, y) => {
      const cells = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(x => describeCell(seen, x, y).slice(1, 2));
      assert.is(cells.join(''), 'xxxxxxxx│ok', `frame ${n}, row ${y}`);
    });
  }
});

test('nothing harmful inside a cell or a link reaches the terminal', () => {
  const bad: Glyph[] = [
    { text: 'a\u001b[2J', width: 1, fg: 0, bg: 0 },
    { text: '\u0007', width: 1, fg: 0, bg: 0 },
    { text: '\u009b', width: 1, fg: 0, bg: 0 },
    { text: 'b\u202e', width: 1, fg: 0, bg: 0 },
    { text: '\ud800', width: 1, fg: 0, bg: 0 },
    { ...plainGlyphs('c')[0]!, extended: extended({ link: 'https://x/\u001b\\\u001b[31m' }) },
    { ...plainGlyphs('d')[0]!, extended: extended({ link: 'https://x/', linkId: 'a:b;c' }) },
    { ...plainGlyphs('e')[0]!, extended: extended({ link: `https://x/${'y'.repeat(5000)}` }) },
  ];
  const bytes = Buffer.from(new Renderer(FOOT).render(frameOf(screen(20, 1, [cellLine(bad)])))).toString();
  assert.not.match(bytes, /\u001b\[2J|\u0007|\u009b|\u202e|\ufffd|31m|a:b|yyy/);
  assert.match(bytes, /\x1b\]8;;https:\/\/x\/\x1b\\/);
});

test('a screen of nothing but different links stays within a megabyte', () => {
  const glyph = (n: number): Glyph => ({
    ...plainGlyphs('x')[0]!,
    extended: extended({ link: `https://x/${n}/${'y'.repeat(1900)}` }),
  });
  const lines = Array.from({ length: 50 }, (_, y) =>
    cellLine(Array.from({ length: 200 }, (_x, x) => glyph(y * 200 + x))),
  );
  const frame = frameOf(screen(200, 50, lines));
  assert.ok(new Renderer(FOOT).render(frame).length < 1_000_000);
});

test('clusters and links survive their tables being emptied', () => {
  const terminal = outerScreen(8, 2);
  const renderer = new Renderer(FOOT);
  const frame = new Frame(8, 2);
  const chrome = bareChrome(8, 2);
  const draw = (cluster: string, link: string, typed: string): void => {
    const linked = plainGlyphs(`link${typed}`).map(glyph => ({ ...glyph, extended: extended({ link }) }));
    const lines = [cellLine([{ text: cluster, width: 1, fg: 0, bg: 0 }]), cellLine(linked)];
    composeChrome(frame, chrome);
    composePane(frame, chrome.spans, screen(8, 2, lines), 0);
    frame.cursor = { ...frame.cursor, x: linked.length, y: 1 };
    terminal.write(renderer.render(frame));
    assert.is(differences(frameOf(terminal), frame), '');
  };
  draw('e\u0301', 'https://a/', '');
  const old = [...frame.ext];
  for (let n = 0; n < 17_000; n++) frame.tables.cluster(`${String.fromCodePoint(0x4e00 + n)}\u0301`);
  // The same ids now stand for something else.
  draw('e\u0302', 'https://b/', '!');
  assert.is(frame.tables.generation, 1);
  assert.is(frame.ext[8], old[8]);
});

test('a pen in a link is not taken for one in another when ids start over', () => {
  const terminal = outerScreen(8, 1);
  const renderer = new Renderer(FOOT);
  const frame = new Frame(8, 1);
  const chrome = bareChrome(8, 1);
  const draw = (glyphs: Glyph[]): void => {
    composeChrome(frame, chrome);
    composePane(frame, chrome.spans, screen(8, 1, [cellLine(glyphs)]), 0);
    frame.cursor = { ...frame.cursor, x: glyphs.length };
    terminal.write(renderer.render(frame));
    assert.is(differences(frameOf(terminal), frame), '');
  };
  const linked = (text: string, link: string): Glyph[] =>
    plainGlyphs(text).map(glyph => ({ ...glyph, extended: extended({ link }) }));
  draw(linked('ab', 'https://a/'));
  for (let n = 0; n < 17_000; n++) frame.tables.cluster(`${String.fromCodePoint(0x4e00 + n)}\u0301`);
  draw(linked('abc', 'https://b/'));
});

test.run();
