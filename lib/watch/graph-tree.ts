/**
 * A graph on disk: the walk, and what it found, kept so that a change costs only what changed.
 *
 * It is told *where* something may have changed, never what: the place is read again and compared. So a lost, doubled
 * or misnamed event does no harm as long as any event comes.
 */
import { readdirSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE, HOLDER, LOCAL_CONFIG_FILE, LORE_DIR, addressOf } from '../graph/address.ts';
import { parseArtifact } from '../graph/artifact.ts';
import type { ParsedFile } from '../graph/artifact.ts';
import { assembleGraph, repositoryOf } from '../graph/build.ts';
import { diagnostic } from '../graph/check.ts';
import type { DiagnosticCode } from '../graph/codes.ts';
import type { GraphConfig } from '../graph/config.ts';
import type { Repository } from '../graph/repository.ts';
import { Resolver } from '../graph/resolve.ts';
import type { Diagnostic, Graph, SearchableLore } from '../graph/types.ts';
import { WalkRules } from '../graph/walk-rules.ts';
import { TextFiles, unreadable } from './read-file.ts';
import type { ReadResult, Stamp } from './read-file.ts';
import { Settings } from './settings.ts';
import type { Surroundings } from './settings.ts';

/**
 * Told which directories the walk entered and left, `.sgpt` folders and folders of lores among them, so that they can be
 * watched. Paths are relative to the root, '' is the root.
 */
export interface TreeListener {
  /** Called before the directory is read, so that what changes during reading is seen. */
  entered(dir: string): void;
  left(dir: string): void;
}

/** Where something may have changed. */
export interface Dirty {
  /** Directories to list again, with the children to be taken as replaced. */
  readonly dirs: ReadonlyMap<string, ReadonlySet<string>>;
  /** Folders of artifacts (a `.sgpt`, or a folder of lores) to list again, with the children to be taken as replaced. */
  readonly shelves: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files to read again even if they look the same. */
  readonly files: ReadonlySet<string>;
}

/** Directories walked at most: several times the largest repositories; a home directory taken for a graph is cut here. */
const MAX_DIRS = 100_000;
/** Artifacts kept at most. */
const MAX_FILES = 10_000;
/** How deep folders of lores are read: also ends what a file system makes endless. */
const MAX_LORE_DEPTH = 16;
/** After this long, ms, a walk lets others run: the thread answers searches and signs of life meanwhile. */
const SLICE_MS = 10;

interface Folder {
  readonly children: Set<string>;
  /** Rules for what is in it. */
  readonly rules: WalkRules;
  readonly gitignore: string;
  /** Whether it has a `.sgpt`. */
  hasHolder: boolean;
}

/** A folder of artifacts: a `.sgpt`, or one of lores. Paths are relative to the root. */
interface Shelf {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

interface KnownFile {
  readonly stamp: Stamp | undefined;
  readonly parsed: ParsedFile;
}

const SILENT: TreeListener = {
  entered: () => undefined,
  left: () => undefined,
};

/** A tree that looks at nothing but itself. */
const ALONE: Surroundings = { env: {}, withOuter: false };

/** The walk of one graph. Calls of `scan` and `refresh` must not overlap. */
export class GraphTree {
  readonly #root: string;
  readonly #listener: TreeListener;
  readonly #folders = new Map<string, Folder>();
  readonly #shelves = new Map<string, Shelf>();
  readonly #files = new Map<string, KnownFile>();
  /** Problems of the walk itself, by directory or file. */
  readonly #problems = new Map<string, Diagnostic>();
  readonly #settings: Settings;
  #texts: TextFiles;
  #sliceAt = 0;

  constructor(root: string, listener: TreeListener = SILENT, surroundings: Surroundings = ALONE) {
    this.#root = root;
    this.#listener = listener;
    this.#settings = new Settings(root, surroundings);
    this.#texts = new TextFiles(root);
  }

  /** Reads everything. Files unchanged since the last time are not read again. */
  async scan(): Promise<void> {
    this.#begin();
    this.#settings.read();
    await this.#walk([''], true);
  }

