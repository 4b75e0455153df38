import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPlace, type MadePlace } from '../../lib/git/create.ts';
import { forkPlace } from '../../lib/git/fork.ts';
import type { Git } from '../../lib/git/run.ts';
import { commit, git, quietGit, realTempDir, repository } from '../support/git.ts';

const test = suite('fork');

const NAMES = { name: 'fix', prefix: 'mux', user: 'ada' };

interface Bench {
  readonly mine: Git;
  readonly root: string;
  readonly source: MadePlace;
  /** The source's worktree. */
  readonly at: string;
}

async function bench(dir: string): Promise<Bench> {
  const mine = quietGit();
  const root = join(realTempDir(), 'w');
  const source = await createPlace(mine, { ...NAMES, root, dir, id: '00000001' });
  return { mine, root, source, at: source.main.worktree };
}

function fork({ mine, root, source }: Bench, withChanges: boolean, id = '00000002'): Promise<MadePlace> {
  return forkPlace(mine, { ...NAMES, root, id, source, withChanges });
}

const FILES = {
  'staged.txt': '1\n',
  'edited.txt': '1\n',
  'both.txt': '1\n',
  'gone.txt': '1\n',
  'old name.txt': 'long enough to be told\n',
};

/** Every kind of uncommitted work. */
function makeDirty(dir: string): void {
  writeFileSync(join(dir, 'staged.txt'), '2\n');
  writeFileSync(join(dir, 'both.txt'), '2\n');
  writeFileSync(join(dir, 'added.sh'), 'x\n');
  chmodSync(join(dir, 'added.sh'), 0o755);
  git(dir, 'add', 'staged.txt', 'both.txt', 'added.sh');
  git(dir, 'mv', 'old name.txt', 'new name.txt');
  git(dir, 'rm', '--quiet', 'gone.txt');
  writeFileSync(join(dir, 'both.txt'), '3\n');
  writeFileSync(join(dir, 'edited.txt'), '2\n');
  writeFileSync(join(dir, 'new file ü.txt'), 'new\n');
  writeFileSync(join(dir, '.gitignore'), 'ignored.txt\n');
  writeFileSync(join(dir, 'ignored.txt'), '');
  symlinkSync('edited.txt', join(dir, 'link'));
  writeFileSync(Buffer.concat([Buffer.from(`${dir}/not utf8 `), Buffer.from([0xff])]), 'x');
}

test('a fork goes on from the commits of its source, not from the base', async () => {
  const b = await bench(repository());
  const tip = commit(b.at, 'work');
  writeFileSync(join(b.at, 'dirt.txt'), '');
  const place = await fork(b, false);
  assert.is(git(place.main.worktree, 'rev-parse', 'HEAD'), tip);
  assert.equal([place.main.base, place.main.branch], ['main', 'mux/fix-00000002']);
  assert.is(git(place.main.worktree, 'status', '--porcelain'), '', 'uncommitted work stays where it is');
});

test('uncommitted work comes along as it was: staged, unstaged, untracked; the source is not touched', async () => {
  const b = await bench(repository(FILES));
  makeDirty(b.at);
  const before = git(b.at, 'status', '--porcelain=v2', '-z');
  const index = join(git(b.at, 'rev-parse', '--absolute-git-dir'), 'index');
  const indexBefore = [readFileSync(index).toString('hex'), statSync(index).mtimeMs];
  const place = await fork(b, true);
  const there = place.main.worktree;
  assert.equal(place.warnings, []);
  assert.equal([readFileSync(index).toString('hex'), statSync(index).mtimeMs], indexBefore);
  assert.is(git(there, 'status', '--porcelain=v2', '-z'), before);
  assert.is(git(there, 'diff'), git(b.at, 'diff'));
  assert.is(git(there, 'diff', '--cached'), git(b.at, 'diff', '--cached'));
  assert.is(readFileSync(join(there, 'link'), 'utf8'), '2\n');
  assert.not.ok(existsSync(join(there, 'ignored.txt')));
  assert.is(git(b.at, 'stash', 'list'), '');
});

test('a source without a commit is forked with what lies in it', async () => {
  const dir = realTempDir();
  git(dir, 'init', '--quiet', '-b', 'trunk');
  const b = await bench(dir);
  writeFileSync(join(b.at, 'draft.txt'), 'x');
  writeFileSync(join(b.at, 'staged.txt'), 'x');
  git(b.at, 'add', 'staged.txt');
  const { main } = await fork(b, true);
  assert.is(git(main.worktree, 'status', '--porcelain'), 'A  staged.txt\n?? draft.txt');
});

test('of a conflict the files come along, and what cannot is told', async () => {
  const b = await bench(repository());
  git(b.at, 'switch', '--quiet', '-c', 'other');
  writeFileSync(join(b.at, 'a.txt'), 'theirs\n');
  git(b.at, 'commit', '--quiet', '-am', 'theirs');
  git(b.at, 'switch', '--quiet', '-');
  writeFileSync(join(b.at, 'a.txt'), 'ours\n');
  git(b.at, 'commit', '--quiet', '-am', 'ours');
  assert.throws(() => git(b.at, 'merge', 'other'));
  const { main, warnings } = await fork(b, true);
  assert.match(readFileSync(join(main.worktree, 'a.txt'), 'utf8'), /<<<<<<<[^]*theirs/);
  assert.is(git(main.worktree, 'status', '--porcelain'), ' M a.txt');
  assert.equal(warnings, ['not copied: what was staged: the index holds conflicts']);
});

test('a repository within the worktree is left, and told', async () => {
  const b = await bench(repository());
  git(b.at, 'init', '--quiet', 'inner');
  commit(join(b.at, 'inner'), 'x');
  writeFileSync(join(b.at, 'beside.txt'), '');
  const { main, warnings } = await fork(b, true);
  assert.equal(warnings, ['not copied: inner/: a repository of its own']);
  assert.ok(existsSync(join(main.worktree, 'beside.txt')));
});

test('a source whose folder is gone is forked from its branch; without either it is refused', async () => {
  const b = await bench(repository());
  const tip = commit(b.at, 'work');
  rmSync(b.at, { recursive: true });
  const { main } = await fork(b, true);
  assert.is(git(main.worktree, 'rev-parse', 'HEAD'), tip);
  git(b.source.main.repo, 'worktree', 'prune');
  git(b.source.main.repo, 'branch', '-D', b.source.main.branch);
  await fork(b, true, '00000003').then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /^fork: neither folder nor branch/),
  );
});

test('includes are forked from where they stand too', async () => {
  const mine = quietGit();
  const root = join(realTempDir(), 'w');
  const source = await createPlace(mine, {
    ...NAMES,
    root,
    dir: repository(),
    includes: [repository()],
    id: '00000001',
  });
  const tip = commit(source.includes[0]!.worktree, 'work');
  const place = await fork({ mine, root, source, at: '' }, true);
  assert.is(git(place.includes[0]!.worktree, 'rev-parse', 'HEAD'), tip);
  assert.is(Object.values(place.env)[0], place.includes[0]!.worktree);
});

test('a fork whose uncommitted work cannot be read leaves nothing behind', async () => {
  const b = await bench(repository());
  writeFileSync(join(git(b.at, 'rev-parse', '--absolute-git-dir'), 'index'), 'no index');
  await fork(b, true).then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /^git ls-files: /),
  );
  assert.not.match(git(b.source.main.repo, 'branch'), /00000002/);
  assert.is(git(b.source.main.repo, 'worktree', 'list').split('\n').length, 2);
});

test.run();
