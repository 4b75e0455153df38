/** Work that starts processes, and has to end them however it ends itself. */

/** Signals by which people and systems end a command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work` with a signal that is aborted where this process is told to end. What it started are groups of their own: nobody
 * else tells them.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}
