/**
 * Styled lines that fit: measuring, cutting, padding and wrapping in cells.
 */
import { clamp } from '../base/geometry.ts';
import type { Role, Run, StyledLine } from '../base/styled.ts';
import { cellWidth, clusterWidth, graphemes, truncate } from '../base/text.ts';
import { visible } from '../base/visible.ts';

/**
 * UTF-16 units of a text that are looked at. Enough for the widest line there is (1,000 cells of emoji); keeps a
 * name of megabytes from costing more than a long one.
 */
const MAX_TEXT = 4096;

/** Attributes of a run besides its role. */
export type Attributes = Omit<Run, 'text' | 'role'>;

/** A run of text from outside: control characters made visible, length bounded. */
export function run(text: string, role?: Role, attributes: Attributes = {}): Run {
  const safe = visible(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
  return role === undefined ? { ...attributes, text: safe } : { ...attributes, text: safe, role };
}

/** A line from outside with every run made safe. */
export function clean(line: StyledLine): StyledLine {
  return line.slice(0, MAX_TEXT).map(part => ({ ...part, text: run(part.text).text }));
}

/** Width in cells. */
export function lineWidth(line: StyledLine): number {
  return line.reduce((sum, part) => sum + cellWidth(part.text), 0);
}

/** The line cut to `cols` cells, with an ellipsis where something was cut off. */
export function cutLine(line: StyledLine, cols: number): StyledLine {
  const out: Run[] = [];
  let room = cols;
  for (const [i, part] of line.entries()) {
    const width = cellWidth(part.text);
    const last = i === line.length - 1;
    // A run that just fits may not swallow the cell the ellipsis of a longer line needs.
    if (width < room || (width === room && (last || lineWidth(line.slice(i + 1)) === 0))) {
      out.push(part);
      room -= width;
      continue;
    }
    const tail = width <= room ? part.text + '  ' : part.text;
    if (room > 0) out.push({ ...part, text: truncate(tail, room) });
    break;
  }
  return out;
}

/** `left` and `right` pushed apart to fill `cols`; `left` is cut where both do not fit with one space between. */
export function justify(left: StyledLine, right: StyledLine, cols: number): StyledLine {
  const rightWidth = lineWidth(right);
  if (rightWidth === 0 || rightWidth + 2 > cols) return cutLine(left, cols);
  const cut = cutLine(left, cols - rightWidth - 1);
  const gap = Math.max(1, cols - rightWidth - lineWidth(cut));
  return [...cut, { text: ' '.repeat(gap) }, ...right];
}

/** A text being edited, scrolled so that the caret is inside `cols`. `caretX` is its column. */
export function editLine(
  text: string,
  caret: number,
  cols: number,
): { readonly text: string; readonly caretX: number } {
  const clusters = [...graphemes(run(text).text)];
  const at = clamp(caret, 0, clusters.length);
  let from = at;
  let caretX = 0;
  while (from > 0) {
    const width = clusterWidth(clusters[from - 1]!);
    // The caret itself needs the last column.
    if (caretX + width > cols - 1) break;
    caretX += width;
    from--;
  }
  let end = at;
  let room = cols - caretX;
  while (end < clusters.length) {
    const width = clusterWidth(clusters[end]!);
    if (width > room) break;
    room -= width;
    end++;
  }
  return { text: clusters.slice(from, end).join(''), caretX: Math.max(0, Math.min(caretX, cols - 1)) };
}

/** The line broken into at most `max` lines of `cols` cells, at spaces where there are some. */
export function wrapLine(line: StyledLine, cols: number, max: number): StyledLine[] {
  if (cols <= 0 || max <= 0) return [];
  if (lineWidth(line) <= cols) return [line];
  const out: Run[][] = [[]];
  let room = cols;
  for (const part of line) {
    for (const word of part.text.match(/ +|[^ ]+/g) ?? []) {
      for (const piece of cellWidth(word) > cols ? graphemes(word) : [word]) {
        const width = cellWidth(piece);
        if (width > room) {
          if (out.length === max) return out;
          out.push([]);
          room = cols;
          if (piece.startsWith(' ')) continue;
        }
        out.at(-1)!.push({ ...part, text: piece });
        room -= width;
      }
    }
  }
  return out;
}

/** First of `height` rows to show of `count` so that row `selected` is among them, near the middle. */
export function scrollTo(selected: number, count: number, height: number): number {
  return clamp(selected - Math.floor(height / 2), 0, Math.max(0, count - height));
}
