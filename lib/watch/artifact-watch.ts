/**
 * Watches `.sgpt` folders: every artifact in them, and the folders of lores.
 */
import { isAbsolute, join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import type { FSWatcher } from 'chokidar';
import type { Disposable } from '../base/event.ts';
import { HOLDER, LORE_DIR, addressOf } from '../graph/address.ts';
import { isExhausted } from './folder-watch.ts';

/** What is told. */
export interface ArtifactEvents {
  /** Something changed in the `.sgpt` of `dir`; `file` is the artifact, '' where it is not one. */
  changed(dir: string, file: string): void;
  /** A folder of lores appeared in the `.sgpt` of `dir`; it will be watched shortly, but may not be yet. */
  folderAdded(dir: string): void;
  exhausted(code: string): void;
}

/**
 * The watched `.sgpt` folders of one graph. Directories are relative to `root`.
 *
 * One watcher a folder: a watcher told to stop watching a path remembers it for good, and one whose folder was deleted
 * and made again believes to watch what is long gone. Closing the whole is the only clean end.
 */
export class ArtifactWatch implements Disposable {
  readonly #root: string;
  readonly #events: ArtifactEvents;
  readonly #watchers = new Map<string, FSWatcher>();
  #disposed = false;

  constructor(root: string, events: ArtifactEvents) {
    this.#root = root;
    this.#events = events;
  }

  /** Begins to watch the `.sgpt` of `dir`; one already watched is watched anew. */
  add(dir: string): void {
    if (this.#disposed) return;
    this.remove(dir);
    const watcher = watch(join(this.#root, dir, HOLDER), {
      // What is there already has been read by the walk.
      ignoreInitial: true,
      followSymlinks: false,
      // Events only say where to look, so they may come early and twice; waiting for them to settle costs time.
      awaitWriteFinish: false,
      atomic: false,
      ignored: (path, stats) => !this.#matters(path, stats?.isFile() ?? false),
    });
    this.#watchers.set(dir, watcher);
    watcher.on('all', (_event, path) => this.#tell(dir, path));
    // chokidar lists a folder first and watches it then; what comes in between is told by nobody.
    watcher.on('ready', () => this.#events.changed(dir, ''));
    watcher.on('addDir', () => this.#events.folderAdded(dir));
    // Changes that chokidar holds back (throttled, or taken for the same) reach us here.
    watcher.on('raw', (_event, path, details) =>
      this.#tell(dir, isAbsolute(path ?? '') ? path : join(watchedPath(details), path ?? '')),
    );
    watcher.on('error', error => {
      const code = isExhausted(error);
      if (code) this.#events.exhausted(code);
    });
  }

  remove(dir: string): void {
    void this.#watchers.get(dir)?.close();
    this.#watchers.delete(dir);
  }

  dispose(): void {
    this.#disposed = true;
    for (const dir of Array.from(this.#watchers.keys())) this.remove(dir);
  }

  #relative(path: string): string {
    return relative(this.#root, path).split(sep).join('/');
  }

  #matters(path: string, isFile: boolean): boolean {
    const file = this.#relative(path);
    if (file === HOLDER || file.endsWith(`/${HOLDER}`) || addressOf(file) !== undefined) return true;
    return !isFile && `${file}/`.startsWith(`${LORE_DIR}/`);
  }

  #tell(dir: string, path: string): void {
    const file = this.#relative(path);
    const isArtifact = addressOf(file) !== undefined;
    // A watched file reports its own name below itself: that is no artifact, but its folder is looked at all the same.
    if (isArtifact || !/\.(?:sw[a-z]|tmp)$|~$/.test(file)) this.#events.changed(dir, isArtifact ? file : '');
  }
}

/** The path behind a raw event, as chokidar tells it. */
function watchedPath(details: unknown): string {
  return (details as { watchedPath?: string } | undefined)?.watchedPath ?? '';
}
