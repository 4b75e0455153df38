import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChromeCells, PaneSpan } from '../../lib/chrome/view.ts';
import { composeChrome, composeCursor, composePane } from '../../lib/frame/compose.ts';
import { Frame } from '../../lib/frame/frame.ts';
import { BG, CELL_WORDS, COLOR, FG } from '../../lib/term/cell.ts';
import type { CellLine, Extended } from '../../lib/term/cell.ts';
import type { ScreenView } from '../../lib/term/screen-view.ts';
import { bareChrome, cellLine, describeCell, frameOf, plainGlyphs, screen } from '../support/scene.ts';
import type { Glyph } from '../support/scene.ts';

const test = suite('composing frames');

const wide = (text: string): Glyph => ({ text, width: 2, fg: 0, bg: 0 });
const textLine = (text: string): CellLine => cellLine(plainGlyphs(text));
const BLANK_CELL = '" " w1 0 0';

/** Characters of a row, blanks as dots, right halves of wide characters as `<`. */
function row(frame: Frame, y: number): string {
  return Array.from({ length: frame.cols }, (_, x) => {
    const text = JSON.parse(describeCell(frame, x, y).split(' w')[0]!) as string;
    return text === ' ' ? '.' : text === '\0' ? '<' : text;
  }).join('');
}

function compose(frame: Frame, chrome: ChromeCells, view: ScreenView, offset = 0): void {
  composeChrome(frame, chrome);
  composePane(frame, chrome.spans, view, offset);
}

const span = (y: number, x: number, width: number, paneX: number, paneY: number): PaneSpan => ({
  y,
  x,
  width,
  pane: 1,
  paneX,
  paneY,
});

test('chrome and panes stand where they belong', () => {
  const frame = new Frame(8, 3);
  const chrome = {
    ...bareChrome(8, 3, [span(1, 1, 3, 0, 0), span(2, 1, 3, 0, 1)]),
    lines: [textLine('tabs'), textLine('|   |xyz'), textLine('|   |')],
  };
  compose(frame, chrome, screen(3, 2, [textLine('abc'), textLine('de')]));
  assert.equal(
    [0, 1, 2].map(y => row(frame, y)),
    ['tabs....', '|abc|xyz', '|de.|...'],
  );
});

test('a span may show a part of a pane, and what is outside the pane is blank', () => {
  const frame = new Frame(6, 2);
  compose(
    frame,
    bareChrome(6, 2, [span(0, 0, 6, 2, 1), span(1, 0, 6, 0, 5)]),
    screen(5, 2, [textLine('abcde'), textLine('fghij')]),
  );
  assert.equal([row(frame, 0), row(frame, 1)], ['hij...', '......']);
});

test('wide characters cut by an edge of the span become blanks', () => {
  const frame = new Frame(3, 1);
  compose(
    frame,
    bareChrome(3, 1, [span(0, 0, 3, 1, 0)]),
    screen(6, 1, [cellLine([wide('漢'), ...plainGlyphs('a'), wide('字')])]),
  );
  assert.is(row(frame, 0), '.a.');
});

test('history is shown when scrolled back', () => {
  const lines: Record<number, CellLine> = { [-2]: textLine('h2'), [-1]: textLine('h1'), 0: textLine('s0') };
  const view: ScreenView = { ...screen(2, 2, []), historySize: 2, line: y => lines[y] };
  const frame = new Frame(2, 2);
  compose(frame, bareChrome(2, 2), view, 2);
  assert.equal([row(frame, 0), row(frame, 1)], ['h2', 'h1']);
});

