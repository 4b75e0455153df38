/**
 * ED 1 and DECSED 1 (erase from the start of the screen to the cursor) with the cursor in the last column. xterm's own
 * looks up the row below by its number on the screen, not in the buffer: it throws where there is none, as in the last
 * row of the alternate screen, and else takes a line of history for one that is not wrapped.
 */
import type { XtermCore, XtermParams } from './xterm-core.ts';

const ABOVE = 1;

/** @returns whether it was the case that xterm gets wrong, and is done */
function eraseAbove(core: XtermCore, params: XtermParams, respectProtect: boolean): boolean {
  const { active } = core.buffers;
  const { x } = active;
  if (params.params[0] !== ABOVE || x + 1 < core.cols) return false;
  const input = core._inputHandler;
  const toEnd = Object.create(params, { params: { value: Int32Array.of(0) } }) as XtermParams;
  active.x = core.cols - 1;
  input.eraseInLine(toEnd, respectProtect);
  // One column further left xterm does not look for the row below.
  active.x = core.cols - 2;
  input.eraseInDisplay(params, respectProtect);
  active.x = x;
  const below = active.lines.get(active.ybase + active.y + 1);
  if (below) below.isWrapped = false;
  return true;
}

/** Puts itself before xterm's own. */
export function installEraseFix(core: XtermCore): void {
  const parser = core._inputHandler._parser;
  parser.registerCsiHandler({ final: 'J' }, params => eraseAbove(core, params, false));
  parser.registerCsiHandler({ prefix: '?', final: 'J' }, params => eraseAbove(core, params, true));
}
