/**
 * Sessions driven from scripts, with real programs: typing, waiting, logs and events, while servers come and go.
 */
// spec-timeout: 400
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPlace } from '../../lib/git/create.ts';
import { commit, git, quietGit, repository } from '../support/git.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('drive');
const homes: MuxHome[] = [];
test.after(async () => {
  for (const home of homes) await home.end();
});

async function homeWith(name: string, ...command: string[]): Promise<MuxHome> {
  const home = new MuxHome();
  homes.push(home);
  await home.ok('new', name, '--background', ...command);
  return home;
}

/** A command that goes on: what it has printed so far, and its end. */
interface Running {
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
  readonly child: ReturnType<typeof spawn>;
}

function begin(home: MuxHome, ...words: string[]): Running {
  const child = spawn(process.execPath, [LAUNCHER, ...words], { env: home.env, cwd: home.work });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)));
  return { out: () => out, err: () => err, ended, child };
}

async function crash(home: MuxHome): Promise<void> {
  const pid = await home.serverPid();
  home.hangUp();
  process.kill(pid, 'SIGKILL');
  await until('the server has died', () => !home.pids().includes(pid));
}

const numbers = (text: string): number[] =>
  text
    .split('\n')
    .filter(line => /^\d+$/.test(line))
    .map(Number);

test('what is typed is run, and waiting sees what is there already and what comes', async () => {
  const home = await homeWith('a');
  await home.ok('type', 'a', 'echo $((40 + 2))');
  await home.ok('wait', 'a', '--contains', '^42$', '--timeout', '10');
  // It is there already.
  await home.ok('wait', 'a', '--contains', '^42$', '--timeout', '10');
  const waiting = begin(home, 'wait', 'a', '--contains', '^late$');
  await home.ok('type', 'a', 'printf la; echo te');
  assert.is(await waiting.ended, 0);
});

test('waiting in vain ends with 124, and for what cannot come any more with the reason', async () => {
  const home = await homeWith('a');
  const late = await home.cli('wait', 'a', '--contains', 'never', '--timeout', '0.2');
  assert.is(late.status, 124);
  assert.match(late.stderr, /^mux: wait: a: what was waited for has not come in time$/m);
  const waiting = begin(home, '--json', 'wait', 'a', '--contains', 'never');
  const ending = begin(home, '--json', 'wait', 'a', '--exit');
  await home.ok('type', 'a', 'exit 3');
  assert.is(await ending.ended, 0);
  assert.is(JSON.parse(ending.out()).exit_code, 3);
  assert.is(await waiting.ended, 1);
  assert.match(JSON.parse(waiting.out()).error.message, /has ended/);
  assert.is((await home.cli('wait', 'a', '--status', 'failed')).status, 0);
  const refused = await home.cli('type', 'a', 'x');
  assert.is(refused.status, 1);
  assert.match(refused.stderr, /program is stopped \(start it again with 'mux resume a'\)/);
});

test('a pattern that takes for ever ends the wait, and holds nobody up', async () => {
  const home = await homeWith('a');
  await home.ok('type', 'a', `printf '%s!\\n' ${'a'.repeat(60)}`);
  const result = await home.cli('wait', 'a', '--contains', '^(a+)+$', '--timeout', '10');
  assert.is(result.status, 2);
  assert.match(result.stderr, /the pattern takes too long/);
  for (const words of [
    ['--contains', ''],
    ['--contains', '('],
    ['--status', 'odd'],
    [],
    ['--exit', '--idle', '1'],
  ])
    assert.is((await home.cli('wait', 'a', ...words)).status, 2, words.join(' '));
});

test('waiting outlives the death of the server', async () => {
  const home = await homeWith('a');
  const waiting = begin(home, 'wait', 'a', '--contains', '^found$', '--timeout', '60');
  await home.ok('wait', 'a', '--contains', '\\$', '--timeout', '10');
  await crash(home);
  // The wait itself starts the next server, since programs wait for one.
  await until('there is a server again', async () => (await home.cli('server', 'status')).status === 0);
  await home.ok('type', 'a', 'echo fo""und');
  assert.is(await waiting.ended, 0, waiting.err());
});

