/**
 * `mux wait` and `mux events`: they stand by while servers come and go.
 */
import type { AppContext } from './context.ts';
import { runAgain, writeOut } from './again.ts';

/** Waits; the time that a lost server took counts. Throws CodedError. */
export async function waitCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const start = Date.now();
  let isFirst = true;
  return runAgain(context, async () => {
    const timeout = isFirst ? undefined : await timeoutOf(words);
    isFirst = false;
    if (timeout === undefined) return ['wait', ...words];
    const left = Math.max(0, timeout - (Date.now() - start) / 1000);
    // The last one counts.
    return ['wait', ...options(words), '--timeout', left.toFixed(3), ...rest(words)];
  });
}

/** Seconds of --timeout, undefined without. Loaded where it is needed only. */
async function timeoutOf(words: readonly string[]): Promise<number | undefined> {
  const { findCommand } = await import('../cmd/registry.ts');
  const { parseArgs } = await import('../cmd/args.ts');
  const { parseDuration } = await import('../base/duration.ts');
  const text = parseArgs(findCommand('wait'), words).value('timeout');
  if (text === undefined) return undefined;
  return /^[\d.]+$/.test(text) ? Number(text) : parseDuration(text) / 1000;
}

function options(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

function rest(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? [] : words.slice(end);
}

/** Prints events; after a lost server it goes on behind the last one. Throws CodedError. */
export async function eventsCommand(context: AppContext, words: readonly string[]): Promise<number> {
  let since: string[] = [];
  return runAgain(context, () => ['events', ...words, ...since], {
    bytes: async piece => {
      await writeOut(piece);
      const cursor = /^\{"cursor":(\d+),[^\n]*\n$/m.exec(lastLine(piece))?.[1];
      if (cursor) since = ['--since', cursor];
    },
  });
}

function lastLine(piece: Buffer): string {
  return piece.subarray(piece.lastIndexOf(0x0a, -2) + 1).toString();
}
