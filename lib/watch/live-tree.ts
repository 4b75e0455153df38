/**
 * One repository, kept up to date: the tree, what watches it, and the short wait that makes many events one change.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { CONFIG_FILE, HOLDER, LOCAL_CONFIG_FILE, addressOf } from '../graph/address.ts';
import { diagnostic } from '../graph/check.ts';
import type { Repository } from '../graph/repository.ts';
import type { Diagnostic, SearchableLore } from '../graph/types.ts';
import { FolderWatch } from './folder-watch.ts';
import { GitLock } from './git-lock.ts';
import { GraphTree } from './graph-tree.ts';
import type { Surroundings } from './settings.ts';

/** Quiet time before a change is read, ms: a rename-over is two events within one. */
const QUIET_MS = 25;
/** Longest time a change waits while more keep coming, ms: leaves most of the 300 ms a person is promised. */
const LONGEST_WAIT_MS = 120;
/**
 * Where nothing can be watched: time between looks at what is shown, which are the folders that are known to hold
 * artifacts, ms, and the least pause beside the length of a look. The whole tree is walked in every WALK_EVERY-th look.
 */
const POLL_MS = 2000;
const POLL_FACTOR = 20;
const WALK_EVERY = 5;
/** While git changes the working tree, it is looked this often whether it is done, ms, and no longer than that. */
const GIT_MS = 20;
const GIT_LONGEST_MS = 10_000;
/** What editors write beside a file while they save it. */
const SCRATCH = /\.(?:sw[a-z]|tmp)$|~$|^\.#|^4913$/;
/** Names kept for a look in one wait; past it the whole directories are listed instead. */
const MAX_NAMES = 1000;

interface Pending {
  readonly dirs: Map<string, Set<string>>;
  readonly shelves: Map<string, Set<string>>;
  readonly files: Set<string>;
  /** Names that appeared: of interest if they are directories. */
  readonly names: Map<string, Set<string>>;
  count: number;
}

const none = (): Pending => ({
  dirs: new Map(),
  shelves: new Map(),
  files: new Set(),
  names: new Map(),
  count: 0,
});

/** A repository as of its last reading. */
export interface Snapshot {
  /** Without what it imports. */
  readonly repository: Repository;
  /** What is wrong with the walk, the settings, and following both. */
  readonly problems: readonly Diagnostic[];
}

/** A repository that follows its files. Calls `changed` after the first scan and after each change. */
export class LiveTree implements Disposable {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #tree: GraphTree;
  readonly #folders: FolderWatch;
  readonly #lock: GitLock;
  #pending = none();
  #firstEventAt = 0;
  #timer: Disposable | undefined;
  #busy = true;
  #disposed = false;
  #polling: Diagnostic | undefined;
  #looks = 0;
  #latest: Snapshot | undefined;
  /** Paths outside the graph, relative to the root, whose coming and going matters too. */
  wanted: ReadonlySet<string> = new Set();
  /** Settled once the repository has been read for the first time. */
  readonly ready: Promise<void>;

