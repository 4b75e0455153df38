/**
 * Suites of recorded streams made elsewhere. MUX_SUITES names a folder with `alacritty/` (NAME.bytes, NAME.json) and
 * `xtermjs/` (NAME.in, NAME.text); a stream of mux's own is always run.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KNOWN } from './known.ts';
import { bare, mux } from './players.ts';
import { gridDifference, textDifference } from './recording.ts';
import type { Difference, MakePlayer } from './recording.ts';

const test = suite('recorded streams');
const FIXTURES = join(import.meta.dirname, '../../../spec/fixtures/term');
const SUITES = process.env['MUX_SUITES'];

type Compare = (make: MakePlayer, folder: string, name: string) => Difference | undefined;

function namesIn(folder: string, extension: string): string[] {
  const names = readdirSync(folder)
    .filter(file => file.endsWith(extension))
    .map(file => file.slice(0, -extension.length));
  assert.ok(names.length > 0, `${folder} holds no recordings`);
  return names;
}

function check(folder: string, extension: string, compare: Compare): void {
  for (const name of namesIn(folder, extension)) {
    const difference = compare(mux, folder, name);
    if (KNOWN[name] === undefined)
      assert.is(difference, undefined, `${name}: ${JSON.stringify(difference, null, 1)}`);
    else assert.ok(difference, `${name} is the same now: take it off the list of known differences`);
  }
}

function checkAgainstBare(folder: string, extension: string, compare: Compare): void {
  for (const name of namesIn(folder, extension))
    if (compare(bare, folder, name) === undefined)
      assert.is(compare(mux, folder, name), undefined, `${name}: xterm.js alone passes it`);
}

for (const [suiteName, extension, compare] of [
  ['alacritty', '.bytes', gridDifference],
  ['xtermjs', '.in', textDifference],
] as const) {
  const folder = SUITES && join(SUITES, suiteName);
  const run = (act: (folder: string) => void) => (): void => {
    if (folder && existsSync(folder)) act(folder);
    else
      console.log(
        `skipped: recordings of ${suiteName}: MUX_SUITES ${SUITES ? `has no ${suiteName}/` : 'is not set'}`,
      );
  };
  test(
    `recordings of ${suiteName} end in the screens they were recorded with`,
    run(path => check(path, extension, compare)),
  );
  test(
    `recordings of ${suiteName} that xterm.js alone passes are passed here`,
    run(path => checkAgainstBare(path, extension, compare)),
  );
}

test('recordings of our own end in the screens they were recorded with', () => {
  check(FIXTURES, '.bytes', gridDifference);
});

test.run();
