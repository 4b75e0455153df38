/**
 * Many writers at once, and writers that are killed: processes of their own.
 */
import { spawn } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';

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

test('kill -9 in the middle of a write loses nothing that was confirmed, and doubles nothing', async () => {
  const { home, dir } = await store();
  const rounds = Number(process.env['MUX_SOAK_ROUNDS'] ?? 10);
  await home.ok('store', 'append', 'log', 'start');
  for (let round = 0; round < rounds; round++) {
    const words = ['store', 'append', 'log', `round ${round}`];
    const child = spawn(process.execPath, [LAUNCHER, ...words], {
      cwd: home.work,
      env: home.env,
      stdio: 'ignore',
    });
    const ended = new Promise(resolve => child.on('exit', resolve));
    // At another moment each time, from before the lock to after the commit.
    await Promise.race([ended, pause(40 + round * 17)]);
    child.kill('SIGKILL');
    await ended;
    await home.ok('store', 'append', 'log', `after ${round}`);
  }
  const lines = (await home.ok('store', 'get', 'log')).trimEnd().split('\n');
  assert.is(new Set(lines).size, lines.length, lines.join('\n'));
  const confirmed = lines.filter(line => line.startsWith('after'));
  assert.equal(
    confirmed,
    Array.from({ length: rounds }, (_, i) => `after ${i}`),
  );
  assert.is(subjects(dir).length, lines.length + 1);
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
