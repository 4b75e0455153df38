/**
 * Choosing, arranging and typing into several panes: trees, paste buffers, numbers, menus, prompts, confirmations.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { click, ctrl, ENTER, ESCAPE, paste, prefix, rightClick, rightDrag, UP } from '../support/keys.ts';
import { MuxHome, startMux, type PaneRow } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('arrange');
const home = new MuxHome();
test.after(() => home.end());
let mux: OuterTerminal;

async function nothingOver(): Promise<void> {
  await mux.waitFor(
    'nothing is over the panes',
    t => /C-b \? help/.test(t.screen().at(-1)!) && !t.text().includes('└'),
  );
}

async function focusedIs(id: string): Promise<void> {
  await mux.waitFor(`${id} has the focus`, async () => (await home.focused()).id === id);
}

async function paneShows(pane: string, text: RegExp): Promise<void> {
  await mux.waitFor(`${pane} shows ${text}`, async () =>
    text.test(await home.ask('capture-pane', '-p', '-t', pane)),
  );
}

/** Ids of the panes of the current window. */
async function ids(): Promise<string[]> {
  return (await home.panes()).map(pane => pane.id);
}

/** The shells of four panes in two windows. */
test('the tree shows windows and panes, each previewed as it is', async () => {
  ({ mux } = await startMux({ home, cols: 110, rows: 32 }));
  await home.ask('split-window', '-h', 'sh', '-c', 'printf "\\033[31mred\\033[m output"; exec cat');
  await home.ask('new', 'worker', 'sh', '-c', 'echo from worker; exec cat');
  await home.ask('new', '--background', 'unseen', 'sh', '-c', 'echo out of sight; exec cat');
  mux.type(prefix('s'));
  await mux.waitFor(
    'all of it',
    t => /In no window/.test(t.text()) && /unseen/.test(t.text()) && /2 panes/.test(t.text()),
  );
  await mux.waitFor('the focused one previewed', /│from worker/);
  mux.type('g' + 'jj');
  await mux.waitFor('a pane of another window previewed', /│red output/);
  const red = mux.find('red output')!;
  assert.match(mux.styleAt(red.x, red.y), /fg=1/, 'in its own colours');
  await home.ask('send-keys', '-t', '%1', 'live', 'Enter');
  await mux.waitFor('what it prints while it is looked at', /│live/);
  mux.type('G');
  await mux.waitFor('a session in no window previewed', /out of sight/);
});

test('branches fold, a filter narrows, and Enter goes to what is chosen', async () => {
  mux.type('gh');
  await mux.waitFor('the panes are folded away', t => /▸ . 1 /.test(t.text()));
  mux.type('/cat');
  await mux.waitFor('what runs cat, unfolded', t => /▾ . 1 /.test(t.text()) && /of 6/.test(t.text()));
  mux.type(ENTER + ENTER);
  await focusedIs('%1');
  await nothingOver();
});

test('killing from the tree asks, naming what goes, and no is the default', async () => {
  await home.ask('new-window', '-d', '-n', 'doomed', 'cat');
  await home.ask('new-window', '-d', '-n', 'doomed-too', 'cat');
  mux.type(prefix('s') + '/doomed' + ENTER + 'gx');
  await mux.waitFor('the question', /Kill window 3 \(doomed\)\?/);
  mux.type(ENTER);
  await mux.waitFor('it is gone', t => !t.text().includes('Kill window'));
  assert.match(await home.ask('list-windows'), /doomed\b/);
  mux.type('tt' + 'X');
  await mux.waitFor('both are named', /Kill 2 tagged: window 3 \(doomed\), window 4 \(doomed-too\)\?/);
  mux.type('y');
  await mux.waitFor('both are gone', async () => !(await home.ask('list-windows')).includes('doomed'));
  mux.type('qq');
  await nothingOver();
});

test('a command typed in the tree is run on every tagged row, not on what has the focus', async () => {
  mux.type(prefix('s') + 'gjt' + 't:' + 'send-keys tagged-%%' + ENTER);
  await paneShows('%0', /tagged-%0/);
  await paneShows('%1', /tagged-%1/);
  mux.type('q');
  await nothingOver();
  mux.type(prefix('1'));
  for (const pane of ['%0', '%1']) await home.ask('send-keys', '-t', pane, 'C-u');
});

