/**
 * Several terminals at once on one server: of different sizes, read-only, dying, and not reading.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prefix } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import { residentMb } from '../support/process.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('several terminals');
const home = new MuxHome();
test.after(() => home.end());
const BIG = { cols: 90, rows: 30 };
const SMALL = { cols: 60, rows: 18 };
/** Resident memory that the server may gain while a client stalls: frames are dropped, not kept. */
const GROWTH_MB = 60;
/**
 * An echo that takes longer was held up by somebody else. The machine may be busy many times over, so this is no measure
 * of speed (the bench is); one that waits for a stalled terminal waits for ever.
 */
const HELD_UP_MS = 10_000;
/** How many times slower half of the echoes may be beside a flood, and what is quick whatever the machine was before. */
const FLOOD_FACTOR = 20;
const QUICK_MS = 500;
let big: OuterTerminal;
let small: OuterTerminal;

async function paneIs(size: string): Promise<void> {
  await big.waitFor(`the pane is ${size}`, async () => {
    return (await home.ask('display-message', '-p', '#{pane_width}x#{pane_height}')).trim() === size;
  });
}

async function clients(): Promise<number> {
  return (await home.ask('clients', '-F', '#{client_tty}')).split('\n').filter(Boolean).length;
}

/** Rows of the pane, without chrome: below the header, above the hints. */
function paneRows(terminal: OuterTerminal): string[] {
  return terminal.screen().slice(2, -1);
}

/** Milliseconds from a key to its echo. */
async function echoMs(terminal: OuterTerminal, mark: string): Promise<number> {
  const start = performance.now();
  terminal.type(mark);
  await terminal.waitFor(`the echo of ${mark}`, mark);
  return performance.now() - start;
}

test('both show the same, in the size of the one used last', async () => {
  ({ mux: big } = await startMux({ home, ...BIG }));
  await paneIs('90x27');
  small = home.start(SMALL);
  await paneIs('60x15');
  big.type('echo from big\r');
  await small.waitFor('the small one shows it', /^from big/m);
  await paneIs('90x27');
  small.type('echo from small\r');
  await big.waitFor('the big one shows it', /^from small/m);
  await paneIs('60x15');
  assert.is(await clients(), 2);
});

test('in the large one a small window is padded, not stretched', async () => {
  const rows = big.screen();
  assert.ok(
    rows.slice(17, -1).every(row => !/\$|from/.test(row)),
    'nothing of the pane is below it',
  );
  const { x, y } = big.cursor;
  assert.ok(x < 60 && y < 17, `cursor ${x},${y} in the window`);
});

test('in the small one a large window is clipped, not corrupted', async () => {
  big.type(`clear; for r in $(seq 10 33); do printf "row$r-"; seq -s, 10 36; done\r`);
  await paneIs('90x27');
  await big.waitFor('the pattern', /^row33-.*36$/m);
  await small.waitFor('the end of the pattern', 'row33-');
  await small.waitFor('each row is a part of a row of the large one', () => {
    // The prompt behind the pattern may come to one of them first.
    const wanted = paneRows(big);
    const shown = paneRows(small);
    const top = wanted.findIndex(row => row.startsWith(shown[0]!.slice(0, 40)) && shown[0]!.trim() !== '');
    return top >= 0 && shown.every((row, y) => (wanted[top + y] ?? '').startsWith(row.trimEnd()));
  });
});

test('a read-only terminal looks, types nothing and decides no size', async () => {
  const reader = home.start({ cols: 70, rows: 20, args: ['attach', '-r'] });
  await reader.waitFor('it says so', 'READ-ONLY');
  reader.type('echo never\r');
  await reader.waitFor('it says why', 'read-only');
  big.type('echo after\r');
  await reader.waitFor('it shows what others do', 'after');
  assert.not.match(big.text(), /never/);
  await paneIs('90x27');
  reader.type(prefix('d'));
  assert.is(await reader.ended(), 0);
});

test('a client that is killed leaves the others as they are, and the size follows', async () => {
  small.type('echo small again\r');
  await paneIs('60x15');
  small.kill('SIGKILL');
  await paneIs('90x27');
  assert.is(await clients(), 1);
  assert.ok((await echoMs(big, 'still')) < HELD_UP_MS);
  big.type('\x15');
});

/** Two ways not to read, and how to read again. */
const STALLS: Readonly<
  Record<string, readonly [stall: (t: OuterTerminal) => void, go: (t: OuterTerminal) => void]>
> = {
  'whose process is stopped': [t => t.kill('SIGSTOP'), t => t.kill('SIGCONT')],
  'whose terminal is not read': [t => t.pause(), t => t.resume()],
};

for (const [name, [stall, go]] of Object.entries(STALLS)) {
  test(`a client ${name} slows nobody, costs no memory, and shows the latest when it goes on`, async () => {
    const pid = await home.serverPid();
    const stalled = home.start(BIG);
    await stalled.waitFor('it shows the pane', /\$/);
    stall(stalled);
    big.type('clear; seq 1 300000; echo flooded\r');
    await big.waitFor('the flood runs', /^\d{4,}$/m);
    const before = residentMb(pid);
    await big.waitFor('the flood has passed', /^flooded/m, 60_000);
    const took = await echoMs(big, `quick-${name.length}`);
    assert.ok(took < HELD_UP_MS, `the echo took ${took} ms`);
    for (let i = 0; i < 200; i++) big.type('x\x7f');
    big.type('\x15echo latest-${#PWD}\r');
    await big.waitFor('the last command', /^latest-\d+/m);
    const grown = residentMb(pid) - before;
    assert.ok(grown < GROWTH_MB, `the server grew by ${grown} MB`);
    go(stalled);
    await stalled.waitFor('it shows the latest', t => paneRows(t).join('\n') === paneRows(big).join('\n'));
    stalled.type(prefix('d'));
    assert.is(await stalled.ended(), 0);
  });
}

/** Milliseconds of ten echoes, the quickest first. */
async function echoes(mark: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < 10; i++) times.push(await echoMs(big, `${mark}${i}`));
  return times.sort((a, b) => a - b);
}

test('keys are quick while another pane floods', async () => {
  big.type(prefix('%'));
  await big.waitFor('another pane', /│\$/);
  const idle = await echoes('i');
  big.type('\x15yes flood\r');
  await big.waitFor('the flood', /│flood/);
  big.type(prefix('\x1b[D'));
  const busy = await echoes('k');
  assert.ok(
    busy[5]! < Math.max(QUICK_MS, idle[5]! * FLOOD_FACTOR),
    `half of the echoes took more than ${busy[5]} ms, without the flood ${idle[5]} ms`,
  );
  assert.ok(busy[9]! < HELD_UP_MS, `the slowest echo took ${busy[9]} ms`);
  big.type('\x15' + prefix('\x1b[C') + '\x03');
  await big.waitFor('the flood has ended', /│\$ *$/m);
});

test('an exclusive terminal sends all others away', async () => {
  const other = home.start(SMALL);
  await other.waitFor('it is attached', t => t.modes.alternateScreen);
  const exclusive = home.start({ ...BIG, args: ['attach', '-x'] });
  assert.is(await big.ended(), 0);
  assert.is(await other.ended(), 0);
  assert.match(big.text(), /another terminal has attached/);
  await exclusive.waitFor('it shows the panes', /│\$/);
  assert.is(await clients(), 1);
});

test.run();
