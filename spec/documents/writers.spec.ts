/**
 * Many writers at once, and locks that the dead left: processes of their own.
 */
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { MuxHome } from '../support/mux.ts';

const test = suite('writers of documents');

/** A home, and where its one store is once something is written. */
async function store(): Promise<{ home: MuxHome; dir: string }> {
  const home = new MuxHome();
  const dir = (await home.ok('store', 'path')).trim();
  return { home, dir };
}

const fsck = (dir: string): string => git(dir, '--git-dir=.', 'fsck', '--full', '--strict');
const subjects = (dir: string): string[] => git(dir, '--git-dir=.', 'log', '--format=%s').split('\n');

test('fifty writers at once lose nothing, and write each line once', async () => {
  const { home, dir } = await store();
  const numbers = Array.from({ length: 50 }, (_, i) => i);
  const results = await Promise.all(
    numbers.map(i =>
      i % 2 === 0
        ? home.cli('store', 'append', 'all.txt', `line ${i}`)
        : home.cli('store', 'put', `one/${i}`, `${i}`),
    ),
  );
  assert.equal(
    results.filter(result => result.status !== 0).map(result => result.stderr),
    [],
  );
  const lines = (await home.ok('store', 'get', 'all.txt')).trimEnd().split('\n').sort();
  assert.equal(
    lines,
    numbers
      .filter(i => i % 2 === 0)
      .map(i => `line ${i}`)
      .sort(),
  );
  assert.is(subjects(dir).length, 51);
  assert.equal(readdirSync(join(dir, 'mux/queue')), []);
  assert.is(fsck(dir), '');
});

test('a lock of a process that has died, or of another with its number, holds nobody up', async () => {
  const { home, dir } = await store();
  await home.ok('store', 'put', 'a', '1');
  symlinkSync('999999999.1', join(dir, 'mux/lock'));
  await home.ok('store', 'put', 'a', '2');
  symlinkSync(`${process.pid}.1`, join(dir, 'mux/lock'));
  await home.ok('store', 'put', 'a', '3');
  assert.is(await home.ok('store', 'get', 'a'), '3');
  assert.equal(readdirSync(join(dir, 'mux')), ['queue']);
});

test.run();
