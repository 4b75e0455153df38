/**
 * What lies over the panes: palette, help, prompt, choosers, the lore browser.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ctrl, DOWN, ENTER, ESCAPE, prefix, TAB } from '../support/keys.ts';
import { hasPrograms, MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('overlays');
const lore = (title: string, label: string, body: string): string =>
  `---\ntitle: ${title}\ndescription: About ${title.toLowerCase()}\nlabels: { topic: ${label} }\n---\n# ${title}\n\n${body}\n`;
const home = new MuxHome({
  files: {
    '.sgpt.json': '{ title: "Harbour" }\n',
    '.sgpt/lores/db/locks.md': lore('Locks', 'db', 'Take the **advisory** lock first.'),
    '.sgpt/lores/db/migrations.md': lore('Migrations', 'db', 'Never edit one that has run.'),
    '.sgpt/lores/style.md': lore('Style', 'people', 'Write in plain English. [[db/locks]]'),
  },
});
test.after(() => home.end());
let mux: OuterTerminal;

async function nothingOver(): Promise<void> {
  await mux.waitFor('the shell is all there is', t => {
    return /C-b \? help/.test(t.screen().at(-1)!) && /^\$/m.test(t.text()) && !t.text().includes('┌');
  });
}

test('the palette finds a command by part of its words and runs it', async () => {
  ({ mux } = await startMux({ home, cols: 99, rows: 32 }));
  mux.type(prefix('P'));
  await mux.waitFor('the palette', /new-window/);
  mux.type('new win');
  await mux.waitFor('few are left', t => /new-window/.test(t.text()) && !/kill-server/.test(t.text()));
  mux.type(ESCAPE);
  await nothingOver();
  mux.type(prefix('P') + 'new-window' + ENTER);
  await mux.waitFor('a second window', /2 \S+/);
  await mux.waitFor(
    'two windows',
    async () => (await home.ask('list-windows')).trim().split('\n').length === 2,
  );
  await home.ask('kill-window');
  await nothingOver();
});

test('help lists the keys, finds one, and closes', async () => {
  mux.type(prefix('?'));
  await mux.waitFor('keys and what they do', /Show all keys/);
  mux.type('sidebar');
  await mux.waitFor('what was looked for', t => /sidebar/.test(t.text()) && !/Show all keys/.test(t.text()));
  mux.type(ESCAPE);
  await mux.waitFor('all keys again, or none', t => !t.text().includes('> sidebar'));
  if (mux.text().includes('┌')) mux.type(ESCAPE);
  await nothingOver();
});

test('the prompt completes, keeps what was entered, and says what is wrong', async () => {
  mux.type(prefix(':') + 'rename-w' + TAB);
  await mux.waitFor('the whole command', /rename-window/);
  mux.type(' harbour' + ENTER);
  await mux.waitFor('the new name', / 1 harbour/);
  mux.type(prefix(':') + '\x1b[A');
  await mux.waitFor('the line before', /rename-window +harbour/);
  mux.type(ESCAPE);
  await nothingOver();
  mux.type(prefix(':') + 'splt-window' + ENTER);
  await mux.waitFor('the error with a remedy', /split-window/);
  mux.type(ESCAPE);
  await nothingOver();
  mux.type(ctrl('u'));
});

test('what opens over a line that is being typed takes its place', async () => {
  mux.type(prefix(':') + 'half a li' + prefix('?'));
  await mux.waitFor('help alone', t => /Keys/.test(t.text()) && !t.text().includes('half a li'));
  mux.type(ESCAPE);
  await nothingOver();
});

test('a paste into the prompt stays in it', async () => {
  mux.type(prefix(':') + '\x1b[200~rename-window pasted\nname\x1b[201~');
  await mux.waitFor('the text on one line', /rename-window pasted/);
  mux.type(ESCAPE);
  await nothingOver();
});

test('the sessions are listed with their states, and one is gone to', async () => {
  await home.ask('new', 'worker', 'sh', '-c', 'echo working here; exec cat');
  await home.ask('select-window', '-t', '1');
  mux.type(prefix('w'));
  await mux.waitFor('both sessions', t => /all 2/.test(t.text()) && /○ worker/.test(t.text()));
  mux.type('/work');
  await mux.waitFor('one is left', t => /1 of 2/.test(t.text()));
  mux.type(ENTER);
  await mux.waitFor('its window', /^working here/m);
  await home.ask('kill-window');
  await nothingOver();
});

test('the lore browser filters, searches the text and shows a preview', async () => {
  mux.type(prefix('L'));
  await mux.waitFor('the lores', t =>
    ['locks', 'migrations', 'style'].every(name => t.text().includes(name)),
  );
  await mux.waitFor('a preview', /Take the advisory lock first/);
  const bold = mux.find('advisory')!;
  assert.match(mux.styleAt(bold.x, bold.y), /bold/);
  mux.type('/styl');
  await mux.waitFor('only one', t => !/migrations/.test(t.text()) && /Write in plain English/.test(t.text()));
  mux.type(ENTER + ESCAPE);
  await mux.waitFor('all again', /migrations/);
  mux.type('sNever edit');
  await mux.waitFor('what begins the search', t => /Enter search/.test(t.screen().at(-1)!));
  mux.type(ENTER);
  await mux.waitFor(
    'the one with the text',
    t => /Never edit one/.test(t.text()) && !/Write in plain/.test(t.text()),
  );
  mux.type(ESCAPE);
  await mux.waitFor('all again', /style/);
});

test('in the lore browser links are followed and gone back, and r gives another name', async () => {
  mux.type('gr');
  await mux.waitFor('its name', /new name of the lore: db\/locks/);
  mux.type(ctrl('u') + 'db/row locks' + ENTER);
  await mux.waitFor(
    'the new name',
    t => /▸ db\/row locks/.test(t.text()) && /links mended in 1 lore/.test(t.text()),
  );
  mux.type('Gl');
  await mux.waitFor(
    'what it links to',
    t =>
      /full text: from \[\[style\]\]/.test(t.text()) &&
      /Take the advisory/.test(t.text()) &&
      !/migrations/.test(t.text()),
  );
  mux.type('\x7f');
  await mux.waitFor('back', t => /▸ style/.test(t.text()) && /migrations/.test(t.text()));
  mux.type('h');
  await mux.waitFor('there is no history', /history of style: .*not a git repository/);
  mux.type('kr');
  await mux.waitFor('its name', /new name of the lore: db\/row locks/);
  mux.type(ctrl('u') + 'db/locks' + ENTER);
  await mux.waitFor('the old name', /▸ db\/locks/);
});

test('in the lore browser y copies the path, i types it, Enter opens the lore', async () => {
  mux.type('g');
  await mux.waitFor('the first lore', /Take the advisory/);
  mux.type('y');
  await mux.waitFor(
    'the path was copied',
    async () =>
      (await home.ask('list-buffers')).includes('locks.md') ||
      (await home.ask('show-buffer').catch(() => '')).includes('locks.md'),
  );
  mux.type('i');
  await mux.waitFor('it was typed into the shell', t => /^\$ \S*locks\.md/m.test(t.text()));
  mux.type(ctrl('u'));
  if (!hasPrograms('less')) return;
  mux.type(prefix('L'));
  await mux.waitFor('the lores', /migrations/);
  mux.type(DOWN + ENTER);
  await mux.waitFor('a pager in a new pane', async () => (await home.panes()).length === 2);
  await mux.waitFor('the lore in it', /Never edit one that has run/);
  mux.type('q');
  await mux.waitFor(
    'the pager has ended',
    async () => (await home.panes()).length === 1 || (await home.focused()).dead,
  );
});

test.run();