  constructor(root: string, clock: Clock, changed: () => void, surroundings: Surroundings) {
    this.#root = root;
    this.#clock = clock;
    this.#changed = changed;
    this.#lock = new GitLock(root);
    this.#folders = new FolderWatch(root, {
      changed: (dir, name, moved) => this.#event(dir, name, moved),
      exhausted: code => this.#poll(code),
    });
    const listener = {
      entered: (dir: string) => this.#folders.add(dir),
      left: (dir: string) => this.#folders.remove(dir),
    };
    this.#tree = new GraphTree(root, listener, surroundings);
    this.ready = this.#start();
  }

  /** As of the last reading; undefined before `ready`. */
  get latest(): Snapshot | undefined {
    return this.#latest;
  }

  /** Reads the settings again: those of a directory above may have changed. */
  touch(): void {
    this.#mark('', undefined, CONFIG_FILE);
  }

  /** The lores with their bodies. */
  lores(): Iterable<SearchableLore> {
    return this.#tree.lores();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#folders.dispose();
  }

  async #start(): Promise<void> {
    await this.#tree.scan();
    this.#finish();
  }

  #event(dir: string, name: string, moved: boolean): void {
    if (dir === HOLDER || dir.startsWith(`${HOLDER}/`) || dir.endsWith(`/${HOLDER}`))
      this.#shelfEvent(dir, name, moved);
    else this.#folderEvent(dir, name, moved);
  }

  /** In a folder of artifacts. */
  #shelfEvent(shelf: string, name: string, moved: boolean): void {
    const file = `${shelf}/${name}`;
    if (addressOf(file)) {
      // Of more changes the folder tells by itself which they were.
      const isKept = this.#pending.files.size < MAX_NAMES;
      if (isKept) this.#pending.files.add(file);
      if (moved || !isKept) this.#markShelf(shelf);
      else this.#schedule();
    } else if (name === '' || moved ? !SCRATCH.test(name) : this.#closed(shelf, name))
      this.#markShelf(shelf, this.#tree.hasChild(shelf, name) ? name : undefined);
  }

  #folderEvent(dir: string, name: string, moved: boolean): void {
    if (name === '.gitignore') this.#mark(dir);
    else if (name === HOLDER && (moved || this.#closed(dir, name))) this.#mark(dir, HOLDER);
    else if ((name === CONFIG_FILE || name === LOCAL_CONFIG_FILE) && dir === '')
      this.#mark('', undefined, name);
    else if (name === '' || (moved && this.wanted.has(dir === '' ? name : `${dir}/${name}`))) this.#mark(dir);
    else if (this.#tree.hasChild(dir, name)) {
      if (moved || this.#closed(dir, name)) this.#mark(dir, name);
    } else if (moved) this.#markName(dir, name);
  }

  /** Whether a directory could not be read: a change of its mode is then worth a look. */
  #closed(dir: string, name: string): boolean {
    return this.#tree.hasProblem(dir === '' ? `${name}/` : `${dir}/${name}/`);
  }

  /** A folder of artifacts to list again; `child` is taken as replaced. */
  #markShelf(shelf: string, child?: string): void {
    const children = this.#pending.shelves.get(shelf) ?? new Set();
    if (child !== undefined) children.add(child);
    this.#pending.shelves.set(shelf, children);
    this.#schedule();
  }

  /** A directory to list again; `child` is taken as replaced, `file` as changed. */
  #mark(dir: string, child?: string, file?: string): void {
    const children = this.#pending.dirs.get(dir) ?? new Set();
    if (child !== undefined) children.add(child);
    if (file !== undefined) this.#pending.files.add(file);
    this.#pending.dirs.set(dir, children);
    this.#schedule();
  }

  #markName(dir: string, name: string): void {
    if (++this.#pending.count > MAX_NAMES) return this.#mark(dir);
    const names = this.#pending.names.get(dir) ?? new Set();
    names.add(name);
    this.#pending.names.set(dir, names);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#disposed || this.#busy || this.#polling) return;
    const now = this.#clock.now();
    if (this.#timer) this.#timer.dispose();
    else this.#firstEventAt = now;
    const wait = Math.min(QUIET_MS, Math.max(0, this.#firstEventAt + LONGEST_WAIT_MS - now));
    this.#timer = this.#clock.after(wait, () => void this.#flush());
  }

  async #flush(): Promise<void> {
    // Another branch is one change, however long git takes to write it.
    if (this.#clock.now() - this.#firstEventAt < GIT_LONGEST_MS && this.#lock.isHeld()) {
      this.#timer = this.#clock.after(GIT_MS, () => void this.#flush());
      return;
    }
    this.#timer = undefined;
    this.#busy = true;
    const pending = this.#pending;
    this.#pending = none();
    for (const [dir, names] of pending.names) {
      if (pending.dirs.has(dir)) continue;
      for (const name of names) {
        const found = await lstat(join(this.#root, dir, name)).catch(() => undefined);
        if (!found?.isDirectory()) continue;
        pending.dirs.set(dir, new Set());
        break;
      }
    }
    const { dirs, shelves, files } = pending;
    if (dirs.size + shelves.size + files.size === 0) return this.#settle();
    await this.#tree.refresh({ dirs, shelves, files });
    this.#finish();
  }

  #finish(): void {
    const notices = this.#polling ? [this.#polling] : [];
    this.#latest = {
      repository: this.#tree.repository(),
      problems: [...this.#tree.problems, ...notices],
    };
    if (!this.#disposed) this.#changed();
    this.#settle();
  }

  /** Takes up what came while reading. */
  #settle(): void {
    this.#busy = false;
    const { dirs, shelves, files, names } = this.#pending;
    if (dirs.size + shelves.size + files.size + names.size > 0) this.#schedule();
  }

  /** Gives up watching and looks at everything now and then. */
  #poll(code: string): void {
    if (this.#polling || this.#disposed) return;
    this.#folders.dispose();
    this.#polling = diagnostic(
      { file: CONFIG_FILE, line: 0, column: 0 },
      'polling',
      `too many folders to watch (${code}): changes show after some seconds`,
      "raise fs.inotify.max_user_watches, or leave folders out with 'ignore'",
    );
    this.#lookAfter(POLL_MS);
  }

  #lookAfter(ms: number): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    // A reading that began while there still were watches may not have ended.
    if (this.#busy) return this.#lookAfter(POLL_MS);
    this.#busy = true;
    const started = this.#clock.now();
    if (this.#looks++ % WALK_EVERY === WALK_EVERY - 1) await this.#tree.scan();
    else
      await this.#tree.refresh({
        dirs: new Map([['', new Set<string>()]]),
        shelves: new Map(Array.from(this.#tree.shelves, shelf => [shelf, new Set<string>()])),
        files: new Set(),
      });
    if (this.#disposed) return;
    this.#finish();
    this.#lookAfter(Math.max(POLL_MS, (this.#clock.now() - started) * POLL_FACTOR));
  }
}
