/**
 * Normal form of cells (frame.ts): what cannot be seen is taken out, what needs a side table gets an id.
 */
import { codepointWidth } from '../base/text.ts';
import { BG, CELL_WORDS, COLOR, CONTENT, FG, UNDERLINE } from '../term/cell.ts';
import type { CellLine } from '../term/cell.ts';
import type { Frame } from './frame.ts';
import { BLANK } from './frame.ts';
import { isPrintable } from './interner.ts';
import type { FrameTables } from './interner.ts';

const NARROW = 1 << CONTENT.widthShift;
const WIDE = 2 << CONTENT.widthShift;
/** Content words of printable ASCII characters: the first, and how many there are. */
const FIRST_PLAIN = 0x20 | NARROW;
const PLAIN_COUNT = 0x7f - 0x20;
const FG_FLAGS = FG.inverse | FG.bold | FG.underline | FG.blink | FG.invisible | FG.strikethrough;
/** Flags that have a look; `isProtected` has none. */
const BG_FLAGS = BG.italic | BG.dim | BG.overline;
/** What can be seen of a cell without a glyph, besides its background. */
const FG_SEEN_ON_BLANK = FG.inverse | FG.underline | FG.strikethrough;
const BG_SEEN_ON_BLANK = BG.overline | BG.hasExtended;

/** A colour (mode and value, no flags) in normal form. */
function normalColor(word: number): number {
  const mode = word & COLOR.modeMask;
  if (mode === COLOR.default) return 0;
  if (mode === COLOR.rgb) return word & (COLOR.modeMask | COLOR.rgbMask);
  const index = word & COLOR.indexMask;
  return index < 16 ? COLOR.p16 | index : COLOR.p256 | index;
}

/** Id of what a cell has beyond its words, without what its other attributes make invisible. */
function extendedId(tables: FrameTables, line: CellLine, column: number, underlined: boolean): number {
  const given = line.extended(column);
  if (given === undefined) return 0;
  const style = underlined ? given.underlineStyle || UNDERLINE.single : UNDERLINE.none;
  const color = underlined ? normalColor(given.underlineColor) : COLOR.default;
  if (style <= UNDERLINE.single && color === COLOR.default && given.link === '') return 0;
  return tables.extended(style, color, given.link, given.linkId);
}

/**
 * Content word without its width, in normal form; 0 if there is no glyph to be shown in `room` cells. A terminal would
 * draw a wide one over the next cell, whatever the emulator says.
 */
function glyph(tables: FrameTables, content: number, line: CellLine, column: number, room: number): number {
  if (content & CONTENT.isCluster) {
    const cluster = tables.cluster(line.clusters[column] ?? '');
    return tables.width(cluster) <= room ? cluster : 0;
  }
  const codepoint = content & CONTENT.codepointMask;
  return codepoint !== 0x20 && isPrintable(codepoint) && codepointWidth(codepoint) <= room ? codepoint : 0;
}

/** Takes the attributes that cannot be seen from the cell at word `i`, if it is blank. */
export function normalizeBlank(cells: Uint32Array, i: number): void {
  if (cells[i] !== BLANK || cells[i + 1]! & FG_SEEN_ON_BLANK || cells[i + 2]! & BG_SEEN_ON_BLANK) return;
  cells[i + 1] = 0;
  cells[i + 2] = cells[i + 2]! & (COLOR.modeMask | COLOR.rgbMask);
}

/**
 * Brings `count` cells of row `y` from column `x`, copied there verbatim from `line` at `column`, into normal form.
 * Wide characters cut by either end become blanks. Their `ext` must be 0 on entry.
 * @returns whether the look of a cell depends on more than its words
 */
export function normalizeCells(
  frame: Frame,
  y: number,
  x: number,
  count: number,
  line: CellLine,
  column: number,
): boolean {
  const cells = frame.cells;
  const first = y * frame.cols + x;
  let complex = false;
  let i = first * CELL_WORDS;
  for (let n = 0; n < count; n++, i += CELL_WORDS) {
    const content = cells[i]!;
    const fgWord = cells[i + 1]!;
    const bgWord = cells[i + 2]!;
    if ((fgWord | bgWord) === 0) {
      // Most cells of most screens: a letter, or nothing at all.
      if ((content - FIRST_PLAIN) >>> 0 < PLAIN_COUNT) continue;
      if (content === NARROW) {
        cells[i] = BLANK;
        continue;
      }
    }
    let fg = fgWord & FG_FLAGS;
    if (fgWord & COLOR.modeMask) fg |= normalColor(fgWord);
    let bg = bgWord & BG_FLAGS;
    if (bgWord & COLOR.modeMask) bg |= normalColor(bgWord);
    const plain = (content - FIRST_PLAIN) >>> 0 < PLAIN_COUNT && content !== BLANK;
    if (plain && (bgWord & BG.hasExtended) === 0) {
      cells[i + 1] = fg;
      cells[i + 2] = bg;
      continue;
    }
    if (bgWord & BG.hasExtended || content & CONTENT.isCluster) complex = true;
    if (bgWord & BG.hasExtended) {
      const id = extendedId(frame.tables, line, column + n, (fg & FG.underline) !== 0);
      if (id !== 0) {
        frame.ext[first + n] = id;
        bg |= BG.hasExtended;
      }
    }
    const roomy =
      (content & CONTENT.widthMask) === WIDE && n + 1 < count && (cells[i + 3]! & CONTENT.widthMask) === 0;
    const narrow = (content & CONTENT.widthMask) === NARROW;
    const shown = roomy || narrow ? glyph(frame.tables, content, line, column + n, roomy ? 2 : 1) : 0;
    const wide = roomy && frame.tables.width(shown) === 2;
    if (shown === 0) {
      cells[i] = BLANK;
      if ((fg & FG_SEEN_ON_BLANK) === 0 && (bg & BG_SEEN_ON_BLANK) === 0) {
        fg = 0;
        bg &= COLOR.modeMask | COLOR.rgbMask;
      }
    } else {
      cells[i] = shown | (wide ? WIDE : NARROW);
    }
    cells[i + 1] = fg;
    cells[i + 2] = bg;
    if (!wide || shown === 0) continue;
    n++;
    i += CELL_WORDS;
    cells[i] = 0;
    cells[i + 1] = fg;
    cells[i + 2] = bg;
    frame.ext[first + n] = frame.ext[first + n - 1]!;
  }
  return complex;
}
