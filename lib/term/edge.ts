/**
 * Printing with automatic wrapping off (DECAWM). A wide character that does not fit into the last column is dropped;
 * xterm then joins the marks that follow it to the cell before, and differently so where a chunk ends in between. Here
 * they go with it.
 */
import { STATE, stateWidth, step } from '../base/unicode/cluster.ts';
import type { XtermCore } from './xterm-core.ts';

/** Prints one code point that may not fit. */
function printOne(core: XtermCore, data: Uint32Array, at: number): void {
  const parser = core._inputHandler._parser;
  const { active } = core.buffers;
  const before = parser.precedingJoinState;
  const after = step(before, data[at]!);
  const width = stateWidth(after);
  if (before === 0 && width === 0) return;
  const grows = after & STATE.join ? width - stateWidth(before) : width;
  if (width < 2 || active.x + grows <= core.cols) return core._inputHandler.print(data, at, at + 1);
  active.x = core.cols - 1;
  parser.precedingJoinState = 0;
}

/** Prints `data[start…end]` as `print` does, if automatic wrapping is off. */
export function printUnwrapped(core: XtermCore, data: Uint32Array, start: number, end: number): void {
  const { active } = core.buffers;
  for (let at = start; at < end;) {
    // None of so many can reach the edge, however wide they are.
    const safe = Math.min((core.cols - active.x) >> 1, end - at);
    if (safe > 0) core._inputHandler.print(data, at, at + safe);
    else printOne(core, data, at);
    at += Math.max(1, safe);
  }
}
