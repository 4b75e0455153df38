import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Frame } from '../../lib/frame/frame.ts';
import { composeChrome, composePane } from '../../lib/frame/compose.ts';
import { Frame as FrameClass } from '../../lib/frame/frame.ts';
import { deriveCaps } from '../../lib/render/caps.ts';
import type { TerminalCaps } from '../../lib/render/caps.ts';
import { enterSequence } from '../../lib/render/modes.ts';
import { Renderer } from '../../lib/render/renderer.ts';
import { BG, COLOR, FG } from '../../lib/term/cell.ts';
import type { Extended } from '../../lib/term/cell.ts';
import { EMPTY, bareChrome, cellLine, differences, frameOf, screen } from '../support/scene.ts';
import type { Glyph } from '../support/scene.ts';
import { outerScreen } from '../support/bare-terminal.ts';

const test = suite('renderer against a terminal');

const TEXTS: readonly (readonly [string, 1 | 2])[] = [
  ['a', 1],
  ['b', 1],
  [' ', 1],
  ['', 1],
  ['─', 1],
  ['é', 1],
  ['漢', 2],
  ['字', 2],
  ['e\u0301', 1],
  ['😀', 2],
  ['👍🏽', 2],
  ['👨‍👩‍👧', 2],
  ['❤️', 2],
  ['🇳🇴', 2],
];
const COLORS = [
  0,
  0,
  0,
  COLOR.p16 | 1,
  COLOR.p16 | 12,
  COLOR.p256 | 208,
  COLOR.p256 | 3,
  COLOR.rgb | 0x102030,
];
const FG_FLAGS = [FG.inverse, FG.bold, FG.underline, FG.blink, FG.invisible, FG.strikethrough];
const BG_FLAGS = [BG.italic, BG.dim, BG.overline];
const extended = fc.record({
  underlineStyle: fc.constantFrom(0, 1, 2, 3, 4, 5),
  underlineColor: fc.constantFrom(0, 0, COLOR.rgb | 0xff0000, COLOR.p256 | 99),
  link: fc.constantFrom('', '', 'https://example.com/a?b=c;d', 'file:///ü'),
  linkId: fc.constantFrom('', 'x1'),
}) as fc.Arbitrary<Extended>;
const flags = (all: readonly number[]): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constant(0),
    fc.subarray([...all], { maxLength: 3 }).map(some => some.reduce((sum, flag) => (sum | flag) >>> 0, 0)),
  );
const glyph: fc.Arbitrary<Glyph> = fc
  .tuple(
    fc.constantFrom(...TEXTS),
    fc.tuple(fc.constantFrom(...COLORS), flags(FG_FLAGS)),
    fc.tuple(fc.constantFrom(...COLORS), flags(BG_FLAGS)),
    fc.option(extended, { freq: 6, nil: undefined }),
  )
  .map(([[text, width], fg, bg, more]) => ({
    text,
    width,
    fg: (fg[0] | fg[1]) >>> 0,
    bg: (bg[0] | bg[1]) >>> 0,
    ...(more ? { extended: more } : {}),
  }));

/** What may happen between two frames. Places are taken modulo the size. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      x: fc.nat(60),
      y: fc.nat(20),
      glyph,
      count: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('text' as const),
      x: fc.nat(60),
      y: fc.nat(20),
      glyphs: fc.array(glyph, { minLength: 1, maxLength: 30 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('scroll' as const),
      top: fc.nat(20),
      bottom: fc.nat(20),
      count: fc.integer({ min: -4, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('erase' as const),
      x: fc.nat(60),
      y: fc.nat(20),
      bg: fc.constantFrom(...COLORS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fill' as const), seed: fc.nat(1000) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('cursor' as const),
      x: fc.nat(60),
      y: fc.nat(20),
      visible: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('resize' as const),
      cols: fc.integer({ min: 2, max: 45 }),
      rows: fc.integer({ min: 1, max: 14 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A screen of glyph rows; `undefined` is the right half of a wide glyph. */
class Canvas {
  cols = 30;
  rows = 9;
  cells: (Glyph | undefined)[][] = this.#blank(30, 9);
  cursor = { x: 0, y: 0, visible: true };
  chrome = bareChrome(30, 9);

