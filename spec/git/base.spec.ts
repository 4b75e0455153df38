import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findBase } from '../../lib/git/base.ts';
import { repositoryAt } from '../../lib/git/repository.ts';
import { clonedRepository, commit, git, quietGit, realTempDir, repository } from '../support/git.ts';

const test = suite('base');

interface Case {
  readonly what: string;
  /** Prepares a repository and gives its folder. */
  readonly make: () => string;
  readonly wanted?: string;
  /** Name and start. */
  readonly expected: readonly [name: string, start: string];
}

/** A clone whose remote has the given branches and no default that the clone knows of. */
function cloneWithout(head: boolean, ...branches: readonly string[]): string {
  const { remote, clone } = clonedRepository();
  for (const branch of branches) git(remote, 'branch', branch, 'main');
  git(clone, 'fetch', '--quiet');
  if (!head) git(clone, 'remote', 'set-head', 'origin', '--delete');
  return clone;
}

function withoutBranch(dir: string, branch: string): string {
  git(dir, 'switch', '--quiet', '-c', 'work');
  git(dir, 'branch', '-D', branch);
  return dir;
}

function withoutRemoteBranch(dir: string, branch: string): string {
  git(dir, 'update-ref', '-d', `refs/remotes/origin/${branch}`);
  return dir;
}

const CASES: readonly Case[] = [
  {
    what: 'the remote says its default',
    make: () => {
      const clone = cloneWithout(true, 'develop');
      git(clone, 'remote', 'set-head', 'origin', 'develop');
      return clone;
    },
    expected: ['develop', 'origin/develop'],
  },
  {
    what: 'main on the remote',
    make: () => cloneWithout(false, 'master'),
    expected: ['main', 'origin/main'],
  },
  {
    what: 'master on the remote before main here',
    make: () => withoutRemoteBranch(cloneWithout(false, 'master'), 'main'),
    expected: ['master', 'origin/master'],
  },
  {
    what: 'a default of the remote that is gone',
    make: () => {
      const clone = cloneWithout(true);
      git(clone, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/gone');
      return clone;
    },
    expected: ['main', 'origin/main'],
  },
  {
    what: 'main here where the remote has been given no branch yet',
    make: () => {
      const dir = repository();
      const remote = realTempDir();
      git(remote, 'init', '--quiet', '--bare');
      git(dir, 'remote', 'add', 'origin', remote);
      return dir;
    },
    expected: ['main', 'main'],
  },
  { what: 'main here without a remote', make: repository, expected: ['main', 'main'] },
  {
    what: 'master here without a remote, though another is checked out',
    make: () => {
      const dir = repository();
      git(dir, 'branch', '-m', 'master');
      git(dir, 'switch', '--quiet', '-c', 'topic');
      return dir;
    },
    expected: ['master', 'master'],
  },
  {
    what: 'what is checked out',
    make: () => withoutBranch(repository(), 'main'),
    expected: ['work', 'work'],
  },
  {
    what: 'nothing committed yet',
    make: () => {
      const dir = realTempDir();
      git(dir, 'init', '--quiet', '-b', 'trunk');
      return dir;
    },
    expected: ['trunk', 'trunk'],
  },
  {
    what: "a person's word, as the remote has it",
    make: () => cloneWithout(true, 'release'),
    wanted: 'release',
    expected: ['release', 'origin/release'],
  },
  {
    what: "a person's word, which only this repository knows",
    make: () => {
      const clone = cloneWithout(true);
      git(clone, 'branch', 'mine');
      return clone;
    },
    wanted: 'mine',
    expected: ['mine', 'mine'],
  },
  {
    what: 'the only remote, whatever it is called',
    make: () => {
      const clone = cloneWithout(true);
      git(clone, 'remote', 'rename', 'origin', 'upstream');
      return clone;
    },
    expected: ['main', 'upstream/main'],
  },
  {
    what: 'what is checked out, by its word',
    make: () => {
      const clone = cloneWithout(true);
      git(clone, 'switch', '--quiet', '-c', 'topic');
      return clone;
    },
    wanted: 'HEAD',
    expected: ['topic', 'topic'],
  },
];

for (const { what, make, wanted, expected } of CASES)
  test(`the base is found: ${what}`, async () => {
    const mine = quietGit();
    const base = await findBase(mine, await repositoryAt(mine, make()), wanted);
    assert.equal([base.name, base.start], expected);
    assert.is(base.commit === undefined, what === 'nothing committed yet');
  });

test('a detached head is its own base where there is no usual branch', async () => {
  const dir = withoutBranch(repository(), 'main');
  const id = commit(dir, 'two');
  git(dir, 'switch', '--quiet', '--detach');
  git(dir, 'branch', '-D', 'work');
  const mine = quietGit();
  assert.equal(await findBase(mine, await repositoryAt(mine, dir)), { name: id, start: id, commit: id });
});

test.run();
