/**
 * Where xterm leaves a line in disorder when cells are moved.
 */
import { BG, CELL_WORDS, CONTENT } from './cell.ts';
import type { XtermBuffer, XtermCore, XtermLine } from './xterm-core.ts';

function copyCells(
  to: XtermLine,
  from: XtermLine,
  fromX: number,
  x: number,
  count: number,
  isBackwards: boolean,
): void {
  const start = fromX * CELL_WORDS;
  // As by memmove: the two may be one line.
  to._data.set(from._data.subarray(start, start + count * CELL_WORDS), x * CELL_WORDS);
  for (let step = 0; step < count; step++) {
    const n = isBackwards ? count - 1 - step : step;
    const at = (x + n) * CELL_WORDS;
    if (to._data[at]! & CONTENT.isCluster) to._combined[x + n] = from._combined[fromX + n]!;
    if (to._data[at + 2]! & BG.hasExtended) to._extendedAttrs[x + n] = from._extendedAttrs[fromX + n];
  }
}

/**
 * Copies cells with their clusters. xterm copies the texts of clusters from the first column to the end of the line,
 * however few cells are copied: what is wrapped anew (a resize), or a rectangle that is copied (DECCRA), then shows in
 * place of a cluster another one of that line.
 *
 * Takes the place of xterm's own in the prototype that all its lines share: it makes lines in places that cannot be reached
 * otherwise.
 */
export function installLineCopy(core: XtermCore): void {
  const lines = Object.getPrototypeOf(core.buffers.normal.lines.get(0)) as XtermLine;
  lines.copyCellsFrom = function (this: XtermLine, ...copied): void {
    copyCells(this, ...copied);
  };
}

/**
 * To be called after a resize: makes the left half of a wide character in the last column, whose other half is gone, a
 * blank. A line that is not wrapped anew (the cursor's) may have been cut there.
 */
export function blankHalves({ lines }: XtermBuffer): void {
  for (let y = 0; y < lines.length; y++) {
    const { _data, length } = lines.get(y)!;
    const at = (length - 1) * CELL_WORDS;
    if (_data[at]! >>> CONTENT.widthShift === 2) _data[at] = 1 << CONTENT.widthShift;
  }
}
