/**
 * DECRQCRA: a sum over a rectangle of the screen, by which test programs read cells (VT420, as xterm computes it).
 */
import { BG, CELL_WORDS, CONTENT, FG } from './cell.ts';
import type { XtermCore } from './xterm-core.ts';

/** Edges in cells, zero-based, inclusive. */
export interface Edges {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** What an attribute adds (DEC STD 070). */
const WEIGHTS: readonly (readonly [word: 1 | 2, bit: number, weight: number])[] = [
  [2, BG.isProtected, 0x04],
  [1, FG.invisible, 0x08],
  [1, FG.underline, 0x10],
  [1, FG.inverse, 0x20],
  [1, FG.blink, 0x40],
  [1, FG.bold, 0x80],
];
const SPACE = 0x20;

/** The negated 16-bit sum of codes and attributes; an empty cell counts as a space. */
export function rectangleChecksum(core: XtermCore, edges: Edges): number {
  const { active } = core.buffers;
  let sum = 0;
  for (let y = edges.top; y <= edges.bottom; y++) {
    const line = active.lines.get(active.ybase + y);
    if (!line) continue;
    for (let x = edges.left; x <= edges.right; x++) {
      const at = x * CELL_WORDS;
      const content = line._data[at] ?? 0;
      const text = content & CONTENT.isCluster ? line._combined[x] : undefined;
      sum += text?.codePointAt(0) ?? (content & CONTENT.codepointMask || SPACE);
      for (const [word, bit, weight] of WEIGHTS) if ((line._data[at + word] ?? 0) & bit) sum += weight;
    }
  }
  return -sum & 0xffff;
}
