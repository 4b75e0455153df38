import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../lib/base/clock.ts';
import type { StatusSource } from '../../lib/git/status-watch.ts';
import { NO_GIT, type GitStatus } from '../../lib/git/status.ts';
import { GitCache } from '../../lib/server/git-cache.ts';

const test = suite('git cache');

const on = (branch: string): GitStatus => ({ branch, dirty: 0, ahead: 0, behind: 0 });
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const nothing = (): void => undefined;

/** A source whose repositories cannot be watched. */
const unwatched = (ask: (cwd: string) => Promise<GitStatus>): StatusSource => ({
  ask,
  watch: () => ({ isLive: false, dispose: nothing }),
  repository: () => '',
});

/** A source whose repositories are watched; `tell` says that something changed. */
class Watched implements StatusSource {
  asked = 0;
  watches = 0;
  answer = on('main');
  isLive = true;
  tell = nothing;

  async ask(): Promise<GitStatus> {
    this.asked++;
    return this.answer;
  }

  watch(_cwd: string, stale: () => void): { isLive: boolean; dispose(): void } {
    this.watches++;
    this.tell = stale;
    return { isLive: this.isLive, dispose: () => void this.watches-- };
  }

  repository(): string {
    return '';
  }
}

test('the last answer is given at once, and a change is told when it comes', async () => {
  const clock = new ManualClock(1000);
  const answers = [on('main'), on('main'), on('other')];
  let asked = 0;
  let changes = 0;
  const cache = new GitCache(
    clock,
    unwatched(async () => answers[asked++]!),
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
    unwatched(() => (asked++, new Promise<GitStatus>(() => undefined))),
    nothing,
  );
  for (let i = 0; i < 5; i++) {
    cache.get('/x');
    clock.advance(60_000);
  }
  assert.is(asked, 1);
});

test('a watched repository in which nothing happens is asked ever more seldom', async () => {
  const clock = new ManualClock();
  const source = new Watched();
  const cache = new GitCache(clock, source, nothing);
  for (let second = 0; second < 3600; second++) {
    cache.get('/x');
    await settled();
    clock.advance(1000);
  }
  assert.ok(source.asked < 40, `${source.asked} times in an hour`);
});

test('a change that is told is asked for at once while somebody looks, else at the next look', async () => {
  const clock = new ManualClock();
  const source = new Watched();
  let changes = 0;
  const cache = new GitCache(clock, source, () => changes++);
  cache.get('/x');
  await settled();
  source.answer = on('other');
  source.tell();
  await settled();
  assert.equal([source.asked, changes, cache.get('/x').branch], [2, 2, 'other']);
  clock.advance(10 * 60_000);
  source.tell();
  await settled();
  assert.is(source.asked, 2, 'nobody looks');
  cache.get('/x');
  await settled();
  assert.is(source.asked, 3);
});

test('a change that is told while git is at work is asked for once more', async () => {
  const clock = new ManualClock();
  const source = new Watched();
  const cache = new GitCache(clock, source, nothing);
  cache.get('/x');
  source.tell();
  source.tell();
  await settled();
  await settled();
  assert.is(source.asked, 2);
});

test('where a program has become quiet, edits are asked for soon, but not again and again', async () => {
  const clock = new ManualClock();
  const source = new Watched();
  const cache = new GitCache(clock, source, nothing);
  cache.get('/x');
  await settled();
  for (let i = 0; i < 10; i++) cache.touch('/x');
  await settled();
  assert.is(source.asked, 1, 'asked a moment ago');
  clock.advance(3000);
  await settled();
  assert.is(source.asked, 2);
  clock.advance(10 * 60_000);
  cache.touch('/x');
  await settled();
  assert.is(source.asked, 2, 'nobody looks');
  cache.touch('/never seen');
  assert.is(source.watches, 1);
});

test('a repository made where there was none is watched from then on', async () => {
  const clock = new ManualClock();
  const source = new Watched();
  source.isLive = false;
  source.answer = NO_GIT;
  const cache = new GitCache(clock, source, nothing);
  cache.get('/x');
  await settled();
  source.isLive = true;
  source.answer = on('main');
  clock.advance(3000);
  cache.get('/x');
  await settled();
  const asked = source.asked;
  source.tell();
  await settled();
  assert.equal([source.asked, source.watches], [asked + 1, 1]);
});

test('directories beyond the bound are forgotten with their watches, and none is left at the end', () => {
  const source = new Watched();
  const cache = new GitCache(new ManualClock(), source, nothing);
  for (let i = 0; i < 300; i++) cache.get(`/${i}`);
  assert.is(source.watches, 200);
  cache.dispose();
  assert.is(source.watches, 0);
});

test.run();
