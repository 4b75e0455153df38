/**
 * The navigator, the ways from session to session, and the shell beside one.
 */
import { existsSync, mkdirSync, realpathSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { click, ENTER, ESCAPE, prefix, TAB } from '../support/keys.ts';
import { repository } from '../support/git.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('navigator');
const home = new MuxHome();
test.after(() => home.end());
let mux: OuterTerminal;

const named = async (): Promise<string> =>
  (await home.ask('display-message', '-p', '#{session_name}')).trim();
async function focusedIs(name: string): Promise<void> {
  await mux.waitFor(`the focus on ${name}`, async () => (await named()) === name);
}
async function closed(): Promise<void> {
  await mux.waitFor('the panes alone', t => !/deleted \d/.test(t.text()));
}
const isOpen = (t: OuterTerminal): boolean => /\[all \d/.test(t.text());
/** Names in the list, top to bottom. */
const listed = (): string[] =>
  mux
    .screen()
    .slice(4, -1)
    .flatMap(line => /^[▸ ] ?\d? +[●◆○◌■✕] (?:★ )?(\S+)/u.exec(line)?.[1] ?? []);

test('it lists every session, and shows one that no pane shows live, in its colours', async () => {
  ({ mux } = await startMux({ home, cols: 80, rows: 24 }));
  await home.ask(
    'new',
    '--background',
    '--label',
    'team=db',
    'red',
    'printf "\\033[31mcrimson\\033[m\\n"; exec cat',
  );
  await home.ask('new', '--background', 'other', 'exec cat');
  mux.type(prefix('w'));
  await mux.waitFor('all three', t => isOpen(t) && listed().length === 3);
  mux.type('j');
  await mux.waitFor('its screen', /crimson/);
  const { x, y } = mux.find('crimson')!;
  assert.match(mux.styleAt(x, y), /fg=1|fg:1|red|31/);
  await home.ask('send-keys', '-t', 'red', '-l', 'typed from afar');
  await mux.waitFor('what it prints now', /typed from afar/);
});

test('the selection stays on its session while others come, and goes to the next where it goes', async () => {
  await home.ask('new', '--background', 'aaa', 'exec cat');
  await mux.waitFor('four', () => listed().length === 4);
  await mux.waitFor('the same one selected', t => /^▸ \d +\S red /m.test(t.text()));
});

test('a question is about one session, and nothing happens to another when the list changes', async () => {
  mux.type('S');
  await mux.waitFor('the question', /Stop red\?/);
  await home.ask('delete', 'red');
  await mux.waitFor('it falls away', t => !/Stop red/.test(t.text()) && /nothing was done/.test(t.text()));
  mux.type('y');
  await mux.waitFor('three are left', () => listed().length === 3);
  const { sessions } = (await home.cli('list', '--json')).json();
  assert.ok(
    sessions.every((session: { status: string }) => session.status !== 'stopped'),
    'and all run',
  );
});

test('the filter is live, Enter goes there; a digit goes to the n-th; views turn and the mouse chooses', async () => {
  mux.type('/oth');
  await mux.waitFor('one is left', () => listed().join() === 'other');
  mux.type(ENTER);
  await focusedIs('other');
  await closed();
  mux.type(prefix('w'));
  await mux.waitFor('the list', t => isOpen(t));
  mux.type('1');
  await closed();
  assert.is.not(await named(), 'other');
  mux.type(prefix('w') + TAB + TAB + TAB);
  await mux.waitFor('by status', t => /\[status\]/.test(t.text()) && /▾ (Ready|Working)/.test(t.text()));
  mux.type(click(mux.find('all 3')!.x + 1, 1));
  await mux.waitFor('all again', t => isOpen(t));
  const { x, y } = mux.find('aaa')!;
  mux.type(click(x, y));
  await mux.waitFor('it is selected', /^▸ \d +\S aaa/m);
  mux.type(ESCAPE);
  await closed();
});

test('stopping asks, naming the session; n is no and y is yes', async () => {
  mux.type(prefix('w') + '/aaa');
  await mux.waitFor('aaa', () => listed().join() === 'aaa');
  mux.type(ESCAPE);
  await mux.waitFor('all again', () => listed().length === 3);
  for (const answer of ['n', 'y']) {
    mux.type('S');
    await mux.waitFor('the question', /Stop aaa\?/);
    mux.type(answer);
    await mux.waitFor('the answer was taken', t => !/Stop aaa\?/.test(t.text()));
  }
  await mux.waitFor('it has stopped', /[■✕] aaa/);
  mux.type(ESCAPE);
  await closed();
});

test('one goes to the next session, the one before, and back, without starting anything', async () => {
  await home.ask('switch-client', '-t', 'other');
  await focusedIs('other');
  mux.type(prefix(')'));
  await mux.waitFor('the shell', async () => (await named()) !== 'other');
  const shell = await named();
  mux.type(prefix('('));
  await focusedIs('other');
  mux.type(prefix('b'));
  await focusedIs(shell);
  mux.type(prefix('b'));
  await focusedIs('other');
  const { sessions } = (await home.cli('list', '--json')).json();
  const { status } = sessions.find((session: { name: string }) => session.name === 'aaa');
  assert.match(status, /stopped|failed/);
});

test('the shell beside a session is in its directory and goes when it ends, however its last command did', async () => {
  const folder = realpathSync(tempDir());
  await home.ask('new', '--cwd', folder, 'elsewhere', 'exec cat');
  mux.type(prefix('S'));
  await mux.waitFor('a prompt', /\$ *$/m);
  mux.type('pwd; echo "session ${MUX_SESSION:+told}"; false' + ENTER);
  await mux.waitFor('where it is', t => t.text().includes(folder) && /session told/.test(t.text()));
  // Long enough to have been of use.
  await mux.waitFor('it is a second old', async () => {
    const { sessions } = (await home.cli('list', '--json')).json();
    const shell = sessions.find((one: { cwd: string; name: string }) => one.name === 'shell')!;
    return Date.now() - Date.parse(shell.created_at) > 1100;
  });
  mux.type('exit' + ENTER);
  await focusedIs('elsewhere');
  await mux.waitFor('its pane is gone', async () =>
    (await home.panes()).every(pane => pane.title !== 'shell in elsewhere'),
  );
});

test('a shell that cannot be started leaves nothing and says why', async () => {
  const folder = join(realpathSync(tempDir()), 'gone');
  mkdirSync(folder);
  await home.ask('new', '--cwd', folder, 'homeless', 'exec cat');
  rmdirSync(folder);
  assert.not(existsSync(folder));
  const before = (await home.panes()).length;
  mux.type(prefix('S'));
  await mux.waitFor('why', t => /✕/.test(t.screen().at(-1)!));
  assert.is((await home.panes()).length, before);
});

test('it can be used on the smallest screen', async () => {
  mux.resize(60, 18);
  mux.type(prefix('w'));
  await mux.waitFor('the list and a preview', t => isOpen(t) && listed().length >= 4);
  mux.type('x');
  await mux.waitFor('the question', /Delete homeless\?/);
  mux.type(ESCAPE + ESCAPE);
  await closed();
});

test('a purge asks again where work would be lost that the list does not know of', async () => {
  mux.resize(120, 30);
  const [main, other] = [repository(), repository()];
  const flags = ['--cwd', main, '--worktree', '--include', other, '--no-fetch', '--background'];
  await home.ask('new', ...flags, 'pair', '--', 'sleep', '1000');
  const included = join(dirname(await home.ask('path', 'pair').then(text => text.trim())), basename(other));
  writeFileSync(join(included, 'new.txt'), 'not committed');
  await home.ask('delete', 'pair');
  mux.type(prefix('w'));
  await mux.waitFor('the list', isOpen);
  for (let i = 0; i < 5; i++) mux.type(TAB);
  await mux.waitFor('the deleted ones', t => /\[deleted \d/.test(t.text()));
  await mux.waitFor('pair among them', () => listed().at(-1) === 'pair');
  mux.type('j'.repeat(listed().length) + 'x');
  await mux.waitFor('the question', /Purge pair for good\?/);
  mux.type('y');
  await mux.waitFor('what would be lost', /would be lost: .*1 untracked file/);
  mux.type('n');
  await closed();
  assert.ok(existsSync(join(included, 'new.txt')));
});

test.run();
