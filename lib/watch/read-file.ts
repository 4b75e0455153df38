/**
 * Reading a file of a repository that nobody vouches for: it may be huge, a device, a pipe, a link to elsewhere, or
 * gone by the time it is read.
 */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { DiagnosticCode } from '../graph/codes.ts';

/** Largest file that is read, in bytes: a role or lore is text a person wrote, or a model is to read. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Tells one version of a file from the next. */
export interface Stamp {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
}

/** What reading a file gave. `gone` is no problem: it was there a moment ago. */
export type ReadResult =
  | { readonly kind: 'text'; readonly text: string; readonly stamp: Stamp }
  | { readonly kind: 'same' }
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'problem';
      readonly code: DiagnosticCode;
      readonly message: string;
      /** '' where the code's own remedy says it. */
      readonly hint: string;
      /** One-based, 0 for the whole file. */
      readonly line: number;
    };

interface RealFolder {
  readonly real: string;
  readonly inside: boolean;
}

const HOW = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * The text files below a root, for one pass over them.
 *
 * Reading waits for the disk: that is for threads and processes that nobody types at. One after the other it takes a
 * third of the time that it takes by promises, since most files are read in less time than a thread pool needs to answer.
 */
export class TextFiles {
  readonly #root: string;
  /** Folders of the files by path, and whether they are below the root. */
  readonly #folders = new Map<string, RealFolder>();

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /**
   * Reads the text file at `file`, relative to the root. Links are followed as long as they stay below the root.
   *
   * @param known the stamp of the version already at hand: if the file still has it, the answer is `same`
   */
  read(file: string, known?: Stamp): ReadResult {
    const path = join(this.#root, file);
    let fd: number | undefined;
    try {
      if (known) {
        const found = lstatSync(path);
        if (found.isFile() && sameStamp(known, found)) return { kind: 'same' };
      }
      fd = this.#open(path);
      if (fd === undefined)
        return problem('outside', 'leads out of the graph', 'copy the file instead of linking to it');
      return readDescriptor(fd, known);
    } catch (error) {
      return describe(error as NodeJS.ErrnoException);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** Opens what is below the root, undefined for what is not. Never blocks: opening a pipe would wait for its other end. */
  #open(path: string): number | undefined {
    const folder = this.#folder(dirname(path));
    try {
      return folder.inside
        ? openSync(join(folder.real, basename(path)), HOW | constants.O_NOFOLLOW)
        : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
      const real = realpathSync.native(path);
      return this.#folder(dirname(real)).inside ? openSync(real, HOW) : undefined;
    }
  }

  #folder(path: string): RealFolder {
    const known = this.#folders.get(path);
    if (known) return known;
    const real = realpathSync.native(path);
    const root = path === this.#root ? real : this.#folder(this.#root).real;
    const folder = { real, inside: real === root || real.startsWith(root.endsWith(sep) ? root : root + sep) };
    this.#folders.set(path, folder);
    return folder;
  }
}

/** Reads one text file at `file`, relative to `root`: see TextFiles. */
export function readTextFile(root: string, file: string, known?: Stamp): ReadResult {
  return new TextFiles(root).read(file, known);
}

function readDescriptor(fd: number, known: Stamp | undefined): ReadResult {
  const stats = fstatSync(fd);
  const { mtimeMs, ctimeMs, size, ino } = stats;
  const stamp = { mtimeMs, ctimeMs, size, ino };
  if (!stats.isFile()) return problem('not-a-file', 'is not an ordinary file', '');
  if (size > MAX_FILE_BYTES)
    return problem(
      'file-size',
      `is larger than ${MAX_FILE_BYTES / 1024} KiB`,
      'split it, or move it elsewhere',
    );
  if (known && sameStamp(known, stamp)) return { kind: 'same' };
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(fd, buffer, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  const bytes = buffer.subarray(0, filled);
  if (bytes.includes(0)) return problem('not-text', 'is not a text file', '');
  // Text with replacement characters would be searched, shown, and saved back broken.
  if (!isUtf8(bytes)) return problem('bad-encoding', 'is not UTF-8', '', firstBad(bytes));
  return { kind: 'text', text: bytes.toString('utf8'), stamp };
}

/** The one-based line of the first bytes that are no UTF-8. */
function firstBad(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) return line;
    start = next;
  }
  return 0;
}

function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

function problem(code: DiagnosticCode, message: string, hint: string, line = 0): ReadResult {
  return { kind: 'problem', code, message, hint, line };
}

function describe(error: NodeJS.ErrnoException): ReadResult {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return { kind: 'gone' };
  if (error.code === 'ELOOP') return problem('link-loop', 'is a link that leads to itself', '');
  return unreadable(error);
}

/** The problem of something that is there but cannot be read. */
export function unreadable(error: NodeJS.ErrnoException): ReadResult & { kind: 'problem' } {
  const denied = error.code === 'EACCES' || error.code === 'EPERM';
  const message = denied
    ? 'cannot be read: permission denied'
    : `cannot be read: ${error.code ?? 'unknown error'}`;
  return { kind: 'problem', code: 'unreadable', message, hint: '', line: 0 };
}
