/**
 * Programs at random, on a bare terminal and through mux, and through mux with its emulator saved and restored in
 * between, until one is seen otherwise.
 *
 *   npm run fuzz -- [--cases N] [--seed S]
 *
 * Cases come in rounds, round n from seed S + n; a seed that was printed goes on there.
 */
import { tryCheckpoints } from './checkpoint-property.ts';
import { tryLives } from './whole-way-property.ts';

/** Some ten minutes of an idle core. */
const CASES = 100_000;
/** Cases of one seed: a few seconds, after which it is told how far we are. */
const ROUND = 1000;

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} takes a whole number from 1`);
  return value;
}

function main(): void {
  const cases = option('--cases', CASES);
  // Another beginning at every run: what one run did not try, the next may.
  const first = option('--seed', 1 + Math.floor(Math.random() * 0x3fff_ffff));
  console.log(`${cases} cases from --seed ${first}`);
  for (let done = 0, seed = first; done < cases; seed++) {
    const count = Math.min(ROUND, cases - done);
    const failure = tryLives(seed, count) ?? tryCheckpoints(seed, count);
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
