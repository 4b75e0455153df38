/**
 * blessed, off-screen: the only module that knows it. One ChromeScreen per client, on streams that lead nowhere.
 * blessed places and paints the boxes; its cells are read back, its own output is never made.
 */
import { PassThrough, Writable } from 'node:stream';
import blessed from 'blessed';
import { clamp, type Size } from '../base/geometry.ts';
import type { Theme } from '../config/theme.ts';
import { MAX_SIZE } from './areas.ts';
import { isSameLine, RowReader, type RawCell, type ReadRow } from './cells.ts';
import { Composer } from './compose.ts';
import { boxContent } from './content.ts';
import { hitTest, type Box, type Painting } from './paint.ts';
import { same } from './same.ts';
import { groundSlot, StyleTable, textSlot } from './slots.ts';
import { paneSentinel, StandIns } from './stand-ins.ts';
import type { ChromeCells, ChromeView, PaneSpan } from './view.ts';

/** What of blessed 0.1.81 is used beyond its typings. */
interface RawElement {
  position: { left: number; top: number; width: number; height: number };
  style: { fg: number; bg: number; border: { fg: number; bg: number } };
  border: Frame | undefined;
  ch: string;
  hidden: boolean;
  setContent(text: string, noClear: boolean, noTags: boolean): void;
  destroy(): void;
}
interface Frame {
  readonly type: 'line';
  readonly left: true;
  readonly top: true;
  readonly right: true;
  readonly bottom: true;
}
interface RawScreen {
  readonly lines: RawCell[][];
  readonly program: { cols: number; rows: number };
  alloc(): void;
  draw(): void;
  render(): void;
  destroy(): void;
}

