/**
 * The width rules of base/text.ts in the form @xterm/headless asks for them.
 */
import { step } from '../base/unicode/cluster.ts';
import { codepointWidth } from '../base/text.ts';

/** A Unicode version provider as xterm's `unicode.register` takes it. */
export interface WidthProvider {
  readonly version: string;
  wcwidth(codepoint: number): 0 | 1 | 2;
  /**
   * The value after `codepoint`: bit 0 it joins the cell before, bits 1–2 that cell's width, the rest cluster state.
   * xterm keeps it between writes, so clusters survive any chunking, and sets it to 0 at every control.
   */
  charProperties(codepoint: number, preceding: number): number;
}

/** Clusters by UAX #29, Unicode 17; xterm knows it by its `version`. */
export const widthProvider: WidthProvider = {
  version: 'mux-17',
  wcwidth: codepointWidth,
  charProperties: (codepoint, preceding) => step(preceding, codepoint),
};
