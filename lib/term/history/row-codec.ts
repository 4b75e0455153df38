/**
 * A row of cells as bytes: its text first, then its styles as runs. Plain text costs a byte a cell; what is on most
 * rows (default colours) costs nothing.
 *
 * Text is in one of two forms. "Bytes": one byte per cell, the code point, 0 for an empty cell. "Mixed" (ROW.mixed):
 * UTF-8, where bytes below 0x20, which no cell can hold, are marks: EMPTY n = n empty cells, WIDE = the next character
 * takes two cells, CLUSTER n = the next n bytes are one cell's text.
 *
 * Runs, if ROW.styled: cells (varint), which words follow (RUN bits), the fg and bg words (4 bytes each, little
 * endian), the number of the extended attributes (varint). They cover the row from its start; where they
 * do not reach its end, END_OF_RUNS follows.
 */
import { BG, CELL_WORDS, CONTENT, type CellLine, type Extended } from '../cell.ts';

/** What is known of a row without reading it. */
export const ROW = {
  /** Continues the row before it. */
  wrapped: 1,
  /** A shell's prompt starts here. */
  prompt: 2,
  mixed: 4,
  styled: 8,
  /** "Bytes" text with empty cells in it. */
  hasEmpty: 16,
  hasWide: 32,
  startsWide: 64,
  /** Its last column is empty: perhaps left so for a wide character that did not fit. */
  endsEmpty: 128,
} as const;

const EMPTY = 1;
const WIDE = 2;
const CLUSTER = 3;
/** A run of no cells. */
const END_OF_RUNS = 0;
const RUN = { fg: 1, bg: 2, extended: 4 } as const;

/** Content word of an empty cell and of a narrow character's, without its code point. */
const NARROW = 1 << CONTENT.widthShift;
const DOUBLE = 2 << CONTENT.widthShift;
/** Bytes of a run at most: varint of a row's length, bits, two words, varint of a number. */
const RUN_BYTES = 3 + 1 + 8 + 5;
/** Bytes of a cell in mixed text at most, but for a cluster's own. */
const CELL_BYTES = 1 + 1 + 5 + 4;
/** Bytes of a cluster kept: beyond any that a font draws (a family of four is 25). */
const MAX_CLUSTER = 127;

const decoder = new TextDecoder();

/** Numbers extended attributes; equal ones may share a number. */
export type ExtendedNumber = (extended: Extended) => number;

/** A row as bytes, valid until the next one is written. */
export class RowWriter {
  bytes = new Uint8Array(1024);
  /** Bytes used. */
  length = 0;
  /** Cells that are kept, and those up to the last with text. */
  cells = 0;
  trimmed = 0;
  flags = 0;

  /** Encodes `line`, of which the first `cols` cells count. */
  write(line: CellLine, cols: number, number: ExtendedNumber): void {
    const { words } = line;
    const count = Math.min(cols, Math.floor(words.length / CELL_WORDS));
    this.#measure(words, count);
    this.length = 0;
    this.flags = line.wrapped ? ROW.wrapped : 0;
    if (line.isPrompt) this.flags |= ROW.prompt;
    if (count < cols || words[(count - 1) * CELL_WORDS] === NARROW) this.flags |= ROW.endsEmpty;
    if (count > 0 && words[0]! >>> CONTENT.widthShift === 2) this.flags |= ROW.startsWide;
    // The longest that this row can become, but for clusters.
    this.#reserve(this.cells * (CELL_BYTES + RUN_BYTES));
    if (!this.#writeBytes(words)) this.#writeMixed(line);
    this.#writeRuns(line, number);
  }

  /** Encodes `bytes[start…end]`, printable ASCII in one style, as a row of its own. */
  writeAscii(bytes: Uint8Array, start: number, end: number, fg: number, bg: number, flags: number): void {
    const count = end - start;
    this.cells = count;
    this.trimmed = count;
    this.flags = flags;
    this.length = 0;
    this.#reserve(count + RUN_BYTES);
    for (let i = 0; i < count; i++) this.bytes[i] = bytes[start + i]!;
    this.length = count;
    if (count === 0 || (fg === 0 && bg === 0)) return;
    this.flags |= ROW.styled;
    this.#run(count, fg, bg, -1);
  }

  #measure(words: Uint32Array, count: number): void {
    let at = (count - 1) * CELL_WORDS;
    // Most of what is looked at is blank: a word a cell where there is no style.
    while (at >= 0 && (words[at]! & CONTENT.hasContent) === 0 && words[at + 1] === 0 && words[at + 2] === 0)
      at -= CELL_WORDS;
    const cells = at / CELL_WORDS + 1;
    while (at >= 0 && (words[at]! & CONTENT.hasContent) === 0) at -= CELL_WORDS;
    let trimmed = at / CELL_WORDS + 1;
    // The right half of a wide character has no content of its own.
    if (at >= 0 && words[at]! >>> CONTENT.widthShift === 2) trimmed = Math.min(trimmed + 1, count);
    this.trimmed = trimmed;
    this.cells = Math.max(cells, trimmed);
  }

