/**
 * Skipping work on values that did not change. Views are plain data: objects, arrays, strings, numbers, booleans.
 */

/** Deeper than any view; deeper values count as different. */
const MAX_DEPTH = 12;

/** Whether two plain values are equal in structure. */
export function same(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > MAX_DEPTH)
    return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, i) => same(value, b[i], depth + 1));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return keys.every(key => Object.hasOwn(right, key) && same(left[key], right[key], depth + 1));
}

/** `make` that remembers its last answer and gives it again for equal arguments. */
export function remember<A extends readonly unknown[], R>(make: (...args: A) => R): (...args: A) => R {
  let last: { readonly args: A; readonly result: R } | undefined;
  return (...args) => {
    if (last === undefined || !same(last.args, args)) last = { args, result: make(...args) };
    return last.result;
  };
}
