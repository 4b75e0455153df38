/**
 * Work that would be lost if a worktree and its branch went. What cannot be told counts as such work.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText, toCoded } from '../base/errors.ts';
import type { MadeCheckout } from './create.ts';
import { commitOf, operationIn, placesOf } from './repository.ts';
import type { Git } from './run.ts';

export interface WorkAtRisk {
  /** Tracked files that differ from the last commit. */
  readonly changed: number;
  /** Untracked files and folders that are not ignored. */
  readonly untracked: number;
  /** Commits that are on no remote, no other branch and no tag. */
  readonly commits: number;
  /** Stashes made on this branch. They stay in the repository, but who would look for them? */
  readonly stashes: number;
  /** An unfinished `merge`, `rebase` …, '' for none. */
  readonly operation: string;
  /** Why something could not be told, '' if everything could. */
  readonly unknown: string;
}

export const NO_WORK: WorkAtRisk = {
  changed: 0,
  untracked: 0,
  commits: 0,
  stashes: 0,
  operation: '',
  unknown: '',
};

/** Reads as much as all of a large repository's names; one more is a failure, which counts as unknown. */
const MAX_OUTPUT = 64 * 1024 * 1024;
/** Asked before something is destroyed: worth waiting for where a cache of files is cold. */
const TIMEOUT_MS = 60_000;

export function isAtRisk(work: WorkAtRisk): boolean {
  return riskText(work) !== '';
}

/** `2 changed files, 1 commit that is nowhere else`; '' if nothing is at risk. */
export function riskText(work: WorkAtRisk): string {
  const counted = (n: number, one: string, many: string): string[] =>
    n === 0 ? [] : [`${n} ${n === 1 ? one : many}`];
  return [
    ...counted(work.changed, 'changed file', 'changed files'),
    ...counted(work.untracked, 'untracked file', 'untracked files'),
    ...counted(work.commits, 'commit that is nowhere else', 'commits that are nowhere else'),
    ...counted(work.stashes, 'stash', 'stashes'),
    ...(work.operation ? [`an unfinished ${work.operation}`] : []),
    ...(work.unknown ? [`cannot tell: ${work.unknown}`] : []),
  ].join(', ');
}

/** What would be lost with `checkout`. Never throws: what goes wrong is `unknown`. */
export async function workAtRisk(git: Git, checkout: MadeCheckout): Promise<WorkAtRisk> {
  try {
    const isThere = await exists(checkout.worktree);
    const dir = isThere ? checkout.worktree : checkout.repo;
    const [files, commits, stashes] = await Promise.all([
      isThere ? filesAtRisk(git, checkout.worktree) : NO_WORK,
      commitsAtRisk(git, dir, checkout.branch, isThere),
      stashesOn(git, dir, checkout.branch),
    ]);
    return { ...files, commits, stashes };
  } catch (error) {
    return { ...NO_WORK, unknown: errorText(toCoded(error)) };
  }
}

async function filesAtRisk(git: Git, worktree: string): Promise<WorkAtRisk> {
  const { gitDir } = await placesOf(git, worktree);
  // Whatever the person's configuration hides from them day by day is shown here.
  const args = ['-c', 'core.untrackedCache=false', 'status', '--porcelain=v2', '-z'];
  const shown = ['--untracked-files=normal', '--ignore-submodules=none'];
  const options = { cwd: worktree, maxOutput: MAX_OUTPUT, timeoutMs: TIMEOUT_MS };
  const output = await git.run([...args, ...shown], options);
  const [operation, hasSubmodules] = await Promise.all([
    operationIn(gitDir),
    hasEntries(join(gitDir, 'modules')),
  ]);
  return {
    ...NO_WORK,
    ...countFiles(output),
    operation,
    // Their repositories lie in the worktree's own folder of git and go with it, with commits pushed nowhere.
    unknown: hasSubmodules ? 'it has submodules, whose commits may be nowhere else' : '',
  };
}

/** Counts the records of `git status --porcelain=v2 -z` (git-status(1), "Porcelain Format Version 2"). */
export function countFiles(output: string): Pick<WorkAtRisk, 'changed' | 'untracked'> {
  const records = output.split('\0');
  let changed = 0;
  let untracked = 0;
  for (let i = 0; i < records.length; i++) {
    const kind = records[i]![0];
    if (kind === '?') untracked++;
    if (kind === '1' || kind === '2' || kind === 'u') changed++;
    // A renamed file's former name is a record of its own.
    if (kind === '2') i++;
  }
  return { changed, untracked };
}

async function commitsAtRisk(git: Git, dir: string, branch: string, withHead: boolean): Promise<number> {
  const revisions = [`refs/heads/${branch}`, ...(withHead ? ['HEAD'] : [])];
  const commits = await Promise.all(revisions.map(revision => commitOf(git, dir, revision)));
  const own = commits.filter(commit => commit !== undefined);
  if (own.length === 0) return 0;
  // `--exclude` holds for the `--branches` behind it alone (git-rev-list(1)).
  const elsewhere = ['--not', `--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  const count = await git.run(['rev-list', '--count', ...own, ...elsewhere], {
    cwd: dir,
    timeoutMs: TIMEOUT_MS,
  });
  return Number(count);
}

async function stashesOn(git: Git, dir: string, branch: string): Promise<number> {
  const list = await git.run(['stash', 'list', '--format=%gs'], { cwd: dir, maxOutput: MAX_OUTPUT });
  return list.split('\n').filter(line => /^(?:WIP on|On) ([^:]*):/.exec(line)?.[1] === branch).length;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    // EACCES, EIO: it may be there, and nobody can say what is in it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function hasEntries(path: string): Promise<boolean> {
  return readdir(path).then(
    names => names.length > 0,
    () => false,
  );
}
