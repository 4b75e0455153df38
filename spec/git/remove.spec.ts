import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toCoded } from '../../lib/base/errors.ts';
import { createPlace, type MadePlace } from '../../lib/git/create.ts';
import { placeAtRisk, removePlace, type Removal } from '../../lib/git/remove.ts';
import { countFiles, riskText, workAtRisk } from '../../lib/git/risk.ts';
import type { Git } from '../../lib/git/run.ts';
import { clonedRepository, commit, git, quietGit, realTempDir, repository } from '../support/git.ts';

const test = suite('removing worktrees');

interface Bench {
  readonly mine: Git;
  readonly root: string;
  readonly place: MadePlace;
  readonly repo: string;
  readonly at: string;
}

async function bench(repo: string, includes: readonly string[] = []): Promise<Bench> {
  const mine = quietGit();
  const root = join(realTempDir(), 'w');
  const place = await createPlace(mine, {
    root,
    dir: repo,
    includes,
    id: '00000001',
    name: 'fix',
    prefix: 'mux',
    user: 'ada',
  });
  return { mine, root, place, repo, at: place.main.worktree };
}

const remove = ({ mine, place, root }: Bench, force = false): Promise<Removal> =>
  removePlace(mine, place, { root, force });

const branches = (dir: string): string[] => git(dir, 'branch', '--format=%(refname:short)').split('\n');
const worktrees = (dir: string): number =>
  git(dir, 'worktree', 'list', '--porcelain').match(/^worktree /gm)!.length;

async function isGone({ at, repo, root }: Bench): Promise<void> {
  assert.not.ok(existsSync(at));
  assert.equal(branches(repo), ['main']);
  assert.is(worktrees(repo), 1);
  assert.equal(existsSync(root) ? readdirSync(root) : [], [], 'no folder is left');
}

interface Case {
  readonly what: string;
  readonly make: (b: Bench) => void;
  /** Text of what is at risk. */
  readonly expected: string;
}

const CASES: readonly Case[] = [
  { what: 'nothing was done', make: () => undefined, expected: '' },
  {
    what: 'a file was changed',
    make: b => writeFileSync(join(b.at, 'a.txt'), 'b'),
    expected: '1 changed file',
  },
  {
    what: 'something is staged',
    make: b => {
      writeFileSync(join(b.at, 'n.txt'), '');
      git(b.at, 'add', 'n.txt');
    },
    expected: '1 changed file',
  },
  {
    what: 'a file is untracked, and the person hides those from status',
    make: b => {
      git(b.at, 'config', 'status.showUntrackedFiles', 'no');
      writeFileSync(join(b.at, 'n.txt'), '');
    },
    expected: '1 untracked file',
  },
  {
    what: 'commits were made',
    make: b => void (commit(b.at, '1'), commit(b.at, '2')),
    expected: '2 commits that are nowhere else',
  },
  {
    what: 'commits were pushed, with an upstream',
    make: b => {
      commit(b.at, '1');
      git(b.at, 'push', '--quiet', '-u', 'origin', 'HEAD');
    },
    expected: '',
  },
  {
    what: 'commits were pushed under another name, without an upstream',
    make: b => {
      commit(b.at, '1');
      git(b.at, 'push', '--quiet', 'origin', 'HEAD:elsewhere');
    },
    expected: '',
  },
  {
    what: 'one commit was made since the push',
    make: b => {
      commit(b.at, '1');
      git(b.at, 'push', '--quiet', '-u', 'origin', 'HEAD');
      commit(b.at, '2');
    },
    expected: '1 commit that is nowhere else',
  },
  {
    what: 'the pushed branch was deleted on the remote',
    make: b => {
      commit(b.at, '1');
      git(b.at, 'push', '--quiet', '-u', 'origin', 'HEAD');
      git(b.at, 'push', '--quiet', '--delete', 'origin', b.place.main.branch);
    },
    expected: '1 commit that is nowhere else',
  },
  {
    what: 'commits are on another branch',
    make: b => {
      commit(b.at, '1');
      git(b.at, 'branch', 'kept');
    },
    expected: '',
  },
  {
    what: 'commits were merged into the local main branch',
    make: b => {
      commit(b.at, '1');
      git(b.repo, 'merge', '--quiet', b.place.main.branch);
    },
    expected: '',
  },
  {
    what: 'the head is detached at a commit of its own',
    make: b => {
      git(b.at, 'switch', '--quiet', '--detach');
      commit(b.at, '1');
    },
    expected: '1 commit that is nowhere else',
  },
  {
    what: 'the agent went on to a branch of its own, which stays',
    make: b => {
      git(b.at, 'switch', '--quiet', '-c', 'own');
      commit(b.at, '1');
    },
    expected: '',
  },
  {
    what: 'something is stashed on the branch',
    make: b => {
      writeFileSync(join(b.at, 'a.txt'), 'b');
      git(b.at, 'stash', '--quiet');
    },
    expected: '1 stash',
  },
  {
    what: 'something is stashed on another branch',
    make: b => {
      writeFileSync(join(b.repo, 'a.txt'), 'b');
      git(b.repo, 'stash', '--quiet');
    },
    expected: '',
  },
  {
    what: 'the folder was removed by hand, with commits on the branch',
    make: b => {
      commit(b.at, '1');
      rmSync(b.at, { recursive: true });
    },
    expected: '1 commit that is nowhere else',
  },
  {
    what: 'a merge is not finished',
    make: b =>
      writeFileSync(
        join(git(b.at, 'rev-parse', '--absolute-git-dir'), 'MERGE_HEAD'),
        git(b.at, 'rev-parse', 'HEAD'),
      ),
    expected: 'an unfinished merge',
  },
];

