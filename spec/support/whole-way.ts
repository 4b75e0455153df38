/**
 * A program's bytes on both ways to a person: into a bare terminal, and through mux (emulator, frame, difference,
 * bytes) into a second one.
 */
import type { ChromeCells, PaneSpan } from '../../lib/chrome/view.ts';
import { composeChrome, composeCursor, composePane } from '../../lib/frame/compose.ts';
import { Frame } from '../../lib/frame/frame.ts';
import { deriveCaps } from '../../lib/render/caps.ts';
import type { TerminalCaps } from '../../lib/render/caps.ts';
import { enterSequence } from '../../lib/render/modes.ts';
import { Renderer } from '../../lib/render/renderer.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import { BareTerminal } from './bare-terminal.ts';
import { bareChrome, cellLine, plainGlyphs } from './scene.ts';
import { seenDifferences } from './seen.ts';

/** Cells around the pane: its place on the screen. */
export interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface WholeWayOptions {
  readonly cols: number;
  readonly rows: number;
  readonly margins?: Margins;
  readonly history?: number;
}

const NO_MARGINS: Margins = { left: 0, top: 0, right: 0, bottom: 0 };
/** Everything that @xterm/headless can do. */
const CAPS: TerminalCaps = { ...deriveCaps({ term: 'foot' }), repeat: true };
const PANE = 1;

/** Chrome of plain letters around one pane. */
function chromeAround(cols: number, rows: number, { left, top, right, bottom }: Margins): ChromeCells {
  const size = { cols: cols + left + right, rows: rows + top + bottom };
  const spans: PaneSpan[] = Array.from({ length: rows }, (_, y) => ({
    y: y + top,
    x: left,
    width: cols,
    pane: PANE,
    paneX: 0,
    paneY: y,
  }));
  const line = cellLine(plainGlyphs('#'.repeat(size.cols)));
  return { ...bareChrome(size.cols, size.rows, spans), lines: Array.from({ length: size.rows }, () => line) };
}

/** One program drawn on both ways. */
export class WholeWay {
  readonly bare: BareTerminal;
  readonly emulator: Emulator;
  readonly outer: BareTerminal;
  readonly faults: unknown[] = [];
  readonly #frame: Frame;
  readonly #renderer = new Renderer(CAPS);
  readonly #margins: Margins;
  #chrome: ChromeCells;

  constructor({ cols, rows, margins = NO_MARGINS, history = 10_000 }: WholeWayOptions) {
    this.#margins = margins;
    this.#chrome = chromeAround(cols, rows, margins);
    const { size } = this.#chrome;
    this.bare = new BareTerminal(cols, rows, { like: 'handlers', history });
    this.emulator = new Emulator({ cols, rows, historyLines: history });
    this.emulator.onFault(fault => this.faults.push(fault));
    this.#frame = new Frame(size.cols, size.rows);
    this.outer = new BareTerminal(size.cols, size.rows, { like: 'handlers' });
    this.outer.write(enterSequence(CAPS, { mouse: 'off' }));
  }

  /** Writes to the program's terminal, which in mux gets the bytes in the pieces that `cuts` (offsets) make. */
  write(bytes: Uint8Array, cuts: readonly number[] = []): void {
    this.bare.write(bytes);
    let start = 0;
    for (const end of [...cuts.filter(cut => cut < bytes.length), bytes.length].sort((a, b) => a - b)) {
      this.emulator.write(bytes.subarray(start, end));
      // A frame at any moment, so that the next one is a difference to that.
      if (end < bytes.length) this.draw();
      start = end;
    }
  }

  resize(cols: number, rows: number): void {
    this.bare.resize(cols, rows);
    this.emulator.resize(cols, rows);
    this.#chrome = chromeAround(cols, rows, this.#margins);
    const { size } = this.#chrome;
    this.#frame.resize(size.cols, size.rows);
    this.outer.resize(size.cols, size.rows);
  }

  /** Makes a frame and draws it on the outer terminal. */
  draw(): void {
    composeChrome(this.#frame, this.#chrome);
    composePane(this.#frame, this.#chrome.spans, this.emulator, 0);
    composeCursor(this.#frame, this.#chrome, { pane: PANE, view: this.emulator, historyOffset: 0 });
    this.outer.write(this.#renderer.render(this.#frame));
  }

  /** Draws, and tells in what the two screens differ; '' where they are the same. */
  differences(): string {
    this.draw();
    const faults = this.faults.map(fault => `fault: ${String(fault)}`).join('\n');
    return faults + seenDifferences(this.outer, this.bare, { x: this.#margins.left, y: this.#margins.top });
  }

  dispose(): void {
    this.bare.dispose();
    this.emulator.dispose();
    this.outer.dispose();
  }
}
