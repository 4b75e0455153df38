/**
 * Paints rows: turns the difference between what the terminal shows and what it should show into few bytes.
 * Sources: ECMA-48 8.3 (ECH, EL, ED, REP), ctlseqs.
 */
import { BLANK } from '../frame/frame.ts';
import type { Frame } from '../frame/frame.ts';
import { BG, CELL_WORDS, CONTENT } from '../term/cell.ts';
import { asciiFor } from './ascii.ts';
import type { TerminalCaps } from './caps.ts';
import { isCertain } from './certain.ts';
import { digits } from './output.ts';
import type { Output } from './output.ts';
import type { Pen } from './pen.ts';
import type { Picture } from './picture.ts';
import type { Place } from './place.ts';

/** No cursor move within a row takes more bytes (CSI 1000 G), so no longer gap is worth writing again. */
const MAX_GAP = 7;
/** Blanks that need not be written, from which on they end a run of blanks: two moves' worth. */
const MAX_BLANK_GAP = 8;
/** Content words of printable ASCII characters other than space: the first, and how many there are. */
const FIRST_LETTER = 0x21 | (1 << CONTENT.widthShift);
const LETTERS = 0x7f - 0x21;
/** Bytes of EL. */
const EL = 3;

/** Bytes of a code point in UTF-8. */
function utf8Length(codepoint: number): number {
  if (codepoint < 0x80) return 1;
  if (codepoint < 0x800) return 2;
  return codepoint < 0x10000 ? 3 : 4;
}

/** Bytes of CSI n X. */
const sequence = (n: number): number => 3 + (n === 1 ? 0 : digits(n));

/** Brings rows of one terminal up to date. */
export class Painter {
  readonly #caps: TerminalCaps;
  readonly #out: Output;
  readonly #pen: Pen;
  readonly #place: Place;
  readonly #picture: Picture;
  /** The column after the last that must be written even if it has not changed. */
  #forced = 0;

  constructor(caps: TerminalCaps, out: Output, pen: Pen, place: Place, picture: Picture) {
    this.#caps = caps;
    this.#out = out;
    this.#pen = pen;
    this.#place = place;
    this.#picture = picture;
  }

  /** Paints row `y`. Pre: the picture and the frame have the same size. */
  row(frame: Frame, y: number): void {
    const start = y * frame.cols;
    const picture = this.#picture;
    let first = 0;
    while (first < frame.cols && picture.isCell(frame, start + first)) first++;
    if (first === frame.cols) return picture.takeRow(frame, y);
    let end = frame.cols;
    while (picture.isCell(frame, start + end - 1)) end--;
    const tail = this.#tail(frame, y);
    const erased = Math.max(tail, first);
    const erase =
      end - erased >
      EL + (this.#pen.suitsBlank(frame.cells[(start + erased) * CELL_WORDS + 2] ?? 0) ? 0 : EL);
    this.#forced = 0;
    this.#cells(frame, y, first, erase ? erased : end, erase);
    if (erase) {
      this.reach(frame, erased, y);
      this.#blankPen(frame, frame.cells[(start + erased) * CELL_WORDS + 2]!);
      this.#out.ascii('\x1b[K');
    }
    picture.takeRow(frame, y);
  }

  /** Erases from row `y` to the end, which the frame shows blank with this background. */
  eraseBelow(frame: Frame, y: number, bg: number): void {
    this.reach(frame, 0, y);
    this.#blankPen(frame, bg);
    this.#out.ascii('\x1b[J');
    this.#picture.blankRows(y, frame.rows, bg);
  }

  /** Whether the terminal can erase cells to this background. */
  erasable(bg: number): boolean {
    return (bg & (BG.overline | BG.hasExtended)) === 0 && (bg === 0 || this.#caps.bce);
  }

  /**
   * Moves the cursor to a cell. Everything left of it in its row must be up to date: what lies between may be written
   * again where that takes fewer bytes than a move.
   */
  reach(frame: Frame, x: number, y: number): void {
    const place = this.#place;
    if (place.x === x && place.y === y) return;
    const gap = x - place.x;
    if (place.y === y && place.x >= 0 && gap > 0 && gap <= MAX_GAP) {
      const bytes = this.#gapBytes(frame, place.x, x, y);
      if (bytes <= place.cost(x, y)) {
        this.#rewrite(frame, place.x, x, y);
        place.advance(gap, true);
        return;
      }
    }
    place.to(x, y);
  }

  /** Bytes of the cells between, Infinity if they cannot be written with the pen as it is. */
  #gapBytes(frame: Frame, from: number, to: number, y: number): number {
    let bytes = 0;
    for (let n = y * frame.cols + from; n < y * frame.cols + to; n++) {
      const i = n * CELL_WORDS;
      const content = frame.cells[i]!;
      const fg = frame.cells[i + 1]!;
      const bg = frame.cells[i + 2]!;
      const suits =
        this.#pen.suits(fg, bg, frame.ext[n]!) || (isPlainBlank(content, fg, bg) && this.#pen.suitsBlank(bg));
      if (!suits || content >>> CONTENT.widthShift !== 1 || !isCertain(content)) return Infinity;
      bytes += this.#caps.unicode ? utf8Length(content & CONTENT.codepointMask) : 1;
    }
    return bytes;
  }

  #rewrite(frame: Frame, from: number, to: number, y: number): void {
    for (let n = y * frame.cols + from; n < y * frame.cols + to; n++) {
      this.#codepoint(frame.cells[n * CELL_WORDS]! & CONTENT.codepointMask);
    }
  }

