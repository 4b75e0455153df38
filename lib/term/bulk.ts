/**
 * The way for a flood of plain lines: what would only scroll through the screen goes from the program's bytes to
 * history at once, and no more than the last screenful is drawn into cells. Nothing but printable ASCII, carriage
 * returns and line feeds takes it, and only while the terminal is in the state that such output is meant for; all else
 * is left to the parser, with the same result.
 */
import { BG, CELL_WORDS, COLOR, CONTENT } from './cell.ts';
import type { Scrollback } from './scrollback.ts';
import type { XtermCore, XtermLine } from './xterm-core.ts';

const FIRST = 0x20;
/** One past `~`. */
const PAST = 0x7f;
const LF = 0x0a;
const CR = 0x0d;
/** Rows that are worth the way: a prompt and its answer are not. */
const FEW_ROWS = 8;
const NARROW = 1 << CONTENT.widthShift;

/** Lines found in a chunk: where the text of each begins and ends. */
interface Lines {
  readonly starts: number[];
  readonly ends: number[];
  /** Rows they take. */
  rows: number;
  /** Index after the last line feed. */
  next: number;
}

/** Whole lines of plain text from `from` on. */
function scan(bytes: Uint8Array, from: number, cols: number): Lines {
  const lines: Lines = { starts: [], ends: [], rows: 0, next: from };
  for (let start = from; start < bytes.length;) {
    let i = start;
    while (i < bytes.length && bytes[i]! >= FIRST && bytes[i]! < PAST) i++;
    const end = i;
    while (i < bytes.length && bytes[i] === CR) i++;
    // A line feed alone goes straight down: that is the next line's start only where this one is empty.
    if (bytes[i] !== LF || (i === end && end > start)) return lines;
    lines.starts.push(start);
    lines.ends.push(end);
    lines.rows += Math.max(1, Math.ceil((end - start) / cols));
    start = i + 1;
    lines.next = start;
  }
  return lines;
}

/** Whether xterm would treat printable text as nothing but cells in the current style, one after the other. */
function isPlain(core: XtermCore): boolean {
  const input = core._inputHandler;
  const { active, normal } = core.buffers;
  const { bg } = input._curAttrData;
  return (
    active === normal &&
    active.scrollTop === 0 &&
    active.scrollBottom === core.rows - 1 &&
    input._parser.currentState === 0 &&
    // Blanks that take on a background colour are left to xterm.
    (bg & (BG.hasExtended | COLOR.modeMask)) === 0 &&
    !input._charsetService.charset &&
    !core.coreService.modes.insertMode &&
    core.coreService.decPrivateModes.wraparound &&
    !core.optionsService.rawOptions.convertEol
  );
}

/** Whether the cursor is where the next line of a flood begins: at the start of an empty last row. */
function isAtStart(core: XtermCore): boolean {
  const { active } = core.buffers;
  if (active.x !== 0 || active.y !== core.rows - 1) return false;
  const line = active.lines.get(active.ybase + active.y)!;
  return !line.isWrapped && line._data.every((word, i) => word === (i % CELL_WORDS === 0 ? NARROW : 0));
}

/** Draws `bytes[start…end]` as all that is in `line`. */
function draw(line: XtermLine, bytes: Uint8Array, start: number, end: number, fg: number, bg: number): void {
  const words = line._data;
  let at = 0;
  for (let i = start; i < end; i++, at += CELL_WORDS) {
    words[at] = bytes[i]! | NARROW;
    words[at + 1] = fg;
    words[at + 2] = bg;
  }
  for (; at < words.length; at += CELL_WORDS) {
    words[at] = NARROW;
    words[at + 1] = 0;
    words[at + 2] = 0;
  }
  line._combined = {};
  line._extendedAttrs = {};
}

export class BulkLines {
  readonly #core: XtermCore;
  readonly #scrollback: Scrollback;

  constructor(core: XtermCore, scrollback: Scrollback) {
    this.#core = core;
    this.#scrollback = scrollback;
  }

  /** Whether the cursor is in the first column. */
  get isAtLineStart(): boolean {
    return this.#core.buffers.active.x === 0;
  }

  /**
   * Takes lines from the front of `bytes[from…]`, if they are plain and more than a screenful.
   * @returns index of the first byte that is left for the parser
   */
  take(bytes: Uint8Array, from: number): number {
    const core = this.#core;
    if (!isPlain(core) || !isAtStart(core)) return from;
    const lines = scan(bytes, from, core.cols);
    if (lines.rows < FEW_ROWS) return from;
    this.#scrollback.settle();
    if (lines.rows < core.rows) this.#scroll(bytes, lines);
    else this.#print(bytes, lines);
    core._inputHandler._parser.precedingJoinState = 0;
    return lines.next;
  }

  /** Fewer than a screenful: each is drawn, and scrolled up. */
  #scroll(bytes: Uint8Array, { starts, ends }: Lines): void {
    const { cols, rows, buffers, _bufferService: service, _inputHandler: input } = this.#core;
    const { active } = buffers;
    const { fg, bg } = input._curAttrData;
    const blank = input._eraseAttrData();
    for (let n = 0; n < starts.length; n++) {
      for (let at = starts[n]!; ; at += cols) {
        const end = Math.min(ends[n]!, at + cols);
        draw(active.lines.get(active.ybase + rows - 1)!, bytes, at, end, fg, bg);
        service.scroll(blank, end < ends[n]!);
        if (end === ends[n]) break;
      }
    }
  }

  /** A screenful and more: what would have scrolled through is never drawn. */
  #print(bytes: Uint8Array, { starts, ends, rows }: Lines): void {
    const { cols, rows: height, buffers } = this.#core;
    const { active } = buffers;
    const { fg, bg } = this.#core._inputHandler._curAttrData;
    for (let y = 0; y < height - 1; y++) this.#scrollback.push(active.lines.get(active.ybase + y)!);
    // The last row of the screen stays empty, for the cursor.
    const drawn = rows - (height - 1);
    let row = 0;
    for (let n = 0; n < starts.length; n++) {
      for (let at = starts[n]!; ; at += cols) {
        const end = Math.min(ends[n]!, at + cols);
        const wrapped = at > starts[n]!;
        if (row < drawn) this.#scrollback.history.pushAscii(bytes, at, end, fg, bg, wrapped);
        else {
          const line = active.lines.get(active.ybase + row - drawn)!;
          draw(line, bytes, at, end, fg, bg);
          line.isWrapped = wrapped;
        }
        row++;
        if (end === ends[n]) break;
      }
    }
  }
}
