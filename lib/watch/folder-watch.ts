/**
 * Watches many directories, each for names that appear, change or go: one kernel watch a directory, none a file.
 *
 * Why not chokidar here: on every event it lists the directory and asks for the state of each entry, and it watches
 * each file. In directories where programs write all day that is a listing a write; here an event that does not matter
 * costs one comparison. chokidar watches the `.sgpt` folders, where every file matters (artifact-watch.ts).
 */
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../base/event.ts';

/** What is told. `name` is '' where the system does not say which. */
export interface FolderEvents {
  /** `moved`: the name appeared or went, rather than being written to. */
  changed(dir: string, name: string, moved: boolean): void;
  /** The system has no more watches to give; nothing more is watched until all is begun anew. */
  exhausted(code: string): void;
}

/** Directories watched at most for one graph: what the kernel has (65,536 or less on many machines) is shared with editors. */
const MAX_WATCHES = 20_000;
const EXHAUSTED = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/** Whether an error means that the system has no more watches or files to give. */
export function isExhausted(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code !== undefined && EXHAUSTED.has(code) ? code : undefined;
}

/** A set of watched directories. Paths are relative to `root`. */
export class FolderWatch implements Disposable {
  readonly #root: string;
  readonly #events: FolderEvents;
  readonly #watchers = new Map<string, FSWatcher>();
  #disposed = false;

  constructor(root: string, events: FolderEvents) {
    this.#root = root;
    this.#events = events;
  }

  /** Begins to watch; a directory already watched is watched anew. One that is gone or closed to us is passed over. */
  add(dir: string): void {
    if (this.#disposed) return;
    this.remove(dir);
    if (this.#watchers.size >= MAX_WATCHES) return this.#exhaust(`${MAX_WATCHES} folders`);
    try {
      const watcher = watch(join(this.#root, dir), (event, name) =>
        this.#events.changed(dir, name ?? '', event === 'rename'),
      );
      watcher.on('error', () => this.remove(dir));
      this.#watchers.set(dir, watcher);
    } catch (error) {
      const code = isExhausted(error);
      if (code) this.#exhaust(code);
    }
  }

  remove(dir: string): void {
    this.#watchers.get(dir)?.close();
    this.#watchers.delete(dir);
  }

  /** Number of directories watched. */
  get size(): number {
    return this.#watchers.size;
  }

  dispose(): void {
    this.#disposed = true;
    for (const dir of Array.from(this.#watchers.keys())) this.remove(dir);
  }

  #exhaust(code: string): void {
    // What we hold is of no use without the rest, and others need it.
    this.dispose();
    this.#events.exhausted(code);
  }
}
