/**
 * How long a person waits to see what a tool would do, and a model for what it did.
 */
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.ts';
import type { CallContext } from '../../lib/agent/tool.ts';
import { readToolMethods } from '../../lib/tools/contract.ts';
import { editTools } from '../../lib/tools/files/edit-tool.ts';
import { Workspace } from '../../lib/tools/files/workspace.ts';
import { Jobs } from '../../lib/tools/shell/jobs.ts';
import { shellTools } from '../../lib/tools/shell/shell-tools.ts';
import { tempDir } from '../support/temp.ts';
import { atMost, type Measurement, type Setting } from './rows.ts';

const LINES = 50_000;
/** Bytes that a command prints. */
const FLOOD = 1_000_000_000;

/** A diff of a long file, shown and carried out; and the memory that a command takes that prints a gigabyte. */
export function toolMeasurements({ quick }: Setting): Measurement[] {
  return [
    {
      name: 'tools',
      contenders: ['mux'],
      rows: [
        { name: 'diff of 50,000 lines', unit: 'ms', better: 'less', target: atMost(200, '<= 200 ms') },
        { name: 'memory for 1 GB of output', unit: 'MB', better: 'less', target: atMost(100, '< 100 MB') },
      ],
      measure: async () => [await diffTime(), await floodMemory(quick ? FLOOD / 50 : FLOOD)],
    },
  ];
}

const context: CallContext = { id: 'bench', signal: new AbortController().signal, progress: () => undefined };

/** Two places far apart, until it is shown. */
async function diffTime(): Promise<number> {
  const dir = realpathSync(tempDir());
  writeFileSync(join(dir, 'long.txt'), Array.from({ length: LINES }, (_, at) => `line ${at}\n`).join(''));
  const [diff] = editTools(readToolMethods(), await Workspace.open(dir, [], dir));
  const text = `@@\n line 9\n-line 10\n+line ten\n@@\n line ${LINES - 3}\n-line ${LINES - 2}\n+the last but one\n`;
  const start = performance.now();
  await diff!.preview({ path: 'long.txt', diff: text }, context);
  return performance.now() - start;
}

async function floodMemory(bytes: number): Promise<number> {
  const dir = realpathSync(tempDir());
  const workspace = await Workspace.open(dir, [], dir);
  const parts = { workspace, env: process.env, clock: systemClock, jobs: new Jobs(systemClock) };
  const [exec] = shellTools(readToolMethods(), parts);
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
  const args = { command: `head -c ${bytes} /dev/zero`, timeout_seconds: 600 };
  await exec!.run(args, await exec!.preview(args, context), context);
  clearInterval(watch);
  return (most - before) / 1_000_000;
}
