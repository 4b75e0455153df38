/**
 * The specs with real programs, again and again: what fails once in fifty runs is a fault all the same.
 *
 *   npm run soak -- [--times N] [WORD…]   files of spec/real whose names contain one of the words
 *
 * One file at a time, in turn, so that an hour of it has run each of them about as often.
 */
import { runFile, shortName, specFiles } from './support/spec-file.ts';
import type { Outcome } from './support/spec-file.ts';

/** Two or three hours; what fails in one run of twenty is found in two of three soaks. */
const TIMES = 20;

interface Tally {
  readonly seconds: number[];
  /** Rounds that failed, counted from 1. */
  readonly failures: number[];
}

/** Words and how often, from the command line. */
function parse(argv: readonly string[]): { times: number; words: string[] } {
  const at = argv.indexOf('--times');
  const times = at < 0 ? TIMES : Number(argv[at + 1]);
  if (!Number.isSafeInteger(times) || times < 1) throw new Error('--times takes a whole number from 1');
  return { times, words: argv.filter((_, i) => at < 0 || (i !== at && i !== at + 1)) };
}

function note(tally: Tally, outcome: Outcome, round: number): void {
  tally.seconds.push(outcome.seconds);
  const name = shortName(outcome.file);
  if (outcome.failed === 0) return console.log(`✓ ${round} ${name} (${outcome.seconds.toFixed(1)} s)`);
  tally.failures.push(round);
  console.log(`✗ ${round} ${name}\n${outcome.output}`);
}

function summary(tallies: ReadonlyMap<string, Tally>): void {
  console.log('\nfile, runs, failed, fastest to slowest');
  for (const [file, { seconds, failures }] of tallies) {
    const failed =
      failures.length === 0 ? 'none failed' : `${failures.length} failed (round ${failures.join(', ')})`;
    const span = `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`;
    console.log(`${shortName(file)}: ${seconds.length} runs, ${failed}, ${span}`);
  }
}

async function main(): Promise<void> {
  const { times, words } = parse(process.argv.slice(2));
  const files = specFiles(words.length === 0 ? ['real/'] : words).filter(file =>
    shortName(file).startsWith('real/'),
  );
  if (files.length === 0) throw new Error(`no file of spec/real matches ${words.join(' ')}`);
  const tallies = new Map<string, Tally>(files.map(file => [file, { seconds: [], failures: [] }]));
  // Whoever interrupts it keeps what is done.
  process.once('SIGINT', () => (summary(tallies), process.exit(130)));
  for (let round = 1; round <= times; round++)
    for (const file of files) note(tallies.get(file)!, await runFile(file), round);
  summary(tallies);
  if ([...tallies.values()].some(tally => tally.failures.length > 0)) process.exitCode = 1;
}

await main();
