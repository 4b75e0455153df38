/**
 * The documents that terminals show: those of the project in front, and those of all. Read from the stores' commits, and
 * read again when a store has another last commit, which is looked up while somebody is attached.
 */
import { toCoded } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter, type Disposable } from '../base/event.ts';
import type { StoreGit } from '../documents/git.ts';
import { projectStore, sharedStore, type StorePlace } from '../documents/places.ts';
import { listDocuments, readDocument, readLog, type DocumentRow, type LogEntry } from '../documents/read.ts';
import { hasStore, tipOf } from '../documents/repository.ts';
import type { MuxServer } from './server.ts';

/** How soon what a session has stored is seen: two small files are read for it. */
const LOOK_MS = 1000;
/** Documents of a store that are listed: more than anybody looks through. */
const LISTED_MAX = 5000;
/** Changes of a document that are shown. */
const CHANGES_MAX = 300;

export type StoreName = 'project' | 'shared';

/** A document and where it is. */
export interface ShelfRow extends DocumentRow {
  readonly store: StoreName;
}

export interface ShelfOptions {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether anybody would see a change. */
  readonly isWatched: () => boolean;
}

/** The shelf of a server; `changed` is called when it has others than before. */
export function documentShelf(server: MuxServer, changed: () => void): DocumentShelf {
  const { clock, dataDir, env } = server.parts;
  const shelf = new DocumentShelf({ clock, dataDir, env, isWatched: () => server.clients.count > 0 });
  shelf.onChange(changed);
  return shelf;
}

export class DocumentShelf implements Disposable {
  readonly #options: ShelfOptions;
  readonly #changes = new Emitter<void>();
  readonly #timer: Disposable;
  #folder: string | undefined;
  #project: StorePlace | undefined;
  #rows: readonly ShelfRow[] = [];
  /** Last commits of what is listed. */
  #tips = '';
  #trouble = '';
  #isReading = false;

  readonly onChange = this.#changes.event;

  constructor(options: ShelfOptions) {
    this.#options = options;
    this.#timer = options.clock.every(LOOK_MS, () => {
      if (options.isWatched()) this.look();
    });
  }

  /** Documents by key, those of the project first. */
  get rows(): readonly ShelfRow[] {
    return this.#rows;
  }

  /** Why some cannot be shown, '' where all is well. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Another folder is in front. What is asked for often costs nothing while it is the same. */
  follow(folder: string): void {
    if (folder === this.#folder) return;
    this.#folder = folder;
    try {
      this.#project = projectStore(this.#options.dataDir, folder);
    } catch {
      // The folder was removed: it has no documents.
      this.#project = undefined;
    }
    this.look();
  }

  /** Reads the stores where they have changed. */
  look(): void {
    if (this.#isReading || this.#tipsNow() === this.#tips) return;
    void this.#read();
  }

  /** A document as a commit left it, or as it is; undefined where there is none. Rejects where the store is broken. */
  async read(store: StoreName, key: string, commit?: string): Promise<Buffer | undefined> {
    const place = this.#place(store);
    return place && hasStore(place) ? readDocument(this.#git(place), key, commit) : undefined;
  }

  /** Changes of a document, the newest first. Rejects where the store is broken. */
  async log(store: StoreName, key: string): Promise<readonly LogEntry[]> {
    const place = this.#place(store);
    return place && hasStore(place) ? readLog(this.#git(place), key, CHANGES_MAX) : [];
  }

  dispose(): void {
    this.#timer.dispose();
    this.#changes.dispose();
  }

  #place(store: StoreName): StorePlace | undefined {
    return store === 'shared' ? sharedStore(this.#options.dataDir) : this.#project;
  }

  #git({ dir }: StorePlace): StoreGit {
    return { dir, env: this.#options.env };
  }

  #tipsNow(): string {
    const tip = (place: StorePlace | undefined): string => {
      try {
        return place && hasStore(place) ? `${place.dir} ${tipOf(this.#git(place))}` : '';
      } catch (error) {
        return toCoded(error).message;
      }
    };
    return `${tip(this.#project)}\n${tip(sharedStore(this.#options.dataDir))}`;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const tips = this.#tipsNow();
    let trouble = '';
    const list = async (store: StoreName): Promise<readonly ShelfRow[]> => {
      try {
        const place = this.#place(store);
        if (!place || !hasStore(place)) return [];
        const rows = await listDocuments(this.#git(place), '');
        return rows.slice(0, LISTED_MAX).map(row => ({ ...row, store }));
      } catch (error) {
        trouble = toCoded(error).message;
        return [];
      }
    };
    this.#rows = (await Promise.all([list('project'), list('shared')])).flat();
    this.#tips = tips;
    this.#trouble = trouble;
    this.#isReading = false;
    this.#changes.fire();
    // Written to meanwhile, or another folder is in front.
    this.look();
  }
}
