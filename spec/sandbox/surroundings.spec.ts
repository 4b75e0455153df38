import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { programFolders, repositoryAround } from '../../lib/sandbox/surroundings.ts';
import { gitEnv } from '../support/git.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('surroundings');
const root = realpathSync(tempDir());
const env = gitEnv();
const git = (cwd: string, ...args: string[]): unknown => execFileSync('git', args, { cwd, env });
const repo = join(root, 'repo');
const tree = join(root, 'tree');

test.before(() => {
  mkdirSync(repo);
  git(repo, 'init', '-q');
  git(repo, 'commit', '-q', '--allow-empty', '-m', 'x');
  git(repo, 'worktree', 'add', '-q', tree);
});

test('a repository is found from below, and its git folder with it', () => {
  mkdirSync(join(repo, 'a/b'), { recursive: true });
  assert.equal(repositoryAround(join(repo, 'a/b')), { top: repo, gitDirs: [join(repo, '.git')] });
});

test('of a worktree the folder that it shares with all others', () => {
  assert.equal(repositoryAround(tree), { top: tree, gitDirs: [join(repo, '.git')] });
});

test('outside of any it is the folder alone', () => {
  const folder = join(root, 'plain');
  mkdirSync(folder);
  assert.equal(repositoryAround(folder), { top: folder, gitDirs: [] });
});

test('a .git that leads elsewhere grants nothing, whatever it leads to', () => {
  const secret = join(root, 'secret');
  mkdirSync(secret);
  for (const [name, target] of [
    ['to a folder', secret],
    ['to another repository', join(repo, '.git')],
    ['to another worktree’s', join(repo, '.git/worktrees/tree')],
    ['to nothing', join(root, 'gone')],
  ] as const) {
    const folder = join(root, name);
    mkdirSync(folder);
    writeFileSync(join(folder, '.git'), `gitdir: ${target}\n`);
    assert.equal(repositoryAround(folder).gitDirs, [], name);
  }
  const made = join(root, 'made');
  mkdirSync(join(made, 'own/worktrees/x'), { recursive: true });
  writeFileSync(join(made, '.git'), 'gitdir: own/worktrees/x\n');
  writeFileSync(join(made, 'own/worktrees/x/gitdir'), `${made}/.git\n`);
  writeFileSync(join(made, 'own/worktrees/x/commondir'), `${secret}\n`);
  assert.equal(repositoryAround(made).gitDirs, []);
  const linked = join(root, 'linked');
  mkdirSync(linked);
  symlinkSync(join(repo, '.git'), join(linked, '.git'));
  assert.equal(repositoryAround(linked).gitDirs, []);
});

test('a program is granted with its package, and one that is nowhere not at all', () => {
  const bin = join(root, 'lib/node_modules/tool/bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'tool.js'), '');
  mkdirSync(join(root, 'bin'));
  symlinkSync(join(bin, 'tool.js'), join(root, 'bin/tool'));
  assert.equal(programFolders('tool', join(root, 'bin')), [
    join(root, 'bin/tool'),
    join(root, 'lib/node_modules'),
  ]);
  assert.equal(programFolders('gone', join(root, 'bin')), []);
});

test.run();
