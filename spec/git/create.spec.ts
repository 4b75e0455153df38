import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { createPlace, type CreateOptions } from '../../lib/git/create.ts';
import { repositoryAt } from '../../lib/git/repository.ts';
import {
  clonedRepository,
  commit,
  commitOnRemote,
  git,
  quietGit,
  realTempDir,
  repository,
} from '../support/git.ts';

const test = suite('worktrees');

function options(dir: string, more: Partial<CreateOptions> = {}): CreateOptions {
  return {
    root: join(realTempDir(), 'worktrees'),
    dir,
    id: '0a1b2c3d',
    name: 'fix',
    prefix: '{user}/mux',
    user: 'ada',
    ...more,
  };
}

async function refusal(promise: Promise<unknown>): Promise<CodedError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('a session has a worktree and a branch of its own, begun at the remote default branch', async () => {
  const { remote, clone } = clonedRepository();
  const latest = commitOnRemote(remote, 'two');
  const wanted = options(clone, { fetch: true });
  const { main, warnings } = await createPlace(quietGit(), wanted);
  assert.equal(warnings, []);
  assert.equal(main, { repo: clone, worktree: main.worktree, branch: 'ada/mux/fix-0a1b2c3d', base: 'main' });
  assert.is(dirname(dirname(main.worktree)), realpathSync(wanted.root));
  assert.match(basename(dirname(main.worktree)), /^work-[0-9a-f]{12}$/);
  assert.is(git(main.worktree, 'rev-parse', 'HEAD'), latest, 'what is on the remote, not what is here');
  assert.is(git(main.worktree, 'branch', '--show-current'), main.branch);
  assert.is(readFileSync(join(main.worktree, 'a.txt'), 'utf8'), 'a\n');
  assert.is(git(main.worktree, 'status', '--porcelain'), '');
  assert.is(git(clone, 'branch', '--show-current'), 'main', 'the source stays as it was');
  assert.not.ok(
    readFileSync(join(clone, '.git/config'), 'utf8').includes('ada/mux'),
    'nothing to push to by mistake',
  );
});

test('a repository without a remote works', async () => {
  const dir = repository();
  const { main, warnings } = await createPlace(quietGit(), options(dir, { fetch: true }));
  assert.equal([main.base, warnings], ['main', []]);
  assert.ok(existsSync(join(main.worktree, 'a.txt')));
});

test('a repository without a commit works: the branch is as empty as the repository', async () => {
  const dir = realTempDir();
  git(dir, 'init', '--quiet', '-b', 'trunk');
  writeFileSync(join(dir, 'draft.txt'), '');
  const { main } = await createPlace(quietGit(), options(dir));
  assert.is(main.base, 'trunk');
  assert.is(git(main.worktree, 'branch', '--show-current'), main.branch);
  assert.is(git(main.worktree, 'status', '--porcelain'), '');
  commit(main.worktree, 'first');
  assert.is(git(main.worktree, 'log', '--format=%s'), 'first');
  assert.is(git(dir, 'status', '--porcelain'), '?? draft.txt', 'the source stays as it was');
});

test('a bare repository works', async () => {
  const { remote } = clonedRepository();
  const { main } = await createPlace(quietGit(), options(remote));
  assert.equal([main.repo, main.base], [remote, 'main']);
  assert.ok(existsSync(join(main.worktree, 'a.txt')));
});

test('a worktree begun in another worktree belongs to the same repository', async () => {
  const dir = repository();
  const wanted = options(dir);
  const first = await createPlace(quietGit(), wanted);
  const second = await createPlace(quietGit(), { ...wanted, dir: first.main.worktree, id: 'ffffffff' });
  assert.is(second.main.repo, dir);
  assert.is(dirname(second.main.worktree), dirname(first.main.worktree));
});

test('a repository reached over a symlink is the same repository', async () => {
  const dir = repository();
  mkdirSync(join(dir, 'deep'));
  const link = join(realTempDir(), 'link');
  symlinkSync(dir, link);
  assert.is((await repositoryAt(quietGit(), join(link, 'deep'))).main, dir);
  const { main } = await createPlace(quietGit(), options(join(link, 'deep')));
  assert.is(main.repo, dir);
});

test('a base is taken by name, by tag or by commit, and one that does not exist is told', async () => {
  const { clone } = clonedRepository();
  const first = git(clone, 'rev-parse', 'HEAD');
  git(clone, 'tag', 'v1');
  commit(clone, 'two');
  const at = async (base: string, id: string): Promise<string> =>
    git((await createPlace(quietGit(), options(clone, { base, id }))).main.worktree, 'rev-parse', 'HEAD');
  assert.is(await at('v1', '00000001'), first);
  assert.is(await at(first.slice(0, 10), '00000002'), first);
  const error = await refusal(createPlace(quietGit(), options(clone, { base: '--all', id: '00000003' })));
  assert.equal([error.code, error.message.startsWith('base --all: no such')], ['not_found', true]);
});