test('the log has every byte, also of a stopped session, as bytes and as text', async () => {
  const home = await homeWith('a', 'seq 1 30000; printf "\\033[31mred\\033[m\\n"');
  await home.ok('wait', 'a', '--exit', '--timeout', '30');
  const raw = await home.ok('logs', 'a', '--raw');
  const all = Array.from({ length: 30_000 }, (_, i) => i + 1);
  assert.equal(numbers(raw.replaceAll('\r', '')), all);
  assert.ok(raw.endsWith('\x1b[31mred\x1b[m\r\n'));
  const text = await home.ok('logs', 'a', '--text');
  assert.equal(text.trimEnd().split('\n'), [...all.map(String), 'red']);
  assert.is(await home.ok('logs', 'a', '-n', '2'), '30000\nred\n');
  assert.is(await home.ok('logs', 'a', '--raw', '--lines', '2'), '30000\r\n\x1b[31mred\x1b[m\r\n');
  assert.is(await home.ok('logs', 'a', '-n', '0'), '');
  // An agent that asks gets the text all the same, and JSON where it says so.
  assert.equal(JSON.parse((await home.ok('--json', 'logs', 'a', '-n', '1')).trim()), { line: 'red' });
});

test('several follow, over the death of the server, and none misses a line', async () => {
  const home = await homeWith('a', 'i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo $i; sleep 0.01; done');
  const text = begin(home, 'logs', 'a', '-f');
  const raw = begin(home, 'logs', 'a', '-f', '--raw');
  await until(
    'both have begun',
    () => numbers(text.out()).length > 5 && numbers(raw.out().replaceAll('\r', '')).length > 5,
  );
  await crash(home);
  assert.is(await text.ended, 0, text.err());
  assert.is(await raw.ended, 0, raw.err());
  const all = Array.from({ length: 400 }, (_, i) => i + 1);
  assert.equal(numbers(raw.out().replaceAll('\r', '')), all);
  assert.equal(numbers(text.out()), all);
});

test('a follower that does not read costs nothing and holds nobody up', async () => {
  const home = await homeWith('a');
  const stuck = begin(home, 'logs', 'a', '-f', '--raw');
  await until('it has begun', () => stuck.out().includes('$'));
  stuck.child.stdout!.pause();
  const before = await home.serverPid();
  await home.ok('type', 'a', 'seq 1 3000000 | tail -c 20000000; echo do""ne');
  await home.ok('wait', 'a', '--contains', '^done$', '--timeout', '60');
  assert.is(await home.serverPid(), before);
  stuck.child.stdout!.resume();
  await home.ok('type', 'a', 'exit');
  assert.is(await stuck.ended, 0);
  assert.ok(stuck.out().replaceAll('\r', '').includes('\n2999999\n3000000\ndone\n'));
});

interface Event {
  readonly cursor: number;
  readonly type: string;
  readonly session_id: string | null;
  readonly name?: string;
}

const events = (text: string): Event[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Event);

test('events have cursors to go on from, over servers and while following', async () => {
  const home = await homeWith('a');
  const first = events(await home.ok('events'));
  assert.is(first[0]?.type, 'session.created');
  assert.is(first[0]?.name, 'a');
  const following = begin(home, 'events', '--follow', '--since', String(first[0]!.cursor));
  await home.ok('new', 'b', '--background', 'cat');
  await until('it tells of the other one', () => following.out().includes('"name":"b"'));
  await crash(home);
  await until('there is a server again', async () => (await home.cli('server', 'status')).status === 0);
  await home.ok('stop', 'b');
  await until('it tells of its end', () => events(following.out()).some(e => e.type === 'session.exited'));
  following.child.kill('SIGTERM');
  const told = events(following.out());
  assert.ok(told.every((event, i) => i === 0 || event.cursor > told[i - 1]!.cursor));
  const again = events(await home.ok('events', '--since', String(first[0]!.cursor)));
  assert.equal(again.slice(0, told.length), told);
  assert.ok(again.some(event => event.type === 'session.exited'));
  assert.is((await home.cli('events', '--since', 'x')).status, 2);
});

