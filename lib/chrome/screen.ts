/**
 * blessed, off-screen: the only module that knows it. One ChromeScreen per client, on streams that lead nowhere.
 * blessed places and paints the boxes; its cells are read back, its own output is never made.
 */
import blessed from 'blessed';
import { clamp, type Size } from '../base/geometry.ts';
import type { Theme } from '../config/theme.ts';
import { MAX_SIZE } from './areas.ts';
import { isSameLine, RowReader, type RawCell, type ReadRow } from './cells.ts';
import { Composer } from './compose.ts';
import { lineContent } from './content.ts';
import { nullStreams, nullTerminfo } from './null-terminal.ts';
import { hitTest, type Box, type Painting } from './paint.ts';
import { same } from './same.ts';
import { groundSlot, StyleTable, textSlot, type ColorDepth } from './slots.ts';
import { paneSentinel, StandIns } from './stand-ins.ts';
import { markRows, stripsOf, touchesRows, type Strip } from './strips.ts';
import type { ChromeCells, ChromeView, PaneSpan } from './view.ts';

/** What of blessed 0.1.81 is used beyond its typings. */
interface RawElement {
  position: { left: number; top: number; width: number; height: number };
  style: { fg: number; bg: number; border: { fg: number; bg: number } };
  border: Frame | undefined;
  ch: string;
  setContent(text: string, noClear: boolean, noTags: boolean): void;
}
interface Frame {
  readonly type: 'line';
  readonly left: true;
  readonly top: true;
  readonly right: true;
  readonly bottom: true;
}
interface RawScreen {
  lines: (RawCell[] | undefined)[];
  children: RawElement[];
  readonly program: { cols: number; rows: number };
  alloc(): void;
  draw(): void;
  render(): void;
  destroy(): void;
}

