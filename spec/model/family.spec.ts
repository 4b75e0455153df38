/**
 * Parents and children, and the labels they pass on.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkParent, childrenOf, subtree, treeLines } from '../../lib/model/family.ts';
import { changedLabels, checkLabels, hasLabels } from '../../lib/model/labels.ts';
import type { SessionRecord } from '../../lib/model/types.ts';
import { fakeModel, program, type Fake } from './fake.ts';

const test = suite('family of sessions');
const SIZE = { cols: 80, rows: 24 };

function child(fake: Fake, name: string, parent?: SessionRecord): SessionRecord {
  const spec = program({ name, durable: true, ...(parent ? { parentId: parent.id } : {}) });
  return fake.model.sessions.create(spec, SIZE);
}

test('a tree shows children under their parents, and orphans at the left', () => {
  const fake = fakeModel();
  const a = child(fake, 'a');
  child(fake, 'b');
  const a1 = child(fake, 'a1', a);
  child(fake, 'a11', a1);
  child(fake, 'a2', a);
  const lines = treeLines(fake.model.sessions.all()).map(
    ({ session, depth }) => '-'.repeat(depth) + session.name,
  );
  assert.equal(lines, ['a', '-a1', '--a11', '-a2', 'b']);
  assert.equal(
    treeLines([a1]).map(({ depth }) => depth),
    [0],
  );
});

test('a circle of parents, as a damaged state may hold it, ends', () => {
  const fake = fakeModel();
  const a = child(fake, 'a');
  const b = child(fake, 'b', a);
  a.parentId = b.id;
  assert.is(treeLines(fake.model.sessions.all()).length, 2);
  assert.is(subtree(a, fake.model.sessions.all()).length, 2);
});

test('no session becomes a child of itself or of what is below it', () => {
  const fake = fakeModel();
  const a = child(fake, 'a');
  const b = child(fake, 'b', child(fake, 'between', a));
  const { sessions } = fake.model;
  assert.throws(() => checkParent(sessions, a, b), /above b already/);
  assert.throws(() => checkParent(sessions, a, a), /not its own parent/);
  checkParent(sessions, b, a);
});

test('children of a session that goes for good become those of its parent', () => {
  const fake = fakeModel();
  const a = child(fake, 'a');
  const b = child(fake, 'b', a);
  const c = child(fake, 'c', b);
  fake.model.sessions.delete(b);
  assert.is(c.parentId, a.id);
  assert.equal(childrenOf(fake.model.sessions, a), [c]);
});

test('a deleted session is in no list, gives its name free, and comes back by another where that is taken', () => {
  const fake = fakeModel();
  const { sessions } = fake.model;
  const old = child(fake, 'a');
  sessions.softDelete(old, Infinity);
  assert.equal([sessions.all().length, sessions.byName('a')], [0, undefined]);
  child(fake, 'a');
  sessions.undelete(old);
  assert.equal([old.name, old.deletedAt], ['a-2', undefined]);
});

test('deleting a running session is not told as its failure, and what was asked to stop has not failed', () => {
  const fake = fakeModel();
  const { sessions } = fake.model;
  for (const reason of ['delete', 'user', 'idle'] as const) {
    const session = child(fake, reason);
    sessions.stopping(session, reason);
    fake.terminal(session).exit.fire({ code: 0, signal: 15 });
    assert.is(sessions.status(session), 'stopped', reason);
  }
  const killed = child(fake, 'killed');
  fake.terminal(killed).exit.fire({ code: 0, signal: 15 });
  assert.is(sessions.status(killed), 'failed');
});

test('labels differ by more than case, and none holds what would part a list of them', () => {
  assert.equal(checkLabels([' Team ', 'team', 'b']), ['Team', 'b']);
  for (const bad of ['', ' ', 'a,b', 'a\nb', 'x'.repeat(65), 'ü'.repeat(33)])
    assert.throws(() => checkLabels([bad]), /label/, JSON.stringify(bad));
  assert.throws(() => checkLabels(Array.from({ length: 33 }, (_, i) => `l${i}`)), /at most 32/);
  assert.equal(changedLabels(['Team', 'b'], { add: ['c'], remove: ['TEAM'] }), ['b', 'c']);
  assert.throws(() => changedLabels([], { add: ['a'], remove: ['A'] }), /to be added and to be removed/);
  assert.ok(hasLabels(['Team', 'b'], ['team']));
  assert.not(hasLabels(['Team'], ['team', 'b']));
});

test.run();
