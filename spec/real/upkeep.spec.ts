/**
 * What mux costs a machine over a day: idle processor, memory that comes back, and output that is never lost.
 */
// spec-timeout: 300
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prefix } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { processIo, processorMs, residentMb } from '../support/process.ts';
import { until } from '../support/until.ts';

const test = suite('upkeep');
/** Screens of noise in a turn: some 4 MB. */
const NOISE_SCREENS = 100;
/** Programs that print and end; `npm run soak` makes hundreds of it. */
const RUNS = 10;
/** Turns before memory is taken as what it is, and turns that may add nothing to it. */
const TURNS = 2;
const home = new MuxHome({
  config: 'server:\n  history_lines: 100000\n  remain_on_exit: on\n',
  files: {
    // Cells in ever new colours, erased and drawn again: ARGV[1] screens of them.
    'noise.awk': `BEGIN {
  srand(1)
  for (n = 0; n < screens; n++) {
    printf "\\033[H"
    for (y = 0; y < 20; y++) {
      for (x = 0; x < 60; x++) printf "\\033[48;2;%d;%d;%dm ", rand() * 256, rand() * 256, rand() * 256
      printf "\\033[4:3;58;2;%d;%d;%dmx\\033[0m\\r\\n", rand() * 256, rand() * 256, rand() * 256
    }
    printf "\\033[2J"
  }
}`,
  },
});
test.after(() => home.end());
let mux: OuterTerminal;

/** Resolves after some time in which nothing happens. */
async function quiet(ms: number): Promise<void> {
  const end = performance.now() + ms;
  await until(`${ms} ms have passed`, () => performance.now() > end, { deadlineMs: 2 * ms + 1000 });
}

/** Opens a window whose program ends, and resolves with its pane once it has. */
async function run(command: string): Promise<string> {
  const pane = (await home.ask('new-window', '-d', '-P', '-F', '#{pane_id}', command)).trim();
  const dead = async (): Promise<boolean> =>
    (await home.ask('display-message', '-p', '-t', pane, '#{pane_dead}')).trim() === '1';
  await until(`${command} has ended`, dead, { deadlineMs: 60_000, describe: () => home.log() });
  return pane;
}

test('twenty idle panes: no processor, no disk, no search through /proc', async () => {
  ({ mux } = await startMux({ home, cols: 100, rows: 30 }));
  for (let i = 1; i < 20; i++) await home.ask('new-window', '-d');
  const pid = await home.serverPid();
  await quiet(4000);
  const before = { cpu: processorMs(pid), io: processIo(pid) };
  const seconds = 5;
  await quiet(seconds * 1000);
  const cpu = (processorMs(pid) - before.cpu) / (seconds * 10);
  const io = processIo(pid);
  // A bound for what never sleeps, on any machine; the figure itself is the bench's (`--only idle`).
  assert.ok(cpu < 5, `${cpu} % of a processor`);
  assert.is(io.diskBytes - before.io.diskBytes, 0, 'bytes to the disk');
  // A look through /proc reads a file for each process of the machine, a hundred at least.
  assert.ok(io.reads - before.io.reads < 100, `${io.reads - before.io.reads} reads`);
  for (let i = 1; i < 20; i++) await home.ask('kill-window', '-t', `:${i + 1}`);
});

test('the last words of a program and its status are there, however it hurries', async () => {
  for (let i = 0; i < RUNS; i++) {
    const pane = await run('seq 1 200000; exit 3');
    const status = await home.ask('display-message', '-p', '-t', pane, '#{pane_dead_status}');
    assert.is(status.trim(), '3', `run ${i}`);
    const text = await home.ask('capture-pane', '-p', '-t', pane);
    assert.match(text, /^200000$/m, `run ${i}`);
    await home.ask('kill-pane', '-t', pane);
  }
});

test('a terminal that does not read loses a program nothing', async () => {
  mux.pause();
  const lines = Array.from({ length: 90_000 }, (_, i) => String(i + 1).padStart(60, '0'));
  const pane = await run("seq -f '%060.0f' 1 90000");
  const captured = (await home.ok('capture-pane', '-p', '-S', '-', '-t', pane)).trimEnd();
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  assert.is(hash(captured), hash(lines.join('\n')));
  mux.resume();
  await home.ask('kill-pane', '-t', pane);
});

/** Megabytes that a heap may breathe by; what is not disposed grows by more at each turn. */
const BREATH_MB = 20;

test('memory does not grow while cells are coloured and erased', async () => {
  const pid = await home.serverPid();
  const noise = (): Promise<string> => run(`awk -v screens=${NOISE_SCREENS} -f noise.awk`);
  const turn = async (): Promise<number> => {
    await home.ask('kill-pane', '-t', await noise());
    return residentMb(pid);
  };
  let first = 0;
  for (let i = 0; i < TURNS; i++) first = Math.max(first, await turn());
  let last = Infinity;
  for (let i = 0; i < TURNS; i++) last = Math.min(last, await turn());
  assert.ok(last - first < BREATH_MB, `${first} MB, then ${last} MB`);
});

test('memory of terminals that are closed comes back', async () => {
  const pid = await home.serverPid();
  const turn = async (): Promise<number> => {
    const panes: string[] = [];
    for (let i = 0; i < 8; i++) panes.push(await run('seq 1 3000'));
    for (const pane of panes) await home.ask('kill-pane', '-t', pane);
    return residentMb(pid);
  };
  let first = 0;
  for (let i = 0; i < TURNS; i++) first = Math.max(first, await turn());
  let last = Infinity;
  for (let i = 0; i < TURNS; i++) last = Math.min(last, await turn());
  assert.ok(last - first < BREATH_MB, `${first} MB, then ${last} MB`);
  mux.type(prefix('d'));
  assert.is(await mux.ended(), 0);
});

test.run();
