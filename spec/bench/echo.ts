/**
 * Keys typed into a pane whose terminal echoes them: how long until each is drawn.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outer } from './outer.ts';

/** Between two keys: a fast typist's burst, and longer than a frame is drawn for. */
const KEY_MS = 15;
/** Characters that no escape sequence and no chrome of either program holds. */
const KEYS = '^@`';

/** What typing cost. */
export interface Echo {
  /** Per key, in ms. */
  readonly latencies: number[];
  /** Drawn bytes per key. */
  readonly bytes: number;
}

/** Types `count` keys 15 ms apart into `cat` and waits for each one's echo. */
export async function typeKeys(outer: Outer, count: number): Promise<Echo> {
  outer.type('clear; cat >/dev/null\r');
  await sleep(500);
  const latencies: number[] = [];
  const before = outer.bytes;
  for (let i = 0; i < count; i++) {
    const key = KEYS[i % KEYS.length]!;
    const start = performance.now();
    const seen = outer.seen(key);
    outer.type(key);
    latencies.push((await seen) - start);
    await sleep(Math.max(0, KEY_MS - (performance.now() - start)));
  }
  const bytes = (outer.bytes - before) / count;
  return { latencies, bytes };
}