test('buffers are set, named, listed, saved, loaded and pasted by commands', async () => {
  await home.ask('set-buffer', 'first');
  await home.ask('set-buffer', '-b', 'mine', 'one\ntwo');
  await home.ask('set-buffer', '-a', '-b', 'mine', '\nthree');
  assert.is(await home.ask('show-buffer', '-b', 'mine'), 'one\ntwo\nthree\n');
  assert.match(await home.ask('list-buffers', '-F', '#{buffer_name} #{buffer_size}'), /^mine 13$/m);
  const file = join(home.work, 'saved');
  await home.ask('save-buffer', '-b', 'mine', file);
  assert.is(readFileSync(file, 'utf8'), 'one\ntwo\nthree');
  writeFileSync(file, 'loaded\n');
  await home.ask('load-buffer', '-b', 'other', file);
  await home.ask('select-pane', '-t', '%1');
  await home.ask('paste-buffer', '-d', '-b', 'other', '-t', '%1');
  await paneShows('%1', /loaded$/m);
  assert.not.match(await home.ask('list-buffers'), /other/);
  await home.ask('paste-buffer', '-s', '+', '-b', 'mine', '-t', '%1');
  await paneShows('%1', /one\+two\+three/);
  await home.ask('send-keys', '-t', '%1', 'C-u');
  for (const wrong of [
    ['load-buffer', '/nowhere'],
    ['load-buffer', '/dev/zero'],
    ['show-buffer', '-b', 'none'],
  ])
    assert.is((await home.cli(...wrong)).status !== 0, true, wrong.join(' '));
});

test('a buffer is chosen from a screen with previews, pasted, and deleted after a question', async () => {
  mux.type(prefix('='));
  await mux.waitFor('the buffers', t => /Paste buffers/.test(t.text()) && /mine +one/.test(t.text()));
  mux.type('/three' + ENTER);
  await mux.waitFor('its text, line by line', /│ two\s*\n.*│ three/);
  mux.type(ENTER);
  await paneShows('%1', /^three|two\s*three/m);
  await nothingOver();
  mux.type(ctrl('u') + prefix('=') + '/mine' + ENTER + 'd');
  await mux.waitFor('the question', /Delete the buffer mine\?/);
  mux.type('y');
  await mux.waitFor('it is gone', async () => !(await home.ask('list-buffers')).includes('mine'));
  mux.type('qq');
  await nothingOver();
});

test('panes are numbered, a digit chooses one, and beyond ten a letter does', async () => {
  await home.ask('new-window', '-n', 'many', 'cat');
  for (let n = 1; n < 12; n++) {
    await home.ask('split-window', 'cat');
    await home.ask('select-layout', 'tiled');
  }
  const all = await ids();
  assert.is(all.length, 12);
  mux.type(prefix('q'));
  await mux.waitFor('the last has a letter', t => / b /.test(t.text()) || /key b/.test(t.text()));
  mux.type('3');
  await focusedIs(all[3]!);
  mux.type(prefix('q') + 'b');
  await focusedIs(all[11]!);
  mux.type(prefix('q') + 'Z');
  await paneShows(all[11]!, /Z/);
  mux.type(prefix('q') + ESCAPE);
  await mux.waitFor('the numbers are gone', t => !/key b|\d+x\d+ *$/m.test(t.text()));
  await home.ask('kill-window');
});

/** Programs that draw what they read, in the modes they ask for, side by side in one window. */
async function watchers(): Promise<PaneRow[]> {
  const show = (modes: string): string[] => [
    'sh',
    '-c',
    `printf '${modes}'; stty raw -echo; echo up; exec cat -v`,
  ];
  await home.ask('new-window', '-n', 'both', ...show(''));
  await home.ask('split-window', '-h', ...show('\\033[?1h\\033[?2004h'));
  const panes = await home.panes();
  for (const { id } of panes) await paneShows(id, /up/);
  return panes;
}

