/**
 * Who writes to a store: one process at a time. A symbolic link is made in one step with all that it says, and only
 * where none is; who has died is found out by number and start, so nothing has to be cleaned up by hand.
 *
 * The lock saves work and is not what keeps documents whole: two that write at once, because one was taken for dead
 * from another container, meet in git's own comparison of the branch, and the second one does its work again.
 */
import { readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { isAlive, ownerOf } from './owner.ts';

export class Lock {
  readonly #path: string;
  readonly #me = ownerOf(process.pid);
  #breaks = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes it where it is free or its owner has died. Throws the system's error where no link can be made. */
  take(): boolean {
    if (this.#make()) return true;
    const owner = this.owner();
    if (owner === undefined) return this.#make();
    // Our own number and start: an earlier try of this very process.
    if (owner !== this.#me && isAlive(owner)) return false;
    this.#break(owner);
    return this.#make();
  }

  /** Who has it, undefined where nobody does. */
  owner(): string | undefined {
    try {
      return readlinkSync(this.#path);
    } catch {
      // ENOENT: it has been let go.
      return undefined;
    }
  }

  /** Lets it go, if it is still ours. */
  release(): void {
    if (this.owner() === this.#me) unlinkQuietly(this.#path);
  }

  #make(): boolean {
    try {
      symlinkSync(this.#me, this.#path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /** Moves the dead one's away first: whoever comes second finds nothing to move, and cannot remove a new one. */
  #break(dead: string): void {
    const aside = `${this.#path}.${this.#me}.${this.#breaks++}`;
    try {
      renameSync(this.#path, aside);
      const moved = readlinkSync(aside);
      // Somebody else was quicker, and this is already theirs.
      if (moved !== dead) symlinkSync(moved, this.#path);
    } catch {
      // ENOENT, EEXIST: others have done the same; they have it now.
    }
    unlinkQuietly(aside);
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // ENOENT: it is gone, as it should be.
  }
}
