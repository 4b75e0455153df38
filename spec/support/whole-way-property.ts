/**
 * The property that what a program draws is seen in mux as on a bare terminal of that size.
 */
import fc from 'fast-check';
import { lifeText, vtLife } from './vt-stream.ts';
import type { VtLife } from './vt-stream.ts';
import { WholeWay } from './whole-way.ts';

/** Fails with the differences after the first step that leaves some. */
export function checkLife(life: VtLife): void {
  const way = new WholeWay(life);
  try {
    for (const [n, step] of life.steps.entries()) {
      if (step.type === 'resize') way.resize(step.cols, step.rows);
      else way.write(step.bytes, step.cuts);
      const differences = way.differences();
      if (differences) throw new Error(`after step ${n} of\n${lifeText(life)}\n${differences}`);
    }
  } finally {
    way.dispose();
  }
}

/** Tries `cases` lives that `seed` makes. Returns undefined, or what the smallest failing one is. */
export function tryLives(seed: number, cases: number): string | undefined {
  const result = fc.check(fc.property(vtLife, checkLife), { seed, numRuns: cases });
  if (!result.failed) return undefined;
  const { counterexample, errorInstance } = result;
  const what = counterexample ? lifeText(counterexample[0]) : 'interrupted';
  return `${what}\n${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}`;
}
