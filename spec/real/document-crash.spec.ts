/**
 * Writers that are killed: processes of their own.
 */
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';

const test = suite('killed writers of documents');

/** A home, and where its one store is once something is written. */
async function store(): Promise<{ home: MuxHome; dir: string }> {
  const home = new MuxHome();
  const dir = (await home.ok('store', 'path')).trim();
  return { home, dir };
}

const fsck = (dir: string): string => git(dir, '--git-dir=.', 'fsck', '--full', '--strict');
const subjects = (dir: string): string[] => git(dir, '--git-dir=.', 'log', '--format=%s').split('\n');

test('kill -9 in the middle of a write loses nothing that was confirmed, and doubles nothing', async () => {
  const { home, dir } = await store();
  // 200 in a soak, which runs this file twenty times.
  const rounds = 10;
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

test.run();
