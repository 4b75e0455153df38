/**
 * Which characters every terminal gives the same number of cells. After any other the cursor is placed anew, so a
 * terminal that measures differently spoils that character and nothing else.
 */
import { CONTENT } from '../term/cell.ts';

/**
 * Ranges of code points and their width everywhere. From UAX #11, less what Unicode versions, emoji presentation,
 * combining behaviour or common implementations disagree on. Sorted.
 */
const RANGES: readonly (readonly [first: number, last: number, width: 1 | 2])[] = [
  [0x20, 0x7e, 1],
  [0xa0, 0xac, 1],
  [0xae, 0x2ff, 1],
  [0x370, 0x377, 1],
  [0x37a, 0x37f, 1],
  [0x384, 0x482, 1],
  [0x48a, 0x52f, 1],
  [0x1e00, 0x1fef, 1],
  [0x2010, 0x2027, 1],
  [0x2030, 0x203b, 1],
  [0x203d, 0x2048, 1],
  [0x204a, 0x205e, 1],
  [0x2070, 0x20bf, 1],
  [0x2100, 0x2121, 1],
  [0x2123, 0x2138, 1],
  [0x2150, 0x2193, 1],
  [0x219a, 0x21a8, 1],
  [0x21ab, 0x2319, 1],
  // Control pictures, box drawing, block elements, geometric shapes without emoji.
  [0x2400, 0x2426, 1],
  [0x2500, 0x25a9, 1],
  [0x25ac, 0x25b5, 1],
  [0x25b7, 0x25bf, 1],
  [0x25c1, 0x25fa, 1],
  // Dingbats without emoji.
  [0x2715, 0x2715, 1],
  [0x2717, 0x271c, 1],
  [0x2722, 0x2727, 1],
  [0x2729, 0x2732, 1],
  [0x2735, 0x2743, 1],
  [0x2768, 0x2775, 1],
  [0x27c0, 0x2933, 1],
  [0x2936, 0x2b04, 1],
  [0x3001, 0x3029, 2],
  [0x3041, 0x3096, 2],
  [0x309b, 0x30ff, 2],
  [0x3105, 0x312f, 2],
  [0x3400, 0x4dbf, 2],
  [0x4e00, 0xa48c, 2],
  [0xac00, 0xd7a3, 2],
  // Private use: icons of patched fonts.
  [0xe000, 0xf8ff, 1],
  [0xf900, 0xfaff, 2],
  [0xff01, 0xff60, 2],
  [0xff61, 0xff9d, 1],
  [0xffe0, 0xffe6, 2],
  [0x20000, 0x2fffd, 2],
];

const FIRST = Uint32Array.from(RANGES, range => range[0]);
const LAST = Uint32Array.from(RANGES, range => range[1]);
const WIDTH = Uint8Array.from(RANGES, range => range[2]);

/** Whether the cell's character (a content word) is as wide on every terminal as the cell says. */
export function isCertain(content: number): boolean {
  if (content & CONTENT.isCluster) return false;
  const codepoint = content & CONTENT.codepointMask;
  if (codepoint < 0x7f) return true;
  let low = 0;
  let high = FIRST.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (FIRST[middle]! <= codepoint) low = middle;
    else high = middle - 1;
  }
  return codepoint <= LAST[low]! && WIDTH[low] === content >>> CONTENT.widthShift;
}