  #blank(cols: number, rows: number): (Glyph | undefined)[][] {
    return Array.from({ length: rows }, () => Array.from({ length: cols }, () => EMPTY));
  }

  put(x: number, y: number, what: Glyph): void {
    const row = this.cells[y % this.rows]!;
    if (x + what.width > this.cols) return;
    for (let at = x; at < x + what.width; at++) {
      if (row[at] === undefined) row[at - 1] = EMPTY;
      if (row[at]?.width === 2) row[at + 1] = EMPTY;
      row[at] = EMPTY;
    }
    row[x] = what;
    if (what.width === 2) row[x + 1] = undefined;
  }

  apply(what: Step): void {
    if (what.type === 'write') {
      for (let n = 0; n < what.count; n++)
        this.put((what.x % this.cols) + n * what.glyph.width, what.y, what.glyph);
    } else if (what.type === 'text') {
      let x = what.x % this.cols;
      for (const one of what.glyphs) {
        this.put(x, what.y, one);
        x += one.width;
      }
    } else if (what.type === 'scroll') {
      this.#scroll(what.top % this.rows, what.bottom % this.rows, what.count);
    } else if (what.type === 'erase') {
      for (let x = what.x % this.cols; x < this.cols; x++) this.put(x, what.y, { ...EMPTY, bg: what.bg });
    } else if (what.type === 'fill') {
      for (let y = 0; y < this.rows; y++) {
        const text = `${what.seed + y} line of text ${(what.seed * 7919 + y * 31) % 1000}`;
        Array.from(text).forEach((one, x) => this.put(x, y, { ...EMPTY, text: one }));
      }
    } else if (what.type === 'cursor') {
      this.cursor = { x: what.x, y: what.y, visible: what.visible };
    } else {
      this.cols = what.cols;
      this.rows = what.rows;
      this.cells = this.#blank(what.cols, what.rows);
    }
  }

  #scroll(a: number, b: number, count: number): void {
    const top = Math.min(a, b);
    const part = this.cells.slice(top, Math.max(a, b) + 1);
    for (let n = 0; n < Math.abs(count); n++) {
      const row = Array.from({ length: this.cols }, () => EMPTY);
      part.splice(count > 0 ? 0 : part.length - 1, 1);
      part.splice(count > 0 ? part.length : 0, 0, row);
    }
    this.cells.splice(top, part.length, ...part);
  }

  draw(frame: Frame): void {
    const lines = this.cells.map(row => cellLine(row.filter(one => one !== undefined)));
    if (frame.cols !== this.cols || frame.rows !== this.rows) {
      frame.resize(this.cols, this.rows);
      this.chrome = bareChrome(this.cols, this.rows);
    }
    const view = screen(this.cols, this.rows, lines);
    composeChrome(frame, this.chrome);
    composePane(frame, this.chrome.spans, view, 0);
    assert.is(differences(frame, frameOf(view)), '', 'composed in place against composed anew');
    const { x, y, visible } = this.cursor;
    frame.cursor = { x: x % this.cols, y: y % this.rows, visible, shape: 'default', blink: false };
  }
}

/** Draws after each step and compares the terminal with the frame. */
function checkSteps(caps: TerminalCaps, steps: readonly (readonly Step[])[], entered: boolean): void {
  const canvas = new Canvas();
  const frame = new FrameClass(canvas.cols, canvas.rows);
  const terminal = outerScreen(canvas.cols, canvas.rows);
  const renderer = new Renderer(caps);
  if (entered) terminal.write(enterSequence(caps, { mouse: 'off' }));
  for (const together of [[], ...steps]) {
    for (const one of together) canvas.apply(one);
    canvas.draw(frame);
    if (terminal.cols !== frame.cols || terminal.rows !== frame.rows) {
      terminal.resize(frame.cols, frame.rows);
      renderer.invalidate();
    }
    const bytes = renderer.render(frame);
    terminal.write(bytes);
    const context = JSON.stringify(Buffer.from(bytes).toString());
    assert.is(differences(frameOf(terminal), frame), '', context);
    const { x, y, visible } = terminal.cursor;
    assert.equal(
      { x, y, visible },
      { x: frame.cursor.x, y: frame.cursor.y, visible: frame.cursor.visible },
      context,
    );
    assert.is(renderer.render(frame).length, 0, 'nothing changed, but bytes were sent');
  }
}

const XTERM: TerminalCaps = { ...deriveCaps({ term: 'foot' }), repeat: true };
const VARIANTS: Readonly<Record<string, TerminalCaps>> = {
  everything: XTERM,
  'no synchronized output or REP': { ...XTERM, synchronized: false, repeat: false },
  'no SU and no background colour erase': { ...XTERM, scroll: false, bce: false },
  'no editing functions': { ...XTERM, editing: false, scroll: false, repeat: false, bce: false },
};

for (const [name, caps] of Object.entries(VARIANTS)) {
  test(`a terminal shows every frame of any sequence, cell by cell: ${name}`, () => {
    const steps = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(steps, fc.boolean(), (given, entered) => checkSteps(caps, given, entered)),
      { numRuns: 100 },
    );
  });
}

test.run();
