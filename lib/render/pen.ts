/**
 * The terminal's pen: attributes, colours and link of what is written next, and the shortest way from one to another.
 * Sources: ECMA-48 8.3.117 (SGR), ctlseqs "Character Attributes", the OSC 8 specification.
 */
import type { FrameTables } from '../frame/interner.ts';
import { BG, COLOR, FG, UNDERLINE } from '../term/cell.ts';
import type { TerminalCaps } from './caps.ts';
import { ColorMapper } from './color.ts';
import type { Output } from './output.ts';

/** An attribute that is on or off: its bit in `attrs`, where it stands in a cell, and its SGR parameters. */
const ATTRIBUTES = [
  { bit: 1, fg: FG.bold, bg: 0, on: 1, off: 22 },
  { bit: 2, fg: 0, bg: BG.dim, on: 2, off: 22 },
  { bit: 4, fg: 0, bg: BG.italic, on: 3, off: 23 },
  { bit: 8, fg: FG.blink, bg: 0, on: 5, off: 25 },
  { bit: 16, fg: FG.inverse, bg: 0, on: 7, off: 27 },
  { bit: 32, fg: FG.invisible, bg: 0, on: 8, off: 28 },
  { bit: 64, fg: FG.strikethrough, bg: 0, on: 9, off: 29 },
  { bit: 128, fg: 0, bg: BG.overline, on: 53, off: 55 },
] as const;
/** Bold and dim, which SGR 22 turns off together. */
const WEIGHT = 1 | 2;
/** What shows on a blank cell: inverse, strikethrough, overline. */
const SEEN_ON_BLANK = 16 | 64 | 128;
const ATTRIBUTE_FG = FG.bold | FG.blink | FG.inverse | FG.invisible | FG.strikethrough;
const ATTRIBUTE_BG = BG.dim | BG.italic | BG.overline;
const COLOR_MASK = COLOR.modeMask | COLOR.rgbMask;

/** SGR parameters of a kind of colour: the first of eight, of the bright eight, and the extended form. */
const FOREGROUND = { base: 30, bright: 90, extended: 38, reset: 39 } as const;
const BACKGROUND = { base: 40, bright: 100, extended: 48, reset: 49 } as const;

const SEMICOLON = 0x3b;
/** Bytes of a reset that also sets something: CSI 0 ; n m. */
const SHORTEST_RESET = 6;

/**
 * Bytes of link targets that one update may carry. A screen of ordinary links needs a few kilobytes; a program that puts a
 * different 2 kB link on each cell would otherwise make one of 80 MB. Cells beyond it are drawn without their link.
 */
const LINK_BUDGET = 256 * 1024;

/** How a cell looks on this terminal. */
interface Look {
  attrs: number;
  underline: number;
  underlineColor: number;
  fg: number;
  bg: number;
  link: string;
  linkId: string;
}

const plainLook = (): Look => ({
  attrs: 0,
  underline: 0,
  underlineColor: 0,
  fg: 0,
  bg: 0,
  link: '',
  linkId: '',
});

/** The pen of one terminal. Words and ids given to it are those of cells in normal form. */
export class Pen {
  readonly #caps: TerminalCaps;
  readonly #mapper: ColorMapper;
  /** Attribute bits this terminal has. */
  readonly #supported: number;
  /** Whether the terminal's pen is as `#now` says. */
  #known = false;
  /** Words of the cell the pen was last set for. */
  #fgWord = 0;
  #bgWord = 0;
  #ext = 0;
  #now = plainLook();
  #next = plainLook();
  #linkBytes = 0;

  constructor(caps: TerminalCaps) {
    this.#caps = caps;
    this.#mapper = new ColorMapper(caps.colors);
    this.#supported =
      0xff & ~(caps.italic ? 0 : 4) & ~(caps.strikethrough ? 0 : 64) & ~(caps.overline ? 0 : 128);
  }

  /** Nothing is known about the terminal's pen any more. */
  forget(): void {
    this.#known = false;
  }