for (const { what, make, expected } of CASES)
  test(`at risk: ${what}`, async () => {
    const b = await bench(clonedRepository().clone);
    make(b);
    assert.equal(
      (await placeAtRisk(b.mine, b.place)).map(({ work }) => riskText(work)),
      expected === '' ? [] : [expected],
    );
  });

test('without a remote, what is on no other branch is at risk', async () => {
  const b = await bench(repository());
  assert.is(riskText(await workAtRisk(b.mine, b.place.main)), '');
  commit(b.at, '1');
  assert.is(riskText(await workAtRisk(b.mine, b.place.main)), '1 commit that is nowhere else');
});

test('what cannot be told is at risk', async () => {
  const b = await bench(repository());
  writeFileSync(join(git(b.at, 'rev-parse', '--absolute-git-dir'), 'index'), 'no index');
  assert.match(riskText(await workAtRisk(b.mine, b.place.main)), /^cannot tell: git status: /);
  assert.is((await remove(b)).kind, 'kept');
  assert.ok(existsSync(b.at));
});

test('submodules with repositories of their own are at risk', async () => {
  const b = await bench(repository());
  const from = repository({ 's.txt': '' });
  git(b.at, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from, 'sub');
  git(b.at, 'commit', '--quiet', '-m', 'sub');
  assert.match(
    riskText(await workAtRisk(b.mine, b.place.main)),
    /1 commit that is nowhere else, cannot tell: it has sub/,
  );
  assert.is((await remove(b, true)).kind, 'removed');
  await isGone(b);
});

test('records of git status are counted by kind', () => {
  const output = [
    '1 M. x a',
    '2 R. x new',
    '? old name that begins like one',
    'u UU x b',
    '? c',
    '! d',
    '',
  ].join('\0');
  assert.equal(countFiles(output), { changed: 3, untracked: 1 });
});

test('a worktree in which nothing can be lost goes with its branch, and nothing of it is left', async () => {
  const b = await bench(clonedRepository().clone);
  assert.equal(await remove(b), { kind: 'removed', notes: [] });
  await isGone(b);
  assert.equal(await remove(b), { kind: 'removed', notes: [] }, 'once more does no harm');
});

test('work that would be lost keeps everything where it is, until a person insists', async () => {
  const b = await bench(repository());
  writeFileSync(join(b.at, 'a.txt'), 'b');
  commit(b.at, '1');
  const removal = await remove(b);
  assert.is(removal.kind, 'kept');
  assert.ok(existsSync(join(b.at, 'a.txt')) && branches(b.repo).includes(b.place.main.branch));
  assert.equal(await remove(b, true), { kind: 'removed', notes: [] });
  await isGone(b);
});

test('work in an include keeps the whole place', async () => {
  const other = repository();
  const b = await bench(repository(), [other]);
  writeFileSync(join(b.place.includes[0]!.worktree, 'n.txt'), '');
  const removal = await remove(b);
  assert.equal(removal.kind === 'kept' && removal.because.map(one => riskText(one.work)), [
    '1 untracked file',
  ]);
  assert.ok(existsSync(b.at));
  await remove(b, true);
  await isGone(b);
  assert.equal(branches(other), ['main']);
});

