/**
 * mux beside tmux, in the same run and taking turns.
 *
 *   npm run bench -- [--only NAME]… [--rounds N] [--quick] [--json]
 */
import { availableParallelism, loadavg } from 'node:os';
import { Contender, Place, tmuxVersion, type Name } from './contender.ts';
import { makeData } from './data.ts';
import { summary, table, type Row } from './report.ts';
import { aiMeasurements } from './ai.ts';
import { classifyMeasurements } from './classify.ts';
import { documentMeasurements } from './documents.ts';
import { fleetMeasurements } from './fleet.ts';
import { graphMeasurements } from './graph.ts';
import { insideMeasurements } from './inside.ts';
import { messageMeasurements } from './messages.ts';
import { measurements, type Measurement } from './rows.ts';
import { toolMeasurements } from './tools.ts';

interface Options {
  readonly only: readonly string[];
  readonly rounds: number;
  readonly quick: boolean;
  readonly json: boolean;
}

/** Medians of fewer than three rounds are luck. */
const ROUNDS = 3;
/** A fiftieth of the data: enough to see that everything works. */
const QUICK_SCALE = 0.02;

function parseOptions(words: readonly string[]): Options {
  const after = (flag: string): string[] => words.flatMap((w, i) => (w === flag ? (words[i + 1] ?? []) : []));
  const quick = words.includes('--quick');
  const rounds = Number(after('--rounds')[0] ?? (quick ? 1 : ROUNDS));
  if (!(rounds >= 1)) throw new Error('--rounds takes a number from 1');
  return { only: after('--only'), rounds, quick, json: words.includes('--json') };
}

/** One measurement of one contender, on a server of its own. */
async function once(
  measurement: Measurement,
  place: Place,
  name: Name,
  round: number,
): Promise<readonly number[]> {
  const contender = new Contender(name, place);
  const interrupt = (): void => void contender.stop().then(() => (place.dispose(), process.exit(130)));
  process.once('SIGINT', interrupt);
  try {
    return await measurement.measure(contender, round);
  } finally {
    process.off('SIGINT', interrupt);
    await contender.stop();
  }
}

async function runMeasurement(
  measurement: Measurement,
  place: Place,
  options: Options & { readonly hasTmux: boolean },
): Promise<Row[]> {
  const contenders = measurement.contenders.filter(name => name !== 'tmux' || options.hasTmux);
  const results = new Map<Name, (readonly number[])[]>(contenders.map(name => [name, []]));
  for (let round = 0; round < options.rounds; round++) {
    // The other way round every second time: being first is no advantage.
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const name of order) {
      try {
        results.get(name)!.push(await once(measurement, place, name, round));
      } catch (error) {
        console.error(`${measurement.name}, ${name}: ${(error as Error).message}`);
        process.exitCode = 1;
      }
    }
  }
  return measurement.rows.map((row, i) => ({
    ...row,
    values: Object.fromEntries(contenders.map(name => [name, results.get(name)!.map(values => values[i]!)])),
  }));
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  const tmux = await tmuxVersion();
  if (!tmux) console.error('tmux is not installed: mux is measured alone');
  const place = new Place();
  try {
    const files = makeData(place.dir, options.quick ? QUICK_SCALE : 1);
    const setting = { place, files, quick: options.quick };
    const all = [
      ...measurements(setting),
      ...fleetMeasurements(setting),
      ...documentMeasurements(setting),
      ...messageMeasurements(setting),
      ...graphMeasurements(setting),
      ...insideMeasurements(setting),
      ...classifyMeasurements(setting),
      ...aiMeasurements(setting),
      ...toolMeasurements(setting),
    ];
    const chosen = all.filter(
      m => options.only.length === 0 || options.only.some(word => m.name.includes(word)),
    );
    if (chosen.length === 0) throw new Error(`--only: there is ${all.map(m => m.name).join(', ')}`);
    const loadBefore = loadavg()[0]!;
    const rows: Row[] = [];
    for (const measurement of chosen) {
      console.error(`${measurement.name} …`);
      const done = await runMeasurement(measurement, place, { ...options, hasTmux: tmux !== undefined });
      rows.push(...done);
      // Whoever interrupts a long run keeps what is done.
      console.error(table(done));
    }
    const machine = {
      node: process.version,
      tmux,
      processors: availableParallelism(),
      load: [loadBefore, loadavg()[0]!],
      rounds: options.rounds,
    };
    if (options.json) return console.log(JSON.stringify({ machine, rows: rows.map(summary) }, undefined, 2));
    console.log(table(rows));
    console.log(
      `\nNode ${machine.node}, ${tmux ?? 'no tmux'}, ${machine.processors} processors, load ${machine.load.map(l => l.toFixed(1)).join(' to ')},` +
        ` medians of ${options.rounds}; ratio above 1: mux is better; spread: mux's largest by smallest`,
    );
  } finally {
    place.dispose();
  }
}

await main();
