/**
 * Lines of xterm's as bytes, exactly: side tables hold what was written over, too, since xterm moves that along and may
 * bring it back.
 *
 * A line: what it has (LINE bits), its length, the cells up to the last that is not blank: content words without the
 * bit of a narrow cell, then runs of style (cells, fg, bg), the extended attributes as runs, the clusters.
 */
import { CELL_WORDS, CONTENT } from '../cell.ts';
import { MAX_SIDE } from '../bounds.ts';
import type { XtermExtended, XtermLine } from '../xterm-core.ts';
import { loadExtended, saveExtended } from './attributes.ts';
import { malformed, type ByteReader, type ByteWriter } from './bytes.ts';

const LINE = { wrapped: 1, prompt: 2, styled: 4, extended: 8, clusters: 16 } as const;
const ALL = 31;
const BLANK = 1 << CONTENT.widthShift;
const MAX_CODEPOINT = 0x10ffff;
/** Columns beyond the line's own that a side table may have: xterm leaves some behind when it copies cells. */
const MAX_COLUMN = 0xffff;

/** Writes lines; equal extended attributes once. */
export class LineWriter {
  readonly #to: ByteWriter;
  readonly #numbers = new Map<string, number>();

  constructor(to: ByteWriter) {
    this.#to = to;
  }

  write(line: XtermLine, isPrompt: boolean): void {
    const { _data: words } = line;
    let cells = line.length;
    while (cells > 0 && isBlank(words, (cells - 1) * CELL_WORDS)) cells--;
    const isStyled = words.some((word, i) => word !== 0 && i % CELL_WORDS !== 0);
    const extended = columns(line._extendedAttrs);
    const clusters = columns(line._combined);
    this.#to.byte(
      (line.isWrapped ? LINE.wrapped : 0) |
        (isPrompt ? LINE.prompt : 0) |
        (isStyled ? LINE.styled : 0) |
        (extended.length > 0 ? LINE.extended : 0) |
        (clusters.length > 0 ? LINE.clusters : 0),
    );
    this.#to.count(line.length);
    this.#to.count(cells);
    for (let i = 0; i < cells; i++) this.#to.count((words[i * CELL_WORDS]! ^ BLANK) >>> 0);
    if (isStyled) this.#styles(words, cells);
    if (extended.length > 0) this.#extended(line._extendedAttrs, extended);
    if (clusters.length > 0) this.#clusters(line._combined, clusters);
  }

  #styles(words: Uint32Array, cells: number): void {
    for (let from = 0; from < cells;) {
      const at = from * CELL_WORDS;
      let to = from + 1;
      while (to < cells && isSameStyle(words, at, to * CELL_WORDS)) to++;
      this.#to.count(to - from);
      this.#to.word(words[at + 1]!);
      this.#to.word(words[at + 2]!);
      from = to;
    }
  }

  #extended(table: XtermLine['_extendedAttrs'], all: readonly number[]): void {
    const runs: { column: number; length: number; extended: XtermExtended; key: string }[] = [];
    for (const column of all) {
      const extended = table[column];
      if (!extended) continue;
      const key = `${extended._ext}:${extended.urlId}`;
      const last = runs.at(-1);
      if (last?.key === key && last.column + last.length === column) last.length++;
      else runs.push({ column, length: 1, extended, key });
    }
    this.#to.count(runs.length);
    for (const { column, length, extended, key } of runs) {
      this.#to.count(column);
      this.#to.count(length);
      const known = this.#numbers.get(key);
      this.#to.count(known ?? 0);
      if (known !== undefined) continue;
      this.#numbers.set(key, this.#numbers.size + 1);
      saveExtended(this.#to, extended);
    }
  }

  #clusters(table: XtermLine['_combined'], all: readonly number[]): void {
    this.#to.count(all.length);
    for (const column of all) {
      this.#to.count(column);
      this.#to.text(table[column]!);
    }
  }
}

/** Reads lines into those that xterm has made. */
export class LineReader {
  readonly #from: ByteReader;
  readonly #like: XtermExtended;
  readonly #extended: XtermExtended[] = [];

  /** @param like any extended attributes of xterm's */
  constructor(from: ByteReader, like: XtermExtended) {
    this.#from = from;
    this.#like = like;
  }

  /** Makes `line`, of a screen of `cols` columns, what was written. @returns whether a prompt starts on it */
  read(line: XtermLine, cols: number): boolean {
    const from = this.#from;
    const flags = from.count(ALL);
    const length = from.count(MAX_SIDE);
    // Longer it may be: xterm does not cut lines of the alternate screen.
    if (length < cols) throw malformed(`a line of ${length} columns on a screen of ${cols}`);
    const cells = from.count(length);
    // Memory of its own: xterm grows a line in what lies behind it.
    const words = new Uint32Array(length * CELL_WORDS);
    for (let i = 0; i < cells; i++) words[i * CELL_WORDS] = this.#content();
    for (let i = cells; i < length; i++) words[i * CELL_WORDS] = BLANK;
    if (flags & LINE.styled) this.#styles(words, cells);
    Object.assign(line, {
      _data: words,
      length,
      isWrapped: (flags & LINE.wrapped) !== 0,
      _extendedAttrs: flags & LINE.extended ? this.#readExtended() : {},
      _combined: flags & LINE.clusters ? this.#readClusters() : {},
    });
    return (flags & LINE.prompt) !== 0;
  }

  #content(): number {
    const content = this.#from.count() ^ BLANK;
    if ((content & CONTENT.codepointMask) > MAX_CODEPOINT) throw malformed('a cell that holds no character');
    return content;
  }

  #styles(words: Uint32Array, cells: number): void {
    for (let cell = 0; cell < cells;) {
      const end = cell + this.#from.count(cells - cell);
      const fg = this.#from.word();
      const bg = this.#from.word();
      for (; cell < end; cell++) {
        words[cell * CELL_WORDS + 1] = fg;
        words[cell * CELL_WORDS + 2] = bg;
      }
    }
  }

  #readExtended(): XtermLine['_extendedAttrs'] {
    const table: XtermLine['_extendedAttrs'] = {};
    for (let n = this.#from.count(MAX_COLUMN); n > 0; n--) {
      const column = this.#from.count(MAX_COLUMN);
      const end = column + this.#from.count(MAX_COLUMN - column);
      const number = this.#from.count(this.#extended.length);
      if (number === 0) this.#extended.push(loadExtended(this.#from, this.#like));
      // xterm never changes one that cells have: it puts another in its place.
      const extended = this.#extended.at(number - 1)!;
      for (let x = column; x < end; x++) table[x] = extended;
    }
    return table;
  }

  #readClusters(): XtermLine['_combined'] {
    const table: XtermLine['_combined'] = {};
    for (let n = this.#from.count(MAX_COLUMN); n > 0; n--) {
      const column = this.#from.count(MAX_COLUMN);
      const text = this.#from.text();
      if (text === '') throw malformed('a cluster of nothing');
      table[column] = text;
    }
    return table;
  }
}

function isBlank(words: Uint32Array, at: number): boolean {
  return words[at] === BLANK && words[at + 1] === 0 && words[at + 2] === 0;
}

function isSameStyle(words: Uint32Array, a: number, b: number): boolean {
  return words[a + 1] === words[b + 1] && words[a + 2] === words[b + 2];
}

/** Columns that a side table has something for, in order. */
function columns(table: Readonly<Record<number, unknown>>): number[] {
  const found: number[] = [];
  for (const key in table) if (Number(key) < MAX_COLUMN) found.push(Number(key));
  return found;
}
