/**
 * How old lores are: what nobody has touched for long may be wrong by now.
 */

const DAY_MS = 86_400_000;
/** Half a year: most of what is written about code is then about other code. */
const STALE_DAYS = 180;

/** Whole days between two Unix times in ms. */
export function daysBetween(at: number, now: number): number {
  return Math.floor((now - at) / DAY_MS);
}

/** Whether a lore that was last changed at a time is stale; not where that is not known. */
export function isStale(at: number | undefined, now: number): boolean {
  return at !== undefined && daysBetween(at, now) >= STALE_DAYS;
}
