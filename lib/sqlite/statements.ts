/**
 * Statements that are compiled once for a connection.
 */
import type { Connection, Prepared } from './open.ts';

/** What a statement's places are filled with; one object fills places that have names. */
export type Value = string | number | null | Uint8Array;
export type Values = readonly (Value | Readonly<Record<string, Value>>)[];

/** Compiling takes longer than most queries: each text is compiled once. Texts must be of a fixed set, never of input. */
export class Statements {
  readonly #db: Connection;
  readonly #ready = new Map<string, Prepared>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Runs a statement and tells how many rows it changed. Throws SqliteError. */
  run(sql: string, values: Values = []): number {
    return this.#prepared(sql).run(...values).changes;
  }

  /** The first row. Throws SqliteError. */
  get<T>(sql: string, values: Values = []): T | undefined {
    return this.#prepared(sql).get(...values) as T | undefined;
  }

  /** All rows. Throws SqliteError. */
  all<T>(sql: string, values: Values = []): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  /** All rows of a statement whose text was made of what somebody asked for: it is not kept. Throws SqliteError. */
  query<T>(sql: string, values: Values = []): T[] {
    return this.#db.prepare<unknown[]>(sql).all(...values) as T[];
  }

  /** Runs `work` as a whole: all of it is kept, or none. Throws what it throws. */
  whole<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  /** Rows one by one; nothing may be written until that is done. Throws SqliteError. */
  iterate<T>(sql: string, values: Values = []): IterableIterator<T> {
    return this.#prepared(sql).iterate(...values) as IterableIterator<T>;
  }

  /** The number that the last new row was given. */
  lastId(): number {
    return this.get<{ id: number }>('SELECT last_insert_rowid() AS id')!.id;
  }

  #prepared(sql: string): Prepared {
    const known = this.#ready.get(sql);
    if (known) return known;
    const made = this.#db.prepare<unknown[]>(sql);
    this.#ready.set(sql, made);
    return made;
  }
}
