/**
 * Fast-forwarding a repository's own working tree to its upstream: only where nobody could notice but by newer files.
 */
import { findBase } from './base.ts';
import { listWorktrees, repositoryAt, type Head, type Repository } from './repository.ts';
import type { Git } from './run.ts';
import { readStatus } from './status.ts';

/** What decides. */
export interface PullFacts {
  readonly isBare: boolean;
  readonly head: Head;
  /** An unfinished merge, rebase …, '' for none. */
  readonly operation: string;
  readonly defaultBranch: string;
  /** The branch's upstream, '' for none. */
  readonly upstream: string;
  readonly dirty: number;
  readonly ahead: number;
  readonly behind: number;
  /** A session works in the working tree itself. */
  readonly isInUse: boolean;
  /** Another worktree has the branch checked out: its files would no longer be those of its branch. */
  readonly isElsewhere: boolean;
}

/** Why not, in the order in which a person would ask; the first that holds is told. */
const SKIPS: readonly (readonly [holds: (facts: PullFacts) => boolean, why: string])[] = [
  [facts => facts.isBare, 'bare'],
  [facts => facts.isInUse, 'a session works in it'],
  [facts => facts.head.kind === 'detached', 'no branch is checked out'],
  [facts => facts.head.kind === 'unborn', 'nothing is committed'],
  [facts => facts.operation !== '', 'something is unfinished'],
  [
    facts => facts.head.kind === 'branch' && facts.head.branch !== facts.defaultBranch,
    'not on the default branch',
  ],
  [facts => facts.isElsewhere, 'another worktree has the branch'],
  [facts => facts.upstream === '', 'no upstream'],
  [facts => facts.dirty > 0, 'uncommitted changes'],
  [facts => facts.ahead > 0, 'commits that are not pushed'],
  [facts => facts.behind === 0, 'nothing new'],
];

/** Why the working tree is left alone; '' where it may be fast-forwarded. */
export function pullSkip(facts: PullFacts): string {
  return SKIPS.find(([holds]) => holds(facts))?.[1] ?? '';
}

/**
 * Fast-forwards the main working tree of the repository around `dir` to what has been fetched. Resolves with why not,
 * '' if it was. Everything is looked at here, after the fetch, and git itself refuses what is no fast-forward.
 * @throws CodedError `failed` with git's reason
 */
export async function fastForward(
  git: Git,
  dir: string,
  isInUse: (worktree: string) => boolean,
): Promise<string> {
  const { main } = await repositoryAt(git, dir);
  const repo = await repositoryAt(git, main);
  const skip = pullSkip(await pullFacts(git, repo, isInUse(main)));
  if (skip) return skip;
  await git.run(['merge', '--ff-only', '--no-autostash', '--quiet', '@{upstream}'], {
    cwd: main,
    kind: 'write',
  });
  return '';
}

async function pullFacts(git: Git, repo: Repository, isInUse: boolean): Promise<PullFacts> {
  const { isBare, head, operation } = repo;
  const [base, worktrees, output] = await Promise.all([
    findBase(git, repo),
    listWorktrees(git, repo.main),
    isBare ? '' : git.run(['status', '--porcelain=v2', '--branch', '-z'], { cwd: repo.main }),
  ]);
  const { status, upstream } = readStatus(output);
  const isElsewhere =
    head.kind === 'branch' &&
    worktrees.some(worktree => worktree.path !== repo.main && worktree.branch === head.branch);
  return { ...status, isBare, head, operation, defaultBranch: base.name, upstream, isInUse, isElsewhere };
}