test('doctor works without a server and with one, and tells what is wrong', async () => {
  const home = new MuxHome();
  homes.push(home);
  const before = (await home.cli('--json', 'doctor')).json();
  assert.is(before.server_pid, null);
  assert.is(before.host_pid, null);
  assert.not(existsSync(join(home.dir, 'data')), 'it makes nothing');
  await home.ok('new', 'a', '--background');
  const running = (await home.cli('--json', 'doctor')).json();
  assert.is(running.server_pid, await home.serverPid());
  assert.type(running.host_pid, 'number');
  assert.is(running.sockets.length, 2);
  assert.ok(
    running.checks.every((check: { ok: boolean }) => check.ok),
    JSON.stringify(running.checks),
  );
  process.kill(running.host_pid, 'SIGSTOP');
  const stopped = (await home.cli('--json', 'doctor')).json().checks;
  process.kill(running.host_pid, 'SIGCONT');
  const [host] = stopped.filter((check: { ok: boolean }) => !check.ok);
  assert.match(`${host?.detail} (${host?.remedy})`, /is stopped .*kill -CONT \d+/);
  await crash(home);
  const dead = await home.cli('--json', 'doctor');
  assert.is(dead.status, 1);
  const wrong = dead.json().checks.filter((check: { ok: boolean }) => !check.ok);
  assert.equal(
    wrong.map((check: { name: string }) => check.name),
    ['host', 'sockets'],
  );
  assert.ok(wrong.every((check: { remedy: string }) => check.remedy !== ''));
  const fixed = (await home.cli('--json', 'doctor', '--fix')).json();
  assert.is(fixed.sockets.length, 1);
  assert.is(fixed.repairs.length, 1);
});

test('what sessions that are gone have left is listed, and removed only when told, never the young', async () => {
  const home = await homeWith('a');
  const old = new Date(Date.now() - 7_200_000);
  const logs = join(home.dir, 'data/default/logs');
  for (const name of ['old', 'young']) mkdirSync(join(logs, name), { recursive: true });
  const worktree = join(home.dir, 'data/default/worktrees/repo-123456789abc/gone');
  mkdirSync(worktree, { recursive: true });
  for (const path of [join(logs, 'old'), worktree]) utimesSync(path, old, old);
  const listed = (await home.cli('--json', 'gc')).json().orphans;
  assert.equal(
    listed.map((one: { kind: string; removable: boolean }) => [one.kind, one.removable]),
    [
      ['log', true],
      ['worktree', false],
    ],
  );
  await home.ok('gc', '--force');
  assert.not(existsSync(join(logs, 'old')));
  assert.ok(existsSync(join(logs, 'young')));
  assert.ok(existsSync(worktree), 'nobody can tell what is in it');
  await home.ok('logs', 'a', '-n', '1');
});

test('a worktree with work in it is never removed by gc; a clean one is', async () => {
  const home = await homeWith('a');
  const root = join(home.dir, 'data/default/worktrees');
  const repo = repository();
  const make = async (id: string): Promise<string> => {
    const names = { root, dir: repo, id, name: id, prefix: 'mux', user: 'ada' };
    return (await createPlace(quietGit(), names)).main.worktree;
  };
  const [clean, untracked, committed] = await Promise.all(['clean', 'untracked', 'committed'].map(make));
  writeFileSync(join(untracked!, 'only here.txt'), 'x');
  commit(committed!, 'only here');
  const old = new Date(Date.now() - 7_200_000);
  for (const path of [clean!, untracked!, committed!]) utimesSync(path, old, old);
  const orphans = (await home.cli('--json', 'gc')).json().orphans as {
    path: string;
    removable: boolean;
  }[];
  const removable = new Map(orphans.map(one => [basename(one.path), one.removable]));
  assert.equal([...removable].sort(), [['clean', true], ['committed', false], ['untracked', false]]); // prettier-ignore
  await home.ok('gc', '--force');
  assert.equal([clean, untracked, committed].map(path => existsSync(path!)), [false, true, true]); // prettier-ignore
  assert.ok(existsSync(join(untracked!, 'only here.txt')));
  const branches = git(repo, 'branch', '--format=%(refname:short)').split('\n').sort();
  assert.equal(branches, ['main', 'mux/committed-committed', 'mux/untracked-untracked']);
});

test.run();
