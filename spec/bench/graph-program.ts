/**
 * A program that follows one large graph and does nothing else, so that its memory is the graph's: `graph-program DIR
 * LORES CHANGES` prints, as JSON, what a load, changes and memory come to.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphService } from '../../lib/watch/graph-service.ts';
import { loreAt, loreText } from '../support/graph-tree.ts';
import { residentMb } from '../support/process.ts';

/** What is printed. */
export interface GraphCosts {
  readonly loadMs: number;
  readonly changeMs: readonly number[];
  readonly residentMb: number;
}

const [dir = '', lores = '0', changes = '0'] = process.argv.slice(2);
const service = new GraphService();
const start = performance.now();
const handle = service.open(dir);
const graph = await handle.ready;
const loadMs = performance.now() - start;
if (graph.lores.length !== Number(lores)) throw new Error(`${graph.lores.length} of ${lores} lores`);
const changeMs: number[] = [];
for (let i = 0; i < Number(changes); i++) {
  const n = (i * 97) % Number(lores);
  const before = performance.now();
  const changed = new Promise(resolve => handle.onChange(resolve));
  writeFileSync(join(dir, `.sgpt/${loreAt(n)}.md`), loreText(n, Number(lores), `change ${i} ${before}`));
  // The thread alone does not keep this program alive.
  const alive = setInterval(() => undefined, 1000);
  await changed;
  clearInterval(alive);
  changeMs.push(performance.now() - before);
  await sleep(50);
}
const costs: GraphCosts = { loadMs, changeMs, residentMb: residentMb(process.pid) };
console.log(JSON.stringify(costs));
service.dispose();
