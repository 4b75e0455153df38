/**
 * What is typed reaches the program byte for byte, unless a mode of the program wants another form.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  click,
  CTRL,
  ctrl,
  drag,
  ESCAPE,
  paste,
  prefix,
  RIGHT,
  UP,
  wheelDown,
  wheelUp,
} from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('keys as typed');
const home = new MuxHome();
test.after(() => home.end());
let mux: OuterTerminal;
let count = 0;
let file = '';

/** Opens a window with a program that writes down what it reads, after it has set its modes. */
async function reader(modes = ''): Promise<void> {
  const name = `reader-${count++}`;
  file = join(home.work, name);
  await home.ask('new-window', `stty raw -echo; printf '${modes}\\e[H${name}\\n'; exec cat >${file}`);
  await mux.waitFor('the reader', t => existsSync(file) && t.text().includes(`\n${name}`));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** That what is typed arrives as `wanted` and nothing else. */
async function arrives(typed: string | Uint8Array, wanted: string | Uint8Array = typed): Promise<void> {
  const before = readFileSync(file).length;
  mux.type(typed);
  const want = Buffer.from(wanted as string);
  const got = (): Buffer => readFileSync(file).subarray(before);
  try {
    await mux.waitFor('it arrives', () => got().length >= want.length);
  } catch {
    // What came is compared below.
  }
  if (want.length < 1000) assert.is(hex(got()), hex(want), JSON.stringify(want.toString('latin1')));
  else assert.ok(got().equals(want), `${got().length} bytes of ${want.length}`);
}

test('every byte, one after the other', async () => {
  ({ mux } = await startMux({ home }));
  await reader();
  for (let byte = 0; byte < 256; byte++) {
    if (byte === 2) await arrives(ctrl('b') + ctrl('b'), ctrl('b'));
    // Beginnings of characters wait for their end.
    else if (byte >= 0xc2 && byte <= 0xf4) await arrives(Uint8Array.of(byte, 0x41));
    else await arrives(Uint8Array.of(byte));
  }
});

test('every byte, all at once', async () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i).filter(byte => byte !== 2);
  await arrives(all);
  await arrives(all.slice().reverse());
});

test('characters of any length, whole and in pieces', async () => {
  await arrives('é漢🍌👩‍👩‍👧 ｆｕｌｌ');
  for (const byte of Buffer.from('é漢🍌')) mux.type(Uint8Array.of(byte));
  await arrives('', 'é漢🍌');
});

test('function keys, arrows with modifiers, and sequences nobody knows', async () => {
  const functionKeys = ['OP', 'OQ', 'OR', 'OS', ...[15, 17, 18, 19, 20, 21, 23, 24].map(n => `[${n}~`)];
  for (const key of functionKeys) await arrives(ESCAPE + key);
  for (const modifier of [2, 3, 4, 5, 6, 7, 8]) {
    for (const end of 'ABCDHF') await arrives(`\x1b[1;${modifier}${end}`);
    await arrives(`\x1b[5;${modifier}~`);
    await arrives(`\x1b[15;${modifier}~`);
  }
  await arrives('\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F\x1b[2~\x1b[3~\x1b[5~\x1b[6~\x1b[Z');
  await arrives('\x1ba\x1bé\x1b\x7f\x1b\r');
  await arrives('\x1b[1;99X\x1bOz\x1b[<1;2z\x1b[>7q');
  for (const byte of Buffer.from('\x1b[1;5C')) mux.type(Uint8Array.of(byte));
  await arrives('', '\x1b[1;5C');
});

test('forms that a program must ask for become those it knows', async () => {
  await arrives('\x1b[77u', 'M');
  await arrives('\x1b[13;2u\x1b[27;5;13~', '\x1b\r\r');
  await arrives('\x1b[97;5u', '\x01');
});

test('Escape alone, then a key', async () => {
  await arrives(ESCAPE);
  await arrives('x');
});

test('application cursor keys and keypad have their own form', async () => {
  await reader('\\e[?1h');
  await arrives(UP + RIGHT, '\x1bOA\x1bOC');
  await arrives(CTRL.left);
  await arrives('\x1b[H\x1b[F', '\x1bOH\x1bOF');
});

