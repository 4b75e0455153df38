/**
 * What outlives a server: after a crash, a reboot, an end that was meant, and with a state that cannot be used.
 */
// spec-timeout: 400
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MuxHome, startMux, type PaneRow } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('restart');
const homes: MuxHome[] = [];
test.after(async () => {
  for (const home of homes) await home.end();
});

const TWO_COLUMNS = { cols: 110, rows: 30 };

function statePath(home: MuxHome): string {
  return join(home.dir, 'state/default/state.json');
}

/** Everything in a home ends at once, as with the machine. */
async function powerCut(home: MuxHome): Promise<void> {
  home.hangUp();
  for (const pid of home.pids()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // ESRCH: the server's end has taken it along.
    }
  }
  await until('everything has ended', () => home.pids().length === 0);
}

/** The state on the disk, once it satisfies `test`. */
async function onDisk(home: MuxHome, what: string, isThere: (text: string) => boolean): Promise<string> {
  return until(what, () => {
    if (!existsSync(statePath(home))) return '';
    const text = readFileSync(statePath(home), 'utf8');
    return isThere(text) ? text : '';
  });
}

/** Takes all the room that there is, however much of it others take meanwhile. */
function fill(path: string): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(4096));
  } catch (error) {
    assert.is((error as NodeJS.ErrnoException).code, 'ENOSPC');
  }
}

/** A window with a shell, and one with a named program left of two shells; the last is focused. */
async function arranged(): Promise<MuxHome> {
  const { home } = await startMux(TWO_COLUMNS);
  homes.push(home);
  await home.ask('new', '--label', 'api', 'agent', 'echo the agent runs; exec cat');
  await home.ask('split-window', '-h', '-l', '30');
  await home.ask('split-window', '-l', '7');
  await home.ask('select-pane', '-T', 'a title');
  await onDisk(home, 'the last change is kept', text => text.includes('a title'));
  return home;
}

/** A file's text; '' where it is not there yet. */
function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Panes of all windows, but for whether their programs run. */
async function layout(home: MuxHome): Promise<Omit<PaneRow, 'dead'>[]> {
  return (await home.panes(true)).map(({ dead: _, ...rest }) => rest);
}

test('after a power cut windows, panes and layout are there as stopped, and resume starts them', async () => {
  const home = await arranged();
  const before = await layout(home);
  await powerCut(home);
  const again = home.start(TWO_COLUMNS);
  await again.waitFor('the stopped pane', /agent is stopped/);
  await again.waitFor('why, and what can be done', /lost with the server[^]*r runs it again/);
  await again.waitFor('its last screen above that', /the agent runs[^]*agent is stopped/);
  assert.equal(await layout(home), before);
  assert.ok((await home.panes(true)).every(pane => pane.dead));
  const [agent] = (await home.cli('--json', 'list', '--label', 'api')).json().sessions;
  assert.equal([agent.name, agent.status, agent.labels], ['agent', 'stopped', ['api']]);
  await home.ask('resume', 'agent');
  // What they left stands there already: that they run is that nothing says they are stopped.
  await again.waitFor(
    'its program',
    t => /the agent runs/.test(t.text()) && !/agent is stopped/.test(t.text()),
  );
  // The focused pane's shell, by the key that the pane names.
  again.type('r');
  await again.waitFor('the shell', /a title  bash[^]*│\$/);
  again.type('echo it is $((40 + 2)) again\r');
  await again.waitFor('what is typed arrives', /it is 42 again/);
  assert.equal(await layout(home), before);
  const fresh = (await home.ask('split-window', '-t', 'agent', '-P', '-F', '#{pane_id}')).trim();
  assert.not.ok(
    before.some(pane => pane.id === fresh),
    'no number is used twice',
  );
});

test('asked to end, as by a reboot, everything is kept as stopped', async () => {
  const home = await arranged();
  const before = await layout(home);
  home.hangUp();
  const { server_pid: server, host_pid: host } = (await home.cli('--json', 'server', 'status')).json();
  // What holds the terminals is told as well, in any order.
  for (const pid of [server, host]) process.kill(pid, 'SIGTERM');
  await until('all has ended', () => home.pids().length === 0);
  const again = home.start(TWO_COLUMNS);
  await again.waitFor('the stopped pane', /the agent runs[^]*agent is stopped[^]*ended with the server/);
  assert.equal(await layout(home), before);
  await home.ok('resume', 'agent');
  await again.waitFor(
    'its program, on a screen of its own',
    t => !/agent is/.test(t.text()) && t.text().match(/the agent runs/g)?.length === 1,
  );
});

