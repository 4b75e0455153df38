import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { GraphService } from '../../lib/watch/graph-service.ts';
import { git, realTempDir } from '../support/git.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('the history of lores');
const service = new GraphService();
test.after(() => service.dispose());

/** A graph below the top of a repository, whose lore was written, changed, and called otherwise. */
function changed(): string {
  const top = realTempDir({ 'sub/.sgpt.json': '' });
  const root = join(top, 'sub');
  const commit = (what: string): void => {
    git(top, 'add', '-A');
    git(top, 'commit', '--quiet', '-m', what);
  };
  git(top, 'init', '--quiet', '--template=', '-b', 'main');
  mkdirSync(join(root, '.sgpt/lores/db'), { recursive: true });
  const body = 'a line\n'.repeat(10);
  writeFileSync(join(root, '.sgpt/lores/db/old name.md'), `${body}\tone\n`);
  commit('first');
  writeFileSync(join(root, '.sgpt/lores/db/old name.md'), `${body}\ttwo \x1b[31m\n`);
  commit('second\x1b[2J');
  git(top, 'mv', 'sub/.sgpt/lores/db/old name.md', 'sub/.sgpt/lores/new.md');
  commit('third');
  return root;
}

test('commits are told with the names of then, and what each has changed', async () => {
  const root = changed();
  const handle = service.open(root);
  await handle.ready;
  const commits = await handle.history('lores/new');
  assert.equal(
    commits.map(({ subject, author, file }) => [subject, author, file]),
    [
      ['third', 'Ada', '.sgpt/lores/new.md'],
      ['second [2J', 'Ada', '.sgpt/lores/db/old name.md'],
      ['first', 'Ada', '.sgpt/lores/db/old name.md'],
    ],
  );
  const change = async (i: number): Promise<string[]> => {
    const { commit, file } = commits[i]!;
    return (await handle.change('lores/new', commit, file)).map(plain);
  };
  assert.equal(await change(0), ['rename from .sgpt/lores/db/old name.md', 'rename to .sgpt/lores/new.md']);
  assert.equal((await change(1)).slice(-2), ['-    one', '+    two  [31m']);
  assert.is((await change(2)).at(-1), '+    one');
  const ages = await handle.ages();
  assert.equal(Array.from(ages.keys()).sort(), ['.sgpt/lores/db/old name.md', '.sgpt/lores/new.md']);
  assert.ok(Math.abs(ages.get('.sgpt/lores/new.md')! - Date.now()) < 60_000);
  handle.dispose();
});

test('a repository whose settings would start programs starts none', async () => {
  const root = changed();
  git(root, 'config', 'diff.external', `touch ${join(root, 'started')}`);
  git(root, 'config', 'diff.evil.textconv', `touch ${join(root, 'started')};cat`);
  writeFileSync(join(root, '.gitattributes'), '*.md diff=evil\n');
  const handle = service.open(root);
  await handle.ready;
  const [, second] = await handle.history('lores/new');
  assert.ok((await handle.change('lores/new', second!.commit, second!.file)).length > 2);
  assert.equal(git(root, 'status', '--porcelain'), '?? sub/.gitattributes');
  handle.dispose();
});

test('what is no commit, no lore and in no repository is told', async () => {
  const said = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'nothing',
      (error: { code: string; message: string }) => `${error.code} ${error.message}`,
    );
  const handle = service.open(changed());
  await handle.ready;
  assert.match(await said(handle.change('lores/new', '--output=x', 'y')), /^failed git log/);
  assert.match(await said(handle.history('lores/gone')), /^not_found/);
  handle.dispose();
  const bare = service.open(tempDir({ '.sgpt.json': '', '.sgpt/lores/a.md': 'x' }));
  await bare.ready;
  assert.match(await said(bare.history('lores/a')), /^failed .*not a git repository/);
  assert.is((await bare.ages()).size, 0);
  bare.dispose();
});

test.run();