/** Process events blessed listens to as soon as a screen exists. Ending the process is not its business here. */
const PROCESS_EVENTS = ['exit', 'uncaughtException', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const;
const LINE_FRAME: Frame = { type: 'line', left: true, top: true, right: true, bottom: true };
/** Elements kept for reuse beyond those in use; a screen with more boxes than before makes new ones. */
const SPARE_ELEMENTS = 256;

interface Pooled {
  readonly element: RawElement;
  box: Box | undefined;
}

/** The chrome of one client's screen. */
export class ChromeScreen {
  readonly #screen: RawScreen;
  readonly #pool: Pooled[] = [];
  readonly #standIns = new StandIns();
  readonly #composer = new Composer();
  #styles: StyleTable;
  #size: Size;
  #last: { readonly view: ChromeView; readonly cells: ChromeCells } | undefined;
  #rows: readonly ReadRow[] = [];
  #isDisposed = false;

  constructor(size: Size, theme: Theme) {
    this.#size = bounded(size);
    this.#styles = new StyleTable(theme);
    this.#screen = openScreen(this.#size);
  }

  /**
   * Draws a view. Never throws on any view or size; sizes are cut to 1×1 … MAX_SIZE. A view equal to the last gives
   * the same object again, and rows that did not change are the same objects as before.
   */
  render(view: ChromeView): ChromeCells {
    if (this.#isDisposed) throw new Error('chrome rendered after it was disposed');
    if (this.#last && same(this.#last.view, view)) return this.#last.cells;
    this.#resize(bounded(view.size));
    if (this.#standIns.isCrowded) this.#forgetContents();
    const painting = this.#composer.compose(view, this.#size);
    const panes = this.#place(painting.boxes);
    this.#screen.render();
    const cells = this.#read(painting, panes, view.unicode);
    this.#last = { view, cells };
    return cells;
  }

  /** Uses other colours from the next render on. */
  setTheme(theme: Theme): void {
    this.#styles = new StyleTable(theme);
    this.#last = undefined;
  }

  /** Frees blessed's screen. May be called more than once. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#screen.destroy();
  }

  #resize(size: Size): void {
    if (same(size, this.#size)) return;
    this.#size = size;
    this.#screen.program.cols = size.cols;
    this.#screen.program.rows = size.rows;
    this.#screen.alloc();
  }

  #forgetContents(): void {
    this.#standIns.reset();
    for (const pooled of this.#pool) pooled.box = undefined;
  }

  /** Gives each box an element, in order. Returns the boxes of panes by sentinel. */
  #place(boxes: readonly Box[]): readonly Box[] {
    const panes: Box[] = [];
    const shown = boxes.filter(box => box.rect.width > 0 && box.rect.height > 0);
    for (const [i, box] of shown.entries()) {
      const pooled = (this.#pool[i] ??= this.#makeElement());
      pooled.element.hidden = false;
      if (box.pane) panes.push(box);
      const sentinel = box.pane ? paneSentinel(panes.length - 1) : undefined;
      if (pooled.box !== box) this.#update(pooled, box);
      pooled.element.ch = sentinel ?? box.pattern ?? ' ';
    }
    for (const pooled of this.#pool.slice(shown.length)) pooled.element.hidden = true;
    for (const pooled of this.#pool.splice(shown.length + SPARE_ELEMENTS)) pooled.element.destroy();
    return panes;
  }

  #makeElement(): Pooled {
    const screen = this.#screen as unknown as blessed.Widgets.Screen;
    const element = blessed.box({ parent: screen, screen, wrap: false });
    return { element: element as unknown as RawElement, box: undefined };
  }

  #update(pooled: Pooled, box: Box): void {
    const { rect } = box;
    const bg = groundSlot(box.fill);
    const edge = box.frame ? 2 : 0;
    pooled.box = box;
    pooled.element.position = { left: rect.x, top: rect.y, width: rect.width, height: rect.height };
    pooled.element.border = box.frame && LINE_FRAME;
    pooled.element.style = {
      fg: textSlot(box.pattern === undefined ? {} : { role: 'dim' }),
      bg,
      border: { fg: textSlot({ role: box.frame ?? 'border' }), bg },
    };
    const content = boxContent(box, rect.width - edge, rect.height - edge, this.#standIns);
    pooled.element.setContent(content, true, true);
  }

  #read(painting: Painting, panes: readonly Box[], unicode: boolean): ChromeCells {
    const reader = new RowReader(this.#styles, this.#standIns, unicode);
    const size = this.#size;
    const rows = this.#screen.lines.map((raw, y) => {
      const row = reader.read(raw);
      const before = this.#rows[y];
      return before && isSameLine(before.line, row.line) ? { ...row, line: before.line } : row;
    });
    this.#rows = rows;
    const spans = rows.flatMap((row, y) =>
      row.sentinels.map((part): PaneSpan => {
        const box = panes[part.pane]!;
        const pane = box.pane!;
        const paneX = pane.x + part.x - box.rect.x;
        return { y, x: part.x, width: part.width, pane: pane.id, paneX, paneY: pane.y + y - box.rect.y };
      }),
    );
    return {
      size,
      lines: rows.map(row => row.line),
      spans,
      caret: painting.caret && {
        x: clamp(painting.caret.x, 0, size.cols - 1),
        y: clamp(painting.caret.y, 0, size.rows - 1),
      },
      hit: (x, y) => hitTest(painting.boxes, { x, y }),
    };
  }
}

function bounded(size: Size): Size {
  return { cols: clamp(size.cols, 1, MAX_SIZE.cols), rows: clamp(size.rows, 1, MAX_SIZE.rows) };
}

/** A blessed screen that reads nothing, writes nothing and leaves no listener on the process. */
function openScreen(size: Size): RawScreen {
  const before = PROCESS_EVENTS.map(event => process.listeners(event as 'exit'));
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), {
    isTTY: true,
    columns: size.cols,
    rows: size.rows,
  });
  // blessed asks a tmux around us for its version, in a child process it waits for.
  const { TMUX } = process.env;
  delete process.env['TMUX'];
  try {
    const program = blessed.program({ input, output, terminal: 'xterm' } as unknown as blessed.Widgets.IScreenOptions);
    const screen = blessed.screen({ program, autoPadding: false }) as unknown as RawScreen;
    screen.draw = () => {};
    return screen;
  } finally {
    if (TMUX !== undefined) process.env['TMUX'] = TMUX;
    for (const [i, event] of PROCESS_EVENTS.entries()) {
      for (const listener of process.listeners(event as 'exit')) {
        if (!before[i]!.includes(listener)) process.removeListener(event, listener);
      }
    }
  }
}
