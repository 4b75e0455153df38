/**
 * Frames to bytes for one terminal: what changed since the last frame, in as few bytes as we know how.
 */
import { BLANK } from '../frame/frame.ts';
import type { Frame, FrameCursor } from '../frame/frame.ts';
import { CELL_WORDS } from '../term/cell.ts';
import { colorSpec } from '../term/palette.ts';
import type { TerminalCaps } from './caps.ts';
import { Output } from './output.ts';
import { Painter } from './painter.ts';
import { Pen } from './pen.ts';
import { Picture } from './picture.ts';
import { Place } from './place.ts';
import { findScroll } from './scroll.ts';

const NOTHING = new Uint8Array(0);
/**
 * Bytes up to which an update is sent bare: a terminal reads it at once, and neither the cursor's way nor a half-drawn
 * state can be seen. Beyond, it is wrapped in synchronized output or the cursor hidden.
 */
const BARE = 64;
/** Separate scrolls looked for in one update: panes above one another. */
const MAX_SCROLLS = 4;

/** DECSCUSR parameter by shape: steady, blinking. */
const SHAPES: Readonly<Record<FrameCursor['shape'], readonly [number, number]>> = {
  default: [0, 0],
  block: [2, 1],
  underline: [4, 3],
  bar: [6, 5],
};

/** Draws frames on one terminal, whose state it alone changes (from enterSequence on). */
export class Renderer {
  readonly #caps: TerminalCaps;
  readonly #out = new Output();
  readonly #picture = new Picture();
  readonly #pen: Pen;
  readonly #place: Place;
  readonly #painter: Painter;
  /** Whether anything is known about the terminal. */
  #valid = false;
  #cursorShown: boolean | undefined = undefined;
  #shape = 0;
  #cursorColor: number | undefined = undefined;
  /** The frame last drawn, with its stamps then: rows not touched since need not be compared. */
  #frame: Frame | undefined = undefined;
  #stamps = new Uint32Array(0);
  #generation = 0;

  constructor(caps: TerminalCaps) {
    this.#caps = caps;
    this.#pen = new Pen(caps);
    this.#place = new Place(caps, this.#out);
    this.#painter = new Painter(caps, this.#out, this.#pen, this.#place, this.#picture);
  }

  /**
   * The bytes that bring the terminal from the last frame to this one; empty when nothing changed. The caller owns
   * them. A frame of another size than the last, or the first after `invalidate`, is drawn from scratch.
   */
  render(frame: Frame): Uint8Array {
    this.#out.start();
    this.#pen.start();
    const fresh = !this.#valid || frame.cols !== this.#picture.cols || frame.rows !== this.#picture.rows;
    if (fresh) this.#restart(frame);
    this.#followTables(frame);
    let dirty = this.#changed(frame);
    dirty = this.#scrolls(frame, dirty);
    dirty = this.#eraseRest(frame, dirty);
    for (const y of dirty) this.#painter.row(frame, y);
    this.#remember(frame);
    return this.#finish(frame.cursor);
  }

  /** Nothing is known about the terminal any more (it was resized, or somebody else wrote to it). */
  invalidate(): void {
    this.#valid = false;
  }