  /** First column from which on the row is blank and can be erased; the number of columns if there is none. */
  #tail(frame: Frame, y: number): number {
    const start = y * frame.cols;
    const { cells } = frame;
    const bg = cells[(start + frame.cols) * CELL_WORDS - 1]!;
    if (!this.erasable(bg)) return frame.cols;
    let x = frame.cols;
    for (let i = (start + x) * CELL_WORDS - CELL_WORDS; x > 0; i -= CELL_WORDS, x--) {
      if (cells[i] !== BLANK || cells[i + 1] !== 0 || cells[i + 2] !== bg) break;
    }
    return x;
  }

  /** Writes the changed cells of columns `first` up to before `end`. */
  #cells(frame: Frame, y: number, first: number, end: number, erasedAfter: boolean): void {
    const { cells, ext, cols } = frame;
    const start = y * cols;
    let limit = end;
    let x = first;
    while (x < limit) {
      const n = start + x;
      if (x >= this.#forced && this.#picture.isCell(frame, n)) {
        x++;
        continue;
      }
      const i = n * CELL_WORDS;
      const content = cells[i]!;
      const bg = cells[i + 2]!;
      if (content === 0 && x > 0) {
        // The right half of a wide character: both halves are written.
        this.#forced = Math.max(this.#forced, x);
        x--;
      } else if (isPlainBlank(content, cells[i + 1]!, bg)) {
        x = this.#blanks(frame, y, x, limit, bg);
      } else {
        this.reach(frame, x, y);
        this.#pen.set(this.#out, cells[i + 1]!, bg, ext[n]!, frame.tables);
        const letters = this.#letters(frame, n, limit - x);
        x = letters > 0 ? x + letters : this.#glyph(frame, n, x, limit);
        if (!erasedAfter && this.#forced > limit) limit = Math.min(cols, this.#forced);
      }
    }
  }

  /**
   * Writes the changed ASCII letters from cell `n` on that share its attributes, at most `most`; returns how many.
   * The bulk of what is ever painted, so it is kept short; repeated letters are left to `#glyph`.
   */
  #letters(frame: Frame, n: number, most: number): number {
    const { cells } = frame;
    const old = this.#picture.cells;
    const from = n * CELL_WORDS;
    const end = from + most * CELL_WORDS;
    const fg = cells[from + 1];
    const bg = cells[from + 2]!;
    if (bg & BG.hasExtended) return 0;
    let i = from;
    let content = cells[i]!;
    while (i < end && (content - FIRST_LETTER) >>> 0 < LETTERS) {
      const next = cells[i + CELL_WORDS];
      if (this.#caps.repeat && next === content) break;
      if (i > from && old[i] === content && old[i + 1] === fg && old[i + 2] === bg) break;
      i += CELL_WORDS;
      if (i >= end || cells[i + 1] !== fg || cells[i + 2] !== bg) break;
      content = next!;
    }
    const count = (i - from) / CELL_WORDS;
    if (count === 0) return 0;
    this.#out.asciiCells(cells, from, i);
    this.#place.advance(count, true);
    return count;
  }

  /** Makes the pen fit for erasing to `bg`. */
  #blankPen(frame: Frame, bg: number): void {
    if (!this.#pen.suitsBlank(bg)) this.#pen.set(this.#out, 0, bg, 0, frame.tables);
  }

  /** Writes the run of blanks at column `x`; returns the column after it. */
  #blanks(frame: Frame, y: number, x: number, limit: number, bg: number): number {
    const { cells } = frame;
    const start = y * frame.cols;
    let end = x + 1;
    for (let at = end; at < limit && at - end <= MAX_BLANK_GAP; at++) {
      const i = (start + at) * CELL_WORDS;
      if (cells[i] !== BLANK || cells[i + 1] !== 0 || cells[i + 2] !== bg) break;
      if (at < this.#forced || !this.#picture.isCell(frame, start + at)) end = at + 1;
    }
    const count = end - x;
    const followed = end < limit && !this.#picture.isCell(frame, start + end);
    this.reach(frame, x, y);
    this.#blankPen(frame, bg);
    if (this.#caps.repeat && count > 1 + sequence(count - 1)) {
      this.#out.byte(0x20);
      this.#out.csi(count - 1, 'b');
    } else if (
      this.#caps.editing &&
      this.erasable(bg) &&
      count > sequence(count) + (followed ? sequence(count) : 0)
    ) {
      this.#out.csi(count, 'X');
      return end;
    } else {
      for (let i = 0; i < count; i++) this.#out.byte(0x20);
    }
    this.#place.advance(count, true);
    return end;
  }

  /** Writes the character of cell `n` in column `x`, and equal ones after it; returns the column after them. */
  #glyph(frame: Frame, n: number, x: number, limit: number): number {
    const content = frame.cells[n * CELL_WORDS]!;
    const width = (content & CONTENT.widthMask) >>> CONTENT.widthShift || 1;
    if (!this.#caps.unicode) {
      this.#asciiGlyph(frame, content, width);
    } else if (!isCertain(content)) {
      this.#uncertain(frame, n, x, width);
    } else {
      this.#out.codepoint(content & CONTENT.codepointMask);
      this.#place.advance(width, true);
      if (this.#caps.repeat && width === 1) return this.#repeat(frame, n, x, limit);
    }
    return x + width;
  }

  /** A character that this terminal cannot show. */
  #asciiGlyph(frame: Frame, content: number, width: number): void {
    const codepoint =
      content & CONTENT.isCluster
        ? (frame.tables.clusterText(content).codePointAt(0) ?? 0x3f)
        : content & CONTENT.codepointMask;
    const code = asciiFor(codepoint);
    for (let i = 0; i < width; i++) this.#out.byte(code);
    this.#place.advance(width, true);
  }

  /** A character that terminals measure differently. */
  #uncertain(frame: Frame, n: number, x: number, width: number): void {
    const content = frame.cells[n * CELL_WORDS]!;
    // A terminal that gives it one cell must not leave what was in the second.
    if (width === 2 && this.#caps.editing && this.#picture.cells[(n + 1) * CELL_WORDS] !== BLANK)
      this.#out.csi(2, 'X');
    let units = 2;
    if (content & CONTENT.isCluster) {
      const text = frame.tables.clusterText(content);
      units = text.length;
      this.#out.utf8(text);
    } else {
      this.#out.codepoint(content & CONTENT.codepointMask);
    }
    this.#place.advance(width, false);
    // One that gives it more has written over the next: about one cell for each UTF-16 unit at most.
    this.#forced = Math.max(this.#forced, x + Math.max(units, width + 1));
  }

  /** After a character in column `x`: repeats it over the equal cells that follow, where that is shorter. */
  #repeat(frame: Frame, n: number, x: number, limit: number): number {
    const { cells, ext } = frame;
    const i = n * CELL_WORDS;
    let count = 0;
    for (let j = i + CELL_WORDS; x + 1 + count < limit; j += CELL_WORDS, count++) {
      if (cells[j] !== cells[i] || cells[j + 1] !== cells[i + 1] || cells[j + 2] !== cells[i + 2]) break;
      if (ext[n + 1 + count] !== ext[n]) break;
    }
    if (count * utf8Length(cells[i]! & CONTENT.codepointMask) <= sequence(count)) return x + 1;
    this.#out.csi(count, 'b');
    this.#place.advance(count, true);
    return x + 1 + count;
  }

  #codepoint(codepoint: number): void {
    if (this.#caps.unicode) this.#out.codepoint(codepoint);
    else this.#out.byte(asciiFor(codepoint));
  }
}

/** Whether nothing but a background shows. */
function isPlainBlank(content: number, fg: number, bg: number): boolean {
  return content === BLANK && fg === 0 && (bg & (BG.overline | BG.hasExtended)) === 0;
}
