/**
 * Documents through the command line, as processes of their own.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MuxHome } from '../support/mux.ts';
import { git, repository } from '../support/git.ts';

const test = suite('documents');

/** A home, and where its one store is once something is written. */
async function store(): Promise<{ home: MuxHome; dir: string }> {
  const home = new MuxHome();
  const dir = (await home.ok('store', 'path')).trim();
  return { home, dir };
}

const fsck = (dir: string): string => git(dir, '--git-dir=.', 'fsck', '--full', '--strict');
const subjects = (dir: string): string[] => git(dir, '--git-dir=.', 'log', '--format=%s').split('\n');

test('what is put is got, listed, shown by plain git, and gone after rm', async () => {
  const { home, dir } = await store();
  await home.ok('store', 'put', 'plans/next.md', 'eins\n');
  await home.ok('store', 'put', 'Ü b.md', 'zwei');
  assert.is(await home.ok('store', 'get', 'plans/next.md'), 'eins\n');
  assert.is(git(dir, '--git-dir=.', 'show', 'HEAD:plans/next.md'), 'eins');
  const { documents } = (await home.cli('store', 'list', '--json')).json();
  assert.equal(
    documents.map((one: { key: string; size: number }) => [one.key, one.size]),
    [
      ['plans/next.md', 5],
      ['Ü b.md', 4],
    ],
  );
  assert.match(documents[0].updated_at, /^\d{4}-\d\d-\d\dT[\d:]+Z$/);
  assert.is((await home.ok('store', 'list', 'plans/')).split('\t')[0], 'plans/next.md');
  await home.ok('store', 'rm', 'plans/next.md');
  const gone = await home.cli('store', 'get', 'plans/next.md');
  assert.is(gone.status, 3);
  assert.match(gone.stderr, /^mux: document plans\/next.md: not among/);
  assert.is((await home.cli('store', 'rm', 'plans/next.md')).status, 3);
  const { changes } = (await home.cli('store', 'log', 'plans/next.md', '--json')).json();
  assert.equal(
    changes.map((one: { action: string }) => one.action),
    ['rm', 'put'],
  );
  assert.is(await home.ok('store', 'get', 'plans/next.md', '--at', changes[1].commit), 'eins\n');
  assert.is(fsck(dir), '');
});

test('each write is one commit that says who wrote; what changes nothing is none', async () => {
  const { home, dir } = await store();
  await home.ok('store', 'put', 'a', 'x');
  await home.ok('store', 'put', 'a', 'x');
  await home.ok('store', 'append', 'a', 'two');
  await home.ok('store', 'append', 'new', 'first');
  assert.is(await home.ok('store', 'get', 'a'), 'x\ntwo\n');
  assert.equal(subjects(dir), ['append new', 'append a', 'put a', 'begin']);
  assert.match(git(dir, '--git-dir=.', 'log', '-1', '--format=%(trailers:key=Session,valueonly)'), /^human/);
});

test('a document is never a folder as well', async () => {
  const { home } = await store();
  await home.ok('store', 'put', 'a/b', 'x');
  assert.is((await home.cli('store', 'put', 'a', 'y')).status, 4);
  assert.is((await home.cli('store', 'put', 'a/b/c', 'y')).status, 4);
  assert.is(await home.ok('store', 'get', 'a/b'), 'x');
});

test('worktrees of a repository share its documents; --shared is for all, and --repo for another', async () => {
  const { home } = await store();
  const main = repository();
  const tree = join(home.dir, 'tree');
  git(main, 'worktree', 'add', '--quiet', tree);
  await home.ok('store', 'put', 'k', 'of main', '--repo', main);
  assert.is(await home.ok('store', 'get', 'k', '--repo', tree), 'of main');
  await home.ok('store', 'put', 'k', 'of all', '--shared');
  assert.is(await home.ok('store', 'get', 'k', '--shared'), 'of all');
  assert.is((await home.cli('store', 'get', 'k')).status, 3);
  assert.is((await home.cli('store', 'get', 'k', '--shared', '--repo', main)).status, 2);
  assert.is((await home.cli('store', 'put', '../k', 'x')).status, 2);
});

test('any bytes come back as they were, from a file and through a pipe', async () => {
  const { home } = await store();
  const file = join(home.dir, 'bytes');
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 256));
  writeFileSync(file, bytes);
  await home.ok('store', 'put', 'b', '-f', file);
  const dir = (await home.ok('store', 'path')).trim();
  assert.is(git(dir, '--git-dir=.', 'cat-file', '-s', 'HEAD:b'), '100000');
  await home.ok('store', 'put', 'empty', '');
  assert.is(await home.ok('store', 'get', 'empty'), '');
});

test.run();
