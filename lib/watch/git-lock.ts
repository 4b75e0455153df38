/**
 * Whether git is changing the working tree that a directory belongs to.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ancestors } from './find-root.ts';

/** Git's lock on its index, which it holds while it writes another branch's files. */
const LOCK = 'index.lock';
/** A `.git` file is one line with a path. */
const MAX_POINTER = 8192;
/** A lock that old, ms, was left by a git that died, or is held while a person writes what a commit is about. */
const STALE_MS = 10_000;

/** The lock of the repository around a directory. Never throws; where there is no repository nothing is held. */
export class GitLock {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Whether it is held now. Costs a look at each directory up to the repository's. */
  isHeld(): boolean {
    for (const at of ancestors(this.#dir)) {
      const folder = gitFolder(join(at, '.git'), at);
      if (folder === undefined) continue;
      const lock = lstatSync(join(folder, LOCK), { throwIfNoEntry: false });
      return lock !== undefined && Date.now() - lock.mtimeMs < STALE_MS;
    }
    return false;
  }
}

/** Git's folder, which a worktree's `.git` names; undefined where `path` is neither. */
function gitFolder(path: string, base: string): string | undefined {
  try {
    const found = lstatSync(path);
    if (found.isDirectory()) return path;
    if (!found.isFile() || found.size > MAX_POINTER) return undefined;
    const line = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
    return line === undefined ? undefined : resolve(base, line);
  } catch {
    return undefined;
  }
}
