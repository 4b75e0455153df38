/**
 * Where the terminal's cursor is, and the shortest way to somewhere else.
 * Sources: ECMA-48 8.3 (CUP, CUU, CUD, CUF, CUB, CHA, VPA), DEC STD 070 (IND, RI, DECSTBM, pending wrap).
 *
 * A bare line feed is never used: a terminal line discipline with ONLCR set turns it into CR LF. CR LF together, IND
 * and RI mean the same either way.
 */
import type { TerminalCaps } from './caps.ts';
import { digits } from './output.ts';
import type { Output } from './output.ts';

/** Not known. */
const NOWHERE = -1;
/** Steps up to which a control character each is shorter than a sequence. */
const MAX_STEPS = 3;

/**
 * Cells a character may take where a terminal does not join it: a family of four emoji drawn one after the other.
 */
const WIDEST = 8;

/** Bytes of CSI n X with n left out where it is 1. */
const relative = (n: number): number => 3 + (n === 1 ? 0 : digits(n));

/** The cursor of one terminal, in zero-based cells. */
export class Place {
  /** Column; -1 when not known, e.g. after a character that terminals measure differently, or in the last column. */
  x = NOWHERE;
  /** Row; -1 when not known. */
  y = NOWHERE;
  /** The last column has been written: the cursor stands on it, waiting to wrap. */
  waiting = false;
  /** Scroll region, inclusive; all rows when there is none. */
  top = 0;
  bottom = 0;
  readonly #caps: TerminalCaps;
  readonly #out: Output;
  #cols = 0;
  #rows = 0;

  constructor(caps: TerminalCaps, out: Output) {
    this.#caps = caps;
    this.#out = out;
  }

  /** The terminal now has this size and no scroll region; the cursor may be anywhere. */
  reset(cols: number, rows: number): void {
    this.#cols = cols;
    this.#rows = rows;
    this.top = 0;
    this.bottom = rows - 1;
    this.lose();
  }

  /** The cursor may be anywhere. */
  lose(): void {
    this.x = NOWHERE;
    this.y = NOWHERE;
    this.waiting = false;
  }

  /** `width` cells have been written, of which the terminal may think differently unless `certain`. */
  advance(width: number, certain: boolean): void {
    const x = this.x + width;
    // In the last column terminals wait with the wrap, and disagree on where relative moves start from.
    this.waiting = certain && x >= this.#cols;
    // The row is certain only when the character cannot have been wrapped.
    if (!certain && this.x + WIDEST >= this.#cols) this.lose();
    else this.x = certain && x < this.#cols ? x : NOWHERE;
  }

  /** Bytes `to` would take. */
  cost(x: number, y: number): number {
    if (x === this.x && y === this.y) return 0;
    if (this.y === NOWHERE) return this.#absoluteCost(x, y);
    const lines = this.#linesCost(x, y);
    const apart = this.#verticalCost(y) + this.#horizontalCost(x);
    return Math.min(this.#absoluteCost(x, y), lines, apart);
  }

  /** Moves the cursor. */
  to(x: number, y: number): void {
    if (x === this.x && y === this.y) return;
    if (this.y === NOWHERE) {
      this.#absolute(x, y);
    } else {
      const cost = this.cost(x, y);
      if (cost === this.#verticalCost(y) + this.#horizontalCost(x)) {
        this.#vertical(y);
        this.#horizontal(x);
      } else if (cost === this.#linesCost(x, y)) {
        this.#out.byte(0x0d);
        for (let i = this.y; i < y; i++) this.#out.byte(0x0a);
        if (x > 0) this.#out.csi(x, 'C');
      } else {
        this.#absolute(x, y);
      }
    }
    this.x = x;
    this.y = y;
    this.waiting = false;
  }

  /** Sets the scroll region (inclusive rows); the terminal's cursor goes home. */
  setRegion(top: number, bottom: number): void {
    if (top === this.top && bottom === this.bottom) return;
    const out = this.#out;
    out.ascii('\x1b[');
    if (top > 0 || bottom < this.#rows - 1) {
      if (top > 0) out.number(top + 1);
      out.ascii(';');
      out.number(bottom + 1);
    }
    out.ascii('r');
    this.top = top;
    this.bottom = bottom;
    this.x = 0;
    this.y = 0;
    this.waiting = false;
  }

  /** Whether there is no scroll region, so that relative vertical moves are not stopped by its edges. */
  get #open(): boolean {
    return this.top === 0 && this.bottom === this.#rows - 1;
  }

  #absoluteCost(x: number, y: number): number {
    if (x === 0) return y === 0 ? 3 : 3 + digits(y + 1);
    return 4 + digits(x + 1) + (y === 0 ? 0 : digits(y + 1));
  }

  #absolute(x: number, y: number): void {
    const out = this.#out;
    out.ascii('\x1b[');
    if (y > 0) out.number(y + 1);
    if (x > 0) {
      out.ascii(';');
      out.number(x + 1);
    }
    out.ascii('H');
  }

  /** CR, line feeds and CUF. */
  #linesCost(x: number, y: number): number {
    const down = y - this.y;
    if (down < 1 || down > MAX_STEPS || !this.#open) return Infinity;
    return 1 + down + (x === 0 ? 0 : relative(x));
  }

  #verticalCost(y: number): number {
    if (y === this.y) return 0;
    const step = Math.abs(y - this.y);
    if (this.#open) {
      if (step === 1) return 2;
      return Math.min(relative(step), this.#caps.editing ? relative(y + 1) : Infinity);
    }
    return this.#caps.editing ? relative(y + 1) : Infinity;
  }

  #vertical(y: number): void {
    if (y === this.y) return;
    const down = y - this.y;
    const step = Math.abs(down);
    if (this.#open && step === 1) this.#out.ascii(down > 0 ? '\x1bD' : '\x1bM');
    else if (this.#open && (!this.#caps.editing || relative(step) <= relative(y + 1)))
      this.#out.csi(step, down > 0 ? 'B' : 'A');
    else this.#out.csi(y + 1, 'd');
  }

  #horizontalCost(x: number): number {
    if (x === this.x) return 0;
    if (x === 0) return 1;
    const fromStart = 1 + relative(x);
    const column = this.#caps.editing ? Math.min(fromStart, relative(x + 1)) : fromStart;
    if (this.x === NOWHERE) return column;
    const step = x - this.x;
    if (step < 0 && -step <= MAX_STEPS) return -step;
    return Math.min(column, relative(Math.abs(step)));
  }

  #horizontal(x: number): void {
    const out = this.#out;
    if (x === this.x) return;
    if (x === 0) return out.byte(0x0d);
    const step = x - this.x;
    const known = this.x !== NOWHERE;
    if (known && step < 0 && -step <= MAX_STEPS) {
      for (let i = step; i < 0; i++) out.byte(0x08);
      return;
    }
    const cost = this.#horizontalCost(x);
    if (known && cost === relative(Math.abs(step))) return out.csi(Math.abs(step), step > 0 ? 'C' : 'D');
    if (this.#caps.editing && cost === relative(x + 1)) return out.csi(x + 1, 'G');
    out.byte(0x0d);
    out.csi(x, 'C');
  }
}
