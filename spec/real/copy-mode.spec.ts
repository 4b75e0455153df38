/**
 * Copy mode as a person meets it: keys, mouse, what is lit, and where copied text goes.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { click, drag, ENTER, ESCAPE, PAGE_UP, prefix, wheelDown, wheelUp } from '../support/keys.ts';
import { hasPrograms, MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { until } from '../support/until.ts';

const test = suite('copy mode');
const home = new MuxHome({ config: 'screen: { sidebar: off }\n' });
test.after(() => home.end());
let mux: OuterTerminal;
let count = 0;

const mode = (name: string): Promise<string> => home.ask('display-message', '-p', `#{${name}}`);
const inMode = async (): Promise<boolean> => (await mode('pane_in_mode')).trim() === '1';
/** The newest buffer, as it is. */
const newest = async (): Promise<string> =>
  (JSON.parse(await home.ask('show-buffer', '--json')) as { text: string }).text;

async function isInMode(wanted: boolean): Promise<void> {
  await until(wanted ? 'copy mode begins' : 'copy mode ends', async () => (await inMode()) === wanted, {
    describe: () => mux.describe(),
  });
}

/** Opens a window that shows this and nothing more. */
async function shows(text: string): Promise<void> {
  const name = `end-${count++}`;
  const file = join(home.work, 'text');
  writeFileSync(file, text);
  await home.ask('new-window', `stty -echo; cat ${file}; printf '\\n${name}'; exec cat >/dev/null`);
  await mux.waitFor('the text', name);
}