  /** Clears the screen and makes every part of the terminal's state known. */
  #restart(frame: Frame): void {
    this.#valid = true;
    this.#frame = undefined;
    this.#generation = frame.tables.generation;
    this.#cursorShown = undefined;
    this.#pen.forget();
    this.#place.reset(frame.cols, frame.rows);
    this.#picture.clear(frame.cols, frame.rows);
    this.#out.ascii('\x1b[r');
    this.#place.to(0, 0);
    this.#pen.set(this.#out, 0, 0, 0, frame.tables);
    this.#out.ascii('\x1b[J');
  }

  /** Ids mean something else after the frame's tables were emptied, and in a frame with other tables. */
  #followTables(frame: Frame): void {
    const other = this.#frame !== undefined && this.#frame.tables !== frame.tables;
    if (!other && this.#generation === frame.tables.generation) return;
    this.#generation = frame.tables.generation;
    this.#picture.forgetIds();
    this.#pen.forgetIds();
    this.#frame = undefined;
  }

  /** Rows that differ from what the terminal shows. */
  #changed(frame: Frame): number[] {
    const known = this.#frame === frame;
    const dirty: number[] = [];
    for (let y = 0; y < frame.rows; y++) {
      if (known && frame.stamps[y] === this.#stamps[y]) continue;
      if (!this.#picture.isRow(frame, y)) dirty.push(y);
    }
    return dirty;
  }

  #remember(frame: Frame): void {
    if (this.#stamps.length === frame.rows) this.#stamps.set(frame.stamps);
    else this.#stamps = frame.stamps.slice();
    this.#frame = frame;
  }

  /** Scrolls what has moved as a whole; returns the rows that differ then. */
  #scrolls(frame: Frame, dirty: number[]): number[] {
    if (!this.#caps.editing && !this.#caps.scroll) return dirty;
    let rest = dirty;
    for (let n = 0; n < MAX_SCROLLS; n++) {
      const scroll = findScroll(frame, this.#picture, rest);
      if (scroll === undefined) break;
      this.#scroll(frame, scroll.top, scroll.bottom, scroll.count);
      const outside = rest.filter(y => y < scroll.top || y > scroll.bottom);
      for (let y = scroll.top; y <= scroll.bottom; y++) if (!this.#picture.isRow(frame, y)) outside.push(y);
      rest = outside.sort((a, b) => a - b);
    }
    return rest;
  }

  /** Moves rows top…bottom up by `count`, or down if negative. New rows are blank in the default background. */
  #scroll(frame: Frame, top: number, bottom: number, count: number): void {
    const out = this.#out;
    const lines = Math.abs(count);
    if (!this.#pen.suitsBlank(0)) this.#pen.set(out, 0, 0, 0, frame.tables);
    this.#place.setRegion(top, bottom);
    if (this.#caps.scroll) {
      out.csi(lines, count > 0 ? 'S' : 'T');
    } else {
      this.#place.to(0, top);
      out.csi(lines, count > 0 ? 'M' : 'L');
    }
    this.#picture.scroll(top, bottom, count);
  }

  /** Erases the end of the screen at once if several of its rows have become blank; returns the other rows. */
  #eraseRest(frame: Frame, dirty: number[]): number[] {
    const bg = frame.cells[frame.cells.length - 1]!;
    if (dirty.length < 2 || !this.#painter.erasable(bg)) return dirty;
    let top = frame.rows;
    while (top > 0 && isBlankRow(frame, top - 1, bg)) top--;
    const above = dirty.filter(y => y < top);
    if (dirty.length - above.length < 2) return dirty;
    this.#painter.eraseBelow(frame, top, bg);
    return above;
  }

  /** Places the cursor and wraps up. */
  #finish(cursor: FrameCursor): Uint8Array {
    const out = this.#out;
    const place = this.#place;
    const frame = this.#frame!;
    const x = Math.min(cursor.x, frame.cols - 1);
    const y = Math.min(cursor.y, frame.rows - 1);
    if (!(place.waiting && y === place.y && x === frame.cols - 1)) this.#painter.reach(frame, x, y);
    const long = out.length > BARE;
    let prefix = '';
    if (this.#cursorShown !== false && (!cursor.visible || (long && !this.#caps.synchronized))) {
      prefix = '\x1b[?25l';
      this.#cursorShown = false;
    }
    if (long && this.#caps.synchronized) prefix = '\x1b[?2026h' + prefix;
    this.#setShape(cursor);
    this.#setCursorColor(cursor);
    if (cursor.visible && this.#cursorShown !== true) {
      out.ascii('\x1b[?25h');
      this.#cursorShown = true;
    }
    if (long && this.#caps.synchronized) out.ascii('\x1b[?2026l');
    return out.length === 0 && prefix === '' ? NOTHING : out.take(prefix);
  }

  /** DECSCUSR, on change. A hidden cursor has no shape. */
  #setShape(cursor: FrameCursor): void {
    const shape = SHAPES[cursor.shape][cursor.blink ? 1 : 0];
    if (!this.#caps.cursorShape || !cursor.visible || shape === this.#shape) return;
    this.#shape = shape;
    this.#out.ascii('\x1b[');
    this.#out.number(shape);
    this.#out.ascii(' q');
  }

  /** OSC 12, on change, and 112 for the person's own: what a program has chosen holds while its cursor is shown. */
  #setCursorColor({ color, visible }: FrameCursor): void {
    if (!this.#caps.cursorShape || this.#caps.colors === 0 || color === this.#cursorColor) return;
    if (!visible && color !== undefined) return;
    this.#cursorColor = color;
    this.#out.ascii(color === undefined ? '\x1b]112\x1b\\' : `\x1b]12;${colorSpec(color)}\x1b\\`);
  }
}

/** Whether a row of the frame is blank with this background throughout. */
function isBlankRow(frame: Frame, y: number, bg: number): boolean {
  const end = (y + 1) * frame.cols * CELL_WORDS;
  for (let i = y * frame.cols * CELL_WORDS; i < end; i += CELL_WORDS) {
    if (frame.cells[i] !== BLANK || frame.cells[i + 1] !== 0 || frame.cells[i + 2] !== bg) return false;
  }
  return true;
}
