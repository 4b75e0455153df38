import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { personalFiles, projectFiles } from '../../../lib/app/ai/context-files.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('files for agents');

const names = (files: readonly { readonly path: string }[]): string[] => files.map(({ path }) => path);

test('those of every folder from the top down to where one works are told, in this order', async () => {
  const root = tempDir({
    'AGENTS.md': 'top',
    'CLAUDE.md': 'claude',
    'a/b/AGENTS.md': 'inner',
    'a/other/AGENTS.md': 'other',
    'a/CLAUDE.md': 'top',
    'a/b/CLAUDE.md': '  \n',
  });
  const { files, warnings } = await projectFiles(root, join(root, 'a/b'));
  // What says the same, or nothing, is told once, or not at all.
  assert.equal(names(files), ['AGENTS.md', 'CLAUDE.md', 'a/b/AGENTS.md']);
  assert.equal(warnings, []);
});

test('a link is followed inside of the project, and never out of it', async () => {
  const root = tempDir({ 'docs/agents.md': 'inside', 'a/x': '' });
  const outside = tempDir({ secret: 'secret' });
  symlinkSync('docs/agents.md', join(root, 'AGENTS.md'));
  symlinkSync(join(outside, 'secret'), join(root, 'a/AGENTS.md'));
  symlinkSync('/dev/zero', join(root, 'CLAUDE.md'));
  const { files, warnings } = await projectFiles(root, join(root, 'a'));
  assert.equal(files, [{ path: 'AGENTS.md', text: 'inside', isCut: false }]);
  assert.equal(warnings, [
    'CLAUDE.md: not told to the model: it leads out of its folder',
    'a/AGENTS.md: not told to the model: it leads out of its folder',
  ]);
});

test('folders, binaries and files without end are told of and cost nothing', async () => {
  const root = tempDir({ 'a/CLAUDE.md': 'x'.repeat(2_000_000) });
  mkdirSync(join(root, 'AGENTS.md'));
  writeFileSync(join(root, 'CLAUDE.md'), Buffer.from([0, 1, 2]));
  const { files, warnings } = await projectFiles(root, join(root, 'a'));
  assert.equal(files, []);
  assert.is(warnings.length, 3);
});

test('of long ones the beginning is told, and nearer ones go first where all are too much', async () => {
  const long = (letter: string): string => letter.repeat(40_000);
  const root = tempDir({
    'AGENTS.md': long('a'),
    'b/AGENTS.md': long('b'),
    'b/c/AGENTS.md': long('c'),
    'b/c/d/AGENTS.md': `${'d'.repeat(32 * 1024 - 1)}😀`,
  });
  const { files } = await projectFiles(root, join(root, 'b/c/d'));
  assert.equal(
    files.map(({ text, isCut }) => [text.length, isCut]),
    [
      [1, true],
      [32 * 1024, true],
      [32 * 1024, true],
      [32 * 1024 - 1, true],
    ],
  );
});

test('a directory that is reached by a link is where it leads', async () => {
  const root = tempDir({ 'AGENTS.md': 'top', 'a/AGENTS.md': 'a' });
  const link = join(tempDir(), 'link');
  symlinkSync(root, link);
  assert.equal(names((await projectFiles(link, join(link, 'a'))).files), ['AGENTS.md', 'a/AGENTS.md']);
});

test('what the person wants stands beside their settings', async () => {
  const dir = tempDir({ 'AGENTS.md': 'mine' });
  assert.equal((await personalFiles(join(dir, 'config.yaml'))).files[0]?.text, 'mine');
  assert.equal((await personalFiles(join(dir, 'gone/config.yaml'))).files, []);
});

test.run();
