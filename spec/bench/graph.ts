/**
 * A large graph: how soon it is there, how soon a change shows, and what it takes of memory.
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeGraphTree } from '../support/graph-tree.ts';
import type { GraphCosts } from './graph-program.ts';
import { percentile } from './report.ts';
import { atMost, type Measurement, type Setting } from './rows.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'graph-program.js');
const LARGE = { dirs: 10_000, lores: 5000, roles: 500 };
const SMALL = { dirs: 200, lores: 100, roles: 20 };
const CHANGES = 20;

/** A tree of its own in each round: what is in the cache of the system is the same for all. */
export function graphMeasurements({ place, quick }: Setting): Measurement[] {
  const size = quick ? SMALL : LARGE;
  const what = `graph of ${size.dirs} folders, ${size.lores} lores`;
  return [
    {
      name: 'graph',
      contenders: ['mux'],
      rows: [
        { name: `${what}: load`, unit: 'ms', better: 'less', target: atMost(1500, '<= 1500 ms') },
        { name: 'one change of it p50', unit: 'ms', better: 'less', target: atMost(100, '<= 100 ms') },
        { name: 'its process, Node with it', unit: 'MB', better: 'less', target: atMost(150, '<= 150 MB') },
      ],
      measure: async (_contender, round) => {
        const dir = join(place.dir, `graph-${round}`);
        mkdirSync(dir);
        makeGraphTree(dir, size);
        const { stdout } = await run(process.execPath, [PROGRAM, dir, String(size.lores), String(CHANGES)]);
        const { loadMs, changeMs, residentMb } = JSON.parse(stdout) as GraphCosts;
        return [loadMs, percentile(changeMs, 50), residentMb];
      },
    },
  ];
}
