/**
 * Builds a frame from chrome and panes: chrome first, then each visible pane, then the cursor.
 *
 * Composing into the same frame again is cheap: chrome that is the same object is left as it is, and so is a line of
 * a pane whose words are the same bytes as last time.
 */
import type { ChromeCells, PaneSpan } from '../chrome/view.ts';
import { BG, CELL_WORDS, FG } from '../term/cell.ts';
import type { CellLine } from '../term/cell.ts';
import type { Cursor, ScreenView } from '../term/screen-view.ts';
import type { Frame } from './frame.ts';
import { recolored } from './recolor.ts';
import { normalizeBlank, normalizeCells } from './normalize.ts';

/** A stretch of a pane that is lit, e.g. a selection: pane row `y` as shown, columns `x0` up to before `x1`. */
export interface Highlight {
  readonly y: number;
  readonly x0: number;
  readonly x1: number;
  /** Colours in place of the cells' own, as the colour words of a cell; without them the cells are inverted. */
  readonly style?: { readonly fg: number; readonly bg: number };
}

/** The pane that has the keyboard. */
export interface FocusedPane {
  /** As in PaneSpan. */
  readonly pane: number;
  readonly view: ScreenView;
  readonly historyOffset: number;
  /** In place of the screen's own: row as in ScreenView.line. */
  readonly cursor?: Cursor | undefined;
}

const NO_PANES: ReadonlySet<number> = new Set();
const NO_HIGHLIGHT: readonly Highlight[] = [];
const NO_LINE: CellLine = {
  words: new Uint32Array(0),
  clusters: {},
  extended: () => undefined,
  wrapped: false,
};

/** Copies cells `column…column+width` of `line` to (x, y) and normalises them; missing ones are blank. */
function copyCells(
  frame: Frame,
  y: number,
  x: number,
  width: number,
  line: CellLine,
  column: number,
  limit: number,
) {
  const have = Math.min(Math.floor(line.words.length / CELL_WORDS), limit);
  const count = Math.max(0, Math.min(width, have - column));
  const to = y * frame.cols + x;
  if (count > 0)
    frame.cells.set(line.words.subarray(column * CELL_WORDS, (column + count) * CELL_WORDS), to * CELL_WORDS);
  if (frame.complex[y]) frame.ext.fill(0, to, to + width);
  if (count < width) frame.blank(y, x + count, width - count);
  return count;
}

/** Normalises what `copyCells` copied. */
function settle(frame: Frame, y: number, x: number, count: number, line: CellLine, column: number): void {
  if (normalizeCells(frame, y, x, count, line, column)) frame.complex[y] = 1;
  frame.touch(y);
}

/** Cells of a pane in one row, set aside while chrome is drawn. */
interface Saved {
  readonly y: number;
  readonly at: number;
  readonly cells: Uint32Array;
  readonly ext: Uint32Array;
  readonly isComplex: boolean;
}

const isSameSpan = (a: PaneSpan, b: PaneSpan | undefined): boolean =>
  b !== undefined &&
  a.x === b.x &&
  a.y === b.y &&
  a.width === b.width &&
  a.paneX === b.paneX &&
  a.paneY === b.paneY;

/** Those of `panes` that stand in the new chrome exactly where they stand in the frame. */
function unmoved(frame: Frame, chrome: ChromeCells, panes: ReadonlySet<number>): ReadonlySet<number> {
  const before = frame.chrome?.spans;
  if (panes.size === 0 || before === undefined) return NO_PANES;
  const spansOf = (spans: readonly PaneSpan[], pane: number): PaneSpan[] =>
    spans.filter(span => span.pane === pane);
  return new Set(
    Array.from(panes).filter(pane => {
      const old = spansOf(before, pane);
      const now = spansOf(chrome.spans, pane);
      return now.length > 0 && now.length === old.length && now.every((span, i) => isSameSpan(span, old[i]));
    }),
  );
}

function save(frame: Frame, { x, y, width }: PaneSpan): Saved {
  const at = y * frame.cols + x;
  const end = at + Math.min(width, frame.cols - x);
  return {
    y,
    at,
    cells: frame.cells.slice(at * CELL_WORDS, end * CELL_WORDS),
    ext: frame.ext.slice(at, end),
    isComplex: frame.complex[y] === 1,
  };
}

/**
 * Draws chrome; the panes' spans become what chrome has there (blanks) until composePane. Starts a new frame: ids of
 * the frame's tables are only stable from here to the next call. A line or chrome smaller than the frame is padded.
 * @param held panes that are to stay as they were last drawn, if their places are the same
 * @returns undefined if this chrome was there already, with its panes; else the panes that have stayed: every other one
 *   must be composed again
 */
export function composeChrome(
  frame: Frame,
  chrome: ChromeCells,
  held: ReadonlySet<number> = NO_PANES,
): ReadonlySet<number> | undefined {
  const isTidied = frame.tables.tidy();
  if (isTidied) frame.forgetSources();
  if (frame.chrome === chrome) return undefined;
  const kept = isTidied ? NO_PANES : unmoved(frame, chrome, held);
  const isInside = (span: PaneSpan): boolean =>
    span.x >= 0 && span.x < frame.cols && span.y >= 0 && span.y < frame.rows;
  const saved = chrome.spans
    .filter(span => kept.has(span.pane) && isInside(span))
    .map(span => save(frame, span));
  frame.forgetSources();
  frame.complex.fill(0);
  frame.ext.fill(0);
  for (let y = 0; y < frame.rows; y++) {
    const line = chrome.lines[y] ?? NO_LINE;
    const count = copyCells(frame, y, 0, frame.cols, line, 0, frame.cols);
    settle(frame, y, 0, count, line, 0);
  }
  for (const { y, at, cells, ext, isComplex } of saved) {
    frame.cells.set(cells, at * CELL_WORDS);
    frame.ext.set(ext, at);
    if (isComplex) frame.complex[y] = 1;
  }
  frame.chrome = chrome;
  return kept;
}

