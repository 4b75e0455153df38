/**
 * The short way for the commonest output: printable ASCII that fits into its line is written into the cells at once.
 * xterm's own `print` asks for width and cluster of every character, which took more than half of all parsing time of
 * a log. What it would do beyond writing cells is tested for first; in doubt the run is left to it.
 */
import { step } from '../base/unicode/cluster.ts';
import { BG, CELL_WORDS, CONTENT } from './cell.ts';
import type { XtermCore, XtermLine } from './xterm-core.ts';

const FIRST = 0x20;
/** One past `~`. */
const PAST = 0x7f;
const NARROW = 1 << CONTENT.widthShift;
const WIDTH = 3 << CONTENT.widthShift;

function width(line: XtermLine, x: number): number {
  return (line._data[x * CELL_WORDS]! & WIDTH) >>> CONTENT.widthShift;
}

/** Whether writing cells x0…x1 would cut a wide character in two. */
function cutsWide(line: XtermLine, x0: number, x1: number, cols: number): boolean {
  return (x0 > 0 && width(line, x0 - 1) === 2) || (x1 < cols && width(line, x1) === 0);
}

/** Index after the printable ASCII that `data` holds from `start`, at most `end`. */
function asciiEnd(data: Uint32Array, start: number, end: number): number {
  let i = start;
  while (i < end && data[i]! >= FIRST && data[i]! < PAST) i++;
  return i;
}

/**
 * Prints the ASCII at the front of `data[start…end]` as far as it fits into the cursor's line.
 * @returns index of the first code point that is left for xterm's `print`; `start` where nothing could be done
 */
export function printPlain(core: XtermCore, data: Uint32Array, start: number, end: number): number {
  const input = core._inputHandler;
  const { active } = core.buffers;
  const { x } = active;
  const to = asciiEnd(data, start, Math.min(end, start + core.cols - x));
  if (to === start) return start;
  const { fg, bg } = input._curAttrData;
  if (bg & BG.hasExtended || core.coreService.modes.insertMode || input._charsetService.charset) return start;
  const parser = input._parser;
  // Only after a character that takes the next one into its cluster does it matter what stood before.
  if (step(parser.precedingJoinState, data[start]!) !== step(0, data[start]!)) return start;
  const line = active.lines.get(active.ybase + active.y);
  if (!line || cutsWide(line, x, x + to - start, core.cols)) return start;
  const words = line._data;
  for (let i = start, at = x * CELL_WORDS; i < to; i++, at += CELL_WORDS) {
    words[at] = data[i]! | NARROW;
    words[at + 1] = fg;
    words[at + 2] = bg;
  }
  active.x = x + to - start;
  parser.precedingJoinState = step(0, data[to - 1]!);
  return to;
}
