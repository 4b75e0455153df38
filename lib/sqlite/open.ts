/**
 * Databases that outlive the processes: opened whole or not at all, brought forward from older forms, and never lost
 * without a word. This folder is the only importer of better-sqlite3.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { CodedError } from '../base/errors.ts';
import { databaseError, isDamage } from './errors.ts';

/** An open database. */
export type Connection = Sqlite.Database;
/** A statement that was made ready. */
export type Prepared = Sqlite.Statement<unknown[]>;

/** What a database holds. */
export interface Schema {
  /** What people call it: it begins every error. */
  readonly what: string;
  /** SQL that brings form n to form n + 1, from the empty one on; `user_version` tells how many have been done. */
  readonly steps: readonly string[];
  /** Queries that work on a whole database of the newest form. */
  readonly probes: readonly string[];
}

export interface OpenOptions {
  readonly path: string;
  readonly schema: Schema;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Opened {
  readonly db: Connection;
  /** What people must be told, a line each. */
  readonly reports: readonly string[];
}

/** Another program that reads or copies the file is done in this time; longer, and the caller is told. */
const BUSY_MS = 2000;
/** Damaged databases that are kept: the first tell what went wrong, the rest would fill a disk. */
const MAX_ASIDE = 10;
/** Beside a database in write-ahead mode (sqlite.org/fileformat2.html, 4). */
const PARTS = ['', '-wal', '-shm'] as const;
/** A log of more pages than this is written back: 4 MiB, the default of SQLite. */
const CHECKPOINT_PAGES = 1000;

/**
 * Opens a database for its one writer. A damaged one is kept aside, reported, and an empty one takes its place.
 * @throws CodedError `refused` for a newer form, which is not touched; `no_space`; `failed` where another program holds it or
 *   it cannot be opened. Trying again is harmless.
 */
export function openDatabase(options: OpenOptions): Opened {
  const { path, schema } = options;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      return { db: openWhole(options), reports: [] };
    } catch (error) {
      if (!isDamage(error)) throw error;
      const report = keepAside(options, error);
      return { db: openWhole(options), reports: [report] };
    }
  } catch (error) {
    throw databaseError(schema.what, path, error);
  }
}

/** Moves a database that is damaged out of the way, with what belongs to it, and says so. Throws CodedError where that fails. */
export function keepAside({ path, schema, now }: OpenOptions, why: unknown): string {
  const time = new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '');
  let aside = `${path}.corrupt-${time}`;
  for (let n = 2; existsSync(aside); n++) aside = `${path}.corrupt-${time}-${n}`;
  try {
    for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  } catch (error) {
    throw databaseError(schema.what, path, error);
  }
  const all = keptAside(path);
  for (const old of all.slice(0, Math.max(0, all.length - MAX_ASIDE)))
    for (const part of PARTS) rmSync(old + part, { force: true });
  const reason = why instanceof Error ? why.message : String(why);
  return `${schema.what} ${path}: ${reason}; it is kept as ${aside}, and an empty one has taken its place`;
}

/** Databases that were kept aside because they were damaged, oldest first. */
export function keptAside(path: string): string[] {
  try {
    return readdirSync(dirname(path))
      .filter(name => name.startsWith(`${basename(path)}.corrupt-`) && !/-(?:wal|shm)$/.test(name))
      .sort()
      .map(name => join(dirname(path), name));
  } catch {
    // ENOENT, EACCES: there is nothing to tell of.
    return [];
  }
}

/** The form of a database that nobody may change by looking; 0 where there is none. Throws CodedError. */
export function formOf(path: string, schema: Schema): number {
  if (!existsSync(path)) return 0;
  try {
    return readForm(path);
  } catch (error) {
    throw databaseError(schema.what, path, error);
  }
}

function openWhole({ path, schema }: OpenOptions): Connection {
  const newest = schema.steps.length;
  const isThere = existsSync(path);
  const form = isThere ? readForm(path) : 0;
  if (form > newest)
    throw new CodedError(
      'refused',
      `${schema.what} ${path}: a newer mux wrote it in form ${form}, and this one reads none newer than ${newest}`,
      'use that mux, or move the file away to begin anew',
    );
  // SQLite would make it readable for all that the umask allows.
  if (!isThere) closeSync(openSync(path, 'a', 0o600));
  const db = new Sqlite(path, { timeout: BUSY_MS });
  try {
    prepare(db);
    if (form > 0 && form < newest) backUp(db, path, form);
    bringForward(db, schema, form);
    for (const probe of schema.probes) db.prepare(probe).get();
  } catch (error) {
    db.close();
    throw error;
  }
  for (const part of PARTS) if (existsSync(path + part)) chmodSync(path + part, 0o600);
  return db;
}

function readForm(path: string): number {
  const db = new Sqlite(path, { readonly: true, timeout: BUSY_MS });
  try {
    return db.pragma('user_version', { simple: true }) as number;
  } finally {
    db.close();
  }
}

function prepare(db: Connection): void {
  db.pragma('journal_mode = WAL');
  // What was answered must outlive a power cut; many writes share one sync.
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // A file that was written by somebody else must not make functions or tables of its own run.
  db.pragma('trusted_schema = OFF');
}

/** The database as it is, whole, before it is changed for good. */
function backUp(db: Connection, path: string, form: number): void {
  const backup = `${path}.v${form}.bak`;
  rmSync(backup, { force: true });
  db.prepare('VACUUM INTO ?').run(backup);
  chmodSync(backup, 0o600);
}

function bringForward(db: Connection, { steps }: Schema, form: number): void {
  for (let at = form; at < steps.length; at++) {
    db.transaction(() => {
      db.exec(steps[at]!);
      db.pragma(`user_version = ${at + 1}`);
    }).immediate();
  }
}
