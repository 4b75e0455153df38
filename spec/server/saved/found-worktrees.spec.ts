/**
 * Sessions found by their worktrees, where nothing else tells of them any more.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPlace, type MadePlace } from '../../../lib/git/create.ts';
import { readSession } from '../../../lib/store/document.ts';
import { openState } from '../../../lib/server/saved/saved-state.ts';
import { foundWorktrees } from '../../../lib/server/saved/found-worktrees.ts';
import { fakeModel } from '../../model/fake.ts';
import { git, quietGit, realTempDir, repository } from '../../support/git.ts';

const test = suite('sessions found by their worktrees');

interface Made {
  readonly data: string;
  readonly root: string;
  readonly repo: string;
  readonly place: MadePlace;
}

async function made(id: string, includes: readonly string[] = []): Promise<Made> {
  const data = realTempDir();
  const root = join(data, 'worktrees');
  const repo = repository();
  const names = { root, dir: repo, id, name: 'fix it', prefix: '{user}/mux', user: 'ada' };
  return { data, root, repo, place: await createPlace(quietGit(), { ...names, includes }) };
}

test('a worktree tells its session: id, name, branch, base and repository', async () => {
  const { root, repo, place } = await made('0a1b2c3d');
  const [session, ...more] = foundWorktrees({ root, shell: '/bin/sh' });
  assert.is(more.length, 0);
  const { id, name, launch, runs, durable, place: found } = session!;
  assert.equal([id, name, runs, durable], ['0a1b2c3d', 'fix-it', false, true]);
  assert.equal([launch.argv, launch.cwd], [['/bin/sh'], place.main.worktree]);
  assert.equal(found, { kind: 'worktree', main: { ...place.main, repo, base: place.main.base }, includes: [] }); // prettier-ignore
  // It can be kept and read as any other.
  assert.equal(readSession(JSON.parse(JSON.stringify(session)), 'session').id, id);
});

test('further repositories are found with the one that they were included in', async () => {
  const { root, place } = await made('0a1b2c3d', [repository()]);
  const [session] = foundWorktrees({ root, shell: '/bin/sh' });
  assert.is(session?.place.kind, 'worktree');
  const { main, includes } = session!.place as Extract<typeof session, { place: unknown }>['place'] &
    MadePlace;
  assert.is(main.worktree, place.main.worktree);
  assert.equal(includes.map(one => one.worktree), place.includes.map(one => one.worktree)); // prettier-ignore
});

test('what is no worktree is passed over', async () => {
  const { root, place } = await made('0a1b2c3d');
  git(place.main.worktree, 'switch', '--quiet', '--detach');
  mkdirSync(join(root, 'work-000', 'deadbeef'), { recursive: true });
  writeFileSync(join(root, 'work-000', 'deadbeef', '.git'), 'gitdir: /nowhere\n');
  mkdirSync(join(root, 'a repository', '.git'), { recursive: true });
  assert.equal(foundWorktrees({ root, shell: '/bin/sh' }), []);
  assert.equal(foundWorktrees({ root: join(root, 'none'), shell: '/bin/sh' }), []);
});

test('with a damaged state and no log, sessions come back by their worktrees, and that is told', async () => {
  const { data, place } = await made('0a1b2c3d');
  const state = realTempDir({ 'state.json': '{"version": 1, "sess' });
  const saved = openState({
    paths: { state, data },
    version: '1.0.0',
    now: () => 0,
    shell: '/bin/sh',
  });
  assert.match(saved.reports[0]!, /it is cut off or no JSON; .*1 session from elsewhere/);
  assert.is(
    saved.reports[1],
    `session fix-it: found by its worktree ${place.main.worktree}; what it ran is not known, resume starts a shell there`,
  );
  const { model } = fakeModel();
  assert.equal(
    saved.restore(model, () => undefined),
    [],
  );
  const [session] = model.sessions.all();
  assert.equal([session?.name, session?.place.kind], ['fix-it', 'worktree']);
});

test.run();