test('kill-server forgets shells and keeps named sessions with their panes', async () => {
  const home = await arranged();
  home.hangUp();
  await home.ok('kill-server', '-y');
  const nobody = await home.cli('list');
  assert.equal([nobody.status, /it keeps a session: start it with 'mux'/.test(nobody.stderr)], [3, true]);
  await home.ok('--detach');
  const panes = await home.panes(true);
  assert.equal(
    panes.map(pane => [pane.id, pane.dead]),
    [['%1', true]],
  );
  const { sessions } = (await home.cli('--json', 'list')).json();
  assert.equal(
    sessions.map((one: { name: string; status: string }) => [one.name, one.status]),
    [['agent', 'stopped']],
  );
  assert.equal(readdirSync(join(home.dir, 'data/default/logs')), [sessions[0].id]);
  await home.ok('delete', 'agent');
});

test('a newer state is refused in one line and untouched, and nobody waits for the server', async () => {
  const home = await arranged();
  await powerCut(home);
  const newer = readFileSync(statePath(home), 'utf8')
    .replace('"version": 2', '"version": 3')
    .replace(/"writtenBy": "[^"]*"/, '"writtenBy": "7.0.0"');
  writeFileSync(statePath(home), newer);
  const { status, stderr } = await home.cli('--detach');
  assert.is(status, 1);
  assert.match(
    stderr,
    /^mux: server default: could not start: state [^\n]*: mux 7\.0\.0 wrote it in form 3[^\n]*\n$/,
  );
  assert.is(readFileSync(statePath(home), 'utf8'), newer);
  assert.is((await home.cli('list')).status, 3);
});

test('a damaged state is told to the first who comes, kept, and nothing is lost', async () => {
  const home = await arranged();
  const before = await layout(home);
  // It is written right behind the state itself.
  await until('the copy has the last change too', () => read(`${statePath(home)}.copy`).includes('a title'));
  await powerCut(home);
  const whole = readFileSync(statePath(home), 'utf8');
  writeFileSync(statePath(home), whole.slice(0, whole.length / 2));
  // Without its copy there are the sessions' own files.
  for (const isCopied of [true, false]) {
    if (!isCopied) {
      await powerCut(home);
      writeFileSync(statePath(home), whole.slice(0, whole.length / 2));
      rmSync(`${statePath(home)}.copy`);
    }
    const { stderr } = await home.cli('--detach');
    assert.match(
      stderr,
      /^mux: state .*: it is cut off or no JSON; it is kept as .*state\.json\.corrupt-\w+;/,
    );
    const names = (await home.ok('list', '-F', '#{session_name}')).trim().split('\n').sort();
    // Where no window was found a new one is opened.
    assert.equal(names, ['agent', 'bash', 'bash-2', 'bash-3', ...(isCopied ? [] : ['bash-4'])]);
    if (isCopied)
      assert.equal(
        (await layout(home)).map(pane => pane.id),
        before.map(pane => pane.id),
      );
    assert.is((await home.cli('list')).stderr, '', 'told once');
  }
});

test('a state folder that may only be read is told in one line', async () => {
  const home = new MuxHome();
  const folder = join(home.dir, 'state/default');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=64k,mode=700', 'tmpfs', folder]).status !== 0) {
    console.log('skipped: nothing can be mounted here');
    return;
  }
  try {
    const { status, stderr } = await home.cli('--detach');
    assert.is(status, 1);
    assert.match(stderr, /^mux: [^\n]*state\/default: the file system is read-only[^\n]*\n$/);
  } finally {
    spawnSync('umount', ['-l', folder]);
  }
});

test('a full disk is told on the screen, what runs goes on, and room makes it work again', async () => {
  const home = new MuxHome();
  const folder = join(home.dir, 'state');
  mkdirSync(folder, { mode: 0o700 });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=700', 'tmpfs', folder]).status !== 0) {
    console.log('skipped: nothing can be mounted here');
    return;
  }
  try {
    const { mux } = await startMux({ home });
    await onDisk(home, 'a first state', text => text.includes('"sessions"'));
    fill(join(folder, 'ballast'));
    await home.ask('rename-window', 'unsaved');
    await mux.waitFor('the message', /cannot be saved/);
    mux.type('\recho still $((40 + 2)) here\r');
    await mux.waitFor('the shell goes on', /still 42 here/);
    rmSync(join(folder, 'ballast'));
    await onDisk(home, 'it is saved once there is room', text => text.includes('unsaved'));
    assert.is(home.log().match(/cannot be saved/g)!.length, 1);
  } finally {
    await home.end();
    spawnSync('umount', ['-l', folder]);
  }
});

test.run();