const MEGABYTE = Array.from(
  { length: 20_000 },
  (_, i) => `line ${String(i).padStart(6, '0')} of a long paste, é漢 and all\r`,
)
  .join('')
  .slice(0, 1_000_000);

test('a paste of a megabyte, without brackets where the program did not ask', async () => {
  await reader();
  await arrives(paste(MEGABYTE), MEGABYTE);
});

test('a paste of a megabyte, with brackets where it asked', async () => {
  await reader('\\e[?2004h');
  await arrives(paste(MEGABYTE), paste(MEGABYTE));
});

test('the prefix inside a paste is text, and the end of a paste cannot be smuggled in', async () => {
  await arrives(paste('a\x02b'), paste('a\x02b'));
});

test('the mouse reaches a program that asked, in cells of its pane', async () => {
  await home.ask('new-window', 'sleep 1000');
  file = join(home.work, 'mouse');
  const program = `stty raw -echo; printf '\\e[?1002h\\e[?1006hmouse'; exec cat >${file}`;
  await home.ask('split-window', '-h', '-l', '30', program);
  await mux.waitFor('the reader is at the right', /│mouse/);
  await mux.waitFor('the reader reads', () => existsSync(file));
  const [, right] = await home.panes();
  const x0 = right!.left;
  await arrives(click(x0 + 4, 2 + 6), '\x1b[<0;5;7M\x1b[<0;5;7m');
  await arrives(click(x0, 2), '\x1b[<0;1;1M\x1b[<0;1;1m');
  await arrives(drag([x0 + 1, 3], [x0 + 9, 5]), '\x1b[<0;2;2M\x1b[<32;10;4M\x1b[<0;10;4m');
  await arrives(wheelUp(x0 + 2, 4), '\x1b[<64;3;3M');
  await arrives(wheelDown(x0 + 2, 4), '\x1b[<65;3;3M');
  // Let go outside: the program is told all the same, at its nearest cell.
  await arrives(drag([x0 + 1, 3], [2, 3]), '\x1b[<0;2;2M\x1b[<32;1;2M\x1b[<0;1;2m');
});

test('a program that did not ask hears nothing of the mouse; the wheel looks back', async () => {
  await home.ask('new-window');
  await mux.waitFor('a shell', /^\$$/m);
  mux.type('clear; seq 1 100; while [ ! -e go ]; do sleep 0.1; done; seq 1000 1050\r');
  await mux.waitFor('the numbers', /^100$/m);
  mux.type(wheelUp(5, 5));
  await mux.waitFor('three lines back', t => /^98$/m.test(t.text()) && !/^99$/m.test(t.text()));
  mux.type(wheelUp(5, 5) + wheelUp(5, 5));
  await mux.waitFor('nine lines back', t => /^92$/m.test(t.text()) && !/^93$/m.test(t.text()));
  const rows = mux.screen().slice(2, -1);
  writeFileSync(join(home.work, 'go'), '');
  await mux.waitFor(
    'more output',
    async () => Number(await home.ask('display-message', '-p', '#{history_size}')) > 110,
  );
  await mux.waitFor('the text stays', t => t.screen().slice(2, -1).join('\n') === rows.join('\n'));
  for (let i = 0; i < 40; i++) mux.type(wheelDown(5, 5));
  await mux.waitFor('the newest again', t => /^1050\n\$$/m.test(t.text()));
  mux.type('echo typed\r');
  await mux.waitFor('the shell answers', /^typed$/m);
});

test('keys typed at a backgrounded reader wait, and nothing is lost', async () => {
  await reader();
  const pid = Number(await home.ask('display-message', '-p', '#{pane_pid}'));
  process.kill(pid, 'SIGSTOP');
  const text = 'z'.repeat(200_000);
  mux.type(text);
  mux.type(prefix('c'));
  await mux.waitFor('another shell opens meanwhile', /^\$$/m);
  process.kill(pid, 'SIGCONT');
  await mux.waitFor('all of it', () => readFileSync(file).length >= text.length);
  assert.is(readFileSync(file, 'utf8'), text);
});

test.run();
