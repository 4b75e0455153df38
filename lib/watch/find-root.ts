/**
 * Which graph a directory belongs to.
 */
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CONFIG_FILE } from '../graph/address.ts';

/** The directory and all above it, nearest first. */
export function ancestors(dir: string): string[] {
  const chain: string[] = [];
  for (let at = resolve(dir); ; at = dirname(at)) {
    chain.push(at);
    if (dirname(at) === at) return chain;
  }
}

/** The nearest directory, `dir` or above it, that holds a `.sgpt.json`; undefined where there is none. Never rejects. */
export async function findGraphRoot(dir: string): Promise<string | undefined> {
  for (const at of ancestors(dir)) {
    const found = await stat(join(at, CONFIG_FILE)).catch(() => undefined);
    if (found?.isFile()) return at;
  }
  return undefined;
}
