/**
 * The sidebar beside the panes: folded by keys and clicks, and following the graph's files as they change.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BTAB, click, ctrl, ENTER, ESCAPE, prefix, TAB } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('the sidebar follows');
const home = new MuxHome({
  files: {
    '.sgpt.json': '{ title: "Harbour" }\n',
    '.sgpt/keeper.role.md': '@alias("k")\n\nYou keep the harbour.\n',
    '.sgpt/pilot.role.md': 'You bring ships in.\n',
    '.sgpt/tides.toolset':
      '{ "engine_service": "tides", "tool_sets": [{ "service_full_name": "tides.v1.Tides", "method_names": ["Get"] }] }\n',
    '.sgpt/lores/berths.md': '---\ntitle: Berths\n---\nNumbered from the east.\n',
  },
});
test.after(() => home.end());
const WIDTH = 28;
let mux: OuterTerminal;

/** Rows of the sidebar, trimmed. */
function rows(): string[] {
  return mux
    .screen()
    .slice(1, -1)
    .map(row => row.slice(0, WIDTH).trim());
}

async function shows(what: string, pattern: RegExp): Promise<void> {
  await mux.waitFor(`the sidebar shows ${what}`, () => pattern.test(rows().join('\n')));
}

/** The selected row's text: the one in another style than its neighbours. */
function selected(): string {
  const ys = mux.screen().map((_, y) => y);
  const y = ys.find(at => at > 1 && /bg=|inverse/.test(mux.styleAt(2, at)));
  return y === undefined ? '' : mux.screen()[y]!.slice(0, WIDTH).trim();
}

function write(name: string, text: string): void {
  writeFileSync(join(home.work, '.sgpt', name), text);
}

test('it shows the graph of the focused directory, and the sessions', async () => {
  ({ mux } = await startMux({ home, cols: 110, rows: 32 }));
  await shows('the graph', /GRAPH +Harbour/);
  await shows('its roles', /Roles +2\n(keeper|Keeper) +k\npilot/i);
  await shows('its tool sets', /Tool sets +1\ntides +1/i);
  await shows('its lores', /Lores +1\nberths/);
  await shows('its sessions', /Sessions +1\n. bash/);
});

test('sections fold by key and by click', async () => {
  mux.type(prefix(BTAB));
  await mux.waitFor('a row is selected', () => selected() !== '');
  mux.type('g ');
  await shows('no roles', /▸ Roles +2\n▾ Tool sets/);
  mux.type(' ');
  await shows('roles again', /▾ Roles +2\n/);
  const lores = mux.find('▾ Lores')!;
  mux.type(click(lores.x, lores.y));
  await shows('no lores', /▸ Lores +1\n▾ Sessions/);
  mux.type(click(lores.x, lores.y));
  await shows('lores again', /▾ Lores +1\nberths/);
});

test('files come, break, are repaired, renamed and removed, and the selection stays', async () => {
  mux.type('gjj');
  await mux.waitFor('the second role is selected', () => /^pilot/i.test(selected()));
  write('captain.role.md', 'You decide.\n');
  await shows('a role more', /Roles +3\ncaptain/i);
  assert.match(selected(), /^pilot/i);
  write('captain.role.md', '@alias("k")\n\nYou decide.\n');
  // The later of two files with the same alias is the one that is wrong.
  await shows('where it is wrong', /keeper\.role\.md:1/);
  assert.match(selected(), /^pilot/i);
  write('captain.role.md', '@alias("c")\n\nYou decide.\n');
  await shows('it is right again', /captain +c\n/i);
  await mux.waitFor('nothing is wrong', () => !/role\.md:\d/.test(rows().join('\n')));
  renameSync(join(home.work, '.sgpt/captain.role.md'), join(home.work, '.sgpt/admiral.role.md'));
  await shows('the new name', /Roles +3\nadmiral +c/i);
  rmSync(join(home.work, '.sgpt/admiral.role.md'));
  await shows('a role less', /Roles +2\nkeeper/i);
  assert.match(selected(), /^pilot/i);
});

test('tool sets and lores follow too', async () => {
  write('cranes.toolset', '{ "engine_service": "cranes", "tool_sets": [');
  await shows('where it is wrong', /cranes\.toolset:\d/);
  write(
    'cranes.toolset',
    '{ "engine_service": "cranes", "tool_sets": [{ "service_full_name": "c.v1.Cranes", "method_names": ["A", "B"] }] }\n',
  );
  await shows('a tool set more', /Tool sets +2\ncranes +2\ntides/i);
  mkdirSync(join(home.work, '.sgpt/lores/depths'));
  writeFileSync(join(home.work, '.sgpt/lores/depths/channel.md'), 'Nine metres.\n');
  await shows('a lore in a new folder', /Lores +2\nberths\ndepths\/channel/);
  rmSync(join(home.work, '.sgpt/lores/depths'), { recursive: true });
  await shows('it is gone', /Lores +1\nberths\n/);
  assert.match(selected(), /^pilot/i);
});

test('Escape gives the keys back; the sidebar hides and comes back', async () => {
  mux.type(ESCAPE);
  await mux.waitFor('the cursor is in the shell', t => t.cursor.visible && t.cursor.x > WIDTH);
  mux.type('echo typed\r');
  await mux.waitFor('the shell answers', /│typed$/m);
  mux.type(prefix(TAB));
  await mux.waitFor('the pane has the whole width', t => /^typed/m.test(t.text()));
  mux.type(ctrl('u') + prefix(TAB));
  await mux.waitFor('it is back', /GRAPH/);
});

test('a session is gone to by Enter', async () => {
  await home.ask('new', 'worker', 'sh', '-c', 'echo working here; exec cat');
  await shows('it', /Sessions +2/);
  await home.ask('select-window', '-t', '1');
  mux.type(prefix(BTAB) + 'G' + ENTER);
  await mux.waitFor('its screen', /│working here$/m);
});

test('a broken file says why when it is selected, and Enter opens it where it broke, with the keys in the editor', async () => {
  await home.ask('select-window', '-t', '1');
  write('broken.role.md', 'Nobody.\n@alias(\n');
  await shows('where it is wrong', /broken\.role\.md:\d/);
  mux.type(prefix(BTAB) + 'g');
  await mux.waitFor('the heading is selected', () => selected().startsWith('▾ Roles'));
  for (let row = 0; row < 4 && !/broken/.test(selected()); row++) {
    const before = selected();
    mux.type('j');
    await mux.waitFor('the next row is selected', () => selected() !== before);
  }
  await mux.waitFor('the reason is told', t => /\.sgpt\/broken\.role\.md: .+/.test(t.screen().at(-1)!));
  mux.type(ENTER);
  await mux.waitFor('the editor shows the file', /│@alias\(/);
  mux.type(':q!\r');
  await mux.waitFor('the editor has taken the keys and is gone', t => !/│@alias\(/.test(t.text()));
});

test.run();
