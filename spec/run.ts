/**
 * Runs specs: one process per file, each with a kill timer, and ends with the line `N passed, N failed`.
 *
 *   node dist/spec/run.js [WORD…]   only files whose path contains one of the words
 *
 * Why not uvu's own runner: it runs all files in one process, has no time-outs, and counts a file without tests, or
 * a pattern that matches nothing, as success. Here each of those is a failure.
 */
import { availableParallelism } from 'node:os';
import { longFiles, runFile, shortName, specFiles } from './support/spec-file.ts';
import type { Outcome } from './support/spec-file.ts';

function report(outcome: Outcome): void {
  const name = shortName(outcome.file);
  const mark = outcome.failed > 0 ? '✗' : '✓';
  const skips = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : '';
  console.log(`${mark} ${name} ${outcome.passed} passed${skips} (${outcome.seconds.toFixed(1)} s)`);
  if (outcome.failed > 0) console.log(outcome.output);
  else for (const line of outcome.output.match(/^skipped: .*$/gm) ?? []) console.log('  ' + line);
}

/**
 * Files that failed run once more, one at a time: real programs on a machine that does other things too can miss a
 * deadline through nobody's fault. What failed first stays in the output, with its screens, and is said at the end.
 */
async function againAlone(outcomes: Outcome[]): Promise<void> {
  for (const [i, first] of outcomes.entries()) {
    if (first.failed === 0) continue;
    const second = await runFile(first.file);
    report(second);
    outcomes[i] = second;
    const name = shortName(first.file);
    if (second.failed === 0) console.log(`! ${name} failed beside others and passed alone: look why`);
  }
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const files = specFiles(words);
  if (words.length === 0)
    console.log(`left out for their length, and run by their names: ${longFiles().join(' ')}`);
  const queue = [...files];
  const outcomes: Outcome[] = [];
  const worker = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const outcome = await runFile(file);
      outcomes.push(outcome);
      report(outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
  await againAlone(outcomes);
  const sum = (pick: (o: Outcome) => number): number => outcomes.reduce((n, o) => n + pick(o), 0);
  const passed = sum(o => o.passed);
  let failed = sum(o => o.failed);
  if (files.length === 0) {
    console.log(`no spec file matches ${words.join(' ')}`);
    failed = 1;
  }
  const skipped = sum(o => o.skipped);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

await main();
