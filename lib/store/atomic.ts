/**
 * Files that are whole at every moment: written beside their place, made durable, and put there by rename(2), which
 * replaces the old one in one step. After a crash there is the old file or the new one.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { isFull, systemReason } from '../base/system-reasons.ts';

/** What is kept is for its owner alone: it holds environments and paths. */
const MODE = 0o600;

/** Ends the names of files that are being written. */
export const NEW = '.new';
/** The same while the process dies: a write that is still under way must not be crossed. */
const NEW_AT_END = '.new-last';

/** An error of the system as one for people: `WHAT: WHY`. */
export function systemError(what: string, error: unknown, hint?: string): CodedError {
  const noRoom = isFull(error);
  return new CodedError(
    noRoom ? 'no_space' : 'failed',
    `${what}: ${systemReason(error, { ENOENT: 'its folder is missing' })}`,
    hint ?? (noRoom ? 'free some space' : undefined),
    { cause: error },
  );
}

/** Writes `path` whole and durable, mode 0600. One at a time for each path. Rejects with the system's error. */
export async function writeAtomic(path: string, data: string): Promise<void> {
  await replace(path, data, true);
  await syncFolder(dirname(path));
}

/** The same without waiting for the disk: a power cut may take it back, or empty it on some file systems. */
export async function writeCopy(path: string, data: string): Promise<void> {
  await replace(path, data, false);
}

async function replace(path: string, data: string, isDurable: boolean): Promise<void> {
  const temporary = path + NEW;
  try {
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', MODE);
    try {
      await file.writeFile(data);
      if (isDurable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The same at once: before there is anything else to do, and when there is no later. Throws the system's error. */
export function writeAtomicSync(path: string, data: string | Uint8Array): void {
  const temporary = path + NEW_AT_END;
  try {
    rmSync(temporary, { force: true });
    const fd = openSync(temporary, 'wx', MODE);
    try {
      const bytes = Buffer.from(data);
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  syncFolderSync(dirname(path));
}

/** Makes what was renamed or removed in a folder durable, where the file system can. */
export function syncFolderSync(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    closeSync(fd);
  }
}

/** Removes what writes that were cut off have left beside `path`. */
export function removeUnfinished(path: string): void {
  for (const ending of [NEW, NEW_AT_END]) removeQuietly(path + ending);
}

/** A file's bytes, undefined where there is none. Throws the system's error. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    await handle.close();
  }
}

/** Some network file systems cannot make a folder durable; they have nothing better to offer. */
function isUnsupported(error: unknown): boolean {
  return ['EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // EROFS, EACCES: what is to be told is what failed before.
  }
}
