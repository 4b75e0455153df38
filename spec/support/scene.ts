/**
 * Screens for specs: cells that are easy to write down, as frames and back.
 */
import type { ChromeCells, PaneSpan } from '../../lib/chrome/view.ts';
import { composeChrome, composePane } from '../../lib/frame/compose.ts';
import { Frame } from '../../lib/frame/frame.ts';
import { BG, CELL_WORDS, CONTENT } from '../../lib/term/cell.ts';
import type { CellLine, Extended } from '../../lib/term/cell.ts';
import type { ScreenView } from '../../lib/term/screen-view.ts';
import { NO_MODES } from './no-modes.ts';

/** One character and its attributes. `text` '' is an empty cell. */
export interface Glyph {
  readonly text: string;
  readonly width: 1 | 2;
  readonly fg: number;
  readonly bg: number;
  readonly extended?: Extended;
}

export const EMPTY: Glyph = { text: '', width: 1, fg: 0, bg: 0 };

/** Glyphs of plain text, one cell each. */
export function plainGlyphs(text: string, fg = 0, bg = 0): Glyph[] {
  return Array.from(text, character => ({ text: character, width: 1, fg, bg }));
}

/** A line of cells as an emulator would keep it. A wide glyph takes two cells. */
export function cellLine(glyphs: readonly Glyph[]): CellLine {
  const cells = glyphs.flatMap(glyph => (glyph.width === 2 ? [glyph, undefined] : [glyph]));
  const words = new Uint32Array(cells.length * CELL_WORDS);
  const clusters: Record<number, string> = {};
  const extended: Record<number, Extended> = {};
  let last: Glyph = EMPTY;
  cells.forEach((cell, x) => {
    const glyph = cell ?? last;
    last = glyph;
    const many = Array.from(glyph.text).length > 1;
    let content = 0;
    if (cell !== undefined) {
      content =
        (many ? CONTENT.isCluster : (glyph.text.codePointAt(0) ?? 0)) | (glyph.width << CONTENT.widthShift);
      if (many) clusters[x] = glyph.text;
    }
    words.set([content, glyph.fg, glyph.extended ? glyph.bg | BG.hasExtended : glyph.bg], x * CELL_WORDS);
    if (glyph.extended) extended[x] = glyph.extended;
  });
  return { words, clusters, extended: column => extended[column], wrapped: false };
}

/** A screen that shows `lines`. */
export function screen(cols: number, rows: number, lines: readonly CellLine[]): ScreenView {
  return {
    cols,
    rows,
    seq: 0,
    cursor: { x: 0, y: 0, visible: true, shape: 'default', blink: false },
    modes: NO_MODES,
    title: '',
    historySize: 0,
    line: y => lines[y],
  };
}

/** Chrome of nothing but a pane 1 over the whole screen, or over `spans`. */
export function bareChrome(cols: number, rows: number, spans?: readonly PaneSpan[]): ChromeCells {
  return {
    size: { cols, rows },
    lines: [],
    spans:
      spans ??
      Array.from({ length: rows }, (_, y) => ({ y, x: 0, width: cols, pane: 1, paneX: 0, paneY: y })),
    caret: undefined,
    hit: () => ({ type: 'none' }),
  };
}

/** A view as a frame of its size. */
export function frameOf(view: ScreenView): Frame {
  const frame = new Frame(view.cols, view.rows);
  const chrome = bareChrome(view.cols, view.rows);
  composeChrome(frame, chrome);
  composePane(frame, chrome.spans, view, 0);
  return frame;
}

/** A frame of text lines, top left. */
export function textFrame(cols: number, rows: number, lines: readonly string[]): Frame {
  const frame = frameOf(
    screen(
      cols,
      rows,
      lines.map(line => cellLine(plainGlyphs(line))),
    ),
  );
  frame.cursor = { x: 0, y: 0, visible: true, shape: 'default', blink: false };
  return frame;
}

/** A cell of a frame in words that do not depend on its tables. */
export function describeCell(frame: Frame, x: number, y: number): string {
  const n = y * frame.cols + x;
  const content = frame.cells[n * CELL_WORDS]!;
  const fg = frame.cells[n * CELL_WORDS + 1]!;
  const bg = frame.cells[n * CELL_WORDS + 2]!;
  const text =
    content & CONTENT.isCluster
      ? frame.tables.clusterText(content)
      : String.fromCodePoint(content & CONTENT.codepointMask);
  const extended = bg & BG.hasExtended ? frame.tables.extendedOf(frame.ext[n]!) : undefined;
  const more = extended
    ? ` u${extended.underlineStyle}/${extended.underlineColor.toString(16)} ${extended.link}#${extended.linkId}`
    : '';
  return `${JSON.stringify(text)} w${content >>> CONTENT.widthShift} ${fg.toString(16)} ${bg.toString(16)}${more}`;
}

/** The first cells in which two frames differ, as text; '' if they look the same. */
export function differences(actual: Frame, expected: Frame): string {
  const found: string[] = [];
  for (let y = 0; y < expected.rows; y++) {
    for (let x = 0; x < expected.cols && found.length < 5; x++) {
      const a = describeCell(actual, x, y);
      const b = describeCell(expected, x, y);
      if (a !== b) found.push(`(${x},${y}) is ${a}, should be ${b}`);
    }
  }
  return found.join('\n');
}
