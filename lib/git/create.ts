/**
 * A place for a session: its own worktree and branch, with further repositories beside it if asked for.
 */
import { basename, join } from 'node:path';
import { CodedError, errorText, toCoded } from '../base/errors.ts';
import { findBase, type Base } from './base.ts';
import { fetchRemote } from './fetch.ts';
import { resolved } from './ownership.ts';
import { rememberBase } from './marker.ts';
import { branchName, includeVariable, repositoryFolder, repositoryName } from './places.ts';
import { repositoryAt, type Repository } from './repository.ts';
import type { Git } from './run.ts';
import { addWorktree, undoWorktree, type WorktreePlan } from './worktree.ts';

/** A person waits for the session: a remote that needs longer is left for the next fetch. */
const FETCH_MS = 30_000;

/** A repository and the worktree made for a session in it. */
export interface MadeCheckout {
  /** Top of the repository it came from, symlinks resolved. */
  readonly repo: string;
  /** The worktree's top. */
  readonly worktree: string;
  readonly branch: string;
  /** Branch or commit the work began from. */
  readonly base: string;
}

export interface MadePlace {
  readonly main: MadeCheckout;
  readonly includes: readonly MadeCheckout[];
  /** Variables that tell the agent where the includes are. */
  readonly env: Readonly<Record<string, string>>;
  /** What did not work and was not needed: a fetch. One line each. */
  readonly warnings: readonly string[];
}

export interface CreateOptions {
  /** Folder of all worktrees. */
  readonly root: string;
  /** A folder in the repository. */
  readonly dir: string;
  /** Of the session: its id names the folder, both the branch. */
  readonly id: string;
  readonly name: string;
  /** `git.branch_prefix`, and what `{user}` in it means. */
  readonly prefix: string;
  readonly user: string;
  /** Revision to start from; '' or absent: the default branch. */
  readonly base?: string | undefined;
  /** Folders in further repositories, which start from their default branches. */
  readonly includes?: readonly string[];
  /** Whether remotes are fetched first. */
  readonly fetch?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A repository with what is to be made in it. */
export interface Planned {
  readonly repo: Repository;
  readonly base: Base;
  /** What the branch is compared with while it has no upstream. */
  readonly compareWith: string;
}

/** The worktrees' part of CreateOptions, once bases are known. */
export type PlaceNames = Pick<CreateOptions, 'root' | 'id' | 'name' | 'prefix' | 'user' | 'signal'>;

/**
 * Makes the worktrees, all or none.
 * @throws CodedError `not_found` (no repository, no such base), `refused` (a repository twice), `timeout`, `cancelled`,
 *   `failed`; nothing is left behind then
 */
export async function createPlace(git: Git, options: CreateOptions): Promise<MadePlace> {
  const dirs = [options.dir, ...(options.includes ?? [])];
  const repos = await Promise.all(dirs.map(dir => repositoryAt(git, dir)));
  refuseTwice(repos);
  const warnings = options.fetch ? await fetchAll(git, repos, options.signal) : [];
  const planned = await Promise.all(
    repos.map(async (repo, i) => {
      const base = await findBase(git, repo, i === 0 ? options.base : '');
      return { repo, base, compareWith: base.start };
    }),
  );
  const made = await makeAll(git, options, planned);
  return { ...made, warnings };
}

/** Makes a worktree for each; the first is the main one. All or none. */
export async function makeAll(
  git: Git,
  names: PlaceNames,
  planned: readonly Planned[],
): Promise<Omit<MadePlace, 'warnings'>> {
  const branch = branchName(names.prefix, names.user, names.name, names.id);
  const parent = join(repositoryFolder(await resolved(names.root), planned[0]!.repo.main), names.id);
  const folders = folderNames(planned.map(({ repo }) => repo.main));
  const plans = planned.map(({ base }, i) => ({
    path: planned.length === 1 ? parent : join(parent, folders[i]!),
    branch,
    commit: base.commit,
    from: base.start,
  }));
  await addAll(git, planned, plans, names.signal);
  await Promise.all(plans.map(({ path }, i) => rememberBase(path, planned[i]!.compareWith)));
  const [main, ...includes] = planned.map(({ repo, base }, i) => ({
    repo: repo.main,
    worktree: plans[i]!.path,
    branch,
    base: base.name,
  }));
  return { main: main!, includes, env: includeEnv(includes) };
}

async function addAll(
  git: Git,
  planned: readonly Planned[],
  plans: readonly WorktreePlan[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const results = await Promise.allSettled(
    planned.map(({ repo }, i) => addWorktree(git, repo, plans[i]!, signal)),
  );
  const failed = results.find(result => result.status === 'rejected');
  if (!failed) return;
  // Those that failed have cleaned up behind themselves.
  await undoAll(
    git,
    planned.filter((_, i) => results[i]!.status === 'fulfilled'),
    plans.filter((_, i) => results[i]!.status === 'fulfilled'),
  );
  throw failed.reason;
}

async function undoAll(git: Git, planned: readonly Planned[], plans: readonly WorktreePlan[]): Promise<void> {
  await Promise.all(planned.map(({ repo }, i) => undoWorktree(git, repo, plans[i]!)));
}

function refuseTwice(repos: readonly Repository[]): void {
  const seen = new Set<string>();
  for (const { commonDir, main } of repos) {
    if (seen.has(commonDir))
      throw new CodedError('refused', `include ${main}: this repository is there already`);
    seen.add(commonDir);
  }
}

async function fetchAll(
  git: Git,
  repos: readonly Repository[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const results = await Promise.allSettled(
    repos.map(repo => fetchRemote(git, repo, { timeoutMs: FETCH_MS, signal })),
  );
  if (signal?.aborted) throw new CodedError('cancelled', 'git fetch: cancelled');
  return results.flatMap((result, i) =>
    result.status === 'rejected'
      ? [`${basename(repos[i]!.main)} was not fetched: ${errorText(toCoded(result.reason))}`]
      : [],
  );
}

/** A folder's name for each repository, whose variables differ too; the second `api` is `api-2`. */
function folderNames(repos: readonly string[]): string[] {
  const taken = new Set<string>();
  return repos.map(repo => {
    const name = repositoryName(repo);
    let free = name;
    for (let n = 2; taken.has(includeVariable(free)); n++) free = `${name}-${n}`;
    taken.add(includeVariable(free));
    return free;
  });
}

/** Variables for the includes, by the names of their folders. */
export function includeEnv(includes: readonly MadeCheckout[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    includes.map(({ worktree }) => [includeVariable(basename(worktree)), worktree] as const),
  );
}
