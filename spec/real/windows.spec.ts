/**
 * Panes and windows arranged by keys, and what becomes of them when programs end.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { click, ctrl, DOWN, ENTER, ESCAPE, LEFT, prefix, RIGHT, UP } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('panes and windows by keys');
const home = new MuxHome();
test.after(() => home.end());
let mux: OuterTerminal;

/** Ids of the window's panes in reading order. */
async function order(): Promise<string> {
  return (await home.panes()).map(pane => pane.id).join(' ');
}

async function focusIs(id: string): Promise<void> {
  await mux.waitFor(`pane ${id} has the focus`, async () => (await home.focused()).id === id);
}

async function orderIs(ids: string): Promise<void> {
  await mux.waitFor(`the panes are ${ids}`, async () => (await order()) === ids);
}

/** Names of the windows, the current one in brackets. */
async function windows(): Promise<string> {
  const text = await home.ask('list-windows', '-F', '#{window_index}:#{window_name}#{?window_active,*,}');
  return text.trim().split('\n').join(' ');
}

async function windowsAre(wanted: string | RegExp): Promise<void> {
  await mux.waitFor(`the windows are ${wanted}`, async () => {
    const now = await windows();
    return typeof wanted === 'string' ? now === wanted : wanted.test(now);
  });
}

test('the keys split, and each half has a shell of its own', async () => {
  ({ mux } = await startMux({ home }));
  mux.type(prefix('%'));
  await orderIs('%0 %1');
  mux.type(prefix('"'));
  await orderIs('%0 %1 %2');
  await mux.waitFor('three prompts', t => t.text().match(/\$$|\$ +│/gm)?.length === 3);
  mux.type('echo me $((40+2))\r');
  await mux.waitFor('the answer', '│me 42');
  const [one, two, three] = await home.panes();
  assert.equal([one!.rows, two!.rows + three!.rows + 1], [21, 21]);
  assert.is(one!.cols + two!.cols + 1, 80);
});

test('the focus moves by direction, to the next pane, to the last one, by a click', async () => {
  mux.type(prefix(UP));
  await focusIs('%1');
  mux.type(prefix(LEFT));
  await focusIs('%0');
  mux.type(prefix(RIGHT));
  await focusIs('%1');
  mux.type(prefix(DOWN));
  await focusIs('%2');
  mux.type(prefix('o'));
  await focusIs('%0');
  mux.type(prefix(';'));
  await focusIs('%2');
  mux.type(click(5, 8));
  await focusIs('%0');
  mux.type('echo typed here\r');
  await mux.waitFor('the first pane took it', /^typed here /m);
});

test('the numbers of the panes are shown, and one goes there', async () => {
  mux.type(prefix('q'));
  await mux.waitFor('numbers, each above its size', t => t.text().match(/ \d+x\d+\b/g)?.length === 3);
  mux.type('1');
  await focusIs('%1');
});

test('panes swap, and presets arrange them', async () => {
  mux.type(prefix('{'));
  await orderIs('%1 %0 %2');
  mux.type(prefix('}'));
  await orderIs('%0 %1 %2');
  mux.type(prefix(ESCAPE + '1'));
  await mux.waitFor('columns', async () => (await home.panes()).every(pane => pane.rows === 21));
  mux.type(prefix(ESCAPE + '2'));
  await mux.waitFor('rows', async () => (await home.panes()).every(pane => pane.cols === 80));
  mux.type(prefix(ESCAPE + '4'));
  await mux.waitFor('one big pane at the left', async () => {
    const [main, ...others] = await home.panes();
    return main!.rows === 21 && others.every(pane => pane.left === main!.cols + 1);
  });
  mux.type(prefix(' '));
  await mux.waitFor('the next preset', async () => (await home.panes())[0]!.rows < 21);
});

test('a pane is moved out into a window and back', async () => {
  mux.type(prefix(DOWN));
  await mux.waitFor('a lower pane has the focus', async () => (await home.focused()).top > 0);
  const { id } = await home.focused();
  mux.type(prefix('!'));
  await windowsAre(/^1:\S+ 2:\S+\*$/);
  assert.is(await order(), id);
  mux.type(prefix('l'));
  await windowsAre(/^1:\S+\* 2:\S+$/);
  mux.type(prefix(':') + `join-pane -s ${id}\r`);
  await windowsAre(/^1:\S+\*$/);
  assert.is((await home.panes()).length, 3);
});

test('windows: new, next, previous, last, by number, by click, renamed', async () => {
  mux.type(prefix('c'));
  await windowsAre(/^1:\S+ 2:\S+\*$/);
  mux.type(prefix(',') + ctrl('u') + 'build\r');
  await windowsAre(/^1:\S+ 2:build\*$/);
  await mux.waitFor('the tab has the name', / 2 build/);
  mux.type(prefix('c'));
  await windowsAre(/ 3:\S+\*$/);
  mux.type(prefix('n'));
  await windowsAre(/^1:\S+\* /);
  mux.type(prefix('p'));
  await windowsAre(/ 3:\S+\*$/);
  mux.type(prefix('2'));
  await windowsAre(/ 2:build\* /);
  mux.type(prefix('l'));
  await windowsAre(/ 3:\S+\*$/);
  const tab = mux.find('build')!;
  mux.type(click(tab.x, tab.y));
  await windowsAre(/ 2:build\* /);
});

test('killing asks first, says what is lost, and defaults to no', async () => {
  mux.type(prefix('x'));
  await mux.waitFor('the question', 'Kill pane');
  mux.type(ENTER);
  await mux.waitFor('no question', t => !t.text().includes('Kill pane'));
  await windowsAre(/ 2:build\* /);
  mux.type(prefix('x'));
  await mux.waitFor('the question', 'Kill pane');
  mux.type('y');
  await windowsAre(/^1:\S+ 3:\S+\*$/);
  mux.type(prefix('&'));
  await mux.waitFor('the question', 'Kill window');
  mux.type(ESCAPE);
  await mux.waitFor('no question', t => !t.text().includes('Kill window'));
  mux.type(prefix('&'));
  await mux.waitFor('the question', 'Kill window');
  mux.type('y');
  await windowsAre(/^1:\S+\*$/);
});

test('a pane stays when its program has ended, says how, runs again, and closes', async () => {
  mux.type(prefix(':') + `new-window 'echo ran as $$; exit 3'\r`);
  await mux.waitFor('the status', /✕ exit 3/);
  await windowsAre(/ 2:echo\*$/);
  const [first] = /^ran as \d+/m.exec(mux.text())!;
  mux.type('r');
  await mux.waitFor('it has run again', t => {
    return /✕ exit 3/.test(t.text()) && /ran as \d+/.test(t.text().replace(first, ''));
  });
  mux.type(ENTER);
  await windowsAre(/^1:\S+\*$/);
});

test('ending the last shell ends the client and the server', async () => {
  for (let left = 3; left > 0; left--) {
    mux.type('exit\r');
    await mux.waitFor('it has ended', async () => (await home.focused()).dead);
    mux.type(ENTER);
    if (left > 1)
      await mux.waitFor('its pane has gone', async () => (await home.panes()).length === left - 1);
  }
  assert.is(await mux.ended(), 0);
  assert.match(mux.text(), /\[exited\]/);
  assert.is((await home.cli('list')).status, 3);
});

test.run();
