/**
 * A worktree with its branch, made whole or not at all.
 */
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CodedError } from '../base/errors.ts';
import type { Repository } from './repository.ts';
import type { Git } from './run.ts';

/** What to make. */
export interface WorktreePlan {
  /** The worktree's folder; must not exist. */
  readonly path: string;
  /** Its branch; must not exist. */
  readonly branch: string;
  /** The commit it starts from; undefined: a branch without a commit. */
  readonly commit: string | undefined;
  /** For the branch's reflog: `main`. */
  readonly from: string;
}

/** The id that means "must not exist" to update-ref (git-update-ref(1)). */
const NO_OBJECT = '0000000000000000000000000000000000000000';

/**
 * Adds the worktree. Nothing of it is left where that fails. The source's working tree is never touched.
 * @throws CodedError `failed`, `timeout`, `cancelled`, `refused` where the folder or the branch exists
 */
export async function addWorktree(
  git: Git,
  repo: Repository,
  plan: WorktreePlan,
  signal?: AbortSignal,
): Promise<void> {
  await git.run(['check-ref-format', '--branch', plan.branch], { cwd: repo.main });
  await claim(plan.path);
  let hasBranch = false;
  try {
    await git.repositories.run(repo.commonDir, async () => {
      hasBranch = plan.commit !== undefined && (await makeBranch(git, repo, plan, plan.commit));
      if (hasBranch) await add(git, repo, [plan.path, plan.branch], signal);
      else await addUnborn(git, repo, plan, signal);
    });
    // Outside the lock: this is what takes long, and worktrees do not meet in it.
    if (hasBranch) await git.run(['reset', '--hard', '--quiet'], { cwd: plan.path, kind: 'write', signal });
  } catch (error) {
    await undoWorktree(git, repo, hasBranch ? plan : { ...plan, commit: undefined });
    throw error;
  }
}

/** Takes back what addWorktree made. Never throws: it runs where something else has failed already. */
export async function undoWorktree(git: Git, repo: Repository, plan: WorktreePlan): Promise<void> {
  await git.repositories.run(repo.commonDir, async () => {
    await dropWorktree(git, repo.main, plan.path);
    if (plan.commit) await dropBranch(git, repo.main, plan.branch, plan.commit);
  });
}

/** Makes the folder, empty: whatever is there already is not ours, and stays. */
async function claim(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const why = isThere ? 'it exists already' : (error as Error).message;
    throw new CodedError(isThere ? 'refused' : 'failed', `worktree ${path}: ${why}`, undefined, {
      cause: error,
    });
  }
}

async function makeBranch(git: Git, repo: Repository, plan: WorktreePlan, commit: string): Promise<true> {
  const ref = `refs/heads/${plan.branch}`;
  const exists = await git.ask(['show-ref', '--verify', '--quiet', ref], { cwd: repo.main });
  if (exists.code === 0)
    throw new CodedError('refused', `branch ${plan.branch}: it exists already`, 'choose another name');
  // Neither `branch` nor `worktree add -b`: both write an upstream into the configuration, under one lock for all.
  const message = `branch: Created from ${plan.from}`;
  await git.run(
    ['update-ref', '-m', message, '--create-reflog', ref, commit, NO_OBJECT.slice(0, commit.length)],
    {
      cwd: repo.main,
      kind: 'write',
    },
  );
  return true;
}

function add(git: Git, repo: Repository, args: readonly string[], signal?: AbortSignal): Promise<string> {
  return git.run(['worktree', 'add', '--no-checkout', ...args], { cwd: repo.main, kind: 'write', signal });
}

/**
 * A worktree on a branch that has no commit. `worktree add --orphan` came with git 2.42; this does the same with any:
 * an empty commit that nothing refers to gives git something to begin with, then HEAD is pointed at the new branch.
 */
async function addUnborn(
  git: Git,
  repo: Repository,
  plan: WorktreePlan,
  signal?: AbortSignal,
): Promise<void> {
  const options = { cwd: repo.main, kind: 'write' } as const;
  const tree = await git.run(['mktree'], options);
  const env = {
    GIT_AUTHOR_NAME: 'mux',
    GIT_AUTHOR_EMAIL: 'mux@localhost',
    GIT_COMMITTER_NAME: 'mux',
    GIT_COMMITTER_EMAIL: 'mux@localhost',
  };
  const commit = await git.run(['commit-tree', tree, '-m', 'nothing yet'], { ...options, env });
  await add(git, repo, ['--detach', plan.path, commit], signal);
  await git.run(['symbolic-ref', 'HEAD', `refs/heads/${plan.branch}`], { ...options, cwd: plan.path });
}

/**
 * Makes git forget the worktree and removes its folder. Locked ones too: a worktree whose making was cut is locked.
 * Never throws.
 */
async function dropWorktree(git: Git, main: string, path: string): Promise<void> {
  const quiet = (): undefined => undefined;
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(quiet);
  await git
    .run(['worktree', 'remove', '--force', '--force', path], { cwd: main, kind: 'write' })
    .catch(quiet);
  // Only if nothing else is in it.
  await rmdir(dirname(path)).catch(quiet);
}

async function dropBranch(git: Git, main: string, branch: string, commit: string): Promise<void> {
  // With the commit it was made at: a branch that somebody has moved meanwhile is theirs.
  await git
    .run(['update-ref', '-d', `refs/heads/${branch}`, commit], { cwd: main, kind: 'write' })
    .catch(() => undefined);
}
