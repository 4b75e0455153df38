/**
 * xterm's screen and mux's history, kept together: a line that scrolls off the normal screen is packed, and when the
 * size changes, lines are handed back to xterm so that it wraps and moves them by its own rules.
 */
import type { Terminal } from '@xterm/headless';
import { BG, CELL_WORDS, type CellLine, type Extended } from './cell.ts';
import { History } from './history/history.ts';
import { blankHalves } from './line-fixes.ts';
import type { PromptMarks } from './prompt-marks.ts';
import { LineView, STYLE } from './state.ts';
import type { XtermBuffer, XtermCore, XtermExtended, XtermLine, XtermLinkStore } from './xterm-core.ts';

/**
 * Rows taken back at most, before and after they are wrapped anew: a longer line is wrapped anew from there on only, and a
 * screen of wide rows not filled from very narrow ones. So many take some tens of milliseconds.
 */
const MAX_TAKEN = 10_000;
/** Cells of such rows at most, as xterm makes them as wide as the screen: 24 MiB. */
const MAX_TAKEN_CELLS = 2 * 1024 * 1024;
/** Lines handed to xterm in one call: arguments are on the stack, which holds some hundred thousand. */
const SPLICED_AT_ONCE = 10_000;

export class Scrollback {
  readonly history: History;
  readonly #terminal: Terminal;
  readonly #core: XtermCore;
  readonly #links: XtermLinkStore;
  readonly #prompts: () => PromptMarks;
  #late: XtermLine | undefined;

  /** Takes the place of xterm's own scrollback, which must be 0 lines. */
  constructor(
    terminal: Terminal,
    core: XtermCore,
    links: XtermLinkStore,
    limit: number,
    prompts: () => PromptMarks,
  ) {
    this.#prompts = prompts;
    this.#terminal = terminal;
    this.#core = core;
    this.#links = links;
    this.history = new History(limit, core.cols);
    const service = core._bufferService;
    const scroll = service.scroll.bind(service);
    service.scroll = (attributes, isWrapped) => {
      const { active, normal } = core.buffers;
      if (active === normal && active.scrollTop === 0) this.#leave(active);
      scroll(attributes, isWrapped);
    };
    // ED 3 and DECSED 3 (xterm): the lines above the screen are erased.
    for (const prefix of ['', '?']) {
      core._inputHandler._parser.registerCsiHandler({ prefix, final: 'J' }, params => {
        if (params.params[0] === 3 && core.buffers.active === core.buffers.normal) this.clear();
        return false;
      });
    }
  }

  /** Forgets the lines above the screen. */
  clear(): void {
    this.#late = undefined;
    this.history.clear();
  }

  /** Whether nothing is left for later. */
  get isSettled(): boolean {
    return this.#late === undefined;
  }

