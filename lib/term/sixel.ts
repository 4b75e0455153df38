/**
 * How large a sixel picture is: its raster attributes if it has them, else counted. Nothing of it is kept but numbers.
 * Source: VT330/340 programmer reference, chapter 14.
 */
import type { Picture } from './image.ts';
import type { PayloadHandler, XtermParams } from './xterm-core.ts';

const REPEAT = 0x21; // !
const RASTER = 0x22; // "
const COLOR = 0x23; // #
const RETURN = 0x24; // $
const NEXT_LINE = 0x2d; // -
const SEPARATOR = 0x3b; // ;
const FIRST_SIXEL = 0x3f;
const LAST_SIXEL = 0x7e;
/** Pixels one character is high. */
const BAND = 6;
/** Largest side in pixels: what VT340 emulators take, and far beyond any pane. */
const MAX_SIDE = 16_384;
/** Parameters of one command that matter: aspect ratio (two) and size (two). */
const MAX_PARAMETERS = 4;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Measures a sixel string and hands over its size at its end. */
export class SixelSize implements PayloadHandler {
  readonly #done: (picture: Picture) => void;
  #command = 0;
  #parameters: number[] = [];
  #x = 0;
  #width = 0;
  #bands = 0;
  #isBandUsed = false;
  #raster: readonly [number, number] = [0, 0];

  constructor(done: (picture: Picture) => void) {
    this.#done = done;
  }

  start(): void {
    this.#begin(0);
    this.#x = this.#width = this.#bands = 0;
    this.#isBandUsed = false;
    this.#raster = [0, 0];
  }

  hook(_params: XtermParams): void {
    this.start();
  }

  put(data: Uint32Array, start: number, end: number): void {
    for (let i = start; i < end; i++) this.#take(data[i]!);
  }

  end(success: boolean): boolean {
    this.#finish();
    const bands = this.#bands + (this.#isBandUsed ? 1 : 0);
    const [rasterWidth, rasterHeight] = this.#raster;
    const width = Math.min(rasterWidth || this.#width, MAX_SIDE);
    const height = Math.min(rasterHeight || bands * BAND, MAX_SIDE);
    this.start();
    if (success && width > 0 && height > 0)
      this.#done({ width, height, cols: 0, rows: 0, cursor: 'last row' });
    return true;
  }

  unhook(success: boolean): boolean {
    return this.end(success);
  }

  #begin(command: number): void {
    this.#command = command;
    this.#parameters = [];
  }

  #take(code: number): void {
    if (this.#command !== 0 && (isDigit(code) || code === SEPARATOR)) return this.#digit(code);
    if (code >= FIRST_SIXEL && code <= LAST_SIXEL) return this.#sixel();
    this.#finish();
    if (code === REPEAT || code === RASTER || code === COLOR) this.#begin(code);
    else if (code === RETURN) this.#x = 0;
    else if (code === NEXT_LINE) {
      this.#x = 0;
      this.#bands++;
      this.#isBandUsed = false;
    }
  }

  #digit(code: number): void {
    const list = this.#parameters;
    if (list.length === 0) list.push(0);
    if (code === SEPARATOR) {
      if (list.length < MAX_PARAMETERS) list.push(0);
      else this.#command = COLOR;
    } else {
      const last = list.length - 1;
      list[last] = Math.min(list[last]! * 10 + code - 0x30, MAX_SIDE);
    }
  }

  #sixel(): void {
    const count = this.#command === REPEAT ? this.#parameters[0] || 1 : 1;
    this.#finish();
    this.#x = Math.min(this.#x + count, MAX_SIDE);
    this.#width = Math.max(this.#width, this.#x);
    this.#isBandUsed = true;
  }

  #finish(): void {
    if (this.#command === RASTER) this.#raster = [this.#parameters[2] ?? 0, this.#parameters[3] ?? 0];
    this.#begin(0);
  }
}
