/**
 * Leaving and coming back: whatever the way out, the programs go on, and the screen is the one that was left.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTER, ESCAPE, prefix } from '../support/keys.ts';
import { hasPrograms, MuxHome, PROMPT, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('detach and reattach');
const home = new MuxHome({ files: { 'poem.txt': 'one fish\ntwo fish\nred fish\nblue fish\n' } });
test.after(() => home.end());
const SIZE = { cols: 90, rows: 30 };
let mux: OuterTerminal;
let screen = '';

/** The screen but for what time changes: state marks, counts, the clock. */
function picture(terminal: OuterTerminal): string {
  return terminal.dump([{ x: 40, y: 0, width: 200, height: 1 }]);
}

/** Tab and header name the program and show it ready. */
function isSettled(terminal: OuterTerminal): boolean {
  const [tabs = '', header = ''] = terminal.screen();
  return tabs.startsWith(' 1 vim ○') && /^─ bash {2}vim ─.*○ ─$/.test(header.trimEnd());
}

async function clientsAre(count: number): Promise<void> {
  await mux.waitFor(`${count} clients`, async () => {
    const text = await home.ask('clients', '-F', '#{client_tty}');
    return text.split('\n').filter(Boolean).length === count;
  });
}

async function sameAgain(): Promise<void> {
  mux = home.start(SIZE);
  await mux.waitFor('the screen that was left', t => picture(t) === screen);
}

test('by the key: the terminal is as before, and attaching shows the exact screen', async () => {
  ({ mux } = await startMux({ home, ...SIZE }));
  mux.type("printf '\\e[3;38;2;200;100;50mold shell text\\e[0m\\n'\r");
  await mux.waitFor('coloured text', /^old shell text$/m);
  if (hasPrograms('vim')) {
    mux.type('vim -u NONE -i NONE -N -n --cmd "set noruler t_RV= mouse=a" poem.txt\r');
    await mux.waitFor('vim', /^blue fish/m);
    mux.type(':set hlsearch\r/fish\rjl');
    await mux.waitFor('the cursor is put', t => t.cursor.x === 5 && t.cursor.y === 3);
  }
  await mux.waitFor('the cursor is where vim has it', t => t.cursor.visible);
  // Names of programs and states follow a moment later: what is compared must not be on its way.
  if (hasPrograms('vim')) await mux.waitFor('names and states have settled', isSettled);
  screen = picture(mux);
  mux.type(prefix('d'));
  assert.is(await mux.ended(), 0);
  assert.match(mux.text(), /^\[detached\]/m);
  await clientsAre(0);
  await sameAgain();
});

test('modes of the program are in force again: the mouse reaches vim', async () => {
  if (!hasPrograms('vim')) return;
  assert.is(mux.modes.mouseTracking, 'drag');
  mux.type('\x1b[<0;3;3M\x1b[<0;3;3m');
  await mux.waitFor('vim has put its cursor where the click was', t => t.cursor.x === 2 && t.cursor.y === 2);
  // Names of programs and states follow a moment later: what is compared must not be on its way.
  if (hasPrograms('vim')) await mux.waitFor('names and states have settled', isSettled);
  screen = picture(mux);
});

test('by a command from outside', async () => {
  const result = await home.cli('detach', '--all');
  assert.is(result.status, 0);
  assert.is(await mux.ended(), 0);
  await sameAgain();
});

test('by mux --detach from outside: it says how to come back', async () => {
  const result = await home.cli('--detach');
  assert.is(result.status, 0, result.stderr);
  assert.match(result.stdout, /come back with 'mux'/);
  assert.is(await mux.ended(), 0);
  await sameAgain();
});

test('by closing the terminal', async () => {
  mux.close();
  await clientsAre(0);
  await sameAgain();
});

test('by mux --detach typed in a pane', async () => {
  mux.type(prefix('c'));
  await mux.waitFor('another shell', PROMPT);
  mux.type(`node ${process.cwd()}/bin/mux.js --detach\r`);
  assert.is(await mux.ended(), 0);
  mux = home.start(SIZE);
  await mux.waitFor('what it said', "come back with 'mux'");
  mux.type('exit' + ENTER);
  await mux.waitFor('the shell has ended', 'exit 0');
  mux.type(ENTER);
  await mux.waitFor('the screen that was left', t => picture(t) === screen);
});

for (const [cols, rows] of [
  [60, 18],
  [120, 40],
  [90, 30],
] as const) {
  test(`at ${cols}×${rows}: the program draws itself anew`, async () => {
    mux.type(prefix('d'));
    assert.is(await mux.ended(), 0);
    mux = home.start({ cols, rows });
    const pane = (): Promise<string> => home.ask('display-message', '-p', '#{pane_width}x#{pane_height}');
    const width = cols < 100 ? cols : cols - 29;
    await mux.waitFor('the pane has its size', async () => (await pane()).trim() === `${width}x${rows - 3}`);
    if (!hasPrograms('vim')) return;
    await mux.waitFor('vim has filled it', t => {
      const left = cols - width;
      const last = t.screen()[rows - 3]!.slice(left);
      return last.startsWith('~') && t.screen()[2]!.slice(left).startsWith('one fish');
    });
    assert.is(mux.styleAt(cols - width + 4, 2), 'fg=0+bg=11');
  });
}

test('the old shell text is there when vim ends', async () => {
  if (hasPrograms('vim')) mux.type(ESCAPE + ':q!\r');
  await mux.waitFor('the shell', t => /^old shell text$/m.test(t.text()) && /^\$$/m.test(t.text()));
  const y = mux.screen().findIndex(row => row.startsWith('old shell'));
  assert.is(mux.styleAt(0, y), 'fg=#c86432+italic');
});

test.run();
