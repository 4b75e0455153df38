/**
 * Rows of history as they are read back.
 */
import { CELL_WORDS, CONTENT, type CellLine, type Extended } from '../cell.ts';

/** A row that was read back: the cells of a logical line from `from` to before `to`. */
export class StoredRow implements CellLine {
  readonly words: Uint32Array;
  readonly clusters: Readonly<Record<number, string>>;
  readonly wrapped: boolean;
  readonly isPrompt: boolean;
  readonly #extended: Readonly<Record<number, Extended>>;

  constructor(line: Unwrapped, from: number, to: number, cols: number) {
    const words = blankWords(cols);
    words.set(line.words.subarray(from * CELL_WORDS, to * CELL_WORDS));
    this.words = words;
    this.clusters = shift(line.clusters, from, to);
    this.#extended = shift(line.extended, from, to);
    this.wrapped = from > 0 || line.isContinued;
    this.isPrompt = from === 0 && line.isPrompt;
  }

  extended(column: number): Extended | undefined {
    return this.#extended[column];
  }
}

/** A logical line's cells, one after the other. */
export interface Unwrapped {
  readonly words: Uint32Array;
  readonly clusters: Record<number, string>;
  readonly extended: Record<number, Extended>;
  /** Whether its beginning is in the chunk before. */
  readonly isContinued: boolean;
  readonly isPrompt: boolean;
}

/** Words of `cols` cells that were never written. */
export function blankWords(cols: number): Uint32Array {
  const words = new Uint32Array(cols * CELL_WORDS);
  for (let i = 0; i < words.length; i += CELL_WORDS) words[i] = 1 << CONTENT.widthShift;
  return words;
}

/** Whether a wide character begins at that cell. */
export function isWide(words: Uint32Array, cell: number): boolean {
  return words[cell * CELL_WORDS]! >>> CONTENT.widthShift === 2;
}

function shift<T>(from: Readonly<Record<number, T>>, start: number, end: number): Record<number, T> {
  const shifted: Record<number, T> = {};
  for (const key in from) {
    const cell = Number(key);
    if (cell >= start && cell < end) shifted[cell - start] = from[cell]!;
  }
  return shifted;
}
