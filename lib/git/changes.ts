/**
 * Uncommitted work taken from one working tree to another of the same repository: tracked files as they are, untracked
 * ones, and what is staged. The source is only read: its index is copied first, and trees are written from the copy.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOf } from './repository.ts';
import type { Git, RunOptions } from './run.ts';

/** Bytes of names of untracked files: more are not sources but a forgotten entry in .gitignore. */
const MAX_NAMES = 64 * 1024 * 1024;

export interface CopyChanges {
  /** Tops of the working trees. `to` is new, and at the commit that `from` is at. */
  readonly from: string;
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with what was left behind, one line each; ignored files always are.
 * @throws CodedError as Git.run
 */
export async function copyChanges(git: Git, { from, to, signal }: CopyChanges): Promise<readonly string[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'mux-index-'));
  try {
    const index = join(scratch, 'index');
    await copyIndex(git, from, index);
    const source: RunOptions = { cwd: from, kind: 'write', env: { GIT_INDEX_FILE: index }, signal };
    const staged = await stagedTree(git, source);
    const { tree, nested } = await workingTree(git, source);
    await putTrees(git, { cwd: to, kind: 'write', signal }, tree, staged);
    return [
      ...(staged === undefined ? ['what was staged: the index holds conflicts'] : []),
      ...nested.map(path => `${path}: a repository of its own`),
    ];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The index as it is now; git replaces it whole, so the copy is never half of it. */
async function copyIndex(git: Git, from: string, copy: string): Promise<void> {
  const index = await git.run(['rev-parse', '--path-format=absolute', '--git-path', 'index'], { cwd: from });
  try {
    await copyFile(index, copy);
  } catch (error) {
    // A repository in which nothing was ever added has none: that is an empty one.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The tree that a commit would have now; undefined while there are conflicts, of which no tree can be made. */
async function stagedTree(git: Git, source: RunOptions): Promise<string | undefined> {
  const unmerged = await git.run(['ls-files', '--unmerged'], { ...source, maxOutput: MAX_NAMES });
  return unmerged === '' ? git.run(['write-tree'], source) : undefined;
}

/** The tree of the files as they lie there. */
async function workingTree(
  git: Git,
  source: RunOptions,
): Promise<{ readonly tree: string; readonly nested: readonly string[] }> {
  await git.run(['add', '--update', '--', ':/'], source);
  const others = await git.bytes(['ls-files', '--others', '--exclude-standard', '-z'], {
    ...source,
    maxOutput: MAX_NAMES,
  });
  // latin1: one letter a byte, so that names that are no UTF-8 come through.
  const names = others.toString('latin1').split('\0');
  const isNested = (name: string): boolean => name.endsWith('/');
  const input = Buffer.from(names.filter(name => !isNested(name)).join('\0'), 'latin1');
  // `--remove`: a program at work may have removed a file meanwhile.
  if (input.length > 0)
    await git.run(['update-index', '--add', '--remove', '-z', '--stdin'], { ...source, input });
  const nested = names.filter(isNested).map(name => Buffer.from(name, 'latin1').toString('utf8'));
  return { tree: await git.run(['write-tree'], source), nested };
}

/** Files as in `tree`, index as in `staged`: what only `tree` has is untracked then. */
async function putTrees(
  git: Git,
  target: RunOptions,
  tree: string,
  staged: string | undefined,
): Promise<void> {
  await git.run(['read-tree', '--reset', '-u', tree], target);
  const head = await commitOf(git, target.cwd, 'HEAD');
  const index = staged ?? head;
  await git.run(index ? ['read-tree', index] : ['read-tree', '--empty'], target);
  // Notes sizes and times, so that the next status reads no file. Its status tells of files that differ: not an error.
  await git.ask(['update-index', '-q', '--refresh'], target);
}
