/**
 * The text of an output log: what a terminal would have shown, line by line, with control sequences carried out.
 */
import { Emulator } from './emulator.ts';
import type { Anchor, LogicalLine } from './screen-view.ts';
import { captureLines } from './text-dump.ts';

/** Output that is parsed before lines are taken: so many lines at most come of it. */
const SLICE = 16 * 1024;
/** Lines above the screen, which must hold a slice's. */
const HISTORY = 20_000;
/** What a terminal has before anybody says its size. */
const SIZE = { cols: 80, rows: 24 };

export interface LogTextOptions {
  /** With colours and attributes. */
  readonly escapes: boolean;
}

/**
 * Takes output in pieces and gives the lines that are finished: those that have left the screen, since what is on it may
 * still be drawn over; after `follow` those above the cursor, which a person wants to see at once. Memory is bounded.
 */
export class LogText {
  readonly #options: LogTextOptions;
  #emulator: Emulator | undefined;
  #follows = false;
  /** Number of the first logical line that has not been given. */
  #next = 0;

  constructor(options: LogTextOptions) {
    this.#options = options;
  }

  /** The terminal has another size; with `isStart` it is a new one, and the lines that are left of the old one are given. */
  size(size: { readonly cols: number; readonly rows: number }, isStart: boolean): string[] {
    if (!isStart && this.#emulator) {
      this.#emulator.resize(size.cols, size.rows);
      return [];
    }
    const lines = this.end();
    this.#make(size);
    return lines;
  }

  /** Takes output in; gives what is finished. */
  push(bytes: Uint8Array): string[] {
    const emulator = (this.#emulator ??= this.#make(SIZE));
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += SLICE) {
      emulator.replay(bytes.subarray(at, at + SLICE));
      lines.push(...this.#finished());
    }
    return lines;
  }

  /** From now on lines are given as soon as the cursor is below them: those that are so now. */
  follow(): string[] {
    this.#follows = true;
    return this.#finished();
  }

  /** The lines that are left, without the blank ones at the end. */
  end(): string[] {
    const emulator = this.#emulator;
    if (!emulator) return [];
    this.#emulator = undefined;
    const screen = emulator.modes.alternateScreen ? captureLines(emulator, this.#options) : [];
    // Below it is the screen that the shell had: its lines came first.
    if (screen.length > 0) emulator.replay(LEAVE_ALTERNATE);
    const lines = [...trimmed(this.#lines(emulator, Infinity)), ...trimmed(screen)];
    emulator.dispose();
    return lines;
  }

  #make(size: { readonly cols: number; readonly rows: number }): Emulator {
    this.#next = 0;
    return (this.#emulator = new Emulator({ ...size, historyLines: HISTORY }));
  }

  #finished(): string[] {
    const emulator = this.#emulator;
    // The alternate screen is drawn over all the time, and nothing of it stays.
    if (!emulator || emulator.modes.alternateScreen) return [];
    return this.#lines(emulator, emulator.anchor(this.#follows ? emulator.cursor.y : 0, 0).line);
  }

  /** Lines from the next one to below line number `end`. */
  #lines(emulator: Emulator, end: number): string[] {
    // A terminal that was reset counts from the beginning again.
    if (emulator.anchor(emulator.rows - 1, 0).line < this.#next) this.#next = emulator.anchor(0, 0).line;
    if (this.#next >= end) return [];
    const from: Anchor = { line: this.#next, cell: 0 };
    const y = emulator.locate(from)?.y ?? -emulator.historySize;
    let number = emulator.anchor(y, 0).line;
    const lines: string[] = [];
    for (const line of emulator.logicalLines(y, 1)) {
      if (number >= end) break;
      lines.push(this.#text(emulator, line));
      number++;
    }
    this.#next = number;
    return lines;
  }

  #text(emulator: Emulator, { y, rows, text }: LogicalLine): string {
    if (!this.#options.escapes) return text;
    return captureLines(emulator, { start: y, end: y + rows - 1, escapes: true, join: rows > 1 }).join('');
  }
}

/** DECRST 1049: back to the normal screen. */
const LEAVE_ALTERNATE = new TextEncoder().encode('\x1b[?1049l');

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex(line => line.trim() !== '') + 1);
}
