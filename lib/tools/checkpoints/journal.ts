/**
 * What calls have changed, in order, and how far it was taken back: a file with the list, and one for each call.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileState } from './states.ts';

/** A path that a call has changed. */
export interface PathChange {
  /** Absolute. */
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

/** A call that has changed something. */
export interface Entry {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tool: string;
  /** As people saw it. */
  readonly header: string;
  /** How many paths it changed. */
  readonly count: number;
}

/** The list; entries from `cursor` on were taken back. */
export interface Journal {
  readonly cursor: number;
  readonly next: number;
  readonly entries: readonly Entry[];
}

/** Calls that can be taken back: who goes back further uses git. */
const ENTRIES_MAX = 50;
const EMPTY: Journal = { cursor: 0, next: 1, entries: [] };

export class JournalFiles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** What is broken counts as empty: it is a chance that is lost, no data. */
  async read(): Promise<Journal> {
    try {
      const journal = JSON.parse(await readFile(join(this.#dir, 'journal.json'), 'utf8')) as Journal;
      return Array.isArray(journal.entries) ? journal : EMPTY;
    } catch {
      return EMPTY;
    }
  }

  /** Adds a call; what was taken back before it cannot be done again any more. */
  async add(entry: Omit<Entry, 'number' | 'count'>, changes: readonly PathChange[]): Promise<void> {
    const { cursor, next, entries } = await this.read();
    const kept = [...entries.slice(0, cursor), { ...entry, number: next, count: changes.length }];
    const shown = kept.slice(-ENTRIES_MAX);
    await this.#write(`${next}.json`, changes);
    await this.#write('journal.json', { cursor: shown.length, next: next + 1, entries: shown });
    const left = new Set(shown.map(({ number }) => number));
    for (const { number } of [...entries, ...kept].filter(one => !left.has(one.number)))
      await rm(join(this.#dir, `${number}.json`), { force: true });
  }

  /** The paths that a call has changed. Throws an error of the system where they are gone. */
  async changes({ number }: Entry): Promise<readonly PathChange[]> {
    return JSON.parse(await readFile(join(this.#dir, `${number}.json`), 'utf8')) as PathChange[];
  }

  async move(cursor: number): Promise<void> {
    await this.#write('journal.json', { ...(await this.read()), cursor });
  }

  async #write(name: string, value: unknown): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const path = join(this.#dir, name);
    await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}