test('synchronized panes all get what is typed and pasted, each in the form it asked for', async () => {
  const [plain, modal] = await watchers();
  await home.ask('set-option', '-w', 'synchronize-panes', 'on');
  await mux.waitFor('a mark in the headers, the tab and the top row', t => {
    const [top = '', header = ''] = t.screen();
    return /both S/.test(top) && /SYNC/.test(top) && header.split('SYNC').length === 3;
  });
  mux.type('k' + UP);
  await paneShows(plain!.id, /k\^\[\[A/);
  await paneShows(modal!.id, /k\^\[OA/);
  mux.type(paste('p'));
  await paneShows(plain!.id, /Ap/);
  await paneShows(modal!.id, /A\^\[\[200~p\^\[\[201~/);
  await home.ask('send-keys', '-t', plain!.id, 'only');
  await paneShows(plain!.id, /only/);
  await home.ask('set-option', '-w', 'synchronize-panes', 'off');
  mux.type('z');
  await paneShows(modal!.id, /z/);
  assert.not.match(await home.ask('capture-pane', '-p', '-t', plain!.id), /z/);
  assert.not.match(await home.ask('capture-pane', '-p', '-t', modal!.id), /only/);
});

test('other windows are typed into one pane at a time all the same', async () => {
  await home.ask('set-option', '-w', 'synchronize-panes', 'on');
  assert.is((await home.ask('show-options', '-v', 'synchronize-panes')).trim(), 'on');
  await home.ask('select-window', '-t', '1');
  assert.is((await home.ask('show-options', '-v', 'synchronize-panes')).trim(), 'off');
  assert.is((await home.ask('display-message', '-p', '-t', '@0', '#{pane_synchronized}')).trim(), '0');
  await home.ask('kill-window', '-t', 'both');
});

test('renaming begins with the name there is, takes any name, and remembers names given before', async () => {
  mux.type(prefix(','));
  await mux.waitFor('the name', /^\(rename window\) \S+/m);
  mux.type(ctrl('u') + `it's "odd"; kill-server` + ENTER);
  await mux.waitFor('the name it was given', / 1 it's "odd"/);
  mux.type(prefix(',') + ctrl('u') + 'plain' + ENTER);
  await mux.waitFor('another', / 1 plain/);
  mux.type(prefix(',') + UP + UP);
  await mux.waitFor('the one before', /^\(rename window\) it's "odd"; kill-server/m);
  mux.type(ctrl('c'));
  mux.type(prefix('$') + ctrl('u') + 'chosen' + ENTER);
  await mux.waitFor('the session has it', async () => (await home.ask('list')).includes('chosen'));
  mux.type(prefix('$') + ctrl('u') + UP);
  await mux.waitFor('histories are apart', /^\(rename session\) chosen/m);
  mux.type(ctrl('c'));
  await nothingOver();
});

test('killing a pane asks first, whichever way', async () => {
  await home.ask('split-window', '-v', 'cat');
  const doomed = (await home.focused()).id;
  mux.type(prefix('x'));
  await mux.waitFor('the question', /Kill pane \d+ \(.*\)\?/);
  mux.type('n');
  await nothingOver();
  assert.ok((await ids()).includes(doomed));
  mux.type(prefix('x') + 'y');
  await mux.waitFor('it is gone', async () => !(await ids()).includes(doomed));
});

test('the right button opens the menu of a tab, of a pane and of a row of the sidebar; a key or a click chooses', async () => {
  await nothingOver();
  const tab = mux.find('plain')!;
  mux.type(rightClick(tab.x, tab.y));
  await mux.waitFor('the menu of the window', /Swap with the one after/);
  mux.type(ctrl('c'));
  await nothingOver();
  mux.type(rightClick(60, 12));
  await mux.waitFor('the menu of the pane', /Split below/);
  const before = (await ids()).length;
  const entry = mux.find('Split below')!;
  mux.type(click(entry.x, entry.y));
  await mux.waitFor('it was done', async () => (await ids()).length === before + 1);
  await nothingOver();
  mux.type(rightClick(60, 20));
  await mux.waitFor('the menu again', /Split below/);
  mux.type('X');
  await mux.waitFor('what is lost is asked for', /Kill pane \d+/);
  mux.type('y');
  await mux.waitFor('that pane is closed', async () => (await ids()).length === before);
  await nothingOver();
  const row = mux.find('worker')!;
  assert.ok(row.x < 28, 'in the sidebar');
  mux.type(rightClick(row.x, row.y));
  await mux.waitFor('the menu of the session', /Go there/);
  mux.type('g');
  await mux.waitFor('its window', /from worker/);
});

test('a menu opened with the button held chooses where that is let go, and closes beside it', async () => {
  await nothingOver();
  const before = (await ids()).length;
  mux.type(rightClick(60, 12));
  await mux.waitFor('the menu', /Split right/);
  const entry = mux.find('Split right')!;
  mux.type(click(100, 28));
  await nothingOver();
  const held = rightDrag([60, 12], [entry.x, entry.y]);
  mux.type(held.press);
  await mux.waitFor('the menu again', /Split right/);
  mux.type(held.rest);
  await mux.waitFor('it was done', async () => (await ids()).length === before + 1);
  await nothingOver();
});

test('a program that takes the mouse gets the right button; its header still opens the menu', async () => {
  await home.ask(
    'new-window',
    '-n',
    'mouse',
    'sh',
    '-c',
    `printf '\\033[?1000h\\033[?1006h'; stty raw -echo; echo ready; exec cat -v`,
  );
  await mux.waitFor('its mouse is on', /│ready/);
  mux.type(rightClick(60, 12));
  const pane = (await home.focused()).id;
  await paneShows(pane, /\^\[\[<2;\d+;\d+M/);
  mux.type(rightClick(60, 1));
  await mux.waitFor('the menu', /Split below/);
  mux.type(ctrl('c'));
  await nothingOver();
});

test('display-menu shows what a person wrote, and leaves out or refuses what cannot be chosen', async () => {
  await home.ask(
    'display-menu',
    '-T',
    'Own #{window_name}',
    'One',
    'o',
    'rename-window ran',
    '',
    '-Two',
    't',
    'kill-server',
  );
  await mux.waitFor('the menu', /Own mouse/);
  mux.type('t');
  mux.type('o');
  await mux.waitFor('the command of the key', / ran/);
  await nothingOver();
  const wrong = await home.cli('display-menu', 'One', 'o');
  assert.is(wrong.status, 2);
  assert.match(wrong.stderr, /'One' has no command/);
});

test.run();
