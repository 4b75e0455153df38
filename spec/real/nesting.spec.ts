/**
 * A multiplexer in a pane of another: mux in mux, tmux in mux, mux in tmux, also where no variable tells of it.
 */
import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ctrl, prefix } from '../support/keys.ts';
import { hasPrograms, LAUNCHER, MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('nesting');
const home = new MuxHome();
test.after(() => home.end());
const F12 = '\x1b[24~';
const MUX = `${process.execPath} ${LAUNCHER}`;
let mux: OuterTerminal;

/** Names of the windows of a server. */
async function windows(server: string): Promise<number> {
  return (await home.ok('-L', server, 'list-windows')).trim().split('\n').length;
}

test('an attach from a pane of its own server is refused, however the pane hides what it is', async () => {
  ({ mux } = await startMux({ home, cols: 98, rows: 30 }));
  mux.type(`env -u MUX_PANE -u MUX_SERVER -u MUX_SESSION ${MUX}; echo status $?\r`);
  await mux.waitFor('it is refused', /^status 4/m);
  assert.match(mux.text().replaceAll('\n', ' '), /shown in a pane of the same server/);
  await mux.waitFor(
    'one terminal is attached',
    async () => (await home.ask('clients')).trim().split('\n').length === 1,
  );
});

test('the prefix twice is for the mux inside', async () => {
  mux.type(`clear; env -u MUX_PANE ${MUX} -L inner\r`);
  await mux.waitFor('the inner one', t => t.text().split('C-b ? help').length === 3);
  mux.type(ctrl('b') + prefix('c'));
  await mux.waitFor('it has a second window', async () => (await windows('inner')) === 2);
  assert.is(await windows('default'), 1);
});

test('with the keys given away the prefix itself is for the inside, until the key takes them back', async () => {
  mux.type(prefix(F12));
  await mux.waitFor('a mark, and how to come back', t => {
    return /KEYS OFF/.test(t.screen()[0]!) && /F12 takes the keys back/.test(t.screen().at(-1)!);
  });
  mux.type(prefix('c'));
  await mux.waitFor('the inner one has a third window', async () => (await windows('inner')) === 3);
  assert.is(await windows('default'), 1);
  mux.type(F12);
  await mux.waitFor('the mark is gone', t => !t.text().includes('KEYS OFF'));
  mux.type(prefix('c'));
  await mux.waitFor('the outer one has a second window', async () => (await windows('default')) === 2);
  await home.ok('kill-window');
});

test('clipboard and title pass from the inside to the terminal, once each', async () => {
  mux.forgetOutput();
  await home.ok('-L', 'inner', 'set-buffer', '-w', 'from inside');
  const copied = `\x1b]52;c;${Buffer.from('from inside').toString('base64')}`;
  await mux.waitFor('it was copied', t => t.output().includes(copied));
  await home.ok('-L', 'inner', 'select-pane', '-T', 'innermost');
  await mux.waitFor('the title', t => t.output().includes('\x1b]2;innermost - mux\x1b\\'));
  await home.ok('-L', 'inner', 'kill-server', '-y');
});

test('tmux in a pane starts, and takes the prefix twice', async () => {
  if (!hasPrograms('tmux')) return;
  mux.type(`clear; tmux -f /dev/null -L ${home.dir.replaceAll('/', '_')} new bash\r`);
  await mux.waitFor('its status line', /\[0\] 0:bash/);
  mux.type(ctrl('b') + prefix('c'));
  await mux.waitFor('it has a second window', /1:bash\*/);
  mux.type('exit\r');
  await mux.waitFor('its first window again', /0:bash\*/);
  mux.type('exit\r');
  await mux.waitFor('it has ended', /\[exited\]/);
});

test('mux in tmux takes the prefix twice, and its copies go through where tmux hands them on', async () => {
  if (!hasPrograms('tmux')) return;
  const socket = `${home.dir.replaceAll('/', '_')}-out`;
  const outer = home.run(['tmux', '-f', '/dev/null', '-L', socket, 'new', `${MUX} -L deep`], {
    cols: 100,
    rows: 30,
  });
  await outer.waitFor('mux', /C-b \? help/);
  outer.type(ctrl('b') + prefix('c'));
  await outer.waitFor('a second window', async () => (await windows('deep')) === 2);
  execFileSync('tmux', ['-L', socket, 'set', '-g', 'allow-passthrough', 'on'], { env: home.env });
  outer.forgetOutput();
  await outer.waitFor('the copy', async t => {
    await home.ok('-L', 'deep', 'set-buffer', '-w', 'deep copy');
    return t.output().includes(`\x1b]52;c;${Buffer.from('deep copy').toString('base64')}`);
  });
  await home.ok('-L', 'deep', 'kill-server', '-y');
  assert.is(await outer.ended(), 0);
});

test.run();
