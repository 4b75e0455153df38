/**
 * What a person sees of a screen, cell by cell, read from the emulator's words without lib/frame: for telling whether
 * two terminals show the same, whatever they hold behind it.
 */
import { cellWidth, codepointWidth } from '../../lib/base/text.ts';
import { BG, CELL_WORDS, COLOR, CONTENT, FG, UNDERLINE } from '../../lib/term/cell.ts';
import type { CellLine } from '../../lib/term/cell.ts';
import type { Cursor, ScreenView } from '../../lib/term/screen-view.ts';

/** Where a screen stands on another one. */
export interface Offset {
  readonly x: number;
  readonly y: number;
}

const ORIGIN: Offset = { x: 0, y: 0 };
/** Differences told: enough to see a pattern. */
const MAX_TOLD = 6;

function widthAt(line: CellLine, x: number): number {
  return ((line.words[x * CELL_WORDS] ?? 0) & CONTENT.widthMask) >>> CONTENT.widthShift;
}

/** Palette colours below 16 are the same however they were asked for. */
function color(word: number): string {
  const mode = word & COLOR.modeMask;
  if (mode === COLOR.default) return '';
  if (mode === COLOR.rgb) return `#${(word & COLOR.rgbMask).toString(16).padStart(6, '0')}`;
  return String(word & COLOR.indexMask);
}

/**
 * Text of a cell; '' for the right half of a wide character. Shown as a blank are half of one, a mark on nothing, and
 * a character that is wider than its cells.
 */
function textAt(line: CellLine, x: number, cols: number): string {
  const content = line.words[x * CELL_WORDS] ?? 0;
  const width = widthAt(line, x);
  if (width === 0)
    return x > 0 && widthAt(line, x - 1) === 2 && cellWidth(textAt(line, x - 1, cols)) === 2 ? '' : ' ';
  if (width === 2 && (x + 1 >= cols || widthAt(line, x + 1) !== 0)) return ' ';
  const codepoint = content & CONTENT.codepointMask;
  const text = content & CONTENT.isCluster ? (line.clusters[x] ?? '') : String.fromCodePoint(codepoint);
  return codepointWidth(text.codePointAt(0) ?? 0) === 0 || cellWidth(text) > width ? ' ' : text;
}

/** Of a blank only lines, links and the background are seen. */
function describe(line: CellLine, x: number, cols: number): string {
  const fg = line.words[x * CELL_WORDS + 1] ?? 0;
  const bg = line.words[x * CELL_WORDS + 2] ?? 0;
  const text = textAt(line, x, cols);
  if (text === '') return '(right half)';
  const more = bg & BG.hasExtended ? line.extended(x) : undefined;
  const isUnderlined = (fg & FG.underline) !== 0;
  const style = (isUnderlined && more?.underlineStyle) || UNDERLINE.single;
  const lined = (fg & (FG.inverse | FG.underline | FG.strikethrough)) !== 0 || (bg & BG.overline) !== 0;
  const background = color(bg) && `on ${color(bg)}`;
  if (text === ' ' && !lined && !more?.link) return background;
  return [
    JSON.stringify(text),
    color(fg),
    background,
    fg & FG.bold && 'bold',
    bg & BG.dim && 'dim',
    bg & BG.italic && 'italic',
    isUnderlined && `underline ${style} ${more ? color(more.underlineColor) : ''}`,
    fg & FG.blink && 'blink',
    fg & FG.inverse && 'inverse',
    fg & FG.invisible && 'invisible',
    fg & FG.strikethrough && 'strike',
    bg & BG.overline && 'overline',
    more?.link && `link ${more.link} ${more.linkId}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The cursor in words; where it is not shown only that is seen. */
export function seenCursor({ x, y, visible, shape, blink }: Cursor, at: Offset = ORIGIN): string {
  return visible ? `${x - at.x},${y - at.y} ${shape}${blink ? ' blinking' : ''}` : 'hidden';
}

/**
 * The first cells in which `view` (its part at `at`) does not show what `wanted` does, and the cursor; '' where a
 * person sees the same.
 */
export function seenDifferences(view: ScreenView, wanted: ScreenView, at: Offset = ORIGIN): string {
  const found: string[] = [];
  for (let y = 0; y < wanted.rows && found.length < MAX_TOLD; y++) {
    const a = view.line(y + at.y);
    const b = wanted.line(y);
    for (let x = 0; x < wanted.cols && found.length < MAX_TOLD; x++) {
      const is = a ? describe(a, x + at.x, at.x + wanted.cols) : '';
      const should = b ? describe(b, x, wanted.cols) : '';
      if (is !== should) found.push(`(${x},${y}) is [${is}], should be [${should}]`);
    }
  }
  const is = seenCursor(view.cursor, at);
  const should = seenCursor(wanted.cursor);
  if (is !== should) found.push(`cursor is ${is}, should be ${should}`);
  return found.join('\n');
}
