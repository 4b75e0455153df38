import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../lib/base/clock.ts';
import { Git } from '../../lib/git/run.ts';
import { gitStatus, NO_GIT, readStatus } from '../../lib/git/status.ts';
import { commit, git, quietGit, repository } from '../support/git.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('git status');

const mine = quietGit();

test('a repository tells its branch, what changed, and how far it is ahead', async () => {
  const remote = tempDir();
  git(remote, 'init', '--bare', '-b', 'main');
  const dir = tempDir({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  git(dir, 'init', '-b', 'main');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-m', 'one');
  git(dir, 'remote', 'add', 'origin', remote);
  git(dir, 'push', '-u', 'origin', 'main');
  git(dir, 'commit', '--allow-empty', '-m', 'two');
  git(dir, 'mv', 'a.txt', 'renamed.txt');
  writeFileSync(join(dir, 'new file.txt'), '');
  assert.equal(await gitStatus(mine, dir), { branch: 'main', dirty: 2, ahead: 1, behind: 0 });
});

test('a repository without a commit has a branch all the same', async () => {
  const dir = tempDir();
  git(dir, 'init', '-b', 'trunk');
  assert.equal(await gitStatus(mine, dir), { branch: 'trunk', dirty: 0, ahead: 0, behind: 0 });
});

test('outside a repository, and where there is no directory, there is nothing to tell', async () => {
  assert.equal(await gitStatus(mine, tempDir()), NO_GIT);
  assert.equal(await gitStatus(mine, '/no/such/place'), NO_GIT);
  assert.equal(await gitStatus(mine, '/tmp/\0'), NO_GIT, 'a path that no program can be started in');
});

test('a detached head is named by its commit', () => {
  const output = '# branch.oid 0123456789abcdef\0# branch.head (detached)\0';
  assert.is(readStatus(output).status.branch, '01234567');
});

test('without an upstream a branch is compared with its base, and a base that is gone with nothing', async () => {
  const dir = repository();
  git(dir, 'switch', '--quiet', '-c', 'work');
  commit(dir, 'mine');
  git(dir, 'switch', '--quiet', 'main');
  commit(dir, 'one');
  commit(dir, 'two');
  git(dir, 'switch', '--quiet', 'work');
  assert.equal(await gitStatus(mine, dir, 'main'), { branch: 'work', dirty: 0, ahead: 1, behind: 2 });
  assert.equal(await gitStatus(mine, dir, 'gone'), { branch: 'work', dirty: 0, ahead: 0, behind: 0 });
});

test('what a repository has configured as its monitor is not run', async () => {
  const dir = repository();
  const mark = join(tempDir(), 'ran');
  const monitor = join(tempDir({ monitor: `#!/bin/sh\ntouch ${mark}\n` }), 'monitor');
  chmodSync(monitor, 0o755);
  git(dir, 'config', 'core.fsmonitor', monitor);
  assert.is((await gitStatus(mine, dir))?.branch, 'main');
  assert.not.ok(existsSync(mark));
});

test('a repository that takes too long is not shown as none', async () => {
  const slow = join(tempDir({ git: '#!/bin/sh\nexec sleep 1000\n' }), 'git');
  chmodSync(slow, 0o755);
  const clock = new ManualClock();
  const answer = gitStatus(new Git({ env: {}, clock, program: slow }), tempDir());
  await new Promise(resolve => setImmediate(resolve));
  clock.advance(10_000);
  assert.is(await answer, undefined);
});

test.run();
