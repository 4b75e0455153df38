/**
 * The client's terminal after every way out: as it was before, whatever happened.
 */
// spec-timeout: 300
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTER, prefix } from '../support/keys.ts';
import { LAUNCHER, MuxHome, startMux } from '../support/mux.ts';
import { NO_MODES } from '../support/no-modes.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('the terminal after every way out');
const homes: MuxHome[] = [];
test.after(async () => {
  for (const home of homes) await home.end();
});

/** Loads nothing but a timer that throws once the client runs: an error nobody foresaw. */
const THROWER = `setTimeout(() => { throw new Error('unforeseen'); }, Number(process.env.THROW_AFTER));`;

type Way = (mux: OuterTerminal, home: MuxHome) => unknown;

/** Way out → what leads there, the status, and what is then said. */
const WAYS: Readonly<Record<string, readonly [way: Way, status: number, says: RegExp]>> = {
  'the detach key': [mux => mux.type(prefix('d')), 0, /^\[detached\]$/m],
  'a detach from outside': [(_, home) => home.ok('detach', '-a'), 0, /^\[detached\]$/m],
  'the end of the last program': [
    async mux => {
      mux.type('exit\r');
      await mux.waitFor('it has ended', 'exit 0');
      mux.type(ENTER);
    },
    0,
    /^\[exited\]$/m,
  ],
  'kill-server': [(_, home) => home.ok('kill-server', '-y'), 0, /^\[server ended\]$/m],
  'another terminal that attaches exclusively': [
    (_, home) => void home.start({ args: ['attach', '-x'] }),
    0,
    /another terminal has attached/,
  ],
  'SIGKILL of the server, where no other can be started': [
    async (_, home) => {
      const pid = await home.serverPid();
      // Of a later mux: no server of this one may touch it.
      writeFileSync(join(home.dir, 'state/default/state.json'), '{"version":99}');
      process.kill(pid, 'SIGKILL');
    },
    1,
    /the server is gone: .*could not start/,
  ],
  'SIGTERM of the server': [
    async (_, home) => process.kill(await home.serverPid(), 'SIGTERM'),
    0,
    /server ended by SIGTERM/,
  ],
  SIGTERM: [mux => mux.kill('SIGTERM'), 143, /ended by SIGTERM/],
  SIGHUP: [mux => mux.kill('SIGHUP'), 129, /ended by SIGHUP/],
  SIGINT: [mux => mux.kill('SIGINT'), 130, /ended by SIGINT/],
  SIGQUIT: [mux => mux.kill('SIGQUIT'), 131, /ended by SIGQUIT/],
};

/** That nothing of mux is left on the terminal. */
function isAsBefore(mux: OuterTerminal): void {
  assert.equal(mux.modes, NO_MODES);
  assert.ok(mux.cursor.visible, 'the cursor is visible');
  assert.is(mux.cursor.shape, 'default');
  const stty = mux.stty();
  for (const flag of ['icanon', 'echo', 'isig', 'icrnl', 'opost', 'ixon', 'iexten']) {
    assert.match(stty, new RegExp(`(^|\\s)${flag}(\\s|$)`), `stty ${flag}`);
  }
  // Lines wrap, in plain colours, over the whole screen.
  mux.emulator.write(Buffer.from('\r\n' + 'x'.repeat(mux.emulator.cols + 3)));
  const rows = mux.screen();
  const y = rows.findIndex(row => /^x+$/.test(row));
  assert.match(rows[y + 1]!, /^xxx +$/);
  assert.is(mux.styles(y), '');
}

for (const [name, [way, status, says]] of Object.entries(WAYS)) {
  test(name, async () => {
    const home = new MuxHome();
    homes.push(home);
    const { mux } = await startMux({ home });
    // A program that has turned on everything that a program can.
    mux.type(
      "printf '\\e[?1h\\e=\\e[?1003h\\e[?1006h\\e[?1004h\\e[?2004h\\e[5 q\\e[1;31m\\e[?2026h\\e[?2026lready\\n'\r",
    );
    await mux.waitFor('the program has set its modes', /^ready/m);
    assert.ok(mux.modes.alternateScreen);
    await way(mux, home);
    assert.is(await mux.ended(), status);
    await mux.waitFor('the last words', says);
    isAsBefore(mux);
    await home.end();
  });
}

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} while every key is echoed`, async () => {
    const home = new MuxHome();
    homes.push(home);
    const { mux } = await startMux({ home });
    mux.type('cat\r');
    await mux.waitFor('cat', /^\$ cat$/m);
    // Keys at every turn of the loop: some echo is always on its way when the signal comes.
    const typing = setInterval(() => mux.type('k'), 0);
    await mux.waitFor('echoes', /kkkkkkkkkk/);
    await mux.kill(signal);
    await mux.ended();
    clearInterval(typing);
    await mux.waitFor('the last words', new RegExp(`ended by ${signal}`));
    isAsBefore(mux);
    await home.end();
  });
}

test('an error that nobody foresaw', async () => {
  const home = new MuxHome();
  homes.push(home);
  const first = await startMux({ home });
  first.mux.type(prefix('d'));
  await first.mux.ended();
  const thrower = join(home.dir, 'thrower.cjs');
  writeFileSync(thrower, THROWER);
  const mux = home.run([process.execPath, '--require', thrower, LAUNCHER], { env: { THROW_AFTER: '4000' } });
  await mux.waitFor('it is attached', t => t.modes.alternateScreen);
  assert.is(await mux.ended(), 70);
  await mux.waitFor('the error', /internal error: Error: unforeseen/);
  isAsBefore(mux);
  assert.is((await home.cli('list')).status, 0, 'the server is none the wiser');
});

test('what was on the terminal before is there again', async () => {
  const home = new MuxHome();
  homes.push(home);
  const mux = home.run(['sh', '-c', `echo before; "${process.execPath}" "${LAUNCHER}"; echo after`]);
  await mux.waitFor('the shell', t => t.modes.alternateScreen && /^\$$/m.test(t.text()));
  assert.not.match(mux.text(), /before/);
  mux.type(prefix('d'));
  await mux.ended();
  assert.match(mux.text(), /^before\n\[detached\]\nafter$/m);
});

test('where a server died, the terminal goes to the next one, and leaves that as it came', async () => {
  const home = new MuxHome();
  homes.push(home);
  const { mux } = await startMux({ home });
  mux.type('echo from the $((1 + 0))st server\r');
  await mux.waitFor('its answer', /^from the 1st server/m);
  const pid = await home.serverPid();
  process.kill(pid, 'SIGKILL');
  // Typed while nobody is there: it waits.
  mux.type('echo and from the $((1 + 1))nd\r');
  await mux.waitFor('the answer of the next', /^and from the 2nd/m);
  assert.is.not(await home.serverPid(), pid);
  await mux.waitFor('what was there', /^from the 1st server/m);
  mux.type(prefix('d'));
  assert.is(await mux.ended(), 0);
  isAsBefore(mux);
});

test.run();
