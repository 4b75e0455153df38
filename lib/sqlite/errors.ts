/**
 * What SQLite says (sqlite.org/rescode.html), as errors for people.
 */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CodedError } from '../base/errors.ts';

/** Less than this is a full disk: a write-ahead log and its index need some pages. */
const FULL_BYTES = 256 * 1024;

/** Whether the file itself is broken, or no database of ours. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  // SQLITE_ERROR at a probe or a migration: a table is missing or has another shape.
  return /^SQLITE_(?:CORRUPT|NOTADB|ERROR|FORMAT|SCHEMA)/.test(code);
}

/** Whether the file became broken under a statement that is right. */
export function isCorruption(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error));
}

/** Whether SQLite itself failed, and not the code around it. */
export function isDatabaseError(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_');
}

/** Any error of SQLite or of the system as one for people: `WHAT: WHY`. */
export function databaseError(what: string, path: string, error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  const code = codeOf(error);
  const cause = { cause: error };
  if (isFull(code, path))
    return new CodedError('no_space', `${what}: no space left for ${path}`, 'free some space', cause);
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
    return new CodedError(
      'failed',
      `${what}: another program holds ${path}`,
      'try again when it is done',
      cause,
    );
  const why = WHYS.find(([pattern]) => pattern.test(code))?.[1];
  const message = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  return new CodedError('failed', `${what} ${path}: ${why ?? message}`, undefined, cause);
}

const WHYS: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(?:READONLY|PERM)|^E(?:ROFS|ACCES|PERM)$/, 'it may not be written'],
  [/^SQLITE_CANTOPEN|^E(?:NOENT|NOTDIR|ISDIR)$/, 'it cannot be opened'],
  [/^SQLITE_IOERR|^EIO$/, 'the disk failed'],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, 'it is damaged'],
];

/** A full disk shows in several ways: the log, its index, and the folder each tell it in their own words. */
function isFull(code: string, path: string): boolean {
  if (/^SQLITE_FULL|^E(?:NOSPC|DQUOT)$/.test(code)) return true;
  if (!/^SQLITE_(?:IOERR|CANTOPEN)/.test(code)) return false;
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < FULL_BYTES;
  } catch {
    // ENOENT: the folder is gone, which is another trouble.
    return false;
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