  /** Begins an update: links count against its budget. */
  start(): void {
    this.#linkBytes = 0;
  }

  /** Ids of extended attributes have lost their meaning; the pen itself has not changed. */
  forgetIds(): void {
    if (this.#ext !== 0) this.#ext = -1;
  }

  /** Makes the pen that of a cell with these words. */
  set(out: Output, fg: number, bg: number, ext: number, tables: FrameTables): void {
    if (this.#known && fg === this.#fgWord && bg === this.#bgWord && ext === this.#ext) return;
    this.#look(fg, bg, ext, tables);
    this.#fgWord = fg;
    this.#bgWord = bg;
    this.#ext = ext;
    out.reserve(128);
    if (this.#known) this.#change(out);
    else this.#reset(out);
    this.#linkTo(out);
    this.#known = true;
    const spare = this.#now;
    this.#now = this.#next;
    this.#next = spare;
  }

  /** Whether a cell with these words would be written as it should be with the pen as it is. */
  suits(fg: number, bg: number, ext: number): boolean {
    return this.#known && fg === this.#fgWord && bg === this.#bgWord && ext === this.#ext;
  }

  /** Whether a blank with background `bg` and nothing else would be: a foreground does not show on it. */
  suitsBlank(bg: number): boolean {
    const now = this.#now;
    return (
      this.#known &&
      (now.attrs & SEEN_ON_BLANK) === 0 &&
      now.underline === 0 &&
      now.link === '' &&
      now.bg === this.#mapper.map(bg)
    );
  }

  /** Works out how a cell looks here, into `#next`. */
  #look(fg: number, bg: number, ext: number, tables: FrameTables): void {
    const next = this.#next;
    let attrs = 0;
    if (fg & ATTRIBUTE_FG || bg & ATTRIBUTE_BG) {
      for (const attribute of ATTRIBUTES) if (fg & attribute.fg || bg & attribute.bg) attrs |= attribute.bit;
    }
    next.attrs = attrs & this.#supported;
    next.bg = this.#mapper.map(bg);
    next.fg = this.#mapper.contrast(fg & COLOR_MASK, bg & COLOR_MASK, this.#mapper.map(fg), next.bg);
    next.underline = fg & FG.underline ? UNDERLINE.single : UNDERLINE.none;
    next.underlineColor = COLOR.default;
    next.link = '';
    next.linkId = '';
    if (ext === 0) return;
    const extended = tables.extendedOf(ext);
    if (this.#caps.underlineStyles && next.underline !== UNDERLINE.none) {
      next.underline = extended.underlineStyle || UNDERLINE.single;
      next.underlineColor = this.#mapper.map(extended.underlineColor);
    }
    if (!this.#caps.hyperlinks) return;
    next.link = extended.link;
    next.linkId = extended.linkId;
  }

  /** From the known pen to `#next`, by what differs or by a reset, whichever is shorter. */
  #change(out: Output): void {
    const now = this.#now;
    const next = this.#next;
    const plain = !(next.attrs || next.underline || next.underlineColor || next.fg || next.bg);
    const dropped =
      now.attrs & ~next.attrs ||
      (now.underline && !next.underline) ||
      (now.fg && !next.fg) ||
      (now.bg && !next.bg) ||
      (now.underlineColor && !next.underlineColor);
    if (plain && dropped) return this.#reset(out);
    const start = out.length;
    this.#difference(out);
    const middle = out.length;
    if (!dropped || middle - start <= SHORTEST_RESET) return;
    this.#reset(out);
    if (out.length - middle < middle - start) out.cut(start, middle);
    else out.truncate(middle);
  }

  /** Only what differs. */
  #difference(out: Output): void {
    const now = this.#now;
    const next = this.#next;
    out.ascii('\x1b[');
    const start = out.length;
    let on = next.attrs & ~now.attrs;
    let off = now.attrs & ~next.attrs;
    if (off & WEIGHT) {
      parameter(out, 22);
      on |= next.attrs & WEIGHT;
      off &= ~WEIGHT;
    }
    attributes(out, off, 'off');
    attributes(out, on, 'on');
    if (next.underline !== now.underline) underline(out, next.underline);
    if (next.underlineColor !== now.underlineColor) underlineColor(out, next.underlineColor);
    if (next.fg !== now.fg) color(out, next.fg, FOREGROUND);
    if (next.bg !== now.bg) color(out, next.bg, BACKGROUND);
    if (out.length === start) out.truncate(start - 2);
    else out.replaceLast(0x6d);
  }

  /** A reset and all of `#next`. */
  #reset(out: Output): void {
    const next = this.#next;
    out.ascii('\x1b[0;');
    const start = out.length;
    attributes(out, next.attrs, 'on');
    if (next.underline) underline(out, next.underline);
    if (next.underlineColor) underlineColor(out, next.underlineColor);
    if (next.fg) color(out, next.fg, FOREGROUND);
    if (next.bg) color(out, next.bg, BACKGROUND);
    // `CSI m` alone is a reset too.
    if (out.length === start) out.truncate(start - 2);
    if (out.length === start - 2) out.byte(0x6d);
    else out.replaceLast(0x6d);
  }

