/**
 * The database behind the calls: opened when it is first needed, calls put together in transactions, and what goes wrong
 * answered to whoever asked. It runs in a thread of its own, where waiting for the disk holds nobody up.
 */
import { CodedError } from '../base/errors.ts';
import { databaseError, isCorruption } from '../sqlite/errors.ts';
import { keepAside, openDatabase, type Connection } from '../sqlite/open.ts';
import { callsOver, READS, type CallName, type Calls, type Given } from './calls.ts';
import { MESSAGES } from './schema.ts';

/** A call on its way. */
export interface Asked {
  readonly id: number;
  readonly name: CallName;
  readonly given: Given<CallName>;
}

/** What became of it. */
export type Outcome =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: CodedError };

/** After a failed opening the next try waits this long: each may take as long as SQLite waits for a lock. */
const AGAIN_MS = 1000;

interface Open {
  readonly db: Connection;
  readonly calls: Calls;
}

export class Keeper {
  readonly #path: string;
  readonly #now: () => number;
  readonly #report: (text: string) => void;
  #open: Open | undefined;
  #failure: { readonly error: CodedError; readonly at: number } | undefined;

  /** @param report takes what people must be told, a line each */
  constructor(path: string, now: () => number, report: (text: string) => void) {
    this.#path = path;
    this.#now = now;
    this.#report = report;
  }

  /** Carries calls out, in order: those that write in one transaction, which is on the disk when this returns. Never throws. */
  run(batch: readonly Asked[]): Outcome[] {
    const first = this.#attempt(batch);
    if (Array.isArray(first)) return first;
    const all = (error: CodedError): Outcome[] => batch.map(({ id }) => ({ id, error }));
    if (isCorruption(first.error)) {
      const damage = this.#replace(first.error);
      if (damage) return all(damage);
      const second = this.#attempt(batch);
      return Array.isArray(second) ? second : all(this.#coded(second.error));
    }
    // One that is too large for the disk must not take the others with it.
    if (batch.length > 1) return batch.flatMap(one => this.run([one]));
    return all(this.#coded(first.error));
  }

  /** Why there is no database, '' where there is one or none was asked for yet. */
  get trouble(): string {
    return this.#open ? '' : (this.#failure?.error.message ?? '');
  }

  close(): void {
    this.#open?.db.close();
    this.#open = undefined;
  }

  /** The outcomes, or what undid all of them. */
  #attempt(batch: readonly Asked[]): Outcome[] | { readonly error: unknown } {
    let open: Open;
    try {
      open = this.#opened();
    } catch (error) {
      return batch.map(({ id }) => ({ id, error: this.#coded(error) }));
    }
    const { db } = open;
    if (batch.every(({ name }) => READS.has(name))) return this.#plain(open, batch);
    try {
      db.exec('BEGIN IMMEDIATE');
      const outcomes = batch.map(one => this.#inside(open, one));
      db.exec('COMMIT');
      return outcomes;
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      return { error };
    }
  }

  /** Without a transaction each answers for itself. */
  #plain(open: Open, batch: readonly Asked[]): Outcome[] | { readonly error: unknown } {
    const outcomes: Outcome[] = [];
    for (const one of batch) {
      try {
        outcomes.push({ id: one.id, value: call(open, one) });
      } catch (error) {
        if (isCorruption(error)) return { error };
        outcomes.push({ id: one.id, error: this.#coded(error) });
      }
    }
    return outcomes;
  }

  /** A person's mistake undoes its own call alone; anything else all that is in the transaction. Throws SqliteError. */
  #inside(open: Open, one: Asked): Outcome {
    open.db.exec('SAVEPOINT one');
    try {
      const value = call(open, one);
      open.db.exec('RELEASE one');
      return { id: one.id, value };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      open.db.exec('ROLLBACK TO one; RELEASE one');
      return { id: one.id, error };
    }
  }

  #opened(): Open {
    if (this.#open) return this.#open;
    const { error, at } = this.#failure ?? {};
    if (error && this.#now() - at! < AGAIN_MS) throw error;
    const options = { path: this.#path, schema: MESSAGES, now: this.#now };
    try {
      const { db, reports } = openDatabase(options);
      this.#open = { db, calls: callsOver(db, this.#now) };
      this.#failure = undefined;
      for (const report of reports) this.#report(report);
      return this.#open;
    } catch (failure) {
      const coded = this.#coded(failure);
      if (this.#failure?.error.message !== coded.message) this.#report(coded.message);
      this.#failure = { error: coded, at: this.#now() };
      throw coded;
    }
  }

  /** Puts an empty database in the place of one that broke while it was used; gives what keeps it from that. */
  #replace(why: unknown): CodedError | undefined {
    try {
      this.close();
      this.#report(keepAside({ path: this.#path, schema: MESSAGES, now: this.#now }, why));
      return undefined;
    } catch (error) {
      return this.#coded(error);
    }
  }

  #coded(error: unknown): CodedError {
    return databaseError(MESSAGES.what, this.#path, error);
  }
}

function call({ calls }: Open, { name, given }: Asked): unknown {
  return (calls[name] as (given: unknown) => unknown)(given);
}
