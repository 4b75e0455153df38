/**
 * Removing what mux made: worktree, then branch. Only when told, only what is ours, and so that being cut at any
 * moment leaves something that the next try finishes.
 */
import { lstat, rename, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CodedError } from '../base/errors.ts';
import type { MadeCheckout } from './create.ts';
import { ownedPath, removedPath, resolved } from './ownership.ts';
import { isWithin } from './places.ts';
import { removeTree } from './remove-tree.ts';
import { commitOf, listWorktrees, placesOf, type Worktree } from './repository.ts';
import { isAtRisk, NO_WORK, workAtRisk, type WorkAtRisk } from './risk.ts';
import type { Git } from './run.ts';

export interface RemoveOptions {
  /** Folder of all worktrees. */
  readonly root: string;
  /** Removes work that would be lost: only after a person has said so. */
  readonly force: boolean;
}

/** A checkout with what would be lost with it. */
export interface AtRisk {
  readonly checkout: MadeCheckout;
  readonly work: WorkAtRisk;
}

/** `kept`: nothing was removed, because of these. */
export type Removal =
  | { readonly kind: 'removed'; readonly notes: readonly string[] }
  | { readonly kind: 'kept'; readonly because: readonly AtRisk[] };

interface Place {
  readonly main: MadeCheckout;
  readonly includes: readonly MadeCheckout[];
}

/** What would be lost with a place; empty if it can go. Never throws. */
export async function placeAtRisk(git: Git, place: Place): Promise<readonly AtRisk[]> {
  const all = await Promise.all(
    [place.main, ...place.includes].map(async checkout => ({
      checkout,
      work: await workAtRisk(git, checkout),
    })),
  );
  return all.filter(({ work }) => isAtRisk(work));
}

/**
 * Removes all worktrees of a place with their branches. Without `force` nothing goes if anything in any of them would
 * be lost. May be called again after a failure or a crash: it goes on.
 * @throws CodedError `refused` for what is not ours, `failed` with the first reason; the rest was removed all the same
 */
export async function removePlace(git: Git, place: Place, options: RemoveOptions): Promise<Removal> {
  const checkouts = [place.main, ...place.includes];
  // Before anything is touched.
  for (const { worktree } of checkouts) await ownedPath(options.root, worktree);
  if (!options.force) {
    const because = await placeAtRisk(git, place);
    if (because.length > 0) return { kind: 'kept', because };
  }
  const results = await Promise.allSettled(checkouts.map(checkout => removeCheckout(git, checkout, options)));
  const failed = results.find(result => result.status === 'rejected');
  if (failed) throw failed.reason;
  await removeEmpty(
    dirname(await ownedPath(options.root, place.main.worktree)),
    await resolved(options.root),
  );
  const done = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
  const kept = done.flatMap(removal => (removal.kind === 'kept' ? removal.because : []));
  if (kept.length > 0) return { kind: 'kept', because: kept };
  return {
    kind: 'removed',
    notes: done.flatMap(removal => (removal.kind === 'removed' ? removal.notes : [])),
  };
}

async function removeCheckout(git: Git, checkout: MadeCheckout, options: RemoveOptions): Promise<Removal> {
  const path = await ownedPath(options.root, checkout.worktree);
  const places = await placesOf(git, checkout.repo).catch((error: unknown) => error);
  if (!isPlaces(places)) return removeOrphan(checkout, path, options, places);
  return git.repositories.run(places.commonDir, async () => {
    const worktrees = await listWorktrees(git, checkout.repo);
    await refuseForeign(worktrees, path, checkout.repo);
    // Before the last look, so that a commit made after it keeps the branch.
    const tip = await commitOf(git, checkout.repo, `refs/heads/${checkout.branch}`);
    const work = options.force ? NO_WORK : await workAtRisk(git, checkout);
    if (isAtRisk(work)) return { kind: 'kept', because: [{ checkout, work }] };
    await moveAside(path);
    if (worktrees.some(worktree => worktree.path === path))
      await git.run(['worktree', 'remove', '--force', '--force', path], {
        cwd: checkout.repo,
        kind: 'write',
      });
    const notes = await removeBranch(git, checkout, worktrees, path, tip);
    await removeTree(removedPath(path));
    return { kind: 'removed', notes };
  });
}

function isPlaces(value: unknown): value is { readonly commonDir: string } {
  return typeof value === 'object' && value !== null && 'commonDir' in value;
}

/** The repository it came from is gone or broken: what was in the worktree nobody can tell, so only by force. */
async function removeOrphan(
  checkout: MadeCheckout,
  path: string,
  options: RemoveOptions,
  error: unknown,
): Promise<Removal> {
  if (!(error instanceof CodedError)) throw error;
  const isGone = error.code === 'not_found' || /no folder/.test(error.message);
  if (!isGone) throw error;
  if (!options.force)
    return { kind: 'kept', because: [{ checkout, work: { ...NO_WORK, unknown: error.message } }] };
  await moveAside(path);
  await removeTree(removedPath(path));
  return { kind: 'removed', notes: [] };
}

/** A folder at our place that git does not know is not the worktree we made. */
async function refuseForeign(worktrees: readonly Worktree[], path: string, repo: string): Promise<void> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere && !worktrees.some(worktree => worktree.path === path))
    throw new CodedError(
      'refused',
      `${path}: not a worktree of ${repo}`,
      'look at it and remove it yourself',
    );
}

/** One step, so that a folder is never seen half removed at the place where it was used. */
async function moveAside(path: string): Promise<void> {
  const aside = removedPath(path);
  try {
    await lstat(path);
  } catch {
    // ENOENT: an earlier try came so far.
    return;
  }
  await removeTree(aside);
  try {
    await rename(path, aside);
  } catch (error) {
    throw new CodedError('failed', `worktree ${path}: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
}

/** Deletes the branch unless it is used elsewhere or has moved; says so then. */
async function removeBranch(
  git: Git,
  checkout: MadeCheckout,
  worktrees: readonly Worktree[],
  path: string,
  tip: string | undefined,
): Promise<readonly string[]> {
  const { branch, repo, base } = checkout;
  const elsewhere = worktrees.find(worktree => worktree.branch === branch && worktree.path !== path);
  if (elsewhere) return [`branch ${branch} was kept: it is checked out in ${elsewhere.path}`];
  if (tip === undefined || branch === base) return [];
  await git.run(['update-ref', '-d', `refs/heads/${branch}`, tip], { cwd: repo, kind: 'write' });
  // Written by `git push --set-upstream`; most have none, which is status 128.
  await git.ask(['config', '--remove-section', `branch.${branch}`], { cwd: repo, kind: 'write' });
  return [];
}

/** Removes folders that are empty now, up to the root. */
async function removeEmpty(folder: string, root: string): Promise<void> {
  try {
    for (let at = folder; at !== root && isWithin(root, at); at = dirname(at)) await rmdir(at);
  } catch {
    // ENOTEMPTY: other sessions have worktrees there.
  }
}
