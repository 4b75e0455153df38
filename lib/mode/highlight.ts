/**
 * Matches made visible.
 */
import type { Run, StyledLine } from '../base/styled.ts';

/** `text` as runs, with the `ranges` (`[start, end)`, ascending) in the accent colour and bold. */
export function highlight(text: string, ranges: readonly (readonly [number, number])[]): StyledLine {
  const runs: Run[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    const from = Math.max(at, Math.min(start, text.length));
    const to = Math.max(from, Math.min(end, text.length));
    if (from > at) runs.push({ text: text.slice(at, from) });
    if (to > from) runs.push({ text: text.slice(from, to), role: 'accent', bold: true });
    at = to;
  }
  if (at < text.length) runs.push({ text: text.slice(at) });
  return runs;
}
