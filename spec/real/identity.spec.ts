/**
 * Who may do what, by the real command line from real panes: a person everything, an agent what concerns itself and
 * what it has started, a stranger nothing.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LAUNCHER, MuxHome, type CliResult } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('identity');
const home = new MuxHome({
  config: 'agents:\n  robot:\n    command: cat\n    ai: true\n',
});
const tokenFile = join(home.dir, 'state/default/person.token');
test.after(() => home.end());

/** Runs mux as a program in the session's pane does: with its token and what it says of itself. */
function as(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CliResult> {
  return new Promise(resolve => {
    const options = { cwd: home.work, env: { ...home.env, MUX_SERVER: 'default', ...env } };
    execFile(process.execPath, [LAUNCHER, ...args], options, (error, stdout, stderr) => {
      const status = typeof error?.code === 'number' ? error.code : error ? 128 : 0;
      resolve({ status, stdout, stderr, json: () => JSON.parse(stdout) as unknown });
    });
  });
}

const show = async (name: string): Promise<{ id: string; parent_id: string | null; pid: number }> =>
  (await home.cli('show', name, '--json')).json();

/** What a program of that session speaks with. */
async function voice(name: string): Promise<{ MUX_TOKEN: string; MUX_SESSION: string }> {
  const { id } = await show(name);
  return { MUX_TOKEN: await home.tokenOf(name), MUX_SESSION: id };
}

const refusal = (result: CliResult): [number, string] => [result.status, result.stderr.trim()];

test('the person’s token is in a file for them alone, made by the server', async () => {
  await home.ok('new', 'robot', '--agent', 'robot', '--background');
  await home.ok('new', 'other', '--background', 'cat');
  assert.is(statSync(tokenFile).mode & 0o777, 0o600);
  assert.match(readFileSync(tokenFile, 'utf8'), /^[0-9a-f]{64}\n$/);
});

test('every session has a token of its own, which is written down nowhere', async () => {
  const [robot, other] = [await home.tokenOf('robot'), await home.tokenOf('other')];
  assert.match(robot, /^[0-9a-f]{64}$/);
  assert.is.not(robot, other);
  await until('the state is saved', () => existsSync(join(home.dir, 'state/default/state.json')));
  assert.not.ok(readFileSync(join(home.dir, 'state/default/state.json'), 'utf8').includes(robot));
  const { id } = await show('robot');
  const kept = join(home.dir, `data/default/tokens/${id}.json`);
  assert.not.ok(readFileSync(kept, 'utf8').includes(robot));
  assert.is(statSync(kept).mode & 0o777, 0o600);
});

test('an agent acts on itself, whatever it says that it is', async () => {
  const { MUX_TOKEN } = await voice('robot');
  const other = await show('other');
  const lying = { MUX_TOKEN, MUX_SESSION: other.id };
  assert.is((await as(lying, 'status', 'counting sheep')).status, 0);
  const { sessions } = (await home.cli('list', '--json')).json();
  const summaries = sessions.map((s: { name: string; summary: string | null }) => [s.name, s.summary]);
  assert.equal(summaries, [['robot', 'counting sheep'], ['other', null]]); // prettier-ignore
});

test('an agent is refused what is another’s, and what is for people, in a line with a remedy', async () => {
  const robot = await voice('robot');
  for (const args of [
    ['send-keys', '-t', 'other', 'x'],
    ['capture-pane', '-p', '-t', 'other'],
    ['stop', 'other'],
    ['delete', 'robot', 'other'],
  ])
    assert.equal(
      refusal(await as(robot, ...args)),
      [4, `mux: ${args[0]}: session other is neither this one nor was it started by it (ask the person to do it)`], // prettier-ignore
    );
  for (const args of [
    ['kill-server', '-y'],
    ['server-hand-over'],
    ['set-option', 'mouse', 'off'],
    ['pipe-pane', 'cat'],
  ])
    assert.equal(
      refusal(await as(robot, ...args)),
      [4, `mux: ${args[0]}: only a person may do that (ask the person to do it)`], // prettier-ignore
    );
  const { error } = (await as(robot, 'stop', 'other', '--json')).json();
  assert.is(error.code, 'refused');
  assert.is((await show('robot')).pid > 0, true, 'nothing of a refused command was done');
});

test('an agent that asks for another server is refused, not told that it has one, and nothing ends', async () => {
  const robot = await voice('robot');
  const { pid } = await show('robot');
  for (const more of [[], ['--force']]) {
    const { status, stdout } = await as(robot, 'server', 'restart', ...more);
    assert.equal([status, stdout], [4, '']);
  }
  assert.is((await show('robot')).pid, pid);
});

test('a token counts also where nothing else of the environment is left', async () => {
  const { MUX_TOKEN } = await voice('robot');
  assert.is((await as({ MUX_SERVER: '', MUX_TOKEN }, 'stop', 'other')).status, 4);
  assert.is((await as({ MUX_SERVER: '', MUX_TOKEN: 'made-up' }, 'stop', 'other')).status, 4);
  assert.ok((await show('other')).pid > 0);
});

test('what an agent starts is its child: it acts on that, and what that is does not make it a person', async () => {
  const robot = await voice('robot');
  assert.equal(refusal(await as(robot, 'new', 'child', '--background', 'cat')), [0, '']);
  assert.is((await show('child')).parent_id, robot.MUX_SESSION);
  assert.is((await as(robot, 'send-keys', '-t', 'child', 'x')).status, 0);
  const child = await voice('child');
  assert.is((await as(child, 'kill-server', '-y')).status, 4, 'a shell of an agent is no person');
  assert.is((await as(child, 'stop', 'robot')).status, 4, 'nor may it act on its parent');
  assert.is((await as(robot, 'stop', 'child')).status, 0);
});

test('many at once, one of them another’s: nothing is done', async () => {
  const robot = await voice('robot');
  for (const name of ['mine', 'mine-too'])
    assert.equal(refusal(await as(robot, 'new', name, '--label', 'crew', '--background', 'cat')), [0, '']);
  await home.ok('update', 'other', '--add-label', 'crew');
  for (const name of ['stop', 'restart', 'delete', 'purge'])
    for (const more of [[], ['--children'], ...(name === 'purge' ? [['-y']] : [])])
      assert.equal(
        refusal(await as(robot, name, '--label', 'crew', ...more)),
        [4, `mux: ${name}: session other is neither this one nor was it started by it (ask the person to do it)`], // prettier-ignore
      );
  for (const name of ['mine', 'mine-too', 'other']) assert.ok((await show(name)).pid > 0, name);
  await home.ok('update', 'other', '--remove-label', 'crew');
  assert.equal(refusal(await as(robot, 'delete', '--label', 'crew')), [0, ''], 'its own are its own');
  assert.equal(refusal(await as(robot, 'purge', '-y', 'mine', 'mine-too')), [0, '']);
});

interface Event {
  readonly cursor: number;
  readonly type: string;
  readonly session_id: string | null;
  readonly name?: string;
  readonly restorable?: boolean;
}

test('an agent reads what happened to its own and to what it has started, also when that is gone', async () => {
  const robot = await voice('robot');
  const other = await show('other');
  const lines = async (voice: Readonly<Record<string, string>>, ...args: string[]): Promise<Event[]> =>
    (await as(voice, 'events', ...args)).stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Event);
  const all = await lines(await voice('other'));
  assert.ok(all.some(event => event.session_id === other.id), 'a person reads of all'); // prettier-ignore
  const own = await lines(robot);
  assert.equal([...new Set(own.map(event => event.name))].sort(), ['child', 'mine', 'mine-too', 'robot']);
  const gone = own.filter(event => event.name === 'mine' && event.type === 'session.deleted');
  assert.equal(gone.map(event => event.restorable), [true, false]); // prettier-ignore
  const late = await lines(robot, '--since', String(gone[0]!.cursor - 1));
  assert.ok(late.some(event => event.cursor === gone[1]!.cursor), 'read from the middle on'); // prettier-ignore
});

