/**
 * Messages outlive a server that is killed at any moment: what was answered is there, once, and what was printed and marked as
 * read is not printed again. MUX_FAULTS is how often the server is killed (10, or more for a soak).
 */
// spec-timeout: 900
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';
import { Voice } from '../support/voice.ts';

const test = suite('messages of a server that is killed');
const home = new MuxHome({ config: 'agents:\n  robot: { command: cat, ai: true }\n' });
test.after(async () => {
  // What is still running ends by these.
  for (const name of ['stop', 'end']) writeFileSync(join(home.work, name), '');
  await home.end();
});

const FAULTS = Number(process.env['MUX_FAULTS'] ?? 10);

/** Publishes numbered texts until a file is there; notes each that was answered with success. */
const WRITER = `while [ ! -e stop ]; do i=$((i + 1)); until $MUX msg pub -t feed "$1-$i"; do [ -e stop ] && exit; done; echo "$1-$i" >>"$1.done"; done`;
/** Reads one after the other and marks it as read. */
const READER = `while [ ! -e end ]; do $MUX --json msg sub -t feed --ack -n 1 --wait 1 >>read; done`;

function shell(script: string, ...args: string[]): ChildProcess {
  const env = { ...home.env, MUX: `${process.execPath} ${LAUNCHER}` };
  return spawn('bash', ['-c', script, 'sh', ...args], { cwd: home.work, env, stdio: 'ignore' });
}

const text = (name: string): string => {
  try {
    return readFileSync(join(home.work, name), 'utf8');
  } catch {
    // ENOENT: nothing was written yet.
    return '';
  }
};
const entries = (name: string): string[] => text(name).split('\n').slice(0, -1);
/** Of the messages; errors of a time that is over, or of a server that is not there, are left out. */
const bodies = (name: string): string[] =>
  entries(name).flatMap(line => (JSON.parse(line) as { body?: string }).body ?? []);

async function kill(): Promise<void> {
  const pid = Number(/"server_pid":(\d+)/.exec((await home.cli('--json', 'server', 'status')).stdout)?.[1]);
  if (pid) process.kill(pid, 'SIGKILL');
}

test(`SIGKILL ${FAULTS} times in the middle of publishing and marking loses nothing and doubles nothing`, async () => {
  await home.ok('new', 'keeper', '--background', 'cat');
  const follower = spawn(process.execPath, [LAUNCHER, '--json', 'msg', 'sub', '-t', 'feed', '-f', '--all'], {
    cwd: home.work,
    env: home.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let followed = '';
  follower.stdout.on('data', (piece: Buffer) => (followed += piece.toString()));
  const writers = [shell(WRITER, 'a'), shell(WRITER, 'b')];
  const reader = shell(READER);
  for (let n = 1; n <= FAULTS; n++) {
    const before = entries('a.done').length + entries('b.done').length;
    await until(
      `something was published after kill ${n - 1}`,
      () => entries('a.done').length + entries('b.done').length > before,
      { deadlineMs: 60_000 },
    );
    await kill();
  }
  writeFileSync(join(home.work, 'stop'), '');
  await until('the writers have ended', () => writers.every(one => one.exitCode !== null), {
    deadlineMs: 60_000,
  });
  const done = [...entries('a.done'), ...entries('b.done')].sort();
  const lines = (): string[] => followed.split('\n').slice(0, -1);
  // Those who stand by bring the next server, if the last one was killed.
  await until('a server runs', async () => (await home.cli('list')).status === 0, { deadlineMs: 60_000 });
  const all = (await home.ok('--json', 'msg', 'sub', '-t', 'feed', '--all')).split('\n').slice(0, -1);
  const kept = all.map(line => JSON.parse(line) as { seq: number; body: string });
  assert.equal(kept.map(({ body }) => body).sort(), done, 'what was answered is there once');
  assert.equal(
    kept.map(({ seq }) => seq),
    kept.map((_, at) => at + 1),
    'without a gap',
  );
  await until('the follower has all', () => lines().length >= kept.length);
  assert.equal(
    lines().map(line => (JSON.parse(line) as { body: string }).body),
    kept.map(({ body }) => body),
  );
  await until('the reader has all', () => bodies('read').length >= kept.length, { deadlineMs: 120_000 });
  writeFileSync(join(home.work, 'end'), '');
  await until('the reader has ended', () => reader.exitCode !== null);
  assert.equal(
    bodies('read'),
    kept.map(({ body }) => body),
    'each was read once, in order',
  );
  follower.kill();
});

test('agents pass a task around by messages and a list, whatever happens to the server', async () => {
  for (const name of ['maker', 'tester']) await home.ok('new', name, '--agent', 'robot', '--background');
  const [maker, tester] = [await Voice.of(home, 'maker'), await Voice.of(home, 'tester')];
  const fleet = ['--fleet', 'pair'];
  const id = (out: string): string => out.split('\t')[0]!;
  const build = id(await maker.ok('task', 'add', 'build it', ...fleet));
  const check = id(await maker.ok('task', 'add', 'test it', '--needs', build, ...fleet));
  const [one, two] = await Promise.all([
    maker.cli(['task', 'next', ...fleet]),
    tester.cli(['task', 'next', ...fleet]),
  ]);
  assert.equal([one.status, two.status].sort(), [0, 3], 'one gets it, the other nothing');
  const [has, waits] = one.status === 0 ? [maker, tester] : [tester, maker];
  const told = waits.cli(['--json', 'msg', 'inbox', '--wait', '60', '--ack']);
  await has.ok('task', 'done', build, '--note', 'in main', ...fleet);
  await kill();
  // Whoever waits brings the next server.
  const send = ['msg', 'send', waits.id, 'your turn', '--thread', check];
  await until('it is sent', async () => (await has.cli(send)).status === 0);
  assert.match((await told).stdout, /"body":"your turn"/);
  assert.is(id(await waits.ok('task', 'next', ...fleet)), check);
  const stolen = await has.cli(['task', 'done', check, ...fleet]);
  assert.is(stolen.status, 1);
  assert.match(stolen.stderr, /has it/);
  const name = waits === maker ? 'maker' : 'tester';
  await home.ok('stop', name);
  await until(
    'it is free again',
    async () => id((await has.cli(['task', 'claim', check, ...fleet])).stdout) === check,
  );
  await has.ok('task', 'done', check, ...fleet);
  const list = (await home.cli('task', 'list', '--all', '--json', ...fleet)).json();
  assert.equal(
    list.tasks.map((task: { status: string; note: string }) => task.status),
    ['done', 'done'],
  );
  const { stdout } = await home.cli('events');
  const actions = stdout
    .split('\n')
    .filter(line => line.includes('"type":"task"'))
    .map(line => JSON.parse(line).action);
  assert.equal(
    actions.filter(action => action === 'lease'),
    ['lease'],
  );
});

test.run();
