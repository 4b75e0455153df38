/**
 * Whatever programs print, however much, at whatever size: nothing is lost, nothing leaks, nobody else waits.
 */
// spec-timeout: 240
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTER, LEFT, prefix, RIGHT } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import { residentMb } from '../support/process.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('output');
const HISTORY = 100_000;
const home = new MuxHome({ config: `server:\n  history_lines: ${HISTORY}\n` });
test.after(() => home.end());
/** Nobody waits for another's flood to end; on a machine that is busy many times over an echo may take seconds. */
const HELD_UP_MS = 10_000;
/** Floods are parsed at some 30 MB/s on an idle core; other specs may have both. */
const FLOOD_DEADLINE_MS = 90_000;
let mux: OuterTerminal;

async function echoMs(mark: string): Promise<number> {
  const start = performance.now();
  mux.type(mark);
  await mux.waitFor(`the echo of ${mark}`, mark);
  return performance.now() - start;
}

test('every line of a fast program is kept, and how it ended', async () => {
  ({ mux } = await startMux({ home, cols: 90, rows: 30 }));
  mux.type(prefix(':') + 'new-window "seq 1 80000; exit 3"\r');
  await mux.waitFor('how it ended', '✕ exit 3');
  assert.match(mux.text(), /^80000$/m);
  const captured = await home.ok('capture-pane', '-p', '-S', '-');
  const lines = captured.trimEnd().split('\n');
  assert.is(lines.length, 80_000);
  assert.ok(lines.every((line, i) => line === String(i + 1)));
  mux.type(ENTER);
  await mux.waitFor('the shell', /^\$$/m);
});

test('beyond the history the newest lines are kept', async () => {
  await home.ok('set-option', 'history-limit', '1000');
  mux.type(prefix(':') + 'new-window "seq 1 200000; exit 3"\r');
  await mux.waitFor('how it ended', '✕ exit 3');
  const lines = (await home.ok('capture-pane', '-p', '-S', '-')).trimEnd().split('\n');
  assert.is(lines.at(-1), '200000');
  assert.ok(lines.length >= 1000 && lines.length <= 1100, `${lines.length} lines`);
  assert.ok(lines.every((line, i) => Number(line) === 200_000 - lines.length + 1 + i));
  mux.type(ENTER);
  await mux.waitFor('the shell', /^\$$/m);
});

test('a hundred megabytes pass while another pane echoes', async () => {
  const pid = await home.serverPid();
  mux.type(prefix('%') + 'yes 0123456789012345678901234567890123456789 | head -c 100000000; echo passed\r');
  await mux.waitFor('the flood', /│0123/);
  mux.type(prefix(LEFT));
  const before = residentMb(pid);
  const times: number[] = [];
  for (let i = 0; i < 8; i++) times.push(await echoMs(`k${i}`));
  assert.ok(Math.max(...times) < HELD_UP_MS, `echoes took ${times.map(Math.round).join(' ')} ms`);
  await mux.waitFor('the end of the flood', /passed$/m, FLOOD_DEADLINE_MS);
  assert.ok(residentMb(pid) - before < 100, `the server grew by ${residentMb(pid) - before} MB`);
  mux.type('\x15');
});

test('twenty megabytes of garbage leave the server well and the terminal sane', async () => {
  mux.type(prefix(RIGHT));
  mux.forgetOutput();
  mux.type('clear; head -c 20000000 /dev/urandom; printf "\\033c"; echo survived\r');
  await mux.waitFor('the end of it', /survived$/m, FLOOD_DEADLINE_MS);
  assert.equal(foreign(mux.output()), []);
  await mux.waitFor('the chrome is whole', t => /C-b \? help/.test(t.screen().at(-1)!));
  mux.type(prefix(LEFT));
  assert.ok((await echoMs('well')) < HELD_UP_MS);
  mux.type('\x15');
  assert.not.match(home.log(), /error/);
});

/** Sequences in what reaches the terminal that mux does not use. */
function foreign(output: Buffer): string[] {
  const text = output.toString('utf8');
  const found = new Set<string>();
  const known =
    /\x1b\[[\d;:]*[mHABCDGdJKXLMSTrP@b]|\x1b\[\d? q|\x1b\[\?(7|25|2026|100[02-6]|101[56]|1049|2004|2031)[hl]|\x1b\](2|8|52);[^\x1b\x07]*\x1b\\|\x1b\[[<=>][\d;]*[mu]|\x1b[DM=>]|[\x07\b\r\n]/g;
  for (const match of text.replace(known, '').matchAll(/[\x00-\x1f\x7f-\x9f][^\x00-\x1f]{0,8}/g)) {
    found.add(JSON.stringify(match[0]));
  }
  return [...found].slice(0, 10);
}

test('a program that asks for another size of its terminal is not followed', async () => {
  mux.type("clear; printf '\\e[8;10;20t\\e[3;1;1t\\e[9;1t'; stty size\r");
  await mux.waitFor('its size', /^27 \d+/m);
  assert.is(mux.screen().length, 30);
});

test('the terminal can be resized at random and to nothing', async () => {
  const pid = await home.serverPid();
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48271) % 0x7fffffff) % n;
  mux.resize(1, 1);
  mux.type('x');
  for (let i = 0; i < 100; i++) {
    mux.resize(1 + random(200), 1 + random(60));
    if (i % 10 === 0) mux.type(`echo ${i}\r`);
    await mux.waitFor('something is drawn', t => t.received > 0);
  }
  mux.resize(1, 1);
  mux.resize(90, 30);
  mux.type('\x15clear; echo at last\r');
  await mux.waitFor(
    'the screen at its first size',
    t => /^at last/m.test(t.text()) && /C-b \? help/.test(t.screen()[29]!),
  );
  assert.is(await home.serverPid(), pid);
  await mux.waitFor('the panes have their sizes', async () => {
    const [left, right] = await home.panes();
    return left!.cols + right!.cols + 1 === 90 && left!.rows === 27;
  });
});

test('a terminal of one cell attaches and leaves', async () => {
  const tiny = home.start({ cols: 1, rows: 1 });
  await tiny.waitFor('it is attached', t => t.modes.alternateScreen);
  tiny.type(prefix('d'));
  assert.is(await tiny.ended(), 0);
});

test.run();