test('a shell that a person has opened speaks for them', async () => {
  const other = await voice('other');
  assert.is((await as(other, 'send-keys', '-t', 'robot', 'x')).status, 0);
  assert.is((await as(other, 'set-option', 'mouse', 'on')).status, 0);
});

test('a token from before a restart is refused', async () => {
  const before = await voice('robot');
  await home.ok('restart', 'robot');
  const [status, line] = refusal(await as(before, 'status', 'still me'));
  assert.is(status, 4);
  assert.match(line, /^mux: token: it belongs to nobody here; .* \(unset MUX_TOKEN to speak for yourself\)$/);
  assert.is((await as(await voice('robot'), 'status', 'still me')).status, 0);
});

test('an agent that has lost its token is not taken for the person', async () => {
  const { MUX_SESSION } = await voice('robot');
  const [status, line] = refusal(await as({ MUX_SESSION, MUX_AGENT: 'robot' }, 'list'));
  assert.is(status, 4);
  assert.match(line, /caller: it does not say who it is/);
});

test('tokens outlive the server that gave them', async () => {
  const [robot, child] = [await voice('robot'), await voice('other')];
  process.kill(await home.serverPid(), 'SIGKILL');
  await home.ok('new', 'after', '--background', 'cat');
  assert.is((await as(robot, 'status', 'I was there')).status, 0);
  assert.is((await as(robot, 'stop', 'other')).status, 4);
  assert.is((await as(child, 'status', '-t', 'robot', '--clear')).status, 0);
});

test('a person whose file was cleaned away gets it back, and a wrong one is worth nothing', async () => {
  rmSync(tokenFile);
  assert.is((await home.cli('list')).status, 4);
  assert.is((await home.cli('list')).status, 0, 'it was made again');
  const good = readFileSync(tokenFile);
  writeFileSync(tokenFile, '0'.repeat(64));
  assert.is((await home.cli('list')).status, 4);
  writeFileSync(tokenFile, good);
});

test('an agent does not attach', async () => {
  const mux = home.start({ env: { MUX_SERVER: 'default', MUX_TOKEN: await home.tokenOf('robot') } });
  await mux.waitFor('the refusal', /attach: only a person may do that/);
});

test('to another server an agent is no person either', async () => {
  const robot = { ...(await voice('robot')), MUX_AGENT: 'robot' };
  await home.ok('-L', 'second', 'new', 'x', '--background', 'cat');
  const { status, stderr } = await as(robot, '-L', 'second', 'stop', 'x');
  assert.is(status, 4, stderr);
  const { pid } = (await home.cli('-L', 'second', 'show', 'x', '--json')).json() as { pid: number };
  assert.ok(pid > 0);
  await home.ok('-L', 'second', 'kill-server', '-y');
});

test('where the server has died, an agent does not end what it has left', async () => {
  const robot = { ...(await voice('robot')), MUX_AGENT: 'robot' };
  const { pid } = await show('robot');
  process.kill(await home.serverPid(), 'SIGKILL');
  await until('it is gone', async () => (await home.cli('list')).status === 3);
  const { status, stderr } = await as(robot, 'kill-server', '-y');
  assert.is(status, 4, stderr);
  assert.match(stderr, /this is for the person/);
  await home.ok('--detach');
  assert.is((await show('robot')).pid, pid);
});

test.run();