  /** Reads what may have changed. */
  async refresh(dirty: Dirty): Promise<void> {
    this.#begin();
    const patterns = JSON.stringify(this.config.ignore);
    this.#settings.read(dirty.files.has(CONFIG_FILE) || dirty.files.has(LOCAL_CONFIG_FILE));
    if (JSON.stringify(this.config.ignore) !== patterns) await this.#walk([''], true);
    const dirs = Array.from(dirty.dirs).filter(([dir]) => this.#folders.has(dir));
    for (const [dir, replaced] of dirs)
      for (const name of replaced)
        if (name === HOLDER) this.#loseHolder(dir);
        else this.#drop(joinPath(dir, name));
    await this.#walk(
      dirs.map(([dir]) => dir).filter(dir => this.#folders.has(dir)),
      false,
    );
    for (const [shelf, replaced] of dirty.shelves) {
      for (const name of replaced) this.#dropShelf(joinPath(shelf, name));
      if (this.#shelves.has(shelf)) await this.#readShelf(shelf, dirty.files);
    }
    for (const file of dirty.files)
      if (!dirty.shelves.has(parentOf(file)) && this.#shelves.get(parentOf(file))?.files.has(file))
        this.#readArtifact(file, true);
  }

  /** Folders of artifacts as of the last reading. */
  get shelves(): Iterable<string> {
    return this.#shelves.keys();
  }

  /** Whether `name` in `dir` is a directory that was entered. */
  hasChild(dir: string, name: string): boolean {
    return this.#folders.get(dir)?.children.has(name) ?? this.#shelves.has(joinPath(dir, name));
  }

  /** Whether something is wrong with reading a path; directories end in '/'. */
  hasProblem(path: string): boolean {
    return this.#problems.has(path);
  }

  /** Number of directories entered. */
  get size(): number {
    return this.#folders.size;
  }

  /** The settings as of the last reading. */
  get config(): GraphConfig {
    return this.#settings.config;
  }

  /** What is wrong with the walk and the settings. */
  get problems(): readonly Diagnostic[] {
    return [...this.#settings.diagnostics, ...this.#problems.values()];
  }

  /** The repository as of the last reading. Artifacts of unchanged files are the same objects as before. */
  repository(): Repository {
    const parsed = Array.from(this.#files.values(), known => known.parsed);
    // What is there but cannot be read is known all the same, so that mentioning it is no second mistake.
    for (const file of this.#problems.keys())
      if (!this.#files.has(file) && addressOf(file)) parsed.push({ file, diagnostics: [] });
    return repositoryOf(this.#root, this.config, parsed);
  }

  /** The graph as of the last reading, without what it imports. */
  graph(): Graph {
    return assembleGraph(new Resolver(this.repository()), this.problems);
  }

  /** The lores with their bodies. */
  *lores(): Iterable<SearchableLore> {
    for (const { parsed } of this.#files.values()) {
      const { lore, body = '', bodyLine = 1 } = parsed;
      if (lore) yield { lore, body, bodyLine };
    }
  }

  #begin(): void {
    // The root may be another directory than at the pass before.
    this.#texts = new TextFiles(this.#root);
    this.#sliceAt = performance.now();
  }

  /** Lets others run if it is time. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#sliceAt < SLICE_MS) return;
    await new Promise(resolve => setImmediate(resolve));
    this.#sliceAt = performance.now();
  }

  /** Breadth first from `start`. With `all` every directory below is listed again, else only those that are new. */
  async #walk(start: readonly string[], all: boolean): Promise<void> {
    for (let level = [...start]; level.length > 0;) {
      const next: string[] = [];
      for (const dir of level) {
        next.push(...(await this.#visit(dir, all)));
        await this.#pause();
      }
      level = next;
    }
  }

  /** Lists one directory and answers which of its children to list next. */
  async #visit(dir: string, all: boolean): Promise<string[]> {
    const before = this.#folders.get(dir);
    if (!before && this.#folders.size >= MAX_DIRS)
      return this.#tooMany('too-many-dirs', MAX_DIRS, 'directories');
    if (!before) this.#listener.entered(dir);
    const entries = this.#list(dir);
    const parent = dir === '' ? undefined : this.#folders.get(parentOf(dir));
    if (entries === undefined || (dir !== '' && !parent)) {
      if (before) this.#drop(dir);
      else this.#listener.left(dir);
      return [];
    }
    const outer = parent?.rules ?? WalkRules.from(this.config.ignore);
    const gitignore = this.#gitignore(dir, entries);
    const stale = all || before?.gitignore !== gitignore;
    const rules = before && !stale ? before.rules : outer.within(dir, gitignore);
    const children = new Set(
      entries.filter(e => e.isDirectory() && rules.enters(joinPath(dir, e.name))).map(e => e.name),
    );
    for (const name of before?.children ?? []) if (!children.has(name)) this.#drop(joinPath(dir, name));
    this.#folders.set(dir, { children, rules, gitignore, hasHolder: before?.hasHolder ?? false });
    await this.#visitHolder(
      dir,
      entries.find(e => e.name === HOLDER),
    );
    const next = Array.from(children).filter(name => stale || !before?.children.has(name));
    return next.map(name => joinPath(dir, name)).sort();
  }

  /** The entries of a directory, or undefined if there is no such directory; one that cannot be read has none. */
  #list(dir: string): Dirent[] | undefined {
    try {
      const entries = readdirSync(join(this.#root, dir), { withFileTypes: true });
      this.#problems.delete(`${dir}/`);
      return entries;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      this.#note(`${dir}/`, unreadable(error as NodeJS.ErrnoException));
      return [];
    }
  }

  #gitignore(dir: string, entries: readonly Dirent[]): string {
    const file = joinPath(dir, '.gitignore');
    if (!entries.some(e => e.name === '.gitignore')) {
      this.#problems.delete(file);
      return '';
    }
    const result = this.#texts.read(file);
    this.#note(file, result);
    return result.kind === 'text' ? result.text : '';
  }

  async #visitHolder(dir: string, entry: Dirent | undefined): Promise<void> {
    const folder = this.#folders.get(dir)!;
    const path = joinPath(dir, HOLDER);
    if (entry?.isSymbolicLink())
      this.#note(path, {
        kind: 'problem',
        code: 'link',
        message: 'is a link, and links are not followed',
        hint: '',
        line: 0,
      });
    else this.#problems.delete(path);
    if (!entry?.isDirectory()) return this.#loseHolder(dir);
    folder.hasHolder = true;
    await this.#readShelf(path, new Set());
  }

  /** Reads a folder of artifacts and those below: files whose stamp changed, and those in `force`. */
  async #readShelf(shelf: string, force: ReadonlySet<string>): Promise<void> {
    const before = this.#shelves.get(shelf);
    // Watched first, as all directories are.
    if (!before) this.#listener.entered(shelf);
    const entries = this.#list(shelf);
    if (!entries) {
      if (before) this.#dropShelf(shelf);
      else this.#listener.left(shelf);
      return;
    }
    const paths = (kept: readonly Dirent[]): string[] => kept.map(e => joinPath(shelf, e.name)).sort();
    const folders = new Set(paths(entries.filter(e => e.isDirectory())).filter(holdsLores));
    const files = new Set(paths(entries.filter(e => !e.isDirectory())).filter(path => addressOf(path)));
    for (const file of before?.files ?? []) if (!files.has(file)) this.#forget(file);
    for (const folder of before?.folders ?? []) if (!folders.has(folder)) this.#dropShelf(folder);
    this.#shelves.set(shelf, { files, folders });
    for (const file of files) {
      this.#readArtifact(file, force.has(file));
      await this.#pause();
    }
    for (const folder of folders) await this.#readShelf(folder, force);
  }

  #readArtifact(file: string, force: boolean): void {
    const known = this.#files.get(file);
    if (!known && this.#files.size >= MAX_FILES) {
      this.#tooMany('too-many-files', MAX_FILES, 'artifacts');
      return;
    }
    const result = this.#texts.read(file, force ? undefined : known?.stamp);
    this.#note(file, result);
    if (result.kind === 'same') return;
    if (result.kind === 'text') {
      const fresh = parseArtifact({ file, text: result.text });
      // A file saved without a change is the artifact it was.
      const same = known !== undefined && JSON.stringify(known.parsed) === JSON.stringify(fresh);
      this.#files.set(file, { stamp: result.stamp, parsed: same ? known.parsed : fresh });
    } else this.#files.delete(file);
  }

  /** Keeps the problem of a path, or clears it. */
  #note(path: string, result: ReadResult): void {
    if (result.kind === 'same') return;
    if (result.kind !== 'problem') {
      this.#problems.delete(path);
      return;
    }
    const { code, hint, message, line } = result;
    this.#problems.set(path, diagnostic({ file: path, line, column: line > 0 ? 1 : 0 }, code, message, hint));
  }

  #tooMany(code: DiagnosticCode, limit: number, what: string): [] {
    const message = `more than ${limit} ${what}: the rest is not read`;
    this.#problems.set(code, diagnostic({ file: CONFIG_FILE, line: 0, column: 0 }, code, message));
    return [];
  }

