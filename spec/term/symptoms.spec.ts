/**
 * What people have met in multiplexers, by its symptom: a program's screen drawn through the whole way, emulator →
 * frame → bytes → a second emulator.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cellWidth, truncate } from '../../lib/base/text.ts';
import { composeChrome, composeCursor, composePane } from '../../lib/frame/compose.ts';
import { Frame } from '../../lib/frame/frame.ts';
import { deriveCaps } from '../../lib/render/caps.ts';
import { Renderer } from '../../lib/render/renderer.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import { captureLines } from '../../lib/term/text-dump.ts';
import { bareChrome } from '../support/scene.ts';

const test = suite('symptoms');
const COLS = 24;
const ROWS = 6;

/** A pane that fills a terminal, and the terminal. */
class Way {
  readonly pane = new Emulator({ cols: COLS, rows: ROWS, historyLines: 0 });
  readonly outer = new Emulator({ cols: COLS, rows: ROWS, historyLines: 0 });
  readonly #frame = new Frame(COLS, ROWS);
  readonly #renderer = new Renderer(deriveCaps({ term: 'xterm-kitty', colorterm: 'truecolor' }));
  readonly #chrome = bareChrome(
    COLS,
    ROWS,
    Array.from({ length: ROWS }, (_, y) => ({ y, x: 0, width: COLS, pane: 1, paneX: 0, paneY: y })),
  );

  constructor() {
    this.outer.write(Buffer.from('\x1b[?7l'));
  }

  draw(output: string): this {
    this.pane.write(Buffer.from(output));
    composeChrome(this.#frame, this.#chrome);
    composePane(this.#frame, this.#chrome.spans, this.pane, 0);
    composeCursor(this.#frame, this.#chrome, { pane: 1, view: this.pane, historyOffset: 0 });
    this.outer.write(this.#renderer.render(this.#frame));
    return this;
  }

  /** Rows of the terminal outside with their attributes; the pane's must be the same. */
  rows(): string[] {
    const options = { escapes: true } as const;
    const outside = captureLines(this.outer, options);
    assert.equal(outside, captureLines(this.pane, options));
    return captureLines(this.outer);
  }
}

test('a shorter line leaves old glyphs: both halves of what was there are gone', () => {
  const way = new Way().draw('漢字漢字漢字');
  way.rows();
  assert.equal(way.draw('\rab\x1b[K').rows()[0], 'ab');
  assert.equal(way.draw('\r漢字漢字').draw('\r\x1b[2Ca').rows()[0], '漢a 漢字');
});

test('emoji break boxes: borders stay in one column', () => {
  const contents = ['🍌', '✅', '⚙️', '👩‍👩‍👧', '🇳🇴', '1️⃣', 'ab'];
  const way = new Way().draw(
    contents
      .slice(0, ROWS)
      .map(text => `│${text}│`)
      .join('\r\n'),
  );
  way.rows();
  for (let y = 0; y < ROWS; y++) {
    const codes = [0, 3].map(x => way.outer.line(y)!.words[x * 3]! & 0x1fffff);
    assert.equal(codes, [0x2502, 0x2502], contents[y]);
  }
});

test('overwriting half of a wide cell doubles it or leaves bits', () => {
  for (const output of [
    '漢字\x1b[2Gx',
    '漢字\x1b[3Gx',
    '漢字\x1b[2G\x1b[P',
    '漢字\x1b[2G\x1b[@',
    '漢字\x1b[2G\x1b[X',
    '漢字\x1b[2G\x1b[4hx',
  ])
    new Way().draw('字字字字字字').draw(`\r\x1b[K${output}`).rows();
});

test('a long CJK name overflows: it is cut by cells, with an ellipsis', () => {
  assert.is(truncate('feature/漢字漢字漢字', 13), 'feature/漢字…');
  assert.ok(cellWidth(truncate('漢字漢字', 6)) <= 6);
});

test('variation selectors and keycaps shift rows with each frame: fifty frames, the same rows', () => {
  const way = new Way();
  const text = '\x1b[H❤️|1️⃣|☁️|⚙️\r\n#️⃣ rest\r\n';
  const first = way.draw(text).rows();
  for (let i = 0; i < 50; i++)
    assert.equal(
      way
        .draw(text + `\x1b[6;1H${i % 10}`)
        .rows()
        .slice(0, 3),
      first.slice(0, 3),
    );
});

test('Hangul Jamo and regional pairs fall apart: each is one cluster', () => {
  const way = new Way().draw('\u1112\u1161\u11ab|🇳🇴🇸🇪|');
  assert.is(way.rows()[0], '\u1112\u1161\u11ab|🇳🇴🇸🇪|');
  assert.equal(way.outer.line(0)!.clusters[0], '\u1112\u1161\u11ab');
});

test('an input window opens away from a hidden cursor: the cursor outside is where the pane has it', () => {
  const way = new Way().draw('\x1b[?25labc\x1b[4;9H');
  const { x, y, visible } = way.outer.cursor;
  assert.equal({ x, y, visible }, { x: 8, y: 3, visible: false });
});

test('undercurl is lost: style and colour of underlines arrive', () => {
  const way = new Way().draw('\x1b[4:3;58:2::255:128:0mcurl\x1b[0m \x1b[4:5;58:5:9mdash\x1b[0m');
  way.rows();
  assert.equal(way.outer.line(0)!.extended(0)?.underlineStyle, 3);
  assert.equal(way.outer.line(0)!.extended(5)?.underlineStyle, 5);
});

test('the background of erased cells is lost: it reaches the edge', () => {
  const way = new Way().draw('\x1b[48;2;1;2;3mab\x1b[K\r\n\x1b[2Jc\x1b[T\x1b[S\x1b[L\x1b[0m');
  way.rows();
  assert.is((way.outer.line(0)!.words[(COLS - 1) * 3 + 2]! & 0xffffff) >>> 0, 0x010203);
});

test.run();