  /** Packs what was left for later: to be called when a chunk is parsed. */
  settle(): void {
    if (this.#late) this.push(this.#late);
    this.#late = undefined;
  }

  /** The first line of the screen is about to leave it. */
  #leave({ lines, ybase }: XtermBuffer): void {
    this.settle();
    const line = lines.get(ybase)!;
    if (this.#core.rows > 1) return this.push(line);
    // Of a single row xterm takes back a character that grows too wide for it, after it has scrolled.
    this.#late = line;
    lines.set(ybase, line.clone());
  }

  /** Packs a line that leaves the screen. */
  push(line: XtermLine): void {
    this.history.push(this.#view(line));
  }

  #view(line: XtermLine): LineView {
    return new LineView(line, this.#links, this.#prompts().has(line));
  }

  /** Changes the size. Lines that no longer fit go to history, and come back from it as there is room. */
  resize(cols: number, rows: number): void {
    const core = this.#core;
    if (cols === core.cols && rows === core.rows) return;
    const { normal } = core.buffers;
    const { rawOptions } = core.optionsService;
    const back = this.#takeBack(normal, cols, rows);
    // Room for whatever the lines become, so that xterm itself drops none: a wide character may leave a cell of each
    // row empty. Not by the public option: to set that resizes once more, which moves the cursor and the margins.
    rawOptions.scrollback = (back.length + core.rows) * Math.ceil(core.cols / Math.max(1, cols - 1)) + rows;
    normal.lines.maxLength = core.rows + rawOptions.scrollback;
    for (let end = back.length; end > 0; end -= SPLICED_AT_ONCE)
      normal.lines.splice(0, 0, ...back.slice(Math.max(0, end - SPLICED_AT_ONCE), end));
    moveBase(normal, back.length);
    this.#terminal.resize(cols, rows);
    blankHalves(normal);
    // A screenful of lines is cut to size at once: xterm's timer warns on stderr when the machine is busy.
    for (const buffer of [normal, core.buffers.alt]) buffer._memoryCleanupQueue.flush();
    this.history.setCols(cols);
    for (let y = 0; y < normal.ybase; y++) this.history.putBack(this.#view(normal.lines.get(y)!));
    normal.lines.trimStart(normal.ybase);
    moveBase(normal, -normal.ybase);
    rawOptions.scrollback = 0;
    normal.lines.maxLength = rows;
  }

  /** Lines that xterm may need: those that can come into sight, and the rest of one that is partly in sight. */
  #takeBack(normal: XtermBuffer, cols: number, rows: number): XtermLine[] {
    const core = this.#core;
    // One at least: xterm moves the screen otherwise where nothing is above it.
    const need = Math.max(1, rows - core.rows);
    // When rows get longer, fewer are left: as many as fill the screen are to be there then.
    const needJoined = cols > core.cols ? rows : 0;
    const most = mostTaken(core.cols, cols);
    const template = normal.lines.get(0)!;
    const parts: XtermLine[][] = [];
    let count = 0;
    let joined = 0;
    const isWanted = (first: XtermLine): boolean =>
      count < need || (count < most && (joined < needJoined || first.isWrapped));
    for (let first = template; isWanted(first); first = parts[0]![0]!) {
      const part = this.history.takeLine(most * core.cols).map(row => this.#toXterm(row, template));
      if (part.length === 0) break;
      parts.unshift(part);
      count += part.length;
      joined += leastRows(part.length, core.cols, cols) - (part[0]!.isWrapped ? 1 : 0);
    }
    return parts.flat();
  }

  /** A row of history as a line of xterm's, which `template` is, too. */
  #toXterm(row: CellLine, template: XtermLine): XtermLine {
    const line = template.clone();
    line._data.set(row.words);
    line._combined = { ...row.clusters };
    line._extendedAttrs = {};
    line.isWrapped = row.wrapped;
    for (let x = 0; x * CELL_WORDS < row.words.length; x++) {
      if (!(row.words[x * CELL_WORDS + 2]! & BG.hasExtended)) continue;
      const extended = row.extended(x);
      if (extended) line._extendedAttrs[x] = this.#toXtermExtended(extended);
    }
    if (row.isPrompt) this.#prompts().add(line);
    return line;
  }

  #toXtermExtended({ underlineStyle, underlineColor, link, linkId }: Extended): XtermExtended {
    const attributes = this.#core._inputHandler._curAttrData.extended.clone();
    attributes._ext = underlineStyle << STYLE.shift;
    attributes.underlineColor = underlineColor;
    attributes.urlId = link === '' ? 0 : this.#links.registerLink({ id: linkId || undefined, uri: link });
    return attributes;
  }
}

/** Rows that `count` rows of one line, wrapped at `from` columns, are at `to` at least. */
function leastRows(count: number, from: number, to: number): number {
  // A cell of each may be left empty by a wide character, and the last may hold one only.
  return Math.max(1, Math.ceil(((count - 1) * (from - 1) + 1) / to));
}

/** Rows of `from` columns taken back at most, when they are to have `to`. */
function mostTaken(from: number, to: number): number {
  return Math.min(MAX_TAKEN, Math.ceil((MAX_TAKEN * to) / from), Math.ceil(MAX_TAKEN_CELLS / to));
}

/** Moves what is counted from the top of the buffer, not of the screen. */
function moveBase(buffer: XtermBuffer, by: number): void {
  buffer.ybase += by;
  buffer.ydisp = buffer.ybase;
  buffer.savedY = Math.max(0, buffer.savedY + by);
}
