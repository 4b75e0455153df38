/**
 * What programs hear beyond keys: focus, the mouse in every encoding, pastes that go wrong.
 */
// spec-timeout: 300
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { click, paste, prefix } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { Reader } from '../support/reader.ts';
import { until } from '../support/until.ts';

const test = suite('reports to programs');
const home = new MuxHome();
test.after(() => home.end());
let mux: OuterTerminal;

const IN = '\x1b[I';
const OUT = '\x1b[O';

test('nvim reloads files: focus in and out of the terminal reach the focused program, if it asked', async () => {
  ({ mux } = await startMux({ home }));
  const asked = await Reader.open(home, mux, '\\e[?1004h');
  await asked.arrives(OUT);
  await asked.arrives(IN);
  const silent = await Reader.open(home, mux);
  await silent.hearsNothing(OUT + IN);
});

test('a pane that loses the focus to another hears so, and the other too', async () => {
  const left = await Reader.open(home, mux, '\\e[?1004h');
  const right = await Reader.open(home, mux, '\\e[?1004h', ['split-window', '-h']);
  const before = [left.read().length, right.read().length] as const;
  const since = (): string =>
    `${left.read().subarray(before[0]).toString('latin1')} ${right.read().subarray(before[1]).toString('latin1')}`;
  mux.type(prefix('o'));
  await mux.waitFor('both hear', () => since() === `${IN} ${OUT}`);
  mux.type(prefix('o'));
  await mux.waitFor('and back', () => since() === `${IN}${OUT} ${OUT}${IN}`);
  mux.type(prefix('c'));
  await mux.waitFor('another window', () => since() === `${IN}${OUT} ${OUT}${IN}${OUT}`);
  mux.type(prefix('p'));
  await mux.waitFor('the window again', () => since() === `${IN}${OUT} ${OUT}${IN}${OUT}${IN}`);
});

test('while the terminal itself has no focus no pane has, and the one that is focused then hears of its return', async () => {
  const left = await Reader.open(home, mux, '\\e[?1004h');
  const right = await Reader.open(home, mux, '\\e[?1004h', ['split-window', '-h']);
  mux.type(OUT);
  await mux.waitFor('out', () => right.read().toString('latin1').endsWith(OUT));
  const before = [left.read().length, right.read().length] as const;
  const since = (): string =>
    `${left.read().subarray(before[0]).toString('latin1')} ${right.read().subarray(before[1]).toString('latin1')}`;
  await home.ask('select-pane', '-L');
  mux.type(IN);
  await mux.waitFor('in', () => since() !== ' ');
  assert.is(since(), `${IN} `);
});

test('detaching takes the focus, and attaching gives it', async () => {
  const reader = await Reader.open(home, mux, '\\e[?1004h');
  const before = reader.read().length;
  const since = (): string => reader.read().subarray(before).toString('latin1');
  mux.type(prefix('d'));
  await mux.ended();
  await until('out', () => since() === OUT);
  mux = home.start();
  await mux.waitFor('in again', () => since() === OUT + IN);
});

test('movement without a button is asked of the terminal while a program wants it, and told it', async () => {
  const any = await Reader.open(home, mux, '\\e[?1003h\\e[?1006h');
  await mux.waitFor('all movement', t => t.modes.mouseTracking === 'any');
  await any.arrives('\x1b[<35;10;10M', '\x1b[<35;10;8M');
  await Reader.open(home, mux);
  await mux.waitFor('only drags', t => t.modes.mouseTracking === 'drag');
});

test('the mouse in the form asked for: bytes, cells, pixels; horizontal wheels and buttons with modifiers', async () => {
  const bytes = await Reader.open(home, mux, '\\e[?1000h');
  await bytes.arrives(click(4, 7), '\x1b[M %&\x1b[M#%&');
  await bytes.arrives('\x1b[<66;5;8M\x1b[<67;5;8M', '\x1b[Mb%&\x1b[Mc%&');
  const pixels = await Reader.open(home, mux, '\\e[?1002h\\e[?1016h');
  await pixels.arrives('\x1b[<0;5;8M', '\x1b[<0;37;89M');
  const cells = await Reader.open(home, mux, '\\e[?1002h\\e[?1006h');
  await cells.arrives('\x1b[<66;5;8M\x1b[<67;5;8M', '\x1b[<66;5;6M\x1b[<67;5;6M');
  await cells.arrives('\x1b[<20;5;8M\x1b[<20;5;8m', '\x1b[<20;5;6M\x1b[<20;5;6m');
  await cells.hearsNothing('\x1b[<35;5;8M');
});

