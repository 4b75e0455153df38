/**
 * Waiting in specs: for a named condition with a deadline, never for a time.
 */

/** Generous, since this machine may be shared: a condition that holds is seen within a few milliseconds. */
const DEADLINE_MS = 15_000;

/**
 * Resolves with the first truthy value of `condition`. Fails with `what`, and what `describe` says, after the deadline.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  options: { deadlineMs?: number; describe?: () => string } = {},
): Promise<NonNullable<T>> {
  const end = performance.now() + (options.deadlineMs ?? DEADLINE_MS);
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`never: ${what}\n${options.describe?.() ?? ''}`);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
