import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../lib/base/clock.ts';
import { BackgroundFetch, type BackgroundPorts } from '../../lib/git/background.ts';
import { fastForward, pullSkip, type PullFacts } from '../../lib/git/pull.ts';
import { clonedRepository, commit, commitOnRemote, git, quietGit, realTempDir } from '../support/git.ts';
import { until } from '../support/until.ts';

const test = suite('background fetch');

const CLEAR: PullFacts = {
  isBare: false,
  head: { kind: 'branch', branch: 'main', commit: '1' },
  operation: '',
  defaultBranch: 'main',
  upstream: 'origin/main',
  dirty: 0,
  ahead: 0,
  behind: 1,
  isInUse: false,
  isElsewhere: false,
};

const SKIPPED: readonly (readonly [why: string, facts: Partial<PullFacts>])[] = [
  ['', {}],
  ['bare', { isBare: true }],
  ['a session works in it', { isInUse: true }],
  ['no branch is checked out', { head: { kind: 'detached', commit: '1' } }],
  ['nothing is committed', { head: { kind: 'unborn', branch: 'main' } }],
  ['something is unfinished', { operation: 'rebase' }],
  ['not on the default branch', { defaultBranch: 'develop' }],
  ['another worktree has the branch', { isElsewhere: true }],
  ['no upstream', { upstream: '' }],
  ['uncommitted changes', { dirty: 1 }],
  ['commits that are not pushed', { ahead: 1 }],
  ['commits that are not pushed', { ahead: 1, behind: 0 }],
  ['nothing new', { behind: 0 }],
];

test('a working tree is pulled only where nothing speaks against it', () => {
  for (const [why, facts] of SKIPPED) assert.is(pullSkip({ ...CLEAR, ...facts }), why, JSON.stringify(facts));
});

const unused = (): boolean => false;

/** A clone that is one fetched commit behind. */
function behind(): { readonly remote: string; readonly clone: string; readonly latest: string } {
  const { remote, clone } = clonedRepository();
  const latest = commitOnRemote(remote, 'two');
  git(clone, 'fetch', '--quiet');
  return { remote, clone, latest };
}

test('what was fetched is fast-forwarded, without the hooks of the repository', async () => {
  const { clone, latest } = behind();
  const mark = join(realTempDir(), 'ran');
  mkdirSync(join(clone, '.git/hooks'));
  writeFileSync(join(clone, '.git/hooks/post-merge'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  assert.is(await fastForward(quietGit(), clone, unused), '');
  assert.is(git(clone, 'rev-parse', 'HEAD'), latest);
  assert.not.ok(existsSync(mark));
  assert.is(await fastForward(quietGit(), clone, unused), 'nothing new');
});

test('a real repository is left alone for each reason that git tells', async () => {
  const cases: readonly (readonly [why: string, make: (clone: string) => void])[] = [
    ['uncommitted changes', clone => writeFileSync(join(clone, 'n.txt'), '')],
    ['commits that are not pushed', clone => commit(clone, 'mine')],
    ['not on the default branch', clone => git(clone, 'switch', '--quiet', '-c', 'topic')],
    ['no branch is checked out', clone => git(clone, 'switch', '--quiet', '--detach')],
    ['no upstream', clone => git(clone, 'branch', '--unset-upstream')],
    [
      'something is unfinished',
      clone => writeFileSync(join(clone, '.git/MERGE_HEAD'), git(clone, 'rev-parse', 'HEAD')),
    ],
  ];
  for (const [why, make] of cases) {
    const { clone } = behind();
    make(clone);
    const head = git(clone, 'rev-parse', 'HEAD');
    assert.is(await fastForward(quietGit(), clone, unused), why);
    assert.is(git(clone, 'rev-parse', 'HEAD'), head);
  }
  const { remote, clone } = behind();
  assert.is(await fastForward(quietGit(), remote, unused), 'bare');
  assert.is(await fastForward(quietGit(), clone, path => path === clone), 'a session works in it');
});

interface Bench {
  readonly clock: ManualClock;
  readonly told: string[];
  readonly service: BackgroundFetch;
}

function bench(folders: readonly string[], more: Partial<BackgroundPorts> = {}): Bench {
  const clock = new ManualClock();
  const told: string[] = [];
  const service = new BackgroundFetch({
    git: quietGit(),
    clock,
    folders: () => folders,
    intervalMs: () => 5 * 60_000,
    pulls: () => false,
    isInUse: unused,
    tell: text => told.push(text),
    ...more,
  });
  return { clock, told, service };
}

const known = (clone: string): string => git(clone, 'rev-parse', 'origin/main');

test('repositories in use are fetched when the time has come, and nothing but references changes', async () => {
  const { remote, clone } = clonedRepository();
  const head = git(clone, 'rev-parse', 'HEAD');
  const latest = commitOnRemote(remote, 'two');
  const { clock, service, told } = bench([clone, join(clone, '.'), '/no/such/place']);
  clock.advance(4 * 60_000);
  assert.is(known(clone), head);
  clock.advance(60_000);
  await until('it is fetched', () => known(clone) === latest);
  assert.is(git(clone, 'rev-parse', 'HEAD'), head);
  assert.not.ok(existsSync(join(clone, '.git/FETCH_HEAD')), 'what the person fetched last is theirs');
  assert.equal(told, []);
  service.dispose();
});

test('main branches follow where the person wants that', async () => {
  const { remote, clone } = clonedRepository();
  const latest = commitOnRemote(remote, 'two');
  const { service, told } = bench([clone], { pulls: () => true });
  await service.round();
  assert.is(git(clone, 'rev-parse', 'HEAD'), latest);
  assert.equal(told, [`${clone} was updated from origin`]);
  service.dispose();
});

test('a remote that fails is told once, tried ever more seldom, and forgotten when it works again', async () => {
  const { remote, clone } = clonedRepository();
  renameSync(remote, `${remote}.away`);
  const { service, told } = bench([clone]);
  for (let i = 0; i < 4; i++) await service.round();
  assert.is(told.length, 1);
  assert.match(told[0]!, /: git fetch: /);
  renameSync(`${remote}.away`, remote);
  const latest = commitOnRemote(remote, 'two');
  for (let i = 0; i < 2; i++) await service.round();
  assert.is(known(clone), latest);
  service.dispose();
});

test('without an interval nothing is fetched, and none begins when the service has ended', async () => {
  let interval = 0;
  let asked = 0;
  const { clock, service } = bench([], { intervalMs: () => interval, folders: () => (asked++, []) });
  clock.advance(60_000);
  await new Promise(resolve => setImmediate(resolve));
  assert.is(asked, 0);
  interval = 1;
  clock.advance(60_000);
  await new Promise(resolve => setImmediate(resolve));
  clock.advance(60_000);
  await new Promise(resolve => setImmediate(resolve));
  assert.ok(asked > 0, 'a change of the setting is seen');
  const before = asked;
  service.dispose();
  clock.advance(600_000);
  await new Promise(resolve => setImmediate(resolve));
  assert.is(asked, before);
});

test.run();
