/**
 * How wide text is, and cutting it without breaking it: the only width rules in mux. The emulator uses the same ones
 * (term/widths.ts), so a name in the sidebar and the same name in a pane always take the same cells.
 */
import { property, PROPERTY } from './unicode/properties.ts';
import { STATE, stateWidth, step } from './unicode/cluster.ts';

/** Where text stands in a field wider than itself. */
export type Align = 'left' | 'right' | 'center';

/**
 * Cells one code point takes on its own: 0 for marks, joiners and controls, 2 for wide and emoji, otherwise 1
 * (UAX #11; ambiguous is narrow).
 */
export function codepointWidth(cp: number): 0 | 1 | 2 {
  if (cp < 0x7f && cp >= 0x20) return 1;
  return ((property(cp) >> PROPERTY.widthShift) & PROPERTY.widthMask) as 0 | 1 | 2;
}

/** The extended grapheme clusters of `s` (UAX #29), in order; joined they are `s`. */
export function graphemes(s: string): string[] {
  const clusters: string[] = [];
  let state = 0;
  let start = 0;
  for (let i = 0; i < s.length;) {
    const cp = s.codePointAt(i)!;
    state = step(state, cp);
    if (state & STATE.boundary && i > start) {
      clusters.push(s.slice(start, i));
      start = i;
    }
    i += cp > 0xffff ? 2 : 1;
  }
  if (start < s.length) clusters.push(s.slice(start));
  return clusters;
}

/** Index of the first character that is not printable ASCII, or the length. */
function asciiPrefix(s: string): number {
  let i = 0;
  for (; i < s.length; i++) {
    const code = s.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) break;
  }
  return i;
}

/**
 * Cells `s` takes when written from the first column of a line wide enough for it. Control characters count nothing:
 * pass foreign text through `visible` first. Marks with nothing before them are not shown and count nothing.
 */
export function cellWidth(s: string): number {
  const ascii = asciiPrefix(s);
  if (ascii === s.length) return ascii;
  // One character back, since what follows may join it.
  let i = Math.max(0, ascii - 1);
  let cells = i;
  let state = 0;
  while (i < s.length) {
    const cp = s.codePointAt(i)!;
    const next = step(state, cp);
    const width = stateWidth(next);
    if (width > 0) {
      cells += next & STATE.join ? width - stateWidth(state) : width;
      state = next;
    }
    i += cp > 0xffff ? 2 : 1;
  }
  return cells;
}

/** More unread messages than these are told as so many and more: the number must not push other things away. */
const UNREAD_MAX = 99;

/** `@3`: how unread messages are counted in rows; '' for none. The sign is of one cell in every font. */
export function unreadMark(count: number): string {
  return count <= 0 ? '' : `@${count > UNREAD_MAX ? `${UNREAD_MAX}+` : count}`;
}

/** Cells one grapheme cluster takes: 0, 1 or 2, and more only for one of over 31 code points. */
export function clusterWidth(cluster: string): number {
  return cellWidth(cluster);
}

/** Length in UTF-16 units of the longest run of whole clusters at the start of `s` that fits in `cols` cells. */
function fittingLength(s: string, cols: number): number {
  let state = 0;
  let visibleState = 0;
  let cells = 0;
  let fits = 0;
  for (let i = 0; i < s.length;) {
    const cp = s.codePointAt(i)!;
    state = step(state, cp);
    if (state & STATE.boundary && cells <= cols) fits = i;
    const next = step(visibleState, cp);
    if (stateWidth(next) > 0) {
      cells += stateWidth(next) - (next & STATE.join ? stateWidth(visibleState) : 0);
      visibleState = next;
    }
    if (cells > cols) return fits;
    i += cp > 0xffff ? 2 : 1;
  }
  return s.length;
}

/**
 * `s` in at most `cols` cells: whole if it fits, else its first clusters and `ellipsis`. A cluster is never cut; where
 * the ellipsis itself has no room it is left out. In no cells at all it is ''.
 */
export function truncate(s: string, cols: number, ellipsis = '…'): string {
  if (cols <= 0) return '';
  if (s.length <= cols && asciiPrefix(s) === s.length) return s;
  const whole = fittingLength(s, cols);
  if (whole === s.length) return s;
  const room = cols - cellWidth(ellipsis);
  if (room < 0) return s.slice(0, whole);
  return s.slice(0, fittingLength(s, room)) + ellipsis;
}

/** `s` in exactly `cols` cells: filled with spaces, or truncated with an ellipsis. The odd cell of centring is right. */
export function pad(s: string, cols: number, align: Align = 'left'): string {
  const text = truncate(s, cols);
  const space = Math.max(0, cols - cellWidth(text));
  const before = { left: 0, right: space, center: space >> 1 }[align];
  let out = ' '.repeat(before) + text + ' '.repeat(space - before);
  // A mark at the start joins the space before it: a cell or two are missing then.
  for (let missing = cols - cellWidth(out); missing > 0; missing = cols - cellWidth(out)) out += ' ';
  return out;
}