  /** Writes one byte a cell; false (nothing written) where a cell does not fit one. */
  #writeBytes(words: Uint32Array): boolean {
    const { bytes, cells } = this;
    let hasEmpty = false;
    for (let x = 0, at = 0; x < cells; x++, at += CELL_WORDS) {
      const codepoint = words[at]! ^ NARROW;
      if (codepoint > 0xff) return false;
      if (codepoint === 0) hasEmpty = true;
      bytes[x] = codepoint;
    }
    this.length = cells;
    if (hasEmpty) this.flags |= ROW.hasEmpty;
    return true;
  }

  #writeMixed({ words, clusters }: CellLine): void {
    this.flags |= ROW.mixed;
    for (let x = 0; x < this.cells; x++) {
      const content = words[x * CELL_WORDS]!;
      if (content >>> CONTENT.widthShift === 2) {
        this.flags |= ROW.hasWide;
        this.#byte(WIDE);
      }
      const cluster = content & CONTENT.isCluster ? clusters[x] : undefined;
      if (cluster !== undefined) this.#cluster(cluster);
      else if (isEmpty(content)) x = this.#empty(words, x);
      else this.#codepoint(content & CONTENT.codepointMask);
      if (content >>> CONTENT.widthShift === 2) x++;
    }
  }

  /** Writes the empty cells from `x` on; the last of them. */
  #empty(words: Uint32Array, x: number): number {
    let end = x + 1;
    while (end < this.cells && isEmpty(words[end * CELL_WORDS]!)) end++;
    this.#byte(EMPTY);
    this.#varint(end - x);
    return end - 1;
  }

  #cluster(text: string): void {
    this.#reserve(this.length + MAX_CLUSTER + this.cells * (CELL_BYTES + RUN_BYTES));
    this.#byte(CLUSTER);
    const at = this.length++;
    for (let i = 0; i < text.length && this.length - at <= MAX_CLUSTER - 4;) {
      const codepoint = text.codePointAt(i)!;
      this.#codepoint(codepoint);
      i += codepoint > 0xffff ? 2 : 1;
    }
    this.bytes[at] = this.length - at - 1;
  }

  #codepoint(codepoint: number): void {
    // A lone surrogate cannot be UTF-8, and a control is no text: neither gets into a cell but by a fault.
    const valid = codepoint >= 0x20 && !(codepoint >= 0xd800 && codepoint < 0xe000) && codepoint <= 0x10ffff;
    const code = valid ? codepoint : 0xfffd;
    if (code < 0x80) return this.#byte(code);
    const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    this.#byte(([0, 0xc0, 0xe0, 0xf0][more]! | (code >>> (6 * more))) & 0xff);
    for (let i = more - 1; i >= 0; i--) this.#byte(0x80 | ((code >>> (6 * i)) & 0x3f));
  }

  #writeRuns(line: CellLine, number: ExtendedNumber): void {
    const { words } = line;
    const { cells } = this;
    let end = cells * CELL_WORDS;
    while (end > 0 && words[end - 2] === 0 && words[end - 1] === 0) end -= CELL_WORDS;
    if (end === 0) return;
    this.flags |= ROW.styled;
    for (let at = 0; at < end;) {
      const fg = words[at + 1]!;
      const bg = words[at + 2]!;
      const extended = bg & BG.hasExtended ? number(line.extended(at / CELL_WORDS) ?? NO_EXTENDED) : -1;
      let to = at + CELL_WORDS;
      while (to < end && words[to + 1] === fg && words[to + 2] === bg) {
        if (extended >= 0 && number(line.extended(to / CELL_WORDS) ?? NO_EXTENDED) !== extended) break;
        to += CELL_WORDS;
      }
      this.#run((to - at) / CELL_WORDS, fg, bg, extended);
      at = to;
    }
    if (end < cells * CELL_WORDS) this.#byte(END_OF_RUNS);
  }

  #run(count: number, fg: number, bg: number, extended: number): void {
    this.#varint(count);
    this.#byte((fg !== 0 ? RUN.fg : 0) | (bg !== 0 ? RUN.bg : 0) | (extended >= 0 ? RUN.extended : 0));
    if (fg !== 0) this.#word(fg);
    if (bg !== 0) this.#word(bg);
    if (extended >= 0) this.#varint(extended);
  }

  #byte(value: number): void {
    this.bytes[this.length++] = value;
  }

  #word(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.bytes[this.length++] = (value >>> shift) & 0xff;
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#byte((rest & 0x7f) | 0x80);
    this.#byte(rest);
  }

  #reserve(size: number): void {
    if (size <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(size, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

const NO_EXTENDED: Extended = { underlineStyle: 0, underlineColor: 0, link: '', linkId: '' };

function isEmpty(content: number): boolean {
  return (content & CONTENT.hasContent) === 0;
}

/** Cells being read back: words, and the text of those that are clusters. */
export interface CellSink {
  readonly words: Uint32Array;
  readonly clusters: Record<number, string>;
  /** Numbers of extended attributes by cell. */
  readonly extended: Record<number, number>;
}

/** Reads the bytes of one row. */
export class RowReader {
  #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** Reads `cells` cells of a row with these `flags` into `sink`, its first at cell `to`. */
  read(cells: number, flags: number, sink: CellSink, to: number): void {
    if (flags & ROW.mixed) this.#readMixed(cells, sink, to);
    else this.#readBytes(cells, sink, to);
    if (flags & ROW.styled) this.#readRuns(sink, to, cells);
  }

  #readBytes(cells: number, { words }: CellSink, to: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = to * CELL_WORDS, end = (to + cells) * CELL_WORDS; i < end; i += CELL_WORDS)
      words[i] = bytes[at++]! | NARROW;
    this.#at = at;
  }

  #readMixed(cells: number, sink: CellSink, to: number): void {
    const end = to + cells;
    for (let cell = to; cell < end;) {
      let mark = this.#bytes[this.#at]!;
      if (mark === EMPTY) {
        this.#at++;
        for (let n = this.#varint(); n > 0 && cell < end; n--) sink.words[cell++ * CELL_WORDS] = NARROW;
        continue;
      }
      const width = mark === WIDE ? DOUBLE : NARROW;
      if (mark === WIDE) mark = this.#bytes[++this.#at]!;
      if (mark === CLUSTER) {
        sink.clusters[cell] = this.#cluster();
        sink.words[cell * CELL_WORDS] = CONTENT.isCluster | width;
      } else sink.words[cell * CELL_WORDS] = this.#codepoint() | width;
      cell++;
      if (width === DOUBLE && cell < end) sink.words[cell++ * CELL_WORDS] = 0;
    }
  }

  #readRuns(sink: CellSink, to: number, cells: number): void {
    for (let cell = to; cell < to + cells;) {
      const count = this.#varint();
      if (count === END_OF_RUNS) return;
      const bits = this.#bytes[this.#at++]!;
      const fg = bits & RUN.fg ? this.#word() : 0;
      const bg = bits & RUN.bg ? this.#word() : 0;
      const extended = bits & RUN.extended ? this.#varint() : -1;
      for (let n = 0; n < count && cell < to + cells; n++, cell++) {
        sink.words[cell * CELL_WORDS + 1] = fg;
        sink.words[cell * CELL_WORDS + 2] = bg;
        if (extended >= 0) sink.extended[cell] = extended;
      }
    }
  }

  #cluster(): string {
    const length = this.#bytes[this.#at + 1]!;
    const start = this.#at + 2;
    this.#at = start + length;
    return decoder.decode(this.#bytes.subarray(start, this.#at));
  }

  #codepoint(): number {
    const first = this.#bytes[this.#at++]!;
    if (first < 0x80) return first;
    const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    let code = first & (0x3f >> more);
    for (let i = 0; i < more; i++) code = (code << 6) | (this.#bytes[this.#at++]! & 0x3f);
    return code;
  }

  #word(): number {
    const bytes = this.#bytes;
    const at = this.#at;
    this.#at = at + 4;
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      // Behind the end, where only a row that nobody wrote leads, there is 0.
      const byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}
