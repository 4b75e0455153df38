/**
 * What a resize leaves behind in xterm. Wrapping anew counts lines that there was no room to keep; then the buffer ends
 * above the last row of the screen, and whatever is printed there fails, from then on.
 */
import type { XtermBuffer, XtermCore } from './xterm-core.ts';

function fill(buffer: XtermBuffer, rows: number, core: XtermCore): void {
  const above = Math.max(0, buffer.lines.length - rows);
  if (buffer.ybase > above) {
    // The cursor stays on its line.
    buffer.y = Math.min(rows - 1, buffer.y + buffer.ybase - above);
    buffer.ybase = above;
    buffer.ydisp = above;
  }
  while (buffer.lines.length < buffer.ybase + rows)
    buffer.lines.push(buffer.getBlankLine({ ...core._inputHandler._curAttrData, fg: 0, bg: 0 }));
}

/** To be called after every resize: each row of the screen has a line. */
export function completeRows(core: XtermCore): void {
  fill(core.buffers.normal, core.rows, core);
  // The alternate screen has no lines while it is not shown.
  if (core.buffers.alt.lines.length > 0) fill(core.buffers.alt, core.rows, core);
}
