/**
 * Waiting for a caller to go.
 */

/** Resolves once `gone` is aborted; never, where it is not. */
export function untilGone(gone: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (gone.aborted) resolve();
    else gone.addEventListener('abort', () => resolve(), { once: true });
  });
}