test('a mouse report split at every byte is one report', async () => {
  const reader = await Reader.open(home, mux, '\\e[?1002h\\e[?1006h');
  await home.ask('set-option', 'escape-time', '2000');
  const before = reader.read().length;
  for (const byte of '\x1b[<0;10;10M') {
    mux.type(byte);
    // Each byte has been read by the server before the next is sent.
    await home.ask('list-clients');
  }
  await mux.waitFor('the report', () => reader.read().length > before);
  assert.is(reader.read().subarray(before).toString(), '\x1b[<0;10;8M');
  await home.ask('set-option', '-u', 'escape-time');
});

test('a terminal that goes in the middle of a paste leaves no program waiting for its end', async () => {
  const reader = await Reader.open(home, mux, '\\e[?2004h');
  await reader.arrives('\x1b[200~half', '\x1b[200~half');
  const before = reader.read().length;
  mux.close();
  await until('the end', () => reader.read().length > before);
  assert.is(reader.read().subarray(before).toString(), '\x1b[201~');
  mux = home.start();
  await mux.waitFor('it is back', t => t.modes.alternateScreen && t.text().includes('reader-'));
});

/** Seconds of processor time that a process has used. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

test('a paste into a program that is stopped costs no processor time, and is all there when it goes on', async () => {
  const reader = await Reader.open(home, mux, '\\e[?2004h');
  const pid = Number(await home.ask('display-message', '-p', '#{pane_pid}'));
  const server = await home.serverPid();
  const text = 'z'.repeat(2_000_000);
  process.kill(pid, 'SIGSTOP');
  mux.type(paste(text));
  // A key after it is shown once the paste has been taken.
  mux.type(prefix('c'));
  await mux.waitFor('another shell', /^\$$/m);
  // What the new shell set in motion takes a moment; a queue that is tried again and again takes every second.
  let from = { used: cpuSeconds(server), at: Date.now() };
  await until('a second in which the server uses less than a tenth of it', () => {
    if (Date.now() - from.at < 1000) return false;
    const before = from;
    from = { used: cpuSeconds(server), at: Date.now() };
    return from.used - before.used < ((from.at - before.at) / 1000) * 0.1;
  });
  process.kill(pid, 'SIGCONT');
  await mux.waitFor('all of it', () => reader.read().length >= text.length + 12);
  assert.ok(reader.read().equals(Buffer.from(paste(text))));
});

test('a paste larger than a stopped program may be sent is refused with a notice, and mux stays attached', async () => {
  const reader = await Reader.open(home, mux, '\\e[?2004h');
  const pid = Number(await home.ask('display-message', '-p', '#{pane_pid}'));
  process.kill(pid, 'SIGSTOP');
  const piece = 'z'.repeat(1 << 20);
  mux.type('\x1b[200~');
  for (let i = 0; i < 18; i++) mux.type(piece);
  mux.type('\x1b[201~');
  await mux.waitFor('the notice', 'does not read its input');
  process.kill(pid, 'SIGCONT');
  await mux.waitFor('its end', () => reader.read().subarray(-6).toString() === '\x1b[201~');
  await reader.arrives('x');
});

test('a long paste is shown in a few frames', async () => {
  await home.ask('new-window');
  await mux.waitFor('a shell', /^\$$/m);
  // Once this is read the shell has given up its own brackets. It is cat that echoes: the kernel drops what it cannot.
  mux.type('stty -echo; echo ready; cat\r');
  await mux.waitFor('cat', /^ready$/m);
  mux.forgetOutput();
  mux.type(paste('a line of the paste\r'.repeat(2000)));
  mux.type('last\r');
  await mux.waitFor('it is over', /^last$/m);
  const bytes = mux.output().length;
  // 40 kB were echoed: far less is drawn, for what has scrolled away is not.
  assert.ok(bytes < 30_000, `${bytes} bytes`);
  mux.type('\x03');
});

test.run();
