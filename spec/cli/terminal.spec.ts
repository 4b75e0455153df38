/**
 * Terminals that mux cannot draw on, or only plainly, and mux in a pane of its own.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LAUNCHER, MuxHome, startMux } from '../support/mux.ts';

const test = suite('unusual terminals');
const homes: MuxHome[] = [];
test.after(async () => {
  for (const home of homes) await home.end();
});

function home(): MuxHome {
  const made = new MuxHome();
  homes.push(made);
  return made;
}

for (const [name, changes] of [
  ['dumb', ['TERM=dumb']],
  ['not named', ['-u', 'TERM']],
] as const) {
  test(`a terminal that is ${name} is not drawn on`, async () => {
    const mux = home().run(['env', ...changes, process.execPath, LAUNCHER], { cols: 300 });
    assert.is(await mux.ended(), 2);
    await mux.waitFor(
      'it says why',
      /mux: attach: TERM is (dumb|not set).*use 'mux --detach' to start without/,
    );
    assert.not.match(mux.output().toString('latin1'), /\x1b\[/, 'something was asked of the terminal');
  });
}

test('a locale that is not UTF-8 is drawn in ASCII, and that is said at the end', async () => {
  const own = home();
  const mux = own.start({ env: { LANG: 'C', LC_ALL: 'C' } });
  await mux.waitFor('a prompt', '$');
  mux.type(`printf 'caf\\303\\251 \\346\\227\\245.\\n'\r`);
  await mux.waitFor('the output', /^.*caf. .*\./m);
  await own.ok('detach', '--all');
  assert.is(await mux.ended(), 0);
  await mux.waitFor('it says why', /the locale is not UTF-8/);
  assert.not.match(mux.output().toString('latin1'), /[\x80-\xff]/);
});

test('mux in a pane of itself refuses, of another server it does not', async () => {
  const own = home();
  const { mux } = await startMux({ home: own });
  mux.type(`${process.execPath} ${LAUNCHER}; echo status $?\r`);
  await mux.waitFor('it refuses', /status 4/);
  assert.match(mux.text().replaceAll('\n', ' '), /this is a pane of server default/);
  mux.type(`clear; ${process.execPath} ${LAUNCHER} -L inner\r`);
  await mux.waitFor(
    'another server is there',
    async () => (await own.cli('-L', 'inner', 'clients')).stdout !== '',
  );
  await own.ok('-L', 'inner', 'kill-server', '-y');
});

test.run();