test('hooks and signing of the person do not run for mux', async () => {
  const dir = repository();
  const mark = join(realTempDir(), 'ran');
  mkdirSync(join(dir, '.git/hooks'));
  writeFileSync(join(dir, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  writeFileSync(join(dir, '.git/hooks/reference-transaction'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  git(dir, 'config', 'commit.gpgSign', 'true');
  git(dir, 'config', 'gpg.program', '/bin/false');
  await createPlace(quietGit(), options(dir));
  assert.not.ok(existsSync(mark));
});

test('further repositories lie beside the first, each on its own branch, and the agent is told where', async () => {
  const api = repository({ 'api.txt': '' });
  const { clone: web } = clonedRepository({ 'web.txt': '' });
  const wanted = options(api, { includes: [web] });
  const place = await createPlace(quietGit(), wanted);
  const [include] = place.includes;
  assert.is(dirname(place.main.worktree), dirname(include!.worktree));
  assert.ok(
    existsSync(join(place.main.worktree, 'api.txt')) && existsSync(join(include!.worktree, 'web.txt')),
  );
  assert.equal(place.env, { MUX_INCLUDE_WORK_PATH: include!.worktree });
  assert.is(git(include!.worktree, 'branch', '--show-current'), 'ada/mux/fix-0a1b2c3d');
});

test('includes of one name are told apart, and one repository is not taken twice', async () => {
  const a = clonedRepository().clone;
  const b = clonedRepository().clone;
  const c = clonedRepository().clone;
  const place = await createPlace(quietGit(), options(a, { includes: [b, c] }));
  assert.equal(Object.keys(place.env), ['MUX_INCLUDE_WORK_2_PATH', 'MUX_INCLUDE_WORK_3_PATH']);
  const error = await refusal(
    createPlace(quietGit(), options(a, { includes: [b, join(b, '.')], id: '00000009' })),
  );
  assert.is(error.code, 'refused');
});

test('what fails leaves nothing behind: no folder, no branch, no record of git', async () => {
  const api = repository();
  const web = repository();
  // In this repository alone the branch cannot be made: its folder's name is a branch.
  git(web, 'branch', 'ada');
  const wanted = options(api, { includes: [web] });
  const error = await refusal(createPlace(quietGit(), wanted));
  assert.match(error.message, /^git update-ref: /);
  assert.is(git(api, 'branch', '--format=%(refname:short)'), 'main');
  assert.is(git(api, 'worktree', 'list', '--porcelain').match(/^worktree /gm)?.length, 1);
  const left = existsSync(wanted.root)
    ? readdirSync(wanted.root, { recursive: true }).filter(n => String(n).includes('0a1b'))
    : [];
  assert.equal(left, []);
});

test('a folder or a branch that is there already is not taken over, nor removed', async () => {
  const dir = repository();
  const wanted = options(dir);
  const { main } = await createPlace(quietGit(), wanted);
  writeFileSync(join(main.worktree, 'work.txt'), 'precious');
  assert.is((await refusal(createPlace(quietGit(), wanted))).code, 'refused');
  assert.ok(existsSync(join(main.worktree, 'work.txt')));
  const elsewhere = await refusal(createPlace(quietGit(), { ...wanted, root: join(realTempDir(), 'w') }));
  assert.match(elsewhere.message, /^branch ada\/mux\/fix-0a1b2c3d: it exists/);
  assert.is(git(main.worktree, 'branch', '--show-current'), main.branch);
});

test('a creation that is cancelled is undone', async () => {
  const dir = repository();
  // A filter that never ends holds the checkout.
  writeFileSync(join(dir, '.gitattributes'), '* filter=slow\n');
  git(dir, 'add', '-A');
  git(dir, 'commit', '--quiet', '-m', 'slow');
  git(dir, 'config', 'filter.slow.smudge', 'sleep 100');
  const cancel = new AbortController();
  const wanted = options(dir, { signal: cancel.signal });
  const made = refusal(createPlace(quietGit(), wanted));
  setTimeout(() => cancel.abort(), 300);
  assert.is((await made).code, 'cancelled');
  assert.is(git(dir, 'branch', '--format=%(refname:short)'), 'main');
  assert.is(git(dir, 'worktree', 'list', '--porcelain').match(/^worktree /gm)?.length, 1);
});

test('ten sessions begun at once in one repository all have their worktree', async () => {
  const { clone } = clonedRepository();
  const mine = quietGit();
  const wanted = options(clone, { fetch: true });
  const ids = Array.from({ length: 10 }, (_, i) => `0000000${i}`);
  const places = await Promise.all(ids.map(id => createPlace(mine, { ...wanted, id })));
  assert.equal(
    places.flatMap(place => place.warnings),
    [],
  );
  assert.is(new Set(places.map(place => place.main.worktree)).size, 10);
  for (const { main } of places) assert.is(git(main.worktree, 'status', '--porcelain'), '');
});

test("another git's lock is waited for", async () => {
  const dir = repository();
  // Two servers share no lock of ours: only git's own are between them.
  const wanted = options(dir);
  const ids = Array.from({ length: 6 }, (_, i) => `0000000${i}`);
  const places = await Promise.all(ids.map(id => createPlace(quietGit(), { ...wanted, id })));
  assert.is(places.length, 6);
});

test('outside a repository there is nothing to make', async () => {
  const error = await refusal(createPlace(quietGit(), options(realTempDir())));
  assert.is(error.code, 'not_found');
});

test.run();
