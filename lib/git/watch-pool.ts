/**
 * Watched folders, shared by all who watch the same: fifty worktrees of one repository have most of theirs in common.
 */
import { statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import type { Disposable } from '../base/event.ts';

/**
 * Folders watched at most: three or four for each of 200 working trees. What the system has (8,192 on small machines)
 * is shared with editors.
 */
const MAX_FOLDERS = 1024;

/** `name` is '' where the system does not say which. */
export type FolderListener = (name: string) => void;

interface Entry {
  readonly watcher: FSWatcher;
  readonly listeners: Set<FolderListener>;
  /** Device and inode: git removes empty folders of references and makes them anew. */
  readonly identity: string;
}

export class WatchPool implements Disposable {
  readonly #entries = new Map<string, Entry>();

  /**
   * Tells `listener` of names that appear, change or go in `dir`. Undefined where the folder cannot be watched: it is
   * gone, or the system or MAX_FOLDERS has no more.
   */
  add(dir: string, listener: FolderListener): Disposable | undefined {
    const identity = identityOf(dir);
    if (identity === undefined) return undefined;
    const known = this.#entries.get(dir);
    const entry = known?.identity === identity ? known : this.#open(dir, identity, known);
    entry?.listeners.add(listener);
    return entry && { dispose: () => this.#release(dir, listener) };
  }

  /** Folders watched. */
  get size(): number {
    return this.#entries.size;
  }

  dispose(): void {
    for (const { watcher } of this.#entries.values()) watcher.close();
    this.#entries.clear();
  }

  #open(dir: string, identity: string, former: Entry | undefined): Entry | undefined {
    if (!former && this.#entries.size >= MAX_FOLDERS) return undefined;
    try {
      // Who watched the former folder of that name means this one now.
      const listeners = former?.listeners ?? new Set<FolderListener>();
      const watcher = watch(dir, { persistent: false }, (_, name) => {
        for (const listener of Array.from(listeners)) listener(name ?? '');
      });
      // The folder is gone; whoever watches the one above it hears of that.
      watcher.on('error', () => undefined);
      former?.watcher.close();
      const entry = { watcher, listeners, identity };
      this.#entries.set(dir, entry);
      return entry;
    } catch {
      // ENOENT, ENOSPC, EMFILE.
      return undefined;
    }
  }

  #release(dir: string, listener: FolderListener): void {
    const entry = this.#entries.get(dir);
    if (!entry?.listeners.delete(listener) || entry.listeners.size > 0) return;
    entry.watcher.close();
    this.#entries.delete(dir);
  }
}

function identityOf(dir: string): string | undefined {
  try {
    const { dev, ino } = statSync(dir);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
