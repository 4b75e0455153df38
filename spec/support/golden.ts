/**
 * Screens of the whole program as files to be read. UPDATE=1 rewrites them; look at the difference before keeping it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Mask } from './screen-dump.ts';
import type { OuterTerminal } from './outer-terminal.ts';

const GOLDEN = join(import.meta.dirname, '../../../spec/golden');
/** While UPDATE=1: a screen that has not changed for so long is done. */
const STILL_MS = 1500;

/** What differs between machines and minutes, by something of the same width. */
const NORMAL: readonly (readonly [RegExp, string])[] = [[/\b\d\d:\d\d(?=\s*\|$)/m, '00:00']];

function normalised(terminal: OuterTerminal, masks: readonly Mask[]): string {
  return NORMAL.reduce((text, [from, to]) => text.replace(from, to), terminal.dump(masks));
}

/** Waits until the screen is the one in `spec/golden/real-NAME.txt`. */
export async function matchesGolden(
  terminal: OuterTerminal,
  name: string,
  masks: readonly Mask[] = [],
): Promise<void> {
  const path = join(GOLDEN, `real-${name}.txt`);
  if (process.env['UPDATE'] === '1') {
    const text = await stillScreen(terminal, masks);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const wanted = readFileSync(path, 'utf8');
  try {
    await terminal.waitFor(`the screen is ${name}`, () => normalised(terminal, masks) === wanted, 15_000);
  } catch {
    assert.fixture(normalised(terminal, masks), wanted, `the screen is not ${name}`);
  }
}

async function stillScreen(terminal: OuterTerminal, masks: readonly Mask[]): Promise<string> {
  let text = '';
  let since = 0;
  await terminal.waitFor('the screen is still', () => {
    const now = normalised(terminal, masks);
    if (now !== text) since = performance.now();
    text = now;
    return performance.now() - since > STILL_MS;
  });
  return text;
}
