/**
 * Real programs side by side in the real program, driven by keys and compared with screens as files.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matchesGolden } from '../support/golden.ts';
import { CTRL, click, drag, ENTER, ESCAPE, LEFT, prefix, RIGHT, UP } from '../support/keys.ts';
import { hasPrograms, MuxHome, startMux, type PaneRow } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import type { Mask } from '../support/screen-dump.ts';

const test = suite('programs side by side');
const COLS = 99;
const ROWS = 36;
// Hints are another spec's business: these screens are to change only with what programs draw, and borders.
const home = new MuxHome({
  config: 'screen:\n  hints: off\n',
  files: {
    'poem.txt': 'one fish\ntwo fish\nred fish\nblue fish\n',
    'long.txt': Array.from({ length: 200 }, (_, i) => `line ${i + 1}`).join('\n') + '\n',
  },
});
test.after(() => home.end());

/** Counts of states and the clock, at the right of the top row. */
const STATUS: Mask = { x: 60, y: 0, width: 39, height: 1 };
const VIM = 'vim -u NONE -i NONE -N -n --cmd "set noruler t_RV="';
let mux: OuterTerminal;

/** Cells of a pane on the screen: below the top row and the headers. */
function cells(pane: PaneRow): Mask {
  return { x: pane.left, y: pane.top + 2, width: pane.cols, height: pane.rows };
}

test('a shell with colours', async () => {
  ({ mux } = await startMux({ home, cols: COLS, rows: ROWS }));
  mux.type(
    "clear; printf '\\e[31mred \\e[1;44mbold on blue\\e[0m \\e[4:3;58:2::255:128:0mcurly\\e[0m \\e[38;2;1;2;3mrgb\\e[0m 港🍌\\n'\r",
  );
  await mux.waitFor('the colours', /^red bold on blue curly rgb 港🍌$/m);
  await matchesGolden(mux, 'shell', [STATUS]);
});

test('vim beside it: edited, split, searched', async () => {
  if (!hasPrograms('vim')) return;
  mux.type(prefix('%'));
  await mux.waitFor('a second pane', /│\$$/m);
  mux.type(`${VIM} poem.txt\r`);
  await mux.waitFor('vim shows the file', '│blue fish');
  mux.type('ggOzero fish' + ESCAPE);
  await mux.waitFor('the new line', '│zero fish');
  mux.type(':split\r:set hlsearch\r/fish\r');
  await mux.waitFor(
    'vim has two windows',
    t => t.screen().filter(row => row.includes('poem.txt')).length === 2,
  );
  await matchesGolden(mux, 'vim', [STATUS]);
});

test('less below the shell, scrolled', async () => {
  if (!hasPrograms('less', 'vim')) return;
  mux.type(prefix(LEFT) + prefix('"'));
  await mux.waitFor('three panes', async () => (await home.panes()).length === 3);
  await mux.waitFor('the prompt', t => t.cursor.y > 15);
  mux.type('less long.txt\r');
  await mux.waitFor('less shows the file', /^line 1 /m);
  mux.type(' jj');
  await mux.waitFor('less has scrolled', t => !/^line 1 /m.test(t.text()) && /^line 20 /m.test(t.text()));
  await matchesGolden(mux, 'less', [STATUS]);
});

test('htop beside all of them', async () => {
  if (!hasPrograms('htop', 'less', 'vim')) return;
  mux.type(prefix(RIGHT) + prefix('"'));
  await mux.waitFor('four panes', async () => (await home.panes()).length === 4);
  mux.type('htop\r');
  await mux.waitFor('htop shows its keys', 'F1Help');
  const pane = await home.focused();
  const header = mux.find('PID')!;
  assert.ok(header.x >= pane.left, 'the list is in the pane');
  assert.match(mux.styleAt(header.x, header.y), /bg=2/);
  const help = mux.find('Help')!;
  assert.match(mux.styleAt(help.x, help.y), /bg=6/);
  assert.is(mux.styleAt(help.x - 1, help.y).includes('bg=6'), false);
  await matchesGolden(mux, 'four', [STATUS, cells(pane)]);
});

test('a zoomed pane has the whole window, and gives it back', async () => {
  if (!hasPrograms('htop', 'less', 'vim')) return;
  const before = (await home.panes()).map(p => `${p.cols}x${p.rows}`);
  mux.type(prefix(UP));
  await mux.waitFor('vim is focused', async () => (await home.focused()).top === 0);
  mux.type(prefix('z'));
  await mux.waitFor('vim has all of the width', t => t.screen().some(row => row.startsWith('zero fish')));
  await matchesGolden(mux, 'zoomed', [STATUS]);
  mux.type(prefix('z'));
  await mux.waitFor('the others are back', 'F1Help');
  assert.equal(
    (await home.panes()).map(p => `${p.cols}x${p.rows}`),
    before,
  );
  await matchesGolden(mux, 'unzoomed', [STATUS, cells((await home.panes()).at(-1)!)]);
});

test('programs follow the border, moved by keys and by the mouse', async () => {
  if (!hasPrograms('htop', 'less', 'vim')) return;
  const [first] = await home.panes();
  mux.type(prefix(CTRL.left) + CTRL.left + CTRL.left);
  await mux.waitFor(
    'the border has moved by three',
    async () => (await home.panes())[0]!.cols === first!.cols - 3,
  );
  const x = first!.cols - 3;
  mux.type(drag([x, 5], [x + 13, 5]));
  await mux.waitFor(
    'the border was dragged by thirteen',
    async () => (await home.panes())[0]!.cols === first!.cols + 10,
  );
  await mux.waitFor('vim drew itself narrower', t => t.find('zero fish')?.x === first!.cols + 11);
  await mux.waitFor('less drew itself anew', /^:/m);
  await matchesGolden(mux, 'dragged', [STATUS, cells((await home.panes()).at(-1)!)]);
});

test('a click focuses the pane under it', async () => {
  if (!hasPrograms('htop', 'less', 'vim')) return;
  mux.type(click(3, 4));
  await mux.waitFor('the shell has the focus', async () => (await home.panes())[0]!.active);
  mux.type('echo clicked' + ENTER);
  await mux.waitFor('the shell answers', /^clicked /m);
});

test.run();
