/**
 * The lives of sessions with real repositories, programs and servers: made, stopped, resumed, forked, deleted, purged.
 */
// spec-timeout: 400
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LAUNCHER } from '../cli/mux.ts';
import { clonedRepository, commit, git, realTempDir, repository } from '../support/git.ts';
import { MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('lives of sessions');

/** An agent that says how it was started, a line for each start, and then waits. */
const tools = realTempDir({
  agent: '#!/bin/sh\necho "$@" >> "$STARTS"\necho ready\nexec cat\n',
  // Never shows anything.
  mute: '#!/bin/sh\necho "$@" >> "$STARTS"\nexec sleep 1000\n',
});
for (const name of ['agent', 'mute']) chmodSync(join(tools, name), 0o755);
const starts = join(tools, 'starts');

const CONFIG = `
agents:
  agent:
    command: ${tools}/agent
    args: ["--id", "{conversation_id}"]
    resume_args: ["--resume", "{conversation_id}"]
    fork_args: ["--from", "{source_conversation_id}", "--id", "{conversation_id}"]
    prompt_args: ["{prompt}"]
    conversation: forced
    env: { STARTS: ${starts} }
  mute:
    command: ${tools}/mute
    env: { STARTS: ${starts} }
lifecycle: { kill_grace: 500ms, launch_max: 1 }
`;
const home = new MuxHome({ config: CONFIG });
test.before(async () => {
  // So that the server stays whatever is deleted.
  await home.ok('new', 'keeper', '--background', 'cat');
});
test.after(() => home.end());

type Row = Record<string, unknown>;
const ok = (...words: readonly string[]): Promise<string> => home.ask(...words);
const json = async (...words: readonly string[]): Promise<Row> =>
  JSON.parse(await ok(words[0]!, '--json', ...words.slice(1))) as Row;
const show = (name: string): Promise<Row> => json('show', name);

/** One after the other: a connection tells which answer is whose by their order. A command that must fail: its status, and what was said. */
async function failing(...words: readonly string[]): Promise<{ exit: number; said: string }> {
  const error = await ok(...words).then(
    () => assert.unreachable(words.join(' ')),
    (reason: Error) => reason,
  );
  return { exit: Number(/: exit (\d+)/.exec(error!.message)?.[1]), said: error!.message };
}

const names = async (...flags: string[]): Promise<string[]> =>
  (await home.ask('list', ...flags, '-F', '#{session_name}')).split('\n').filter(name => name !== '');
const startsSeen = (): string[] =>
  existsSync(starts) ? readFileSync(starts, 'utf8').trimEnd().split('\n') : [];
const status = (name: string, wanted: string): Promise<unknown> =>
  until(`${name} is ${wanted}`, async () => (await show(name)).status === wanted);

test('a worktree of its own: branch, base and folder are told, and the source is as it was', async () => {
  const { clone } = clonedRepository();
  mkdirSync(join(clone, 'deep'));
  writeFileSync(join(clone, 'deep/b.txt'), 'b\n');
  git(clone, 'add', '-A');
  git(clone, 'commit', '-q', '-m', 'two');
  git(clone, 'push', '-q');
  const before = git(clone, 'status', '--porcelain', '--branch');
  await ok('new', 'tree', '--worktree', '--repo', join(clone, 'deep'), '--background', 'cat');
  const made = await show('tree');
  assert.match(String(made.branch), new RegExp(`/mux/tree-${String(made.id)}$`));
  assert.is(made.base_branch, 'main');
  assert.is(made.cwd, join(String(made.worktree), 'deep'), 'the folder that was asked for');
  assert.equal([made.dirty, made.ahead, made.behind], [false, 0, 0]);
  assert.is(git(clone, 'status', '--porcelain', '--branch'), before);
  assert.equal(await names('--repo', clone), ['tree'], 'it is found by the repository it came from');
  await ok('purge', 'tree');
  assert.not(existsSync(String(made.worktree)));
  assert.is(git(clone, 'branch', '--list', '*tree*'), '');
});

test('a create that fails leaves no session, no worktree and no branch', async () => {
  const repo = repository();
  const before = git(repo, 'for-each-ref');
  const failures = [
    ['new', 'bad', '--worktree', '--base', 'no-such-branch', 'cat'],
    ['new', 'bad', '--worktree', '/no/such/program', 'x'],
    ['new', 'bad', '--worktree', '--agent', 'nobody'],
    ['new', 'bad', '--worktree', '--include', repo, 'cat'],
  ];
  for (const words of failures) {
    const [, name, ...rest] = words;
    assert.ok((await failing('new', name!, '--repo', repo, ...rest)).exit > 0, words.join(' '));
    assert.not((await names('--all')).includes('bad'), words.join(' '));
  }
  assert.is(git(repo, 'for-each-ref'), before);
  assert.is(git(repo, 'worktree', 'list').split('\n').length, 1);
  const logs = readdirSync(join(home.dir, 'data/default/logs'));
  const ids = (await home.ask('list', '--all', '-F', '#{session_id}')).trim().split('\n');
  assert.equal(logs.toSorted(), ids.toSorted(), 'no output of it is left');
});

test('a session deleted while it is being made is given up, and nothing of it remains', async () => {
  // The third waits for the start of the first, which never shows anything.
  const repo = repository();
  await ok('new', 'mute1', '--agent', 'mute', '--background');
  const making = home.cli('new', 'late', '--agent', 'mute', '--repo', repo, '--worktree', '--background');
  await until('its worktree is there', async () => {
    const { sessions } = (await json('list')) as { sessions: Row[] };
    return sessions.some(one => one.name === 'late' && one.status === 'starting' && one.worktree !== null);
  });
  await ok('delete', 'late');
  const answer = await making;
  assert.is(answer.status, 130);
  assert.match(answer.stderr, /late: it was deleted while it was being made|start: cancelled/);
  assert.not((await names('--all')).includes('late'));
  assert.is(git(repo, 'worktree', 'list').split('\n').length, 1);
  assert.is(git(repo, 'branch', '--list', '*late*'), '');
  await ok('purge', 'mute1');
});

test('a burst of launches: agents start one after the other, each when the one before has shown something', async () => {
  const began = startsSeen().length;
  const all = ['burst1', 'burst2', 'burst3', 'burst4'];
  await Promise.all(all.map(name => home.ok('new', name, '--agent', 'agent', '--background')));
  assert.is(startsSeen().length - began, 4);
  await ok('purge', ...all);
});

test('stop is no failure, and resume and restart go on with the conversation', async () => {
  await ok('new', 'talk', '--agent', 'agent', '--prompt', 'begin', '--background');
  const { conversation_id: id } = await show('talk');
  assert.is(startsSeen().at(-1), `--id ${id} begin`);
  await ok('stop', 'talk');
  const stopped = await show('talk');
  assert.equal([stopped.status, stopped.stop_reason, stopped.pid], ['stopped', 'user', null]);
  await ok('resume', 'talk');
  await until('it was resumed', () => startsSeen().at(-1) === `--resume ${id}`);
  await ok('restart', 'talk');
  await until('it was restarted', () => startsSeen().filter(one => one === `--resume ${id}`).length === 2);
  const running = await show('talk');
  assert.equal([running.stop_reason, running.conversation_id], [null, id]);
  assert.is(typeof running.pid, 'number');
  assert.is((await failing('resume', 'talk')).exit, 1);
});

test('a late report of a program that was replaced does not mark the resumed session stopped', async () => {
  await Promise.all([1, 2, 3].map(() => home.ok('restart', 'talk')));
  await status('talk', 'ready');
  assert.is((await show('talk')).exit_code, null);
});

test('a fork goes on from commits and uncommitted work, with the conversation of its source as its parent', async () => {
  const repo = repository({ 'a.txt': 'a\n' });
  await ok('new', 'source', '--agent', 'agent', '--worktree', '--repo', repo, '--label', 'x', '--background');
  const source = await show('source');
  const tree = String(source.worktree);
  commit(tree, 'more');
  writeFileSync(join(tree, 'a.txt'), 'changed\n');
  writeFileSync(join(tree, 'new.txt'), 'new\n');
  await ok('fork', 'source', 'plain', '--background');
  await ok('fork', 'source', 'whole', '--with-changes', '--background');
  const plain = await show('plain');
  const whole = await show('whole');
  assert.equal([whole.parent_id, whole.labels, whole.agent], [source.id, ['x'], 'agent']);
  assert.is(startsSeen().at(-1), `--from ${source.conversation_id} --id ${whole.conversation_id}`);
  for (const one of [plain, whole])
    assert.is(git(String(one.worktree), 'log', '-1', '--format=%s'), 'more', String(one.name));
  assert.is(readFileSync(join(String(plain.worktree), 'a.txt'), 'utf8'), 'a\n');
  assert.is(readFileSync(join(String(whole.worktree), 'a.txt'), 'utf8'), 'changed\n');
  assert.ok(existsSync(join(String(whole.worktree), 'new.txt')));
  const rows = (await home.ask('list', '--tree', '--label', 'X')).trimEnd().split('\n');
  assert.equal(
    rows.map(row => row.split('\t')[0]),
    ['source', '  plain', '  whole'],
  );
});

test('purge loses no work: refused with what would be lost, done with -y, and all of a subtree or nothing', async () => {
  const dry = (await json('purge', '--dry-run', '--children', 'source')) as {
    sessions: Row[];
  };
  assert.equal(
    dry.sessions.map(one => one.name),
    ['source', 'plain', 'whole'],
  );
  assert.match(String(dry.sessions[0]!.lost), /1 changed file, 1 untracked file/);
  const parent = await failing('purge', '-y', 'source');
  assert.equal([parent.exit, /plain, whole/.test(parent.said)], [4, true], parent.said);
  const refused = await failing('purge', '--children', 'source');
  assert.is(refused.exit, 4);
  assert.match(refused.said, /source would be lost: 1 changed file/);
  assert.is((await show('plain')).status !== 'stopped', true, 'nothing has happened to any of them');
  const { worktree } = await show('source');
  await ok('purge', '-y', '--children', 'source');
  assert.equal(
    (await names('--all')).filter(name => ['source', 'plain', 'whole'].includes(name)),
    [],
  );
  assert.not(existsSync(String(worktree)));
});

test('delete keeps everything and gives the name free; restore brings it back', async () => {
  const repo = repository();
  await ok('new', 'soft', '--worktree', '--repo', repo, '--background', 'cat');
  const { worktree, id } = await show('soft');
  writeFileSync(join(String(worktree), 'work.txt'), 'work\n');
  await ok('delete', 'soft');
  assert.not((await names()).includes('soft'));
  assert.equal(await names('--deleted'), ['soft']);
  const gone = await failing('show', 'soft');
  assert.equal([gone.exit, /mux restore soft/.test(gone.said)], [3, true]);
  assert.ok(existsSync(join(String(worktree), 'work.txt')));
  await ok('new', 'soft', '--background', 'cat');
  await ok('restore', String(id));
  const back = await show(String(id));
  assert.equal(
    [back.name, back.status, back.stop_reason, back.deleted_at],
    ['soft-2', 'stopped', 'delete', null],
  );
  await ok('resume', 'soft-2');
  assert.is((await show('soft-2')).cwd, worktree);
  await ok('purge', '-y', 'soft', 'soft-2');
});

test('what is deleted outlives a restart of the server', async () => {
  await ok('new', 'kept', '--background', 'cat');
  await ok('delete', 'kept');
  await home.ok('server', 'restart');
  home.hangUp();
  assert.equal(await names('--deleted'), ['kept']);
  await ok('restore', 'kept');
  await ok('purge', 'kept');
});

test('a starred session and one that has started others are not deleted by mistake', async () => {
  const { id } = await json('new', 'mother', '--label', 'fam', '--background', 'cat');
  const inside = new MuxHomeInside(home, String(id));
  await inside.ok('new', 'child', '--background', 'cat');
  const child = await show('child');
  assert.equal([child.parent_id, child.labels], [id, ['fam']], 'labels are inherited');
  assert.is((await failing('delete', 'mother')).exit, 4);
  await ok('update', 'child', '--star');
  assert.is((await failing('delete', 'mother', '--children')).exit, 4);
  await ok('update', 'child', '--star=false');
  await ok('delete', 'mother', '--children');
  assert.equal((await names('--deleted')).toSorted(), ['child', 'mother']);
  await ok('purge', 'mother', '--children');
  assert.equal(await names('--deleted'), []);
});

test('update changes all or nothing', async () => {
  await ok('new', 'one', '--background', 'cat');
  await ok('new', 'two', '--background', 'cat');
  await ok('update', 'two', '--parent', 'one', '--add-label', 'L', '--name', 'three');
  const changed = await show('three');
  assert.equal([changed.labels, changed.parent_id], [['L'], (await show('one')).id]);
  for (const wrong of [
    ['one', '--name', 'uno', '--parent', 'three'],
    ['one', '--name', 'uno', '--add-label', 'a', '--remove-label', 'A'],
    ['one', '--star', '--name', 'three'],
  ]) {
    assert.ok((await failing('update', ...wrong)).exit > 0, wrong.join(' '));
    const same = await show('one');
    assert.equal([same.labels, same.starred, same.parent_id], [[], false, null], wrong.join(' '));
  }
  await ok('purge', 'one', '--children');
});

test('many at once by label', async () => {
  for (const name of ['m1', 'm2']) await ok('new', name, '--label', 'many', '--background', 'cat');
  await ok('stop', '--label', 'many');
  for (const name of ['m1', 'm2']) assert.is((await show(name)).status, 'stopped');
  await ok('resume', 'm1');
  assert.is((await failing('resume', 'm1', 'm2')).exit, 1, 'all that are named, or none');
  await ok('resume', '--label', 'many');
  for (const name of ['m1', 'm2']) assert.is(typeof (await show(name)).pid, 'number');
  await ok('restart', '--label', 'many');
  for (const name of ['m1', 'm2']) assert.is(typeof (await show(name)).pid, 'number');
  await ok('delete', '--label', 'many');
  assert.equal((await names('--deleted')).toSorted(), ['m1', 'm2']);
  assert.is((await failing('stop', '--label', 'nobody')).exit, 3);
  await ok('purge', 'm1', 'm2');
});

test('the last pane of a stopped session can be attached to, and goes on where it was', async () => {
  await ok('stop', 'talk');
  const { conversation_id: id } = await show('talk');
  const before = startsSeen().length;
  const mux = home.start({ args: ['attach', 'talk'] });
  await mux.waitFor('its screen', /ready/);
  await until('it was resumed', () => startsSeen().slice(before).includes(`--resume ${id}`));
  mux.close();
  await ok('purge', 'talk');
});

test('purge asks on a terminal, and no means no', async () => {
  const repo = repository();
  await ok('new', 'asked', '--worktree', '--repo', repo, '--background', 'cat');
  const { worktree } = await show('asked');
  writeFileSync(join(String(worktree), 'work.txt'), 'work\n');
  const no = home.start({ args: ['purge', 'asked'] });
  await no.waitFor('the question', /asked: 1 untracked file[\s\S]*\[y\/N\]/);
  no.type('n\r');
  await no.waitFor('not done', /purge: not done/);
  assert.ok(existsSync(String(worktree)));
  const yes = home.start({ args: ['purge', 'asked'] });
  await yes.waitFor('the question', /\[y\/N\]/);
  yes.type('y\r');
  await until('it is gone', () => !existsSync(String(worktree)));
});

test('a yes covers what was told: what has changed until it is given is asked about again', async () => {
  const repo = repository();
  for (const name of ['told', 'clean'])
    await ok('new', name, '--worktree', '--repo', repo, '--background', 'cat');
  const [told, clean] = [String((await show('told')).worktree), String((await show('clean')).worktree)];
  writeFileSync(join(told, 'work.txt'), 'work\n');
  const first = home.start({ args: ['purge', 'told', 'clean'] });
  await first.waitFor('the question', /told: 1 untracked file[\s\S]*\[y\/N\]/);
  // Clean when it was asked.
  writeFileSync(join(clean, 'late.txt'), 'late\n');
  first.type('y\r');
  await first.waitFor('it is refused', /clean would be lost: 1 untracked file, which was not so/);
  assert.ok(existsSync(told) && existsSync(clean), 'all or none');
  const second = home.start({ args: ['purge', 'told', 'clean'] });
  await second.waitFor('the question', /clean: 1 untracked file[\s\S]*\[y\/N\]/);
  second.type('y\r');
  await until('they are gone', () => !existsSync(told) && !existsSync(clean));
});

test('a create that the server did not live to finish comes back as failed, and purge removes what there is of it', async () => {
  const repo = repository();
  await ok('new', 'mute2', '--agent', 'mute', '--background');
  const making = home.cli('new', 'cut', '--agent', 'mute', '--repo', repo, '--worktree', '--background');
  const { worktree } = await until('its worktree is there', async () => {
    const { sessions } = (await json('list')) as { sessions: Row[] };
    return sessions.find(one => one.name === 'cut' && one.worktree !== null);
  });
  process.kill(await home.serverPid(), 'SIGKILL');
  home.hangUp();
  await making;
  await home.cli('--detach');
  const back = await show('cut');
  assert.equal([back.status, back.stop_reason, back.worktree], ['failed', 'interrupted', worktree]);
  assert.is((await failing('resume', 'cut')).exit, 4);
  await ok('purge', 'cut', 'mute2');
  assert.not(existsSync(String(worktree)));
  assert.is(git(repo, 'branch', '--list', '*cut*'), '');
});

/** Commands as they come from a session's own shell. */
class MuxHomeInside {
  readonly #home: MuxHome;
  readonly #id: string;

  constructor(outer: MuxHome, id: string) {
    this.#home = outer;
    this.#id = id;
  }

  async ok(...words: readonly string[]): Promise<void> {
    const env = { MUX_SERVER: 'default', MUX_SESSION: this.#id };
    const terminal = this.#home.run([process.execPath, LAUNCHER, ...words], { env });
    await terminal.waitFor('its answer', /^[0-9a-f]{8}\s/m);
  }
}

test.run();
