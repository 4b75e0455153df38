/**
 * Lines on which a shell's prompt starts (OSC 133 A). Marks are kept by xterm's line itself, so they move with it
 * through scrolling and re-wrapping, and go when the line goes.
 */
import type { XtermCore, XtermLine } from './xterm-core.ts';

/** The marked lines of one terminal. */
export class PromptMarks {
  readonly #core: XtermCore;
  /** Each marked line's side table: xterm gives a line another one when it erases the line whole or uses it anew. */
  readonly #lines = new WeakMap<XtermLine, XtermLine['_combined']>();

  constructor(core: XtermCore) {
    this.#core = core;
  }

  /** A prompt starts on the cursor's line; on the alternate screen nothing is marked. */
  mark(): void {
    const { active, normal } = this.#core.buffers;
    if (active !== normal) return;
    const line = active.lines.get(active.ybase + active.y);
    if (line) this.add(line);
  }

  /** A prompt starts on `line`. */
  add(line: XtermLine): void {
    this.#lines.set(line, line._combined);
  }

  /** Whether a prompt starts on `line`. */
  has(line: XtermLine): boolean {
    return this.#lines.get(line) === line._combined;
  }
}
