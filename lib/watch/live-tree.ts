/**
 * One repository, kept up to date: the tree, what watches it, and the short wait that makes many events one change.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { CONFIG_FILE, HOLDER, LOCAL_CONFIG_FILE } from '../graph/address.ts';
import { diagnostic } from '../graph/check.ts';
import type { SearchableLore } from '../graph/search.ts';
import type { Repository } from '../graph/repository.ts';
import type { Diagnostic } from '../graph/types.ts';
import { ArtifactWatch } from './artifact-watch.ts';
import { FolderWatch } from './folder-watch.ts';
import { GraphTree } from './graph-tree.ts';
import type { Surroundings } from './settings.ts';

/** Quiet time before a change is read, ms: a rename-over is two events within one. */
const QUIET_MS = 25;
/** Longest time a change waits while more keep coming, ms: leaves most of the 300 ms a person is promised. */
const LONGEST_WAIT_MS = 120;
/** After this long a new folder of lores is watched, and a last look finds what came before, ms. */
const SETTLE_MS = 150;
/** Time between looks where nothing can be watched, ms, and the least pause beside the length of a look. */
const POLL_MS = 3000;
const POLL_FACTOR = 20;
/** Names kept for a look in one wait; past it the whole directories are listed instead. */
const MAX_NAMES = 1000;

interface Pending {
  readonly dirs: Map<string, Set<string>>;
  readonly holders: Set<string>;
  readonly files: Set<string>;
  /** Names that appeared: of interest if they are directories. */
  readonly names: Map<string, Set<string>>;
  count: number;
}

const none = (): Pending => ({
  dirs: new Map(),
  holders: new Set(),
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
  readonly #artifacts: ArtifactWatch;
  #pending = none();
  #firstEventAt = 0;
  #timer: Disposable | undefined;
  #busy = true;
  #disposed = false;
  #polling: Diagnostic | undefined;
  /** Holders found by the first scan, which is done sooner if watching them begins after it. */
  #found: Set<string> | undefined = new Set();
  #latest: Snapshot | undefined;
  /** Paths outside the graph, relative to the root, whose coming and going matters too. */
  wanted: ReadonlySet<string> = new Set();
  /** Settled once the repository has been read for the first time. */
  readonly ready: Promise<void>;

  constructor(root: string, clock: Clock, changed: () => void, surroundings: Surroundings) {
    this.#root = root;
    this.#clock = clock;
    this.#changed = changed;
    const exhausted = (code: string): void => this.#poll(code);
    this.#folders = new FolderWatch(root, {
      changed: (dir, name, moved) => this.#folderEvent(dir, name, moved),
      exhausted,
    });
    this.#artifacts = new ArtifactWatch(root, {
      changed: (dir, file) => this.#artifactEvent(dir, file),
      folderAdded: dir => void clock.after(SETTLE_MS, () => this.#artifactEvent(dir, '')),
      exhausted,
    });
    const listener = {
      entered: (dir: string) => this.#folders.add(dir),
      left: (dir: string) => this.#folders.remove(dir),
      holderFound: (dir: string) => this.#holderFound(dir),
      holderLost: (dir: string) => this.#holderLost(dir),
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
    this.#artifacts.dispose();
  }

  async #start(): Promise<void> {
    await this.#tree.scan();
    this.#finish();
    const found = this.#found ?? [];
    this.#found = undefined;
    for (const dir of found) this.#holderFound(dir);
  }

  #holderFound(dir: string): void {
    if (this.#polling) return;
    if (this.#found) this.#found.add(dir);
    else this.#artifacts.add(dir);
  }

  #holderLost(dir: string): void {
    this.#found?.delete(dir);
    this.#artifacts.remove(dir);
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

  #artifactEvent(dir: string, file: string): void {
    this.#pending.holders.add(dir);
    if (file !== '') this.#pending.files.add(file);
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
    const { dirs, holders, files } = pending;
    if (dirs.size + holders.size + files.size === 0) return this.#settle();
    await this.#tree.refresh({ dirs, holders, files });
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
    const { dirs, holders, files, names } = this.#pending;
    if (dirs.size + holders.size + files.size + names.size > 0) this.#schedule();
  }

  /** Gives up watching and looks at everything now and then. */
  #poll(code: string): void {
    if (this.#polling || this.#disposed) return;
    this.#folders.dispose();
    this.#artifacts.dispose();
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
    await this.#tree.scan();
    if (this.#disposed) return;
    this.#finish();
    this.#lookAfter(Math.max(POLL_MS, (this.#clock.now() - started) * POLL_FACTOR));
  }
}
