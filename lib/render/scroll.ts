/**
 * Finds rows that have moved up or down together, so that the terminal can be told to scroll instead of being sent
 * them again.
 */
import { BLANK } from '../frame/frame.ts';
import type { Frame } from '../frame/frame.ts';
import { CELL_WORDS } from '../term/cell.ts';
import type { Picture } from './picture.ts';

/** Rows top…bottom (inclusive) move up by `count`; down if it is negative. */
export interface Scroll {
  readonly top: number;
  readonly bottom: number;
  readonly count: number;
}

/** Fewer changed rows are cheaper to paint. */
const MIN_ROWS = 3;
/**
 * Changed rows looked for elsewhere on the screen. Each costs one comparison per row; five spread over the change
 * meet any scroll of a third of it.
 */
const PROBES = 5;
/** Differing cells counted per row: beyond, a row is simply "different", and counting on would only cost time. */
const ENOUGH = 32;
/** Bytes of setting a region and scrolling, about; what must at least be gained. */
const OVERHEAD = 24;

/** Cells in which row `from` of the picture differs from row `y` of the frame, up to ENOUGH. */
function difference(frame: Frame, picture: Picture, y: number, from: number): number {
  const { cols } = frame;
  const a = picture.cells;
  const b = frame.cells;
  let i = from * cols * CELL_WORDS;
  let j = y * cols * CELL_WORDS;
  const complex = picture.complex[from] || frame.complex[y];
  let count = 0;
  for (let x = 0; x < cols && count < ENOUGH; x++, i += CELL_WORDS, j += CELL_WORDS) {
    if (a[i] !== b[j] || a[i + 1] !== b[j + 1] || a[i + 2] !== b[j + 2]) count++;
    else if (complex && picture.ext[from * cols + x] !== frame.ext[y * cols + x]) count++;
  }
  return count;
}

/** Cells of row `y` that are not plainly blank, up to ENOUGH: what painting it on an erased row costs. */
function weight(frame: Frame, y: number): number {
  const end = (y + 1) * frame.cols * CELL_WORDS;
  let count = 0;
  for (let i = y * frame.cols * CELL_WORDS; i < end && count < ENOUGH; i += CELL_WORDS) {
    if (frame.cells[i] !== BLANK || frame.cells[i + 2] !== 0) count++;
  }
  return count;
}

/** About how many bytes are saved by a scroll. */
function gain(frame: Frame, picture: Picture, scroll: Scroll): number {
  let saved = -OVERHEAD;
  for (let y = scroll.top; y <= scroll.bottom; y++) {
    const from = y + scroll.count;
    const arrives = from >= scroll.top && from <= scroll.bottom;
    saved += difference(frame, picture, y, y);
    saved -= arrives ? difference(frame, picture, y, from) : weight(frame, y);
  }
  return saved;
}

/** The stretch around row `y` that is in the picture `shift` rows further down. */
function grow(frame: Frame, picture: Picture, y: number, shift: number): Scroll {
  let first = y;
  let last = y;
  while (first > 0 && first - 1 + shift >= 0 && picture.isRow(frame, first - 1, first - 1 + shift)) first--;
  while (
    last + 1 < frame.rows &&
    last + 1 + shift < frame.rows &&
    picture.isRow(frame, last + 1, last + 1 + shift)
  ) {
    last++;
  }
  return { top: Math.min(first, first + shift), bottom: Math.max(last, last + shift), count: shift };
}

/**
 * The most useful scroll that brings the picture nearer to the frame, if any is worth its bytes.
 * @param dirty rows in which they differ, in order
 */
export function findScroll(frame: Frame, picture: Picture, dirty: readonly number[]): Scroll | undefined {
  if (dirty.length < MIN_ROWS) return undefined;
  const solid = dirty.filter(y => weight(frame, y) > 0);
  let best: Scroll | undefined;
  let bestGain = 0;
  const seen = new Set<number>();
  for (let n = 0; n < PROBES && solid.length > 0; n++) {
    const y = solid[Math.floor(((2 * n + 1) * solid.length) / (2 * PROBES))]!;
    for (let from = 0; from < frame.rows; from++) {
      const shift = from - y;
      if (shift === 0 || seen.has(shift) || !picture.isRow(frame, y, from)) continue;
      seen.add(shift);
      const scroll = grow(frame, picture, y, shift);
      const saved = gain(frame, picture, scroll);
      if (saved > bestGain) {
        best = scroll;
        bestGain = saved;
      }
    }
  }
  return best;
}
