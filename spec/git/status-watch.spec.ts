import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPlace } from '../../lib/git/create.ts';
import { NO_GIT, type GitStatus } from '../../lib/git/status.ts';
import { WatchedStatus, type StatusWatch } from '../../lib/git/status-watch.ts';
import { watchPlan } from '../../lib/git/watch-plan.ts';
import {
  clonedRepository,
  commit,
  commitOnRemote,
  git,
  quietGit,
  realTempDir,
  repository,
} from '../support/git.ts';
import { until } from '../support/until.ts';

const test = suite('watched status');

/** Shows the state of a folder as a server would: asks when told, and never else. */
class Shown {
  status: GitStatus = NO_GIT;
  told = 0;
  readonly watch: StatusWatch;

  constructor(source: WatchedStatus, dir: string) {
    this.watch = source.watch(dir, () => {
      this.told++;
      void source.ask(dir).then(status => (this.status = status ?? this.status));
    });
  }

  async shows(what: string, condition: (status: GitStatus) => boolean): Promise<void> {
    await until(what, () => condition(this.status), { describe: () => JSON.stringify(this.status) });
  }
}

async function shown(source: WatchedStatus, dir: string): Promise<Shown> {
  const one = new Shown(source, dir);
  await until('it is watched', () => one.watch.isLive && one.told > 0);
  return one;
}

/** Nothing that is on its way any more: what was told stays as it is. */
async function calm(one: Shown): Promise<number> {
  let before = -1;
  await until('nothing more is told', async () => {
    const same = before === one.told;
    before = one.told;
    if (!same) await new Promise(resolve => setTimeout(resolve, 300));
    return same;
  });
  return one.told;
}

test('what is done to a repository is seen without asking again and again', async () => {
  const { remote, clone } = clonedRepository();
  const source = new WatchedStatus(quietGit());
  const one = await shown(source, clone);
  await one.shows('the branch', status => status.branch === 'main');
  commit(clone, 'two');
  await one.shows('a commit', status => status.ahead === 1);
  git(clone, 'push', '--quiet');
  await one.shows('a push', status => status.ahead === 0);
  writeFileSync(join(clone, 'n.txt'), '');
  git(clone, 'add', 'n.txt');
  await one.shows('what is staged', status => status.dirty === 1);
  git(clone, 'commit', '--quiet', '-m', 'three');
  await one.shows('nothing to commit', status => status.dirty === 0 && status.ahead === 1);
  git(clone, 'push', '--quiet');
  commitOnRemote(remote, 'four');
  git(clone, 'fetch', '--quiet');
  await one.shows('a fetch', status => status.behind === 1);
  git(clone, 'switch', '--quiet', '-c', 'deep/er/topic');
  await one.shows('another branch', status => status.branch === 'deep/er/topic');
  commit(clone, 'five');
  git(clone, 'push', '--quiet', '-u', 'origin', 'HEAD');
  commit(clone, 'six');
  await one.shows('its new upstream', status => status.ahead === 1);
  git(clone, 'switch', '--quiet', '--detach');
  await one.shows('a detached head', status => /^[0-9a-f]{8}$/.test(status.branch));
  const told = await calm(one);
  for (let i = 0; i < 5; i++) await source.ask(clone);
  assert.is(await calm(one), told, 'our own questions tell nothing');
  source.dispose();
});

test('packed references are followed: folders that git removes and makes anew', async () => {
  const dir = repository();
  git(dir, 'switch', '--quiet', '-c', 'a/b');
  const source = new WatchedStatus(quietGit());
  const one = await shown(source, dir);
  git(dir, 'branch', 'other');
  git(dir, 'branch', '--quiet', '--set-upstream-to=other');
  for (const count of [1, 2, 3]) {
    git(dir, 'pack-refs', '--all', '--prune');
    await calm(one);
    commit(dir, String(count));
    await one.shows(`commit ${count}`, status => status.ahead === count);
  }
  source.dispose();
});

test('a worktree is compared with its base, and hears when that has moved', async () => {
  const { remote, clone } = clonedRepository();
  const mine = quietGit();
  const wanted = {
    root: join(realTempDir(), 'w'),
    dir: clone,
    id: '00000001',
    name: 'x',
    prefix: 'mux',
    user: 'ada',
  };
  const { main } = await createPlace(mine, wanted);
  const source = new WatchedStatus(mine);
  const one = await shown(source, main.worktree);
  commit(main.worktree, 'mine');
  await one.shows('a commit', status => status.ahead === 1);
  commitOnRemote(remote, 'theirs');
  git(clone, 'fetch', '--quiet');
  await one.shows('a fetch', status => status.behind === 1);
  source.dispose();
});

test('worktrees of one repository share their watches, and what one does the others are not told', async () => {
  const dir = repository();
  const mine = quietGit();
  const root = join(realTempDir(), 'w');
  const ids = ['00000001', '00000002', '00000003', '00000004'];
  const places = [];
  for (const id of ids)
    places.push(await createPlace(mine, { root, dir, id, name: 'x', prefix: 'mux', user: 'ada' }));
  const source = new WatchedStatus(mine);
  const all = await Promise.all(places.map(place => shown(source, place.main.worktree)));
  assert.is(source.watched, 4 + 3, 'four of their own; the repository, its branches, those of mux');
  for (const one of all) await calm(one);
  const before = all.map(one => one.told);
  commit(places[0]!.main.worktree, 'mine');
  await all[0]!.shows('a commit', status => status.ahead === 1);
  await calm(all[0]!);
  assert.equal(
    all.slice(1).map(one => one.told),
    before.slice(1),
  );
  for (const one of all) one.watch.dispose();
  assert.is(source.watched, 0);
});

test('outside a repository nothing is watched, and one that goes away is let go', async () => {
  const source = new WatchedStatus(quietGit());
  const outside = new Shown(source, realTempDir());
  await until('it was looked at', () => outside.told > 0);
  assert.not.ok(outside.watch.isLive);
  const dir = repository();
  mkdirSync(join(dir, 'sub'));
  const one = await shown(source, join(dir, 'sub'));
  rmSync(join(dir, '.git'), { recursive: true });
  await until('it is let go', () => !one.watch.isLive);
  await one.shows('nothing', status => status.branch === '');
  assert.is(source.watched, 0);
  outside.watch.dispose();
  source.dispose();
});

test('a reference that is not there yet is watched by the first name of it that will appear', () => {
  const exists = new Set(['/g/refs', '/g/refs/heads']);
  const facts = { gitDir: '/g/worktrees/x', commonDir: '/g', exists: (dir: string) => exists.has(dir) };
  const plan = watchPlan({
    ...facts,
    refs: ['refs/heads/a/b/c', 'refs/heads/main', 'refs/remotes/origin/main'],
  });
  const names = Object.fromEntries(
    plan.map(({ dir, names: set, planning }) => [dir, [[...set], [...planning]]]),
  );
  assert.equal(names['/g/refs/heads'], [['a', 'main'], ['a']]);
  assert.equal(names['/g/refs'], [['remotes'], ['remotes']]);
});

test.run();