  /** Forgets a directory and all below it. */
  #drop(dir: string): void {
    const folder = this.#folders.get(dir);
    this.#problems.delete(`${dir}/`);
    if (!folder) return;
    for (const name of folder.children) this.#drop(joinPath(dir, name));
    this.#loseHolder(dir);
    this.#problems.delete(joinPath(dir, '.gitignore'));
    this.#problems.delete(joinPath(dir, HOLDER));
    this.#folders.delete(dir);
    this.#folders.get(parentOf(dir))?.children.delete(dir.slice(dir.lastIndexOf('/') + 1));
    this.#listener.left(dir);
  }

  #loseHolder(dir: string): void {
    const folder = this.#folders.get(dir);
    if (!folder?.hasHolder) return;
    folder.hasHolder = false;
    this.#dropShelf(joinPath(dir, HOLDER));
  }

  /** Forgets a folder of artifacts and those below. */
  #dropShelf(shelf: string): void {
    this.#problems.delete(`${shelf}/`);
    const known = this.#shelves.get(shelf);
    if (!known) return;
    for (const file of known.files) this.#forget(file);
    this.#shelves.delete(shelf);
    for (const folder of known.folders) this.#dropShelf(folder);
    this.#listener.left(shelf);
  }

  #forget(file: string): void {
    this.#files.delete(file);
    this.#problems.delete(file);
  }
}

function joinPath(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`;
}

/** Whether a folder in a `.sgpt` is that of the lores, or one below it, not too deep. */
function holdsLores(path: string): boolean {
  return `${path}/`.startsWith(`${LORE_DIR}/`) && path.split('/').length <= MAX_LORE_DEPTH;
}

function parentOf(dir: string): string {
  return dir.slice(0, Math.max(0, dir.lastIndexOf('/')));
}

/** Reads the graph at `root` once, without what it imports. */
export async function scanGraph(root: string): Promise<Graph> {
  const tree = new GraphTree(root);
  await tree.scan();
  return tree.graph();
}