test('cells that look alike are equal bit by bit', () => {
  const alike = (...glyphs: Glyph[]): void => {
    const frame = frameOf(screen(glyphs.length, 1, [cellLine(glyphs)]));
    const words = glyphs.map((_, x) => frame.cells.slice(x * CELL_WORDS, x * CELL_WORDS + CELL_WORDS).join());
    assert.is(new Set(words).size, 1, words.join(' / '));
    assert.is(new Set(frame.ext.slice(0, glyphs.length)).size, 1);
  };
  const glyph = (text: string, fg: number, bg: number): Glyph => ({ text, width: 1, fg: fg >>> 0, bg });
  const none: Extended = { underlineStyle: 3, underlineColor: COLOR.rgb | 1, link: '', linkId: '' };
  const single: Extended = { underlineStyle: 1, underlineColor: 0, link: '', linkId: '' };
  alike(glyph('', 0, 0), glyph(' ', 0, 0), glyph(' ', FG.bold | COLOR.p16 | 1, BG.italic | BG.isProtected), {
    ...glyph(' ', 0, 0),
    extended: none,
  });
  alike(glyph('a', 0, 0), glyph('a', 0x123456, 0xabc), glyph('a', 0, BG.isProtected), {
    ...glyph('a', 0, 0),
    extended: none,
  });
  alike(glyph('a', COLOR.p16 | 3, 0), glyph('a', COLOR.p256 | 3, 0), glyph('a', COLOR.p16 | 0xff0003, 0));
  alike(glyph('a', FG.underline, 0), { ...glyph('a', FG.underline, 0), extended: single });
  alike(glyph(' ', COLOR.p16 | 3, COLOR.p256 | 200), glyph('', 0, COLOR.p256 | 200));
});

test('what shows on a blank is kept', () => {
  const look = (fg: number, bg: number): string =>
    describeCell(frameOf(screen(1, 1, [cellLine([{ text: ' ', width: 1, fg, bg }])])), 0, 0);
  const red = COLOR.p16 | 1;
  for (const [fg, bg] of [
    [FG.inverse | red, 0],
    [FG.underline | red, 0],
    [FG.strikethrough + red, 0],
    [red, BG.overline],
    [0, red],
  ] as const)
    assert.not.equal(look(fg, bg), BLANK_CELL, `${fg} ${bg}`);
});

test('a highlight inverts cells, takes wide characters whole, and goes without a trace', () => {
  const frame = new Frame(6, 1);
  const chrome = bareChrome(6, 1);
  const view = screen(6, 1, [cellLine([...plainGlyphs('a'), wide('漢'), ...plainGlyphs('b c')])]);
  compose(frame, chrome, view);
  const before = frame.cells.slice();
  composePane(frame, chrome.spans, view, 0, [{ y: 0, x0: 2, x1: 5 }]);
  const inverted = [0, 1, 2, 3, 4, 5].filter(x => frame.cells[x * CELL_WORDS + 1]! & FG.inverse);
  assert.equal(inverted, [1, 2, 3, 4]);
  composePane(frame, chrome.spans, view, 0);
  assert.equal(frame.cells, before);
});

test('a popup that closes gives back the pane under it', () => {
  const frame = new Frame(4, 1);
  const view = screen(4, 1, [textLine('abcd')]);
  const open = { ...bareChrome(4, 1, [span(0, 0, 1, 0, 0), span(0, 3, 1, 3, 0)]), lines: [textLine(' ## ')] };
  compose(frame, bareChrome(4, 1), view);
  compose(frame, open, view);
  assert.is(row(frame, 0), 'a##d');
  compose(frame, bareChrome(4, 1), view);
  assert.is(row(frame, 0), 'abcd');
});

test('a cluster whose text alone changes is noticed', () => {
  const frame = new Frame(2, 1);
  const chrome = bareChrome(2, 1);
  const line = cellLine([{ text: 'e\u0301', width: 1, fg: 0, bg: 0 }, ...plainGlyphs('x')]);
  compose(frame, chrome, screen(2, 1, [line]));
  (line.clusters as Record<number, string>)[0] = 'e\u0302';
  compose(frame, chrome, screen(2, 1, [line]));
  assert.is(row(frame, 0), 'e\u0302x');
});

test('composing chrome says whether panes must be composed again', () => {
  const frame = new Frame(3, 1);
  const chrome = bareChrome(3, 1);
  assert.ok(composeChrome(frame, chrome));
  assert.is(composeChrome(frame, chrome), undefined);
  for (let n = 0; n < 17_000; n++) frame.tables.cluster(`${String.fromCodePoint(0x4e00 + n)}\u0301`);
  assert.ok(composeChrome(frame, chrome));
});

