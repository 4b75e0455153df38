/**
 * What a worktree's branch is compared with while it has no upstream: one line in git's own folder of that worktree,
 * which goes with it. In the configuration it would be an upstream, and `git push` would want to push there.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'mux-base';
/** A longer line is no revision. */
const MAX_REVISION = 1000;

/** Git's own folder of a worktree, by the file that points there (gitrepository-layout(5)). */
async function ownFolder(worktree: string): Promise<string> {
  const pointer = await readFile(join(worktree, '.git'), 'utf8');
  return pointer.replace(/^gitdir: /, '').trim();
}

/** Notes the revision. Never throws: without it the branch is compared with nothing, and all else works. */
export async function rememberBase(worktree: string, revision: string): Promise<void> {
  try {
    await writeFile(join(await ownFolder(worktree), FILE), `${revision}\n`);
  } catch {
    // ENOSPC and the like.
  }
}

/** The revision noted in git's own folder of a working tree, '' for none. */
export async function rememberedBase(gitDir: string): Promise<string> {
  try {
    const text = (await readFile(join(gitDir, FILE), 'utf8')).trim();
    return text.length <= MAX_REVISION ? text : '';
  } catch {
    // ENOENT: not a worktree of ours.
    return '';
  }
}
