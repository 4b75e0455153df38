import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../lib/base/clock.ts';
import { NO_GIT, type GitStatus } from '../../lib/git/status.ts';
import { GitCache } from '../../lib/server/git-cache.ts';

const test = suite('git cache');

const on = (branch: string): GitStatus => ({ branch, dirty: 0, ahead: 0, behind: 0 });
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('the last answer is given at once, and a change is told when it comes', async () => {
  const clock = new ManualClock(1000);
  const answers = [on('main'), on('main'), on('other')];
  let asked = 0;
  let changes = 0;
  const cache = new GitCache(
    clock,
    async () => answers[asked++]!,
    () => changes++,
  );
  assert.equal(cache.get('/x'), NO_GIT);
  await settled();
  assert.equal(cache.get('/x'), on('main'));
  assert.is(asked, 1, 'not asked again so soon');
  assert.is(changes, 1);
  clock.advance(10_000);
  cache.get('/x');
  await settled();
  assert.is(changes, 1, 'the same answer is no change');
  clock.advance(10_000);
  cache.get('/x');
  await settled();
  assert.equal([cache.get('/x').branch, changes], ['other', 2]);
});

test('one directory is asked once at a time, however often it is drawn', async () => {
  const clock = new ManualClock();
  let asked = 0;
  const cache = new GitCache(
    clock,
    () => (asked++, new Promise<GitStatus>(() => undefined)),
    () => undefined,
  );
  for (let i = 0; i < 5; i++) {
    cache.get('/x');
    clock.advance(60_000);
  }
  assert.is(asked, 1);
});

test.run();
