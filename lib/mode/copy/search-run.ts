/**
 * One search through a pane's text, in steps small enough to be made between frames: first outwards from the cursor to
 * the next match, then all of it for the count. Between steps the text may grow or be wrapped anew.
 */
import type { Point } from '../../base/geometry.ts';
import type { LogicalLine, TextView } from '../../term/screen-view.ts';
import type { LineMatcher, Match } from './pattern.ts';

export interface SearchRequest {
  readonly pattern: RegExp;
  readonly direction: 1 | -1;
  readonly from: Point;
  /** Goes on at the other end. */
  readonly wraps: boolean;
  /** Which match: 1 is the next. */
  readonly nth: number;
}

/** What a search has come to. */
export type SearchNews =
  | {
      readonly type: 'found';
      readonly at: Point;
      /** The place behind it. */
      readonly end: Point;
      readonly direction: 1 | -1;
    }
  | { readonly type: 'not-found' }
  | { readonly type: 'counted'; readonly index: number; readonly total: number }
  /** The pattern takes too long on some line. */
  | { readonly type: 'too-slow' };

/** Characters and lines of one step: about a millisecond's work for a plain pattern. */
const STEP_CHARACTERS = 64 * 1024;
const STEP_LINES = 512;

/** Where a unit of a line's text is on the screen. */
export function placeOf(line: LogicalLine, unit: number, cols: number): Point {
  const cell = line.cells ? (line.cells[unit] ?? line.rows * cols) : unit;
  return { x: cell % cols, y: line.y + Math.floor(cell / cols) };
}

/** The place behind the unit before `unit`. */
function endOf(line: LogicalLine, unit: number, cols: number): Point {
  if (line.cells && unit < line.cells.length) return placeOf(line, unit, cols);
  const last = placeOf(line, unit - 1, cols);
  return { x: last.x + 1, y: last.y };
}

const compare = (a: Point, b: Point): number => a.y - b.y || a.x - b.x;

export class SearchRun {
  readonly #request: SearchRequest;
  readonly #match: LineMatcher;
  #phase: 'find' | 'count' = 'find';
  /** Row that the next step begins at; undefined: at the end that the phase begins at. */
  #y: number | undefined;
  #from: Point;
  #found: { readonly at: Point; readonly end: Point } | undefined;
  #left: number;
  #hasWrapped = false;
  #index = 0;
  #total = 0;
  #scrolled: number;
  #cols: number;

  constructor(request: SearchRequest, view: TextView, match: LineMatcher) {
    this.#request = request;
    this.#match = match;
    this.#from = request.from;
    this.#y = request.from.y;
    this.#left = Math.max(1, request.nth);
    this.#scrolled = view.scrolledRows;
    this.#cols = view.cols;
  }

  /** Does a part of the work. 'more' while there is more to do. */
  step(view: TextView): SearchNews | 'more' {
    if (view.cols !== this.#cols) return { type: 'not-found' };
    this.#follow(view);
    const step = this.#phase === 'find' ? this.#request.direction : 1;
    const lines = this.#read(view, step);
    const matches = this.#match(
      this.#request.pattern,
      lines.map(line => line.text),
    );
    if (!matches) return { type: 'too-slow' };
    return this.#phase === 'find' ? this.#find(view, lines, matches) : this.#count(view, lines, matches);
  }

  /** Rows have moved up since the last step. */
  #follow(view: TextView): void {
    const moved = Math.max(0, view.scrolledRows - this.#scrolled);
    this.#scrolled = view.scrolledRows;
    if (moved === 0) return;
    const up = (at: Point): Point => ({ x: at.x, y: at.y - moved });
    this.#from = up(this.#from);
    this.#found = this.#found && { at: up(this.#found.at), end: up(this.#found.end) };
    if (this.#y !== undefined) this.#y = Math.max(-view.historySize, this.#y - moved);
  }

  #read(view: TextView, step: 1 | -1): LogicalLine[] {
    const start = this.#y ?? (step > 0 ? -view.historySize : view.rows - 1);
    const lines: LogicalLine[] = [];
    let characters = 0;
    for (const line of view.logicalLines(start, step)) {
      lines.push(line);
      characters += line.text.length;
      if (lines.length >= STEP_LINES || characters >= STEP_CHARACTERS) break;
    }
    const last = lines.at(-1);
    if (last) this.#y = step > 0 ? last.y + last.rows : last.y - 1;
    return lines;
  }

  #isAtEnd(view: TextView, lines: readonly LogicalLine[]): boolean {
    const y = this.#y ?? 0;
    if (lines.length === 0 || y >= view.rows || y < -view.historySize) return true;
    // Once around, what lies beyond the cursor has been looked at.
    if (this.#phase !== 'find' || !this.#hasWrapped) return false;
    return this.#request.direction > 0 ? y > this.#from.y : y < this.#from.y;
  }

  #find(
    view: TextView,
    lines: readonly LogicalLine[],
    matches: readonly (readonly Match[])[],
  ): SearchNews | 'more' {
    const { direction } = this.#request;
    for (const [n, line] of lines.entries()) {
      const inLine = direction > 0 ? matches[n]! : matches[n]!.toReversed();
      for (const { start, end } of inLine) {
        const at = placeOf(line, start, view.cols);
        const side = compare(at, this.#from) * direction;
        // Once around, the search ends with the match that the cursor itself is on.
        if (this.#hasWrapped && side > 0) return this.#turn();
        if (!this.#hasWrapped && side <= 0) continue;
        this.#found = { at, end: endOf(line, end, view.cols) };
        if (--this.#left === 0) return this.#foundIt();
      }
    }
    if (!this.#isAtEnd(view, lines)) return 'more';
    return this.#turn();
  }

  #turn(): SearchNews | 'more' {
    if (this.#request.wraps && (!this.#hasWrapped || this.#found)) {
      // A count beyond all matches goes round again from the far end; without any there is no second round.
      if (this.#hasWrapped) return this.#foundIt();
      this.#hasWrapped = true;
      this.#y = undefined;
      return 'more';
    }
    return this.#found ? this.#foundIt() : { type: 'not-found' };
  }

  #foundIt(): SearchNews {
    this.#phase = 'count';
    this.#y = undefined;
    return { type: 'found', ...this.#found!, direction: this.#request.direction };
  }

  #count(
    view: TextView,
    lines: readonly LogicalLine[],
    matches: readonly (readonly Match[])[],
  ): SearchNews | 'more' {
    for (const [n, line] of lines.entries()) {
      const list = matches[n]!;
      this.#total += list.length;
      const { at } = this.#found!;
      const isAbove = line.y + line.rows <= at.y;
      if (isAbove) this.#index += list.length;
      else if (line.y <= at.y)
        this.#index += list.filter(m => compare(placeOf(line, m.start, view.cols), at) <= 0).length;
    }
    if (!this.#isAtEnd(view, lines)) return 'more';
    return { type: 'counted', index: Math.max(1, this.#index), total: this.#total };
  }
}
