import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StagedChanges } from '../../lib/app/graph-write.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('changes of several lores at once');

const failed = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error: Error) => error.message,
  );
const FILES = { 'a.md': 'a', 'b.md': 'b' };

async function staged(root: string): Promise<StagedChanges> {
  const changes = new StagedChanges(root, 'lore a');
  for (const [file, before] of Object.entries(FILES)) await changes.add({ file, before, text: `${before}2` });
  return changes;
}

test('a file that was changed or removed meanwhile stops all of them, and nothing is left behind', async () => {
  for (const meanwhile of [
    (path: string) => writeFileSync(path, 'other'),
    (path: string) => rmSync(path),
    (path: string) => writeFileSync(path, Buffer.from([0xff])),
  ]) {
    const root = tempDir(FILES);
    const changes = await staged(root);
    meanwhile(join(root, 'b.md'));
    assert.match(await failed(changes.check()), /b\.md was (?:changed|removed) meanwhile/);
    await changes.drop();
    assert.is(readFileSync(join(root, 'a.md'), 'utf8'), 'a');
    assert.not.ok(readdirSync(root).some(name => name.endsWith('.new')));
  }
});

test('of two that write the same files one is refused before anything is in force', async () => {
  const root = tempDir(FILES);
  const one = await staged(root);
  const other = new StagedChanges(root, 'lore b');
  assert.match(
    await failed(other.add({ file: 'b.md', before: 'b', text: 'x' })),
    /somebody else writes b\.md right now/,
  );
  await other.drop();
  await one.check();
  await one.commit();
  assert.equal(
    ['a.md', 'b.md'].map(file => readFileSync(join(root, file), 'utf8')),
    ['a2', 'b2'],
  );
  await one.drop();
  assert.equal(readdirSync(root).sort(), ['a.md', 'b.md']);
});

test('a name that differs in case alone, and one that is taken', async () => {
  const root = tempDir(FILES);
  const changes = await staged(root);
  assert.match(await failed(changes.commitAs('a.md', 'b.md')), /its new name is taken/);
  await changes.commitAs('a.md', 'A.md');
  await changes.drop();
  assert.ok(existsSync(join(root, 'A.md')) && !readdirSync(root).includes('a.md'));
  assert.equal(readFileSync(join(root, 'b.md'), 'utf8'), 'b');
});

test.run();
