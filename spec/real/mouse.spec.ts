/**
 * The mouse between mux and programs: who gets it, and what a person has bound.
 */
// spec-timeout: 300
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { click, drag, ESCAPE, prefix, rightClick } from '../support/keys.ts';
import { MuxHome, PROMPT, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { Reader } from '../support/reader.ts';
import { until } from '../support/until.ts';

const test = suite('the mouse');
const home = new MuxHome();
test.after(() => home.end());
let mux: OuterTerminal;

test('cannot drag a border when the app has the mouse: the border is ours, the first cell is the app’s', async () => {
  ({ mux } = await startMux({ home }));
  const reader = await Reader.open(home, mux, '\\e[?1002h\\e[?1006h', ['split-window', '-h']);
  const before = await home.focused();
  const border = before.left - 1;
  await reader.arrives(click(before.left, 5), '\x1b[<0;1;4M\x1b[<0;1;4m');
  const heard = reader.read().length;
  mux.type(drag([border, 5], [border - 6, 5]));
  await until('the border has moved', async () => (await home.focused()).cols === before.cols + 6);
  assert.is(reader.read().length, heard, 'the program hears nothing of it');
  await reader.arrives(click(before.left - 6, 5), '\x1b[<0;1;4M\x1b[<0;1;4m');
  await home.ask('kill-pane');
});

test('cells as UTF-8 and as urxvt has them reach programs that asked for those', async () => {
  const urxvt = await Reader.open(home, mux, '\\e[?1002h\\e[?1015h');
  await urxvt.arrives('\x1b[<2;70;8M\x1b[<2;70;8m', '\x1b[34;70;6M\x1b[35;70;6M');
  await urxvt.close();
  const utf8 = await Reader.open(home, mux, '\\e[?1000h\\e[?1005h');
  await utf8.arrives('\x1b[<0;70;8M', '\x1b[M f&');
  await utf8.close();
});

test('the wheel is arrows for a full-screen program without the mouse, unless it turned that off (1007)', async () => {
  const less = await Reader.open(home, mux, '\\e[?1049h\\e[?1h');
  await less.arrives('\x1b[<64;10;8M', '\x1bOA\x1bOA\x1bOA');
  await less.arrives('\x1b[<65;10;8M', '\x1bOB\x1bOB\x1bOB');
  await less.close();
  const off = await Reader.open(home, mux, '\\e[?1049h\\e[?1007l');
  await off.hearsNothing('\x1b[<64;10;8M');
  await off.close();
});

test('a menu of one’s own by the right button, on the pane under the pointer, also where a program wants the mouse', async () => {
  const reader = await Reader.open(home, mux, '\\e[?1002h\\e[?1006h', ['split-window', '-h']);
  await home.ok(
    'bind-key',
    '-n',
    'MouseDown3Pane',
    'display-menu -T mine -x M -y M "pane #{pane_index}" p "select-pane -T picked"',
  );
  const [left, right] = await home.panes();
  const heard = reader.read().length;
  for (const pane of [left!, right!]) {
    mux.type(rightClick(pane.left + 2, 5));
    await mux.waitFor('the menu', `pane ${pane === left ? 0 : 1}`);
    mux.type('p');
    await until('it was meant for that pane', async () =>
      (await home.panes()).some(one => one.id === pane.id && one.title === 'picked'),
    );
  }
  assert.is(reader.read().length, heard);
  await home.ok('unbind-key', '-n', 'MouseDown3Pane');
  mux.type(rightClick(right!.left + 2, 5));
  await until('the program has it again', () => reader.read().length > heard);
  await home.ask('kill-pane');
});

test('a menu that opens while one drags: the selection is copied, and the menu is still there', async () => {
  await mux.waitFor('the shell', PROMPT);
  mux.type('clear; echo dragged-text\r');
  await mux.waitFor('the text', /^dragged-text/m);
  const { x, y } = mux.find('dragged-text')!;
  const at = (button: number, column: number, end: string): string =>
    `\x1b[<${button};${column + 1};${y + 1}${end}`;
  mux.type(at(0, x, 'M') + at(32, x + 3, 'M'));
  await until(
    'it selects',
    async () => (await home.ask('display-message', '-p', '#{pane_in_mode}')).trim() === '1',
  );
  await home.ask(
    'display-menu',
    '-T',
    'between',
    '-x',
    '40',
    '-y',
    '12',
    'entry',
    'e',
    'display-message chosen',
  );
  await mux.waitFor('the menu', 'between');
  mux.type(at(32, x + 6, 'M') + at(0, x + 6, 'm'));
  await until('it is copied', async () => (await home.cli('show-buffer')).stdout.trim() === 'dragged');
  assert.match(mux.text(), /between/);
  mux.type(ESCAPE);
  await mux.waitFor('the menu is closed', t => !t.text().includes('between'));
  mux.type('echo still-$((1+1))\r');
  await mux.waitFor('the keys are the shell’s', /^still-2/m);
});

test('all keys are given to the program while one looks back: the next key ends that and is typed', async () => {
  mux.type(prefix('['));
  await until(
    'copy mode',
    async () => (await home.ask('display-message', '-p', '#{pane_in_mode}')).trim() === '1',
  );
  mux.type(prefix('\x1b[24~'));
  await mux.waitFor('it says so', 'KEYS OFF');
  mux.type('echo pass-$((2+3))\r');
  await mux.waitFor('it was typed', /^pass-5/m);
  assert.is((await home.ask('display-message', '-p', '#{pane_in_mode}')).trim(), '0');
  mux.type('\x1b[24~');
  await mux.waitFor('the keys are back', t => !t.text().includes('KEYS OFF'));
});

test.run();
