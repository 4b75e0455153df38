/**
 * How output comes into cells: around xterm's parser, where a short way leads to the same.
 */
import { BulkLines } from './bulk.ts';
import { printPlain } from './plain-run.ts';
import type { Scrollback } from './scrollback.ts';
import type { XtermCore } from './xterm-core.ts';

/** Prints what it can of `data[start…end]`; the index of what is left for xterm's own `print`. */
export type PrintStep = (core: XtermCore, data: Uint32Array, start: number, end: number) => number;

/** The steps before the parser. */
export interface Ways {
  readonly print: PrintStep;
  /** What takes floods of plain lines, undefined for nothing. */
  readonly flood: (core: XtermCore, scrollback: Scrollback) => BulkLines | undefined;
}

export const SHORT_WAYS: Ways = {
  print: printPlain,
  flood: (core, scrollback) => new BulkLines(core, scrollback),
};