test('rows that did not change are not touched', () => {
  const frame = new Frame(3, 2);
  const chrome = bareChrome(3, 2);
  const lines = [textLine('abc'), textLine('def')];
  compose(frame, chrome, screen(3, 2, lines));
  const stamps = [...frame.stamps];
  lines[1] = textLine('dxf');
  compose(frame, chrome, screen(3, 2, lines));
  assert.is(frame.stamps[0], stamps[0]);
  assert.ok(frame.stamps[1]! > stamps[1]!);
});

test('the cursor stands at the caret, else where the pane shows through, else nowhere', () => {
  const frame = new Frame(10, 4);
  const chrome = bareChrome(10, 4, [span(1, 2, 4, 1, 0), span(2, 2, 4, 1, 1)]);
  const at = (x: number, y: number, historyOffset = 0): unknown => {
    const view = { ...screen(8, 4, []), cursor: { x, y, visible: true, shape: 'bar' as const, blink: true } };
    composeCursor(frame, chrome, { pane: 1, view, historyOffset });
    return frame.cursor.visible ? [frame.cursor.x, frame.cursor.y] : 'hidden';
  };
  assert.equal(at(1, 0), [2, 1]);
  assert.equal(at(4, 1), [5, 2]);
  assert.is(at(0, 0), 'hidden');
  assert.is(at(5, 0), 'hidden');
  assert.equal(at(1, 0, 1), [2, 2]);
  assert.is(at(1, 1, 1), 'hidden');
  composeCursor(frame, { ...chrome, caret: { x: 9, y: 3 } }, undefined);
  assert.equal([frame.cursor.x, frame.cursor.y, frame.cursor.visible], [9, 3, true]);
});

test('spans and lines outside the frame are ignored', () => {
  const frame = new Frame(2, 2);
  const spans = [
    span(-1, 0, 2, 0, 0),
    span(5, 0, 2, 0, 0),
    span(0, 9, 2, 0, 0),
    span(0, -3, 2, 0, 0),
    span(1, 1, 99, 0, 0),
  ];
  compose(frame, bareChrome(2, 2, spans), screen(4, 1, [textLine('abcd')]));
  assert.equal([row(frame, 0), row(frame, 1)], ['..', '.a']);
});

test('a frame has a sensible size whatever is asked for', () => {
  assert.equal(
    [new Frame(0, -5), new Frame(NaN, 2), new Frame(1e9, 1e9)].map(f => [f.cols, f.rows]),
    [
      [1, 1],
      [1, 2],
      [2000, 1000],
    ],
  );
});

test('a pane that holds its screen stays as it was while chrome around it changes, unless it has moved', () => {
  const frame = new Frame(8, 2);
  const accent: Glyph = { text: 'e\u0301', width: 1, fg: 0, bg: 0 };
  const place = [span(0, 2, 4, 0, 0), span(1, 2, 4, 0, 1)];
  const around = (text: string, spans: readonly PaneSpan[]): ChromeCells => ({
    ...bareChrome(8, 2, spans),
    lines: [textLine(text), textLine(text)],
  });
  const rows = (): string[] => [row(frame, 0), row(frame, 1)];
  compose(
    frame,
    around('<<....>>', place),
    screen(4, 2, [cellLine([accent, ...plainGlyphs('bcd')]), textLine('efgh')]),
  );
  assert.equal(Array.from(composeChrome(frame, around('[[....]]', place), new Set([1])) ?? []), [1]);
  assert.equal(rows(), ['[[e\u0301bcd]]', '[[efgh]]']);
  const moved = [span(0, 1, 4, 0, 0), span(1, 1, 4, 0, 1)];
  assert.equal(Array.from(composeChrome(frame, around('(....)))', moved), new Set([1])) ?? []), []);
  assert.equal(rows(), ['(....)))', '(....)))']);
});

test.run();