test('a search lights every match, says how many there are, and Enter copies what is selected', async () => {
  ({ mux } = await startMux({ home, cols: 90, rows: 20 }));
  await home.ask('set-buffer', 'copied before');
  await shows(Array.from({ length: 60 }, (_, i) => `row ${i} with needle-${i % 5}`).join('\n'));
  mux.type(prefix('['));
  await mux.waitFor('copy mode', /\[0\/\d+\]/);
  mux.type('?needle-3');
  await mux.waitFor('the count, while typing', /12\/12 \[/);
  const found = mux.find('needle-3')!;
  await mux.waitFor(
    'it is lit',
    t => /inverse/.test(t.styleAt(found.x, found.y)) || t.styleAt(found.x, found.y) !== '',
  );
  mux.type(ENTER);
  mux.type('n');
  await mux.waitFor('the match before', /11\/12 \[/);
  mux.type(' e' + ENTER);
  await until('it is copied', async () => (await newest()) === 'needle');
  await isInMode(false);
});

test('a copy goes to the terminal by OSC 52 and into a buffer', async () => {
  mux.forgetOutput();
  mux.type(prefix('[') + 'gV' + 'y');
  await until('it is copied', async () => (await newest()) === 'row 0 with needle-0\n');
  const osc = `\x1b]52;c;${Buffer.from('row 0 with needle-0\n').toString('base64')}`;
  await mux.waitFor('OSC 52', t => t.output().includes(osc));
});

test('output does not move what is read, and a mark counts the new lines', async () => {
  await home.ask('new-window', 'seq 1 100; read _; seq 101 140; exec cat >/dev/null');
  await mux.waitFor('the numbers', /^ *│?100$/m);
  mux.type(prefix(PAGE_UP));
  await mux.waitFor('the page before', /\[[1-9]\d*\/\d+\]/);
  const top = mux.screen()[3];
  await home.ask('send-keys', 'go', 'Enter');
  await mux.waitFor('the mark', /\+4[0-9] new\]/);
  assert.is(mux.screen()[3], top);
  mux.type('q');
  await mux.waitFor('the newest', /^ *│?140$/m);
  await isInMode(false);
});

test('Escape, q and C-c leave; counts and motions work', async () => {
  for (const key of [ESCAPE, 'q', '\x03']) {
    mux.type(prefix('['));
    await isInMode(true);
    mux.type(key);
    await isInMode(false);
  }
  mux.type(prefix('[') + '12k');
  await until('twelve rows up', async () => Number(await mode('copy_cursor_y')) + 12 > 0 && (await inMode()));
  mux.type('q');
  await isInMode(false);
});

test('a character typed behind f is jumped to, with keys of emacs a search goes on from the prompt', async () => {
  await shows('alpha beta gamma\nlast');
  mux.type(prefix('[') + 'gf');
  await mux.waitFor('the question', 'character:');
  mux.type('g');
  await until('the cursor is there', async () => (await mode('copy_cursor_x')).trim() === '11');
  await home.ask('set-option', 'mode-keys', 'emacs');
  mux.type('\x13beta' + ENTER);
  await until('behind the match', async () => (await mode('copy_cursor_x')).trim() === '10');
  mux.type(ESCAPE);
  await isInMode(false);
  await home.ask('set-option', '-u', 'mode-keys');
});

test('a drag selects and copies, and the pane is as it was', async () => {
  await shows('one two three\nfour five six');
  const at = mux.find('two three')!;
  mux.type(drag([at.x, at.y], [at.x + 3, at.y + 1]));
  await until('it is copied', async () => (await newest()) === 'two three\nfour fiv');
  await isInMode(false);
});

test('a double click takes a word, a triple click the line', async () => {
  const at = mux.find('five')!;
  mux.type(click(at.x + 1, at.y) + click(at.x + 1, at.y));
  await until('the word is copied', async () => (await newest()) === 'five');
  await isInMode(false);
  const other = mux.find('two')!;
  mux.type(click(other.x, other.y).repeat(3));
  await until('the line is copied', async () => (await newest()) === 'one two three\n');
  await isInMode(false);
});

test('dragged over the edge, the text scrolls on', async () => {
  await shows(Array.from({ length: 50 }, (_, i) => `number ${i}`).join('\n'));
  const at = mux.find('number 45')!;
  const [press, move] = drag([at.x, at.y], [at.x, 0]).split('\x1b').filter(Boolean);
  mux.type(`\x1b${press}\x1b${move}`);
  await mux.waitFor('older lines', /number 2$/m);
  mux.type(`\x1b[<0;${at.x + 1};1m`);
  await until('it is copied', async () => (await newest()).split('\n').length > 30);
  await isInMode(false);
});

test('herdr#459, tmux#5349: the wheel leaves at the bottom and never goes beyond', async () => {
  mux.type(wheelUp(10, 10).repeat(3));
  await isInMode(true);
  mux.type(wheelDown(10, 10).repeat(2));
  await until('three lines are left', async () => (await mode('scroll_position')).trim() === '3');
  mux.type(wheelDown(10, 10));
  await isInMode(false);
  mux.type(wheelDown(10, 10).repeat(5));
  await mux.waitFor('the bottom', /^end-\d+$/m);
});

test('typing after the wheel goes to the program where the option says so', async () => {
  await home.ask('new-window', "printf 'x\\n%.0s' $(seq 60); exec bash --norc --noprofile");
  await mux.waitFor('the shell', /[$#] ?$/m);
  await home.ask('set-option', 'copy-mode-typing', 'leave');
  mux.type(wheelUp(10, 10));
  await isInMode(true);
  mux.type('echo ty""ped' + ENTER);
  await mux.waitFor('what was typed ran', /^.*typed$/m);
  await isInMode(false);
  await home.ask('set-option', '-u', 'copy-mode-typing');
});

test('zellij#4115: what is looked at is the same after leaving and coming back', async () => {
  await shows(Array.from({ length: 80 }, (_, i) => `place ${i}`).join('\n'));
  mux.type(prefix('[') + 'g');
  await mux.waitFor('the oldest line', 'place 0');
  mux.type(prefix('d'));
  await mux.ended();
  mux = home.start({ cols: 90, rows: 20 });
  await mux.waitFor('the same place', /place 0$/m);
  assert.ok(await inMode());
  mux.type('q');
  await isInMode(false);
});

test('a clipboard tool that hangs is told once; the text is in a buffer', async () => {
  const own = new MuxHome({ config: 'screen: { sidebar: off }\n' });
  const bin = join(own.dir, 'bin');
  writeFileSync(join(bin, 'xclip'), '#!/bin/sh\nexec sleep 600\n');
  chmodSync(join(bin, 'xclip'), 0o755);
  const env = { PATH: bin + delimiter + own.env['PATH'], DISPLAY: ':77' };
  const { mux: terminal } = await startMux({ home: own, env, cols: 90, rows: 20 });
  terminal.type('echo some words' + ENTER);
  await terminal.waitFor('the output', /^.*some words$/m);
  terminal.type(prefix('[') + 'kV' + ENTER);
  await terminal.waitFor('the message', /clipboard: xclip: it hangs/);
  assert.match(await own.ask('show-buffer'), /some words/);
  await own.end();
});

test('copied text goes through a command of the person', async () => {
  const file = join(home.work, 'piped');
  await home.ask('set-option', 'copy-command', `cat >${file}`);
  mux.type(prefix('[') + 'gV' + ENTER);
  await until('the command got it', () => existsSync(file) && readFileSync(file, 'utf8') === 'place 0\n');
  await home.ask('set-option', '-u', 'copy-command');
});

test('all of the text is saved to a file, and opened in the editor', async () => {
  await home.ok('save-history', 'saved.txt');
  const text = readFileSync(join(home.work, 'saved.txt'), 'utf8');
  assert.match(text, /^place 0\nplace 1\n[^]*place 79\nend-\d+\n$/);
  if (!hasPrograms('vim')) return;
  await home.ask('edit-history');
  await mux.waitFor('the editor, at its end', t => t.text().split(/end-\d/).length > 2);
  mux.type(':q!' + ENTER);
  await until('the editor has gone', async () => (await home.panes()).length === 1);
});

test('scripts drive it by tmux names, with nobody looking', async () => {
  const pane = (
    await home.ask('new-window', '-d', '-P', '-F', '#{pane_id}', 'seq 1 50; exec cat >/dev/null')
  ).trim();
  await until('the numbers', async () =>
    (await home.ask('capture-pane', '-p', '-t', pane)).includes('\n50\n'),
  );
  await home.ask('copy-mode', '-t', pane);
  await home.ask('send-keys', '-t', pane, '-X', 'search-backward', '^2[0-9]$');
  await home.ask('send-keys', '-t', pane, '-X', 'select-line');
  await home.ask('send-keys', '-t', pane, '-X', 'copy-selection-and-cancel');
  assert.is(await newest(), '29\n');
  assert.is((await home.ask('display-message', '-p', '-t', pane, '#{pane_in_mode}')).trim(), '0');
});

test('the page keys go half a page less a row, page-up a page; PPage again and again ends at the oldest line', async () => {
  await home.ask('new-window', 'seq 1 100; exec cat >/dev/null');
  await mux.waitFor('the numbers', /^ *│?100$/m);
  const { rows } = await home.focused();
  const offset = async (): Promise<number> => Number(await mode('scroll_position'));
  mux.type(prefix('[') + PAGE_UP);
  await until('half a page less a row', async () => (await offset()) === Math.floor(rows / 2) - 1);
  mux.type('\x06'.repeat(2));
  await until('the bottom', async () => (await offset()) === 0);
  await home.ask('send-keys', '-X', 'page-up');
  await until('a page', async () => (await offset()) === rows - 2);
  mux.type(PAGE_UP.repeat(30));
  await until('the oldest', async () => (await offset()) === Number(await mode('history_size')));
  mux.type('q');
  await home.ask('kill-window');
});

test('a full-screen program that draws on stands still while one looks at it', async () => {
  await home.ask(
    'new-window',
    "printf '\\033[?1049h\\033[Hpicture 0'; i=0; while read -r _; do i=$((i+1)); printf '\\033[Hpicture %d ' $i; done",
  );
  await mux.waitFor('its picture', /picture 0/);
  mux.type(prefix('['));
  await isInMode(true);
  await home.ask('send-keys', 'x', 'Enter', 'x', 'Enter');
  const live = async (): Promise<string> => (await home.ask('capture-pane', '-p')).split('\n')[0]!;
  await until('it draws on', async () => (await live()).startsWith('picture 2'));
  await home.ask('display-message', 'seen');
  await mux.waitFor('a frame', 'seen');
  assert.match(mux.text(), /picture 0/);
  mux.type('q');
  await mux.waitFor('as it is now', /picture 2/);
  await home.ask('kill-window');
});

test.run();