  /** Opens, changes or closes the hyperlink. */
  #linkTo(out: Output): void {
    const now = this.#now;
    const next = this.#next;
    if (!this.#caps.hyperlinks) return;
    if (next.link !== '') {
      this.#linkBytes += next.link.length + next.linkId.length;
      if (this.#linkBytes > LINK_BUDGET) next.link = next.linkId = '';
    }
    if (this.#known && next.link === now.link && next.linkId === now.linkId) return;
    out.ascii('\x1b]8;');
    if (next.linkId !== '') {
      out.ascii('id=');
      out.utf8(next.linkId);
    }
    out.byte(SEMICOLON);
    out.utf8(next.link);
    out.ascii('\x1b\\');
  }
}

/** A parameter and the semicolon after it; the last one's becomes the `m`. */
function parameter(out: Output, n: number): void {
  out.number(n);
  out.byte(SEMICOLON);
}

function attributes(out: Output, bits: number, way: 'on' | 'off'): void {
  if (bits === 0) return;
  for (const attribute of ATTRIBUTES) if (bits & attribute.bit) parameter(out, attribute[way]);
}

function underline(out: Output, style: number): void {
  if (style <= UNDERLINE.single) return parameter(out, style === UNDERLINE.none ? 24 : 4);
  out.ascii('4:');
  parameter(out, style);
}

/** With colons: a terminal that does not know 58 then skips the whole of it. */
function underlineColor(out: Output, word: number): void {
  const mode = word & COLOR.modeMask;
  if (mode === COLOR.default) return parameter(out, 59);
  if (mode !== COLOR.rgb) {
    out.ascii('58:5:');
    return parameter(out, word & COLOR.indexMask);
  }
  out.ascii('58:2::');
  out.number((word >> 16) & 0xff);
  out.byte(0x3a);
  out.number((word >> 8) & 0xff);
  out.byte(0x3a);
  parameter(out, word & 0xff);
}

/** With semicolons, which every terminal knows. */
function color(out: Output, word: number, kind: typeof FOREGROUND | typeof BACKGROUND): void {
  const mode = word & COLOR.modeMask;
  const index = word & COLOR.indexMask;
  if (mode === COLOR.default) return parameter(out, kind.reset);
  if (mode === COLOR.p16) return parameter(out, index < 8 ? kind.base + index : kind.bright + index - 8);
  parameter(out, kind.extended);
  if (mode === COLOR.p256) {
    parameter(out, 5);
    return parameter(out, index);
  }
  parameter(out, 2);
  parameter(out, (word >> 16) & 0xff);
  parameter(out, (word >> 8) & 0xff);
  return parameter(out, index);
}
