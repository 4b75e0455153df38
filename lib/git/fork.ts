/**
 * A place for a session that goes on from where another stands: from its commits, and with its uncommitted work if
 * asked for. The other's working tree is only read.
 */
import { stat } from 'node:fs/promises';
import { CodedError } from '../base/errors.ts';
import { copyChanges } from './changes.ts';
import { makeAll, type MadeCheckout, type MadePlace, type Planned, type PlaceNames } from './create.ts';
import { rememberedBase } from './marker.ts';
import { removePlace } from './remove.ts';
import { commitOf, repositoryAt } from './repository.ts';
import type { Git } from './run.ts';

export interface ForkOptions extends PlaceNames {
  readonly source: { readonly main: MadeCheckout; readonly includes: readonly MadeCheckout[] };
  /** Whether uncommitted work comes along: tracked, untracked, staged. */
  readonly withChanges: boolean;
}

/**
 * Makes the worktrees, all or none, each from the commit its source has checked out, whatever branch that is on.
 * @throws CodedError `not_found` where the source has neither folder nor branch, else as createPlace
 */
export async function forkPlace(git: Git, options: ForkOptions): Promise<MadePlace> {
  const sources = [options.source.main, ...options.source.includes];
  const planned = await Promise.all(sources.map(source => planOf(git, source)));
  const made = await makeAll(git, options, planned);
  if (!options.withChanges) return { ...made, warnings: [] };
  try {
    const warnings = await carry(git, options, sources, [made.main, ...made.includes]);
    return { ...made, warnings };
  } catch (error) {
    // Nobody has worked in it yet, so nothing in it can be lost.
    await removePlace(git, made, { root: options.root, force: true }).catch(() => undefined);
    throw error;
  }
}

async function carry(
  git: Git,
  options: ForkOptions,
  sources: readonly MadeCheckout[],
  made: readonly MadeCheckout[],
): Promise<readonly string[]> {
  const left = await Promise.all(
    sources.map(async ({ worktree: from }, i) =>
      (await isFolder(from)) ? copyChanges(git, { from, to: made[i]!.worktree, signal: options.signal }) : [],
    ),
  );
  return left.flat().map(what => `not copied: ${what}`);
}

async function planOf(git: Git, source: MadeCheckout): Promise<Planned> {
  const isThere = await isFolder(source.worktree);
  const repo = await repositoryAt(git, isThere ? source.worktree : source.repo);
  const compareWith = (isThere && (await rememberedBase(repo.gitDir))) || source.base;
  if (!isThere) {
    // Its folder was removed by hand; the commits are still on its branch.
    const commit = await commitOf(git, source.repo, `refs/heads/${source.branch}`);
    if (!commit)
      throw new CodedError('not_found', `fork: neither folder nor branch ${source.branch} is there`);
    return { repo, base: { name: source.base, start: source.branch, commit }, compareWith };
  }
  const { head } = repo;
  const commit = head.kind === 'unborn' ? undefined : head.commit;
  const start = head.kind === 'detached' ? head.commit : head.branch;
  return { repo, base: { name: source.base, start, commit }, compareWith };
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    entry => entry.isDirectory(),
    () => false,
  );
}
