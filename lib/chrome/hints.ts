/**
 * Keys and what they do, on one row.
 */
import type { Run, StyledLine } from '../base/styled.ts';
import { lineWidth, run } from './lines.ts';
import type { Hint } from './view.ts';

/** As many whole hints as fit into `cols` cells: half of one tells nothing. */
export function hintLine(hints: readonly Hint[], cols: number): StyledLine {
  const runs: Run[] = [];
  let used = 0;
  for (const { key, text } of hints) {
    const entry = [run(used === 0 ? ' ' : '   '), run(key, 'accent'), run(` ${text}`, 'dim')];
    used += lineWidth(entry);
    if (used > cols) break;
    runs.push(...entry);
  }
  return runs;
}
