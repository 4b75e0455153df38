/**
 * Which lines of two texts differ: the shortest way from one to the other (E. W. Myers, "An O(ND) difference algorithm and
 * its variations", 1986), as long as there are few differences; else all between the first and the last as one.
 */

/** Lines `oldFrom..oldTo` of the old text became lines `newFrom..newTo` of the new one; zero-based, without the last. */
export interface Change {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Edits up to which the shortest way is looked for: time and memory grow with their square, here to some 50 ms and 1 MB. */
const EDITS_MAX = 600;

/** The changes, in order, with kept lines between them. */
export function lineChanges(before: readonly string[], after: readonly string[]): Change[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const [oldTo, newTo] = [before.length - end, after.length - end];
  if (start === oldTo && start === newTo) return [];
  const whole = { oldFrom: start, oldTo, newFrom: start, newTo };
  if (start === oldTo || start === newTo) return [whole];
  const trace = shortest(before.slice(start, oldTo), after.slice(start, newTo));
  return trace ? changesOf(trace, oldTo - start, newTo - start, start) : [whole];
}

/** The furthest x on each diagonal, by number of edits; undefined where there are too many. */
function shortest(a: readonly string[], b: readonly string[]): Int32Array[] | undefined {
  const trace: Int32Array[] = [];
  let previous = new Int32Array(1);
  for (let edits = 0; edits <= EDITS_MAX; edits++) {
    // Diagonal k stands at k + edits.
    const furthest = new Int32Array(2 * edits + 1);
    for (let k = -edits; k <= edits; k += 2) {
      let x = edits === 0 ? 0 : nextX(previous, k, edits);
      while (x < a.length && x - k < b.length && x >= k && a[x] === b[x - k]) x++;
      furthest[k + edits] = x;
      if (x >= a.length && x - k >= b.length) return [...trace, furthest];
    }
    trace.push(furthest);
    previous = furthest;
  }
  return undefined;
}

/** The furthest x of the diagonal with one edit less than `edits`; -1 where there is none. */
function at(previous: Int32Array, k: number, edits: number): number {
  return Math.abs(k) > edits - 1 ? -1 : previous[k + edits - 1]!;
}

/** Where one more edit leads to on diagonal k. */
function nextX(previous: Int32Array, k: number, edits: number): number {
  return comesDown(previous, k, edits) ? at(previous, k + 1, edits) : at(previous, k - 1, edits) + 1;
}

/** Whether the way to diagonal k is an added line, and no removed one. */
function comesDown(previous: Int32Array, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && at(previous, k - 1, edits) < at(previous, k + 1, edits));
}

/** Walks back from the end; edits without a kept line between them are one change. */
function changesOf(
  trace: readonly Int32Array[],
  oldCount: number,
  newCount: number,
  offset: number,
): Change[] {
  const changes: Change[] = [];
  let [x, y] = [oldCount, newCount];
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const previous = trace[edits - 1]!;
    const k = x - y;
    const isDown = comesDown(previous, k, edits);
    const fromX = at(previous, isDown ? k + 1 : k - 1, edits);
    const fromY = fromX - (isDown ? k + 1 : k - 1);
    // Behind the edit, before the lines that are kept.
    const [toX, toY] = isDown ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const last = changes[0];
    if (last && last.oldFrom === toX + offset && last.newFrom === toY + offset)
      changes[0] = { ...last, oldFrom: fromX + offset, newFrom: fromY + offset };
    else
      changes.unshift({
        oldFrom: fromX + offset,
        oldTo: toX + offset,
        newFrom: fromY + offset,
        newTo: toY + offset,
      });
    [x, y] = [fromX, fromY];
  }
  return changes;
}
