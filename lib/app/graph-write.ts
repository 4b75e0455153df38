/**
 * Writing files of the graph for a person: new ones that replace nothing, and changed ones only while they still are as
 * they were read. Somebody else may write the same file at the same time.
 */
import { constants } from 'node:fs';
import { link, mkdir, open, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { printable } from '../graph/printable.ts';
import { NEW, systemError } from '../store/atomic.ts';
import { readTextFile } from '../watch/read-file.ts';

/** Makes a file that is not there yet, with its folders. @throws CodedError refused where it is, or leads out of `root` */
export async function createFile(root: string, file: string, text: string, what: string): Promise<void> {
  const path = join(root, file);
  try {
    await makeFolder(root, dirname(path), what);
    const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isThere(what, path);
    throw error instanceof CodedError ? error : systemError(what, error);
  }
}

/** A change of one file: `text` in place of `before`, where both are the same only its name changes. */
export interface Change {
  /** Relative to the root. */
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

/** Changes that are written beside their files and not in force yet. */
export class StagedChanges {
  readonly #root: string;
  readonly #what: string;
  readonly #staged: Change[] = [];

  /** @param what they are for, as errors name it */
  constructor(root: string, what: string) {
    this.#root = root;
    this.#what = what;
  }

  /** Writes one beside its file, which also keeps every other mux from writing it. @throws CodedError */
  async add(change: Change): Promise<void> {
    const path = join(this.#root, change.file);
    try {
      const { mode } = await stat(path);
      const handle = await open(path + NEW, 'wx', mode & 0o777);
      this.#staged.push(change);
      try {
        await handle.writeFile(change.text);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw systemError(this.#what, error);
      throw new CodedError(
        'refused',
        `${this.#what}: somebody else writes ${printable(change.file)} right now`,
        `where nobody does, remove ${printable(basename(path) + NEW)} beside it`,
      );
    }
  }

  /** Fails where a file is no longer as it was read. @throws CodedError refused */
  async check(): Promise<void> {
    for (const { file, before } of this.#staged) {
      const now = readTextFile(this.#root, file);
      if (now.kind === 'text' && now.text === before) continue;
      throw new CodedError(
        'refused',
        `${this.#what}: ${printable(file)} was ${now.kind === 'gone' ? 'removed' : 'changed'} meanwhile`,
        'nothing was written: look at it, and try again',
      );
    }
  }

  /** Puts them in force. @throws CodedError */
  async commit(): Promise<void> {
    for (let change = this.#staged.at(-1); change; change = this.#staged.at(-1)) {
      const path = join(this.#root, change.file);
      await rename(path + NEW, path).catch((error: unknown) => {
        throw systemError(this.#what, error);
      });
      this.#staged.pop();
    }
  }

  /** Moves a staged file to a new name instead. The old one is removed last, so that at every moment there is one. */
  async commitAs(file: string, to: string): Promise<void> {
    const from = join(this.#root, file);
    const target = join(this.#root, to);
    try {
      await makeFolder(this.#root, dirname(target), this.#what);
      if (await isSameFile(from, target)) await rename(from, target);
      else await link(from + NEW, target);
      const at = this.#staged.findIndex(change => change.file === file);
      if (!(await isSameFile(from, target))) await rm(from);
      else await rename(from + NEW, target);
      this.#staged.splice(at, 1);
      await rm(from + NEW, { force: true });
      // A folder that holds something else stays.
      await rmdir(dirname(from)).catch(() => undefined);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST')
        throw new CodedError('refused', `${this.#what}: its new name is taken`, `by ${printable(target)}`);
      throw error instanceof CodedError ? error : systemError(this.#what, error);
    }
  }

  /** Removes what is not in force. */
  async drop(): Promise<void> {
    for (const { file } of this.#staged.splice(0)) await rm(join(this.#root, file) + NEW, { force: true });
  }
}

/** Where case makes no difference, a name that differs in case alone is the file itself. */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map(path => stat(path).catch(() => undefined)));
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

/** Makes a folder with those above it. Where one of them is a link out of the graph nothing is made there. */
async function makeFolder(root: string, folder: string, what: string): Promise<void> {
  let there = folder;
  let real: string | undefined;
  for (; real === undefined; there = dirname(there)) {
    real = await realpath(there).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && there !== root) return undefined;
      throw error;
    });
  }
  const realRoot = await realpath(root);
  if (real !== realRoot && !real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep))
    throw new CodedError('refused', `${what}: its folder is a link that leads out of the graph`);
  await mkdir(folder, { recursive: true });
}

function isThere(what: string, path: string): CodedError {
  return new CodedError('refused', `${what}: it is there already`, `its file is ${printable(path)}`);
}
