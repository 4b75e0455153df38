/**
 * A line in the colours that its program has set for itself (OSC 4, 10, 11): the terminal outside has others, so they
 * are written out.
 */
import { CELL_WORDS, COLOR, CONTENT } from '../term/cell.ts';
import type { CellLine } from '../term/cell.ts';
import type { ColorOverrides } from '../term/colors.ts';

const NARROW = 1 << CONTENT.widthShift;
const COLOR_BITS = COLOR.modeMask | COLOR.rgbMask;

/** A word with its colour replaced where the program has set another; `plain` stands for the default. */
function wordIn(word: number, plain: number | undefined, { indexed }: ColorOverrides): number {
  const mode = word & COLOR.modeMask;
  if (mode === COLOR.rgb) return word;
  const color = mode === COLOR.default ? plain : indexed.get(word & COLOR.indexMask);
  return color === undefined ? word : ((word & ~COLOR_BITS) | COLOR.rgb | color) >>> 0;
}

/** `line` in `colors`, `cols` cells long so that the background reaches the edge. */
export function recolored(line: CellLine, colors: ColorOverrides, cols: number): CellLine {
  const words = new Uint32Array(cols * CELL_WORDS);
  words.set(line.words.subarray(0, words.length));
  for (let i = 0; i < words.length; i += CELL_WORDS) {
    if (i >= line.words.length) words[i] = NARROW;
    words[i + 1] = wordIn(words[i + 1]!, colors.foreground, colors);
    words[i + 2] = wordIn(words[i + 2]!, colors.background, colors);
  }
  return {
    words,
    clusters: line.clusters,
    wrapped: line.wrapped,
    extended(column) {
      const own = line.extended(column);
      return own && { ...own, underlineColor: wordIn(own.underlineColor, undefined, colors) };
    },
  };
}
