/**
 * A screen and its history as text, as `capture-pane -p` prints it.
 */
import { BG, CELL_WORDS, COLOR, CONTENT, FG } from './cell.ts';
import type { CellLine } from './cell.ts';
import type { ScreenView } from './screen-view.ts';
import { sgrBetween } from './sgr.ts';
import type { Attributes } from './sgr.ts';

/** What to capture. Lines count from 0, the top of the screen; negative ones are history. */
export interface CaptureOptions {
  /** First line; the top of the screen if left out. Beyond the ends counts as the end. */
  readonly start?: number;
  /** Last line, included; the bottom of the screen if left out. */
  readonly end?: number;
  /** Keep colours, attributes and links as escape sequences; every line starts and ends plain. */
  readonly escapes?: boolean;
  /** One line of output for wrapped lines; blanks that were written are kept at the ends. */
  readonly join?: boolean;
}

const PLAIN: Attributes = { fg: 0, bg: 0, extended: undefined };
const END_LINK = '\x1b]8;;\x1b\\';

/** The cell's text: nothing for the right half of a wide character, a space for an empty cell. */
export function cellText(line: CellLine, column: number): string {
  const content = line.words[column * CELL_WORDS] ?? 0;
  if (content & CONTENT.isCluster) return line.clusters[column] ?? ' ';
  const codepoint = content & CONTENT.codepointMask;
  if (codepoint !== 0) return String.fromCodePoint(codepoint);
  return content & CONTENT.widthMask ? ' ' : '';
}

const linkOf = (style: Attributes): string => style.extended?.link ?? '';

/** Escape sequences that lead from one style to the next; '' if they look the same. */
function transition(from: Attributes, to: Attributes): string {
  const parameters = sgrBetween(from, to);
  const out = parameters.length > 0 ? `\x1b[${parameters.join(';')}m` : '';
  const sameLink = linkOf(from) === linkOf(to) && from.extended?.linkId === to.extended?.linkId;
  if (sameLink || (linkOf(from) === '' && linkOf(to) === '')) return out;
  if (linkOf(to) === '') return out + END_LINK;
  const id = to.extended?.linkId ? `id=${to.extended.linkId}` : '';
  return `${out}\x1b]8;${id};${linkOf(to)}\x1b\\`;
}

/** Whether an empty or blank cell would still be seen with its style. */
function showsWhenBlank(fg: number, bg: number): boolean {
  return (bg & COLOR.modeMask) !== 0 || (fg & (FG.inverse | FG.underline | FG.strikethrough)) !== 0;
}

/** Columns that matter: up to the last cell with text, or with `escapes` the last one that is seen. */
function usedColumns(line: CellLine, cols: number, blanks: boolean, escapes: boolean): number {
  const available = Math.min(cols, Math.floor(line.words.length / CELL_WORDS));
  for (let column = available; column > 0; column--) {
    const at = (column - 1) * CELL_WORDS;
    const content = line.words[at]!;
    const codepoint = content & CONTENT.hasContent;
    const isRightHalf = codepoint === 0 && (content & CONTENT.widthMask) === 0;
    if (isRightHalf || (codepoint !== 0 && (blanks || codepoint !== 0x20))) return column;
    if (escapes && showsWhenBlank(line.words[at + 1]!, line.words[at + 2]!)) return column;
  }
  return 0;
}

function plainText(line: CellLine, used: number): string {
  let text = '';
  for (let column = 0; column < used; column++) text += cellText(line, column);
  return text;
}

function styledText(line: CellLine, used: number, from: Attributes): { text: string; style: Attributes } {
  let style = from;
  let text = '';
  for (let column = 0; column < used; column++) {
    const cell = cellText(line, column);
    if (cell === '') continue;
    const at = column * CELL_WORDS;
    const fg = line.words[at + 1]!;
    const bg = line.words[at + 2]!;
    const extended = bg & BG.hasExtended ? line.extended(column) : undefined;
    const next: Attributes = { fg, bg, extended };
    if (fg !== style.fg || bg !== style.bg || extended !== undefined) text += transition(style, next);
    style = next;
    text += cell;
  }
  return { text, style };
}

/** One or more screen lines that make one line of output. */
function captureRun(view: ScreenView, lines: readonly CellLine[], options: CaptureOptions): string {
  const escapes = options.escapes === true;
  let style = PLAIN;
  let text = '';
  for (const line of lines) {
    const used = usedColumns(line, view.cols, options.join === true, escapes);
    if (!escapes) text += plainText(line, used);
    else {
      const part = styledText(line, used, style);
      text += part.text;
      style = part.style;
    }
  }
  return text + (escapes ? transition(style, PLAIN) : '');
}

/**
 * The lines `start` to `end` of a screen as text, a cluster or wide character once. Without `join` blanks at the end of
 * a line are left out. Start and end are put in order and into range.
 */
export function captureLines(view: ScreenView, options: CaptureOptions = {}): string[] {
  const clampLine = (y: number): number =>
    Math.max(-view.historySize, Math.min(view.rows - 1, Math.trunc(y)));
  const a = clampLine(options.start ?? 0);
  const b = clampLine(options.end ?? view.rows - 1);
  const out: string[] = [];
  let run: CellLine[] = [];
  for (let y = Math.min(a, b); y <= Math.max(a, b); y++) {
    const line = view.line(y);
    if (!line) continue;
    run.push(line);
    const continues = options.join === true && y < Math.max(a, b) && view.line(y + 1)?.wrapped === true;
    if (continues) continue;
    out.push(captureRun(view, run, options));
    run = [];
  }
  return out;
}
