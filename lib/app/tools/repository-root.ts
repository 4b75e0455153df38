/**
 * Where a project begins.
 */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The nearest folder with a `.git`, from the directory upwards; the directory itself where there is none. A home folder that is a
 * repository is no project: all of a person's files would belong to it.
 */
export async function repositoryRoot(cwd: string, home: string): Promise<string> {
  for (let folder = cwd; folder !== dirname(folder) && folder !== home; folder = dirname(folder)) {
    const isThere = await lstat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isThere) return folder;
  }
  return cwd;
}
