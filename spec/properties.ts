/**
 * Every spec file that tries random cases, again and again with other cases than the last time, until one fails.
 *
 *   npm run properties -- [--times N] [--seed S] [WORD…]   files whose names contain one of the words
 *
 * Round n has seed S + n; a seed that was printed tries the same again.
 */
import { hasProperties, runFile, shortName, specFiles } from './support/spec-file.ts';

/** About a quarter of an hour. */
const TIMES = 5;
const SEED_MAX = 0x3fff_ffff;

/** Takes `name` and its number out of the words. */
function take(words: string[], name: string, otherwise: number): number {
  const at = words.indexOf(name);
  if (at < 0) return otherwise;
  const value = Number(words.splice(at, 2)[1]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} takes a whole number from 1`);
  return value;
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const times = take(words, '--times', TIMES);
  const first = take(words, '--seed', 1 + Math.floor(Math.random() * SEED_MAX));
  const files = specFiles(words).filter(hasProperties);
  if (files.length === 0) throw new Error(`no file with properties matches ${words.join(' ')}`);
  let failures = 0;
  for (let round = 0; round < times; round++)
    for (const file of files) {
      const outcome = await runFile(file, first + round);
      if (outcome.failed === 0) continue;
      failures++;
      console.log(`✗ ${shortName(file)} --seed ${first + round}\n${outcome.output}`);
    }
  console.log(`${files.length} files, ${times} rounds from --seed ${first}, ${failures} failed`);
  if (failures > 0) process.exitCode = 1;
}

await main();