/** Process events blessed listens to as soon as a screen exists. Ending the process is not its business here. */
const PROCESS_EVENTS = ['exit', 'uncaughtException', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const;
const LINE_FRAME: Frame = { type: 'line', left: true, top: true, right: true, bottom: true };
/** Elements kept for reuse beyond those in use; a screen with more strips than before makes new ones. */
const SPARE_ELEMENTS = 256;

/** An element and what it was last made to show. */
interface Pooled {
  readonly element: RawElement;
  strip: Strip | undefined;
}

/** The chrome of one client's screen. */
export class ChromeScreen {
  readonly #screen: RawScreen;
  readonly #pool: Pooled[] = [];
  /** Pieces by box: boxes that did not change keep theirs. */
  readonly #strips = new WeakMap<Box, readonly Strip[]>();
  readonly #standIns = new StandIns();
  readonly #composer = new Composer();
  readonly #colors: ColorDepth;
  #styles: StyleTable;
  #size: Size;
  #last: { readonly view: ChromeView | undefined; readonly cells: ChromeCells } | undefined;
  #rows: readonly ReadRow[] = [];
  #isDisposed = false;

  /** @param colors what the client's terminal can show: themes choose palette entries for the lesser ones */
  constructor(size: Size, theme: Theme, colors: ColorDepth = 'truecolor') {
    this.#colors = colors;
    this.#size = bounded(size);
    this.#styles = new StyleTable(theme, this.#colors);
    this.#screen = openScreen(this.#size);
  }

  /**
   * Draws a view. Never throws on any view or size; sizes are cut to 1×1 … MAX_SIZE. A view equal to the last gives
   * the same object again, and rows that did not change are the same objects as before.
   */
  render(view: ChromeView): ChromeCells {
    if (this.#last?.view && same(this.#last.view, view)) return this.#last.cells;
    const cells = this.#draw(view.size, size => this.#composer.compose(view, size));
    this.#last = { view, cells };
    return cells;
  }

  /** Draws what was composed elsewhere. As `render` otherwise. */
  paint(painting: Painting, size: Size): ChromeCells {
    const cells = this.#draw(size, () => painting);
    this.#last = { view: undefined, cells };
    return cells;
  }

  #draw(wanted: Size, compose: (size: Size) => Painting): ChromeCells {
    if (this.#isDisposed) throw new Error('chrome rendered after it was disposed');
    const isAllStale = this.#resize(bounded(wanted)) || this.#last === undefined;
    if (this.#standIns.isCrowded) this.#forgetContents();
    const painting = compose(this.#size);
    const stale = new Uint8Array(this.#size.rows).fill(isAllStale ? 1 : 0);
    const strips = painting.boxes.flatMap(box => this.#stripsOf(box));
    const panes = this.#place(strips, stale);
    this.#paint(strips, stale);
    return this.#read(painting, panes, stale);
  }

  /** Uses other colours from the next render on. */
  setTheme(theme: Theme): void {
    this.#styles = new StyleTable(theme, this.#colors);
    // Without a last view all rows are read anew.
    this.#last = undefined;
  }

  /** Frees blessed's screen. May be called more than once. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#screen.destroy();
  }

  /** Whether the size changed, so that all cells are blank now. */
  #resize(size: Size): boolean {
    if (same(size, this.#size)) return false;
    this.#size = size;
    this.#screen.program.cols = size.cols;
    this.#screen.program.rows = size.rows;
    this.#screen.alloc();
    return true;
  }

  #forgetContents(): void {
    this.#standIns.reset();
    this.#pool.length = 0;
  }

  #stripsOf(box: Box): readonly Strip[] {
    let strips = this.#strips.get(box);
    if (strips === undefined) {
      strips = stripsOf(box);
      this.#strips.set(box, strips);
    }
    return strips;
  }

  /** Gives each strip an element, in order, and marks the rows that change. Returns the panes by sentinel. */
  #place(strips: readonly Strip[], stale: Uint8Array): readonly Strip[] {
    const panes: Strip[] = [];
    for (const [i, strip] of strips.entries()) {
      const pooled = (this.#pool[i] ??= this.#makeElement());
      const isSame = pooled.strip !== undefined && same(pooled.strip, strip);
      if (!isSame) {
        if (pooled.strip) markRows(stale, pooled.strip);
        markRows(stale, strip);
        this.#update(pooled, strip);
      }
      if (!strip.pane) continue;
      const sentinel = paneSentinel(panes.length);
      if (pooled.element.ch !== sentinel) markRows(stale, strip);
      pooled.element.ch = sentinel;
      panes.push(strip);
    }
    for (const pooled of this.#pool.slice(strips.length)) {
      if (pooled.strip) markRows(stale, pooled.strip);
      pooled.strip = undefined;
    }
    if (this.#pool.length > strips.length + SPARE_ELEMENTS)
      this.#pool.length = strips.length + SPARE_ELEMENTS;
    return panes;
  }

  #makeElement(): Pooled {
    const screen = this.#screen as unknown as blessed.Widgets.Screen;
    const element = blessed.box({ parent: screen, screen, wrap: false });
    return { element: element as unknown as RawElement, strip: undefined };
  }

  #update(pooled: Pooled, strip: Strip): void {
    const { rect, pattern, frame, runs } = strip;
    const { element } = pooled;
    const bg = groundSlot(strip.fill);
    pooled.strip = strip;
    element.position = { left: rect.x, top: rect.y, width: rect.width, height: rect.height };
    element.border = frame && LINE_FRAME;
    element.ch = pattern?.char ?? ' ';
    element.style = {
      fg: textSlot(pattern ? { role: pattern.role } : {}),
      bg,
      border: { fg: textSlot({ role: frame ?? 'border' }), bg },
    };
    element.setContent(runs ? lineContent(runs, rect.width, this.#standIns) : '', true, true);
  }

  /**
   * Lets blessed paint the stale rows: it is shown only those, and only the strips that lie in them. It skips rows it
   * does not have; a strip with text has one row, so its text cannot slip into another.
   */
  #paint(strips: readonly Strip[], stale: Uint8Array): void {
    const { lines } = this.#screen;
    this.#screen.lines = lines.map((line, y) => (stale[y] === 1 ? line : undefined));
    this.#screen.children = this.#pool
      .slice(0, strips.length)
      .filter(pooled => touchesRows(stale, pooled.strip!))
      .map(pooled => pooled.element);
    this.#screen.render();
    this.#screen.lines = lines;
    this.#screen.children = [];
  }

  #read(painting: Painting, panes: readonly Strip[], stale: Uint8Array): ChromeCells {
    const reader = new RowReader(this.#styles, this.#standIns);
    const size = this.#size;
    const rows = this.#screen.lines.map((raw, y) => {
      const before = this.#rows[y];
      if (stale[y] === 0 && before) return before;
      const row = reader.read(raw!);
      return before && isSameLine(before.line, row.line) ? { ...row, line: before.line } : row;
    });
    this.#rows = rows;
    const spans = rows.flatMap((row, y) =>
      row.sentinels.map((part): PaneSpan => {
        const { rect, pane } = panes[part.pane]!;
        const paneX = pane!.x + part.x - rect.x;
        return { y, x: part.x, width: part.width, pane: pane!.id, paneX, paneY: pane!.y + y - rect.y };
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
  const options = { ...nullStreams(size), terminal: 'xterm', tput: false };
  // blessed asks a tmux around us for its version, in a child process it waits for.
  const { TMUX } = process.env;
  delete process.env['TMUX'];
  try {
    const program = blessed.program(options as unknown as blessed.Widgets.IScreenOptions);
    Object.assign(program, nullTerminfo());
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
