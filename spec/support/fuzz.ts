/**
 * Programs at random, on a bare terminal and through mux, and through mux with its emulator saved and restored in
 * between, until one is seen otherwise; scripts at random, until bash removes by one that was called harmless; and junk,
 * until something that reads it throws or hangs.
 *
 *   npm run fuzz -- [--cases N] [--seed S] [--only lives|checkpoints|shell|frames|keys|sequences|markdown|graph|classifier]
 *
 * Cases come in rounds, round n from seed S + n; a seed that was printed goes on there.
 */
import { tryCheckpoints } from './checkpoint-property.ts';
import { JUNK, tryJunk } from './junk-fuzz.ts';
import { referee } from './shell-referee.ts';
import { tryLives } from './whole-way-property.ts';

/** Some ten minutes of an idle core. */
const CASES = 100_000;
/** Cases of one seed: a few seconds, after which it is told how far we are. */
const ROUND = 1000;

/** By name; each tells what fails, or undefined. */
const TRIES: Readonly<Record<string, (seed: number, count: number) => string | undefined>> = {
  lives: tryLives,
  checkpoints: tryCheckpoints,
  shell: tryShell,
  ...Object.fromEntries(
    Object.keys(JUNK).map(name => [name, (seed: number, count: number) => tryJunk(name, seed, count)]),
  ),
};

/** A process is started for each script: a tenth of the cases takes as long. */
function tryShell(seed: number, count: number): string | undefined {
  const { missed } = referee(seed, Math.ceil(count / 10));
  return missed === undefined ? undefined : `harmless, and yet rm ran:\n${missed}`;
}

function chosen(): (typeof TRIES)[string][] {
  const at = process.argv.indexOf('--only');
  if (at < 0) return Object.values(TRIES);
  const name = process.argv[at + 1] ?? '';
  if (!Object.hasOwn(TRIES, name)) throw new Error(`--only takes ${Object.keys(TRIES).join(', ')}`);
  return [TRIES[name]!];
}

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} takes a whole number from 1`);
  return value;
}

function main(): void {
  const tries = chosen();
  const cases = option('--cases', CASES);
  // Another beginning at every run: what one run did not try, the next may.
  const first = option('--seed', 1 + Math.floor(Math.random() * 0x3fff_ffff));
  console.log(`${cases} cases from --seed ${first}`);
  for (let done = 0, seed = first; done < cases; seed++) {
    const count = Math.min(ROUND, cases - done);
    let failure: string | undefined;
    for (const attempt of tries) failure ??= attempt(seed, count);
    if (failure !== undefined) {
      console.log(`not the same, with --seed ${seed} --cases ${count}:\n${failure}`);
      process.exitCode = 1;
      return;
    }
    done += count;
    console.log(`${done} cases are the same; go on with --seed ${seed + 1}`);
  }
}

main();
