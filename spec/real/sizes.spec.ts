/**
 * Which terminal's size counts where several are attached, and limits that change while programs run.
 */
// spec-timeout: 300
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { until } from '../support/until.ts';

const test = suite('sizes');
const home = new MuxHome();
test.after(() => home.end());
let big: OuterTerminal;

async function paneIs(size: string): Promise<void> {
  await until(`the pane is ${size}`, async () => {
    return (await home.ask('display-message', '-p', '#{pane_width}x#{pane_height}')).trim() === size;
  });
}

test('dots fill the big client: what is beside a small window is blank, in the colours of the interface', async () => {
  ({ mux: big } = await startMux({ home, cols: 99, rows: 30 }));
  await paneIs('99x27');
  await home.ok('set-option', 'window-size', 'smallest');
  const small = home.start({ cols: 60, rows: 18 });
  await small.waitFor('the shell', /\$/);
  await paneIs('60x15');
  await big.waitFor('the rest is empty', t =>
    t
      .screen()
      .slice(18, -1)
      .every(row => /^[ ─┘]*(window 60×15)? *$/.test(row)),
  );
  const inside = big.screen().slice(2, 17);
  assert.ok(
    inside.every(row => /^[ │┐]*$/.test(row.slice(60))),
    'beside the window nothing is shown',
  );
  small.close();
});

test('three clients, one leaves, no resize: the others have its room at once', async () => {
  await paneIs('99x27');
  const middle = home.start({ cols: 80, rows: 25 });
  await middle.waitFor('the shell', /\$/);
  await paneIs('80x22');
  const small = home.start({ cols: 60, rows: 18 });
  await small.waitFor('the shell', /\$/);
  await paneIs('60x15');
  small.kill('SIGKILL');
  await paneIs('80x22');
  middle.close();
  await paneIs('99x27');
});

test('smallest client rules: the active one takes over by an option, and then by a key', async () => {
  const small = home.start({ cols: 60, rows: 18 });
  await small.waitFor('the shell', /\$/);
  await paneIs('60x15');
  await home.ok('set-option', 'window-size', 'latest');
  await paneIs('60x15');
  big.type(' ');
  await paneIs('99x27');
  small.type(' ');
  await paneIs('60x15');
  big.type('\x15');
  await paneIs('99x27');
  small.close();
});

test('a hidden view reports 0×0 and shrinks all: it has no say, but when it is seen again', async () => {
  await home.ok('set-option', 'window-size', 'smallest');
  const hidden = home.start({ cols: 80, rows: 25 });
  await hidden.waitFor('the shell', /\$/);
  await paneIs('80x22');
  hidden.resize(1, 1);
  await paneIs('99x27');
  hidden.resize(70, 20);
  await paneIs('70x17');
  hidden.close();
  await paneIs('99x27');
  await home.ok('set-option', '-u', 'window-size');
});

test('history limit only for new panes: it applies at once, also to what is there', async () => {
  big.type('clear; seq 1 500\r');
  await big.waitFor('the numbers', /^500$/m);
  const kept = async (): Promise<number> =>
    Number(await home.ask('display-message', '-p', '#{history_size}'));
  assert.ok((await kept()) > 400);
  await home.ok('set-option', 'history-limit', '50');
  await until('the oldest are gone', async () => (await kept()) <= 50);
  big.type('seq 1 500\r');
  await big.waitFor('once more', /^500\n\$/m);
  assert.ok((await kept()) <= 50);
  await home.ok('set-option', '-u', 'history-limit');
});

test.run();
