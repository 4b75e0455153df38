import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GitLock } from '../../lib/watch/git-lock.ts';
import { GraphService } from '../../lib/watch/graph-service.ts';
import { git as run } from '../support/git.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const test = suite('a graph whose branch is changed');
const service = new GraphService();
test.after(() => service.dispose());

const LORES = 300;

/** A repository with two branches that differ in every file. */
function twoBranches(): string {
  const root = tempDir({ '.sgpt.json': '{}' });
  const git = (...args: string[]): string => run(root, ...args);
  git('init', '-q', '-b', 'first');
  for (const branch of ['first', 'second']) {
    if (branch === 'second') git('checkout', '-q', '-b', branch);
    mkdirSync(join(root, `.sgpt/lores/${branch}`), { recursive: true });
    for (let i = 0; i < LORES; i++) {
      writeFileSync(join(root, `.sgpt/lores/l${i}.md`), `${branch} ${i}`);
      writeFileSync(join(root, `.sgpt/lores/${branch}/l${i}.md`), `${i}`);
    }
    writeFileSync(join(root, '.sgpt/a.role.md'), branch);
    git('add', '-A');
    if (branch === 'second') git('rm', '-rq', '--cached', '.sgpt/lores/first');
    git('commit', '-qm', branch);
    if (branch === 'second') rmSync(join(root, '.sgpt/lores/first'), { recursive: true });
  }
  return root;
}

test('another branch is one change, there and back, also for a folder below the root', async () => {
  const root = twoBranches();
  const git = (...args: string[]): string => run(root, ...args);
  const handle = service.open(join(root, '.sgpt'));
  await handle.ready;
  for (const branch of ['first', 'second', 'first']) {
    const seen: string[] = [];
    const subscription = handle.onChange(graph =>
      seen.push(
        `${graph.roles[0]?.prompt} ${graph.lores.filter(l => l.name.startsWith(`lores/${branch}/`)).length}`,
      ),
    );
    git('checkout', '-q', branch);
    await until('the branch', () => handle.graph.roles[0]?.prompt === branch);
    // What a write after it brings is the second change.
    writeFileSync(join(root, '.sgpt/b.role.md'), branch);
    await until('the write', () => handle.graph.roles[1]?.prompt === branch);
    assert.equal(seen, [`${branch} ${LORES}`, `${branch} ${LORES}`]);
    subscription.dispose();
  }
  handle.dispose();
});

test('while git holds its lock nothing is read; one left by a git that died is not waited for long', async () => {
  const root = twoBranches();
  const lock = join(root, '.git/index.lock');
  assert.not(new GitLock(root).isHeld());
  writeFileSync(lock, '');
  assert.ok(new GitLock(join(root, '.sgpt')).isHeld());
  const handle = service.open(root);
  await handle.ready;
  let changes = 0;
  handle.onChange(() => changes++);
  writeFileSync(join(root, '.sgpt/a.role.md'), 'one');
  // Another graph shows a later change meanwhile.
  const other = service.open(tempDir({ '.sgpt.json': '' }));
  await other.ready;
  writeFileSync(join(other.dir, '.sgpt.json'), '{title: "seen"}');
  await until('the other graph', () => other.graph.title === 'seen');
  assert.is(changes, 0);
  writeFileSync(join(root, '.sgpt/a.role.md'), 'two');
  rmSync(lock);
  await until('the change', () => handle.graph.roles[0]?.prompt === 'two');
  assert.is(changes, 1);
  handle.dispose();
  other.dispose();
});

test('the lock of a worktree is where its .git file leads', () => {
  const root = twoBranches();
  const tree = join(tempDir(), 'tree');
  run(root, 'worktree', 'add', '-q', tree, 'first');
  assert.not(new GitLock(tree).isHeld());
  writeFileSync(join(root, '.git/worktrees/tree/index.lock'), '');
  assert.ok(new GitLock(tree).isHeld());
  assert.not(new GitLock(root).isHeld());
  for (const text of ['', 'gitdir: /nowhere', 'x'.repeat(10_000)]) {
    writeFileSync(join(tree, '.git'), text);
    assert.not(new GitLock(tree).isHeld());
  }
});

test.run();
