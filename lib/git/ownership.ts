/**
 * What is ours to remove: by its place under the folder of worktrees, with symlinks resolved, never by a name alone.
 */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { isWithin } from './places.ts';

/** `REPOSITORY-HASH/SESSION`, and with includes one folder more. */
const DEPTHS = [2, 3];
/** A worktree on its way out has this name beside its own: whoever sees it may finish. */
const REMOVED_SUFFIX = '.removed';

/**
 * The real path of a worktree made by mux, whether it still exists or not.
 * @throws CodedError `refused` for any other path
 */
export async function ownedPath(root: string, path: string): Promise<string> {
  const realRoot = await resolved(root);
  const real = join(await resolved(dirname(path)), basename(path));
  const depth = relative(realRoot, real).split(sep).length;
  const isLink = (await resolved(real)) !== real;
  if (real !== realRoot && isWithin(realRoot, real) && DEPTHS.includes(depth) && !isLink) return real;
  throw new CodedError('refused', `${path}: not a worktree that mux made`, 'remove it yourself');
}

/** Where a worktree is moved before its files are removed. */
export function removedPath(path: string): string {
  return `${path}${REMOVED_SUFFIX}`;
}

/** `realpath`, of as much of the path as exists. */
export async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // ENOENT and others: what does not exist is no link, but a folder above it may be.
    const parent = dirname(path);
    return parent === path ? path : join(await resolved(parent), basename(path));
  }
}