test('what is not ours is never removed', async () => {
  const b = await bench(repository());
  const foreign = join(realTempDir(), 'a-0', '00000001');
  mkdirSync(foreign, { recursive: true });
  const link = join(b.root, 'link-0', '00000002');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(foreign, link);
  const linkedParent = join(b.root, 'link-1');
  symlinkSync(dirname(foreign), linkedParent);
  const paths = [
    foreign,
    b.repo,
    b.root,
    dirname(b.at),
    `${b.root}bar/x/y`,
    join(b.at, '../../../..'),
    link,
    join(linkedParent, '00000001'),
    join(b.at, 'a/b'),
  ];
  for (const worktree of paths) {
    const main = { ...b.place.main, worktree };
    const refused = await removePlace(b.mine, { main, includes: [] }, { root: b.root, force: true }).catch(
      toCoded,
    );
    assert.is('code' in refused && refused.code, 'refused', worktree);
  }
  assert.ok(existsSync(foreign) && existsSync(b.at));
});

test('a folder that somebody put in the place of the worktree is not removed', async () => {
  const b = await bench(repository());
  git(b.repo, 'worktree', 'move', b.at, join(realTempDir(), 'moved'));
  mkdirSync(b.at, { recursive: true });
  writeFileSync(join(b.at, 'precious.txt'), '');
  assert.is(((await remove(b, true).catch(toCoded)) as { code?: string }).code, 'refused');
  assert.ok(existsSync(join(b.at, 'precious.txt')));
});

test('removal that was cut in the middle is finished by the next try', async () => {
  const cuts: readonly ((b: Bench) => void)[] = [
    b => renameSync(b.at, `${b.at}.removed`),
    b => {
      renameSync(b.at, `${b.at}.removed`);
      git(b.repo, 'worktree', 'remove', '--force', '--force', b.at);
    },
    b => {
      renameSync(b.at, `${b.at}.removed`);
      git(b.repo, 'worktree', 'remove', '--force', '--force', b.at);
      git(b.repo, 'branch', '-D', b.place.main.branch);
    },
  ];
  for (const cut of cuts) {
    const b = await bench(repository());
    cut(b);
    assert.equal(await remove(b), { kind: 'removed', notes: [] });
    await isGone(b);
  }
});

test('a failure of git is told, and the next try goes on', async () => {
  const b = await bench(repository());
  const lock = join(b.repo, '.git/packed-refs.lock');
  writeFileSync(lock, '');
  const failed = toCoded(await remove(b).catch((error: unknown) => error));
  assert.equal([failed.code, /packed-refs/.test(failed.message)], ['failed', true]);
  rmSync(lock);
  assert.is((await remove(b)).kind, 'removed');
  await isGone(b);
});

test('folders that a program made read-only go too', async () => {
  const b = await bench(repository({ '.gitignore': 'cache\n' }));
  mkdirSync(join(b.at, 'cache/pkg'), { recursive: true });
  writeFileSync(join(b.at, 'cache/pkg/file'), '');
  chmodSync(join(b.at, 'cache/pkg'), 0o555);
  chmodSync(join(b.at, 'cache'), 0o555);
  await remove(b);
  await isGone(b);
});

test('a branch that is checked out elsewhere is kept, and told', async () => {
  const b = await bench(repository());
  git(b.at, 'switch', '--quiet', '--detach');
  git(b.repo, 'switch', '--quiet', b.place.main.branch);
  const removal = await remove(b);
  assert.match(removal.kind === 'removed' ? removal.notes.join() : '', /was kept: it is checked out in/);
  assert.ok(branches(b.repo).includes(b.place.main.branch));
});

test('a worktree whose repository is gone goes only by force', async () => {
  const b = await bench(repository());
  rmSync(b.repo, { recursive: true });
  assert.is((await remove(b)).kind, 'kept');
  assert.is((await remove(b, true)).kind, 'removed');
  assert.not.ok(existsSync(b.at));
});

test('many are removed at once', async () => {
  const mine = quietGit();
  const repo = repository();
  const root = join(realTempDir(), 'w');
  const places = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      createPlace(mine, { root, dir: repo, id: `0000000${i}`, name: 'x', prefix: 'mux', user: 'ada' }),
    ),
  );
  await Promise.all(places.map(place => removePlace(mine, place, { root, force: false })));
  assert.equal(branches(repo), ['main']);
  assert.is(worktrees(repo), 1);
});

test.run();
