/**
 * Removing a folder with all that is in it, also where programs have made folders read-only, as package caches do.
 */
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';

/** Owner may read, write and enter: what removing entries takes. */
const OPEN = 0o700;

/** Removes `path`; one that does not exist is fine. Links are removed, never followed. @throws CodedError `failed` */
export async function removeTree(path: string): Promise<void> {
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove().catch(async () => {
      await open(path);
      await remove();
    });
  } catch (error) {
    throw new CodedError('failed', `remove ${path}: ${(error as Error).message}`, 'try again', {
      cause: error,
    });
  }
}

/** Opens all folders below; what does not let us is left to the removal, which then says why. */
async function open(folder: string): Promise<void> {
  try {
    await chmod(folder, OPEN);
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await open(join(folder, entry.name));
  } catch {
    // ENOENT: gone already. EPERM: not ours.
  }
}
