/**
 * What stands at a path, and putting it there again.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';

/** A file or a link; its content is a blob of git's. */
export interface FileState {
  readonly kind: 'file' | 'link';
  /** Permission bits; of a link 0. */
  readonly mode: number;
  readonly sha: string;
}

/** Bytes of a file that is kept: larger ones are data, which a copy of for each call would fill the disk. */
export const KEPT_MAX = 16 * 1024 * 1024;

/** What is there, with its content; undefined: nothing. `unkept`: a folder, a device, or something too large. */
export async function stateAt(
  path: string,
): Promise<{ readonly state: FileState; readonly content: Buffer } | 'unkept' | undefined> {
  try {
    const entry = await lstat(path);
    if (entry.isSymbolicLink()) {
      const content = Buffer.from(await readlink(path, { encoding: 'buffer' }));
      return { state: { kind: 'link', mode: 0, sha: blobName(content) }, content };
    }
    if (!entry.isFile() || entry.size > KEPT_MAX) return 'unkept';
    const content = await readFile(path);
    return { state: { kind: 'file', mode: entry.mode & 0o7777, sha: blobName(content) }, content };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return 'unkept';
  }
}

/** Whether two states have the same content; modes change for many reasons. */
export function isSame(a: FileState | undefined, b: FileState | undefined): boolean {
  return a?.kind === b?.kind && a?.sha === b?.sha;
}

/** The name of a blob with this content (git hash-object; gitformat-pack, SHA-1). */
function blobName(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Puts a state in place of what is there; undefined: nothing is to be there. Throws CodedError or an error of the system. */
export async function putState(path: string, state: FileState | undefined, content: Buffer): Promise<void> {
  if (!state) return rm(path, { force: true });
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // A folder on the way that has become a link leads elsewhere.
  if ((await realpath(folder)) !== folder)
    throw new CodedError('refused', `${visible(path)}: its folder is a link by now`);
  const temporary = join(folder, `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.mux`);
  try {
    if (state.kind === 'link') await symlink(content, temporary);
    else await writeNew(temporary, content, state.mode);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeNew(path: string, content: Buffer, mode: number): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
  await chmod(path, mode);
}