/**
 * Draws a pane into its spans.
 * @param spans all of this pane
 * @param historyOffset lines scrolled back: 0 is live, n shows history from line -n
 * @param highlights stretches that are lit, in rows and columns of the pane as shown; later ones lie over earlier ones
 */
export function composePane(
  frame: Frame,
  spans: readonly PaneSpan[],
  view: ScreenView,
  historyOffset: number,
  highlights: readonly Highlight[] = NO_HIGHLIGHT,
): void {
  for (const span of spans) {
    if (span.y < 0 || span.y >= frame.rows || span.x < 0 || span.x >= frame.cols || span.paneX < 0) continue;
    const width = Math.min(span.width, frame.cols - span.x);
    if (width <= 0) continue;
    const inside = span.paneY >= 0 && span.paneY < view.rows;
    const own = (inside ? view.line(span.paneY - historyOffset) : undefined) ?? NO_LINE;
    const line = view.colors ? recolored(own, view.colors, view.cols) : own;
    composeSpan(frame, span, width, line, view.cols, highlights);
  }
}

function composeSpan(
  frame: Frame,
  span: PaneSpan,
  width: number,
  line: CellLine,
  limit: number,
  highlights: readonly Highlight[],
): void {
  const { x, y, paneX } = span;
  const from = (y * frame.cols + x) * CELL_WORDS;
  const marks =
    highlights.length === 0
      ? highlights
      : highlights.filter(mark => mark.y === span.paneY && mark.x1 > paneX && mark.x0 < paneX + width);
  const whole = marks.length === 0 && Math.min(line.words.length / CELL_WORDS, limit) >= paneX + width;
  if (whole && !frame.complex[y] && sameSource(frame, from, width, line, paneX)) return;
  const count = copyCells(frame, y, x, width, line, paneX, limit);
  if (whole) {
    frame.source.set(frame.cells.subarray(from, from + width * CELL_WORDS), from);
  } else {
    frame.source.fill(0xffffffff, from, from + width * CELL_WORDS);
  }
  settle(frame, y, x, count, line, paneX);
  for (const mark of marks)
    light(
      frame,
      y,
      x,
      Math.max(mark.x0, paneX) - paneX,
      Math.min(mark.x1, paneX + width) - paneX,
      mark.style,
    );
}

/** Whether the words of the line are, byte for byte, those last copied to this place. */
function sameSource(frame: Frame, from: number, width: number, line: CellLine, column: number): boolean {
  const { buffer, byteOffset, byteLength } = line.words;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const start = column * CELL_WORDS * 4;
  const size = width * CELL_WORDS * 4;
  return frame.sourceBytes.compare(bytes, start, start + size, from * 4, from * 4 + size) === 0;
}

/** Attributes that stay under a highlight: what the text is, not how it is coloured. */
const KEPT_FG = FG.bold | FG.underline | FG.blink | FG.invisible | FG.strikethrough;
const KEPT_BG = BG.italic | BG.hasExtended | BG.overline;

/** Lights cells x0…x1 right of `x`: in a style, or inverted; a wide character is taken whole. */
function light(frame: Frame, y: number, x: number, x0: number, x1: number, style: Highlight['style']): void {
  const row = y * frame.cols + x;
  const cells = frame.cells;
  let from = x0;
  let to = x1;
  if (from > 0 && cells[(row + from) * CELL_WORDS] === 0) from--;
  if (x + to < frame.cols && cells[(row + to) * CELL_WORDS] === 0) to++;
  for (let i = row + from; i < row + to; i++) {
    const at = i * CELL_WORDS;
    if (style) {
      cells[at + 1] = (style.fg | (cells[at + 1]! & KEPT_FG)) >>> 0;
      cells[at + 2] = (style.bg | (cells[at + 2]! & KEPT_BG)) >>> 0;
    } else cells[at + 1] = (cells[at + 1]! ^ FG.inverse) >>> 0;
    normalizeBlank(cells, i * CELL_WORDS);
  }
}

/**
 * Places the cursor: at chrome's caret if it has one, else where the focused pane's cursor shows through, else
 * hidden.
 */
export function composeCursor(frame: Frame, chrome: ChromeCells, focused: FocusedPane | undefined): void {
  if (chrome.caret !== undefined) {
    const { x, y } = chrome.caret;
    const inside = x >= 0 && y >= 0 && x < frame.cols && y < frame.rows;
    frame.cursor = { x: inside ? x : 0, y: inside ? y : 0, visible: inside, shape: 'default', blink: false };
    return;
  }
  if (focused !== undefined) {
    const cursor = focused.cursor ?? focused.view.cursor;
    const column = Math.min(cursor.x, focused.view.cols - 1);
    const row = cursor.y + focused.historyOffset;
    for (const span of chrome.spans) {
      if (span.pane !== focused.pane || span.paneY !== row) continue;
      const x = span.x + column - span.paneX;
      if (column < span.paneX || column >= span.paneX + span.width || x >= frame.cols || span.y >= frame.rows)
        continue;
      const { visible, shape, blink } = cursor;
      frame.cursor = { x, y: span.y, visible, shape, blink, color: focused.view.colors?.cursor };
      return;
    }
  }
  frame.cursor = { ...frame.cursor, visible: false };
}
