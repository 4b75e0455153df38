/**
 * Follows which graph a directory belongs to: a nearer `.sgpt.json` may appear, the nearest may go, and so may the
 * directory.
 */
import { basename, dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { CONFIG_FILE, LOCAL_CONFIG_FILE } from '../graph/address.ts';
import { ancestors, findGraphRoot } from './find-root.ts';
import { FolderWatch } from './folder-watch.ts';

/** Several events of one change are one look, ms. */
const QUIET_MS = 20;
/** Time between looks where nothing can be watched, ms. */
const POLL_MS = 3000;

/**
 * Watches a directory and all above it. Calls `changed` with the root ('' for none) once at first, then on change, and
 * `touched` where it stays the same, but settings on the way may not.
 */
export class RootWatch implements Disposable {
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #changed: (root: string) => void;
  readonly #touched: (root: string) => void;
  readonly #folders: FolderWatch;
  #root: string | undefined;
  #timer: Disposable | undefined;
  #poller: Disposable | undefined;
  #disposed = false;
  /** Settled once `changed` has been called for the first time. */
  readonly ready: Promise<void>;

  constructor(
    dir: string,
    clock: Clock,
    changed: (root: string) => void,
    touched: (root: string) => void = () => undefined,
  ) {
    this.#touched = touched;
    this.#dir = dir;
    this.#clock = clock;
    this.#changed = changed;
    const chain = ancestors(dir);
    // The part of the path that leads from each directory towards `dir`.
    const towards = new Map(chain.map(at => [dirname(at), basename(at)]));
    this.#folders = new FolderWatch('', {
      changed: (at, name, moved) => {
        if (
          name === CONFIG_FILE ||
          name === LOCAL_CONFIG_FILE ||
          name === '' ||
          (name === towards.get(at) && moved)
        )
          this.#schedule();
      },
      exhausted: () => {
        this.#poller ??= clock.every(POLL_MS, () => void this.#look());
      },
    });
    for (const at of chain) this.#folders.add(at);
    this.ready = this.#look();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#poller?.dispose();
    this.#folders.dispose();
  }

  #schedule(): void {
    this.#timer ??= this.#clock.after(QUIET_MS, () => {
      this.#timer = undefined;
      // What lies on the way may be other directories now, so they are watched anew, and only then looked at.
      if (!this.#poller) for (const at of ancestors(this.#dir)) this.#folders.add(at);
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    const root = (await findGraphRoot(this.#dir)) ?? '';
    if (this.#disposed) return;
    if (root === this.#root) return void this.#touched(root);
    this.#root = root;
    this.#changed(root);
  }
}
