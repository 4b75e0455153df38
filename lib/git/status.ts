/**
 * What git says of a directory, asked seldom and never waited for by anyone who draws.
 */
import { CodedError } from '../base/errors.ts';
import type { Git } from './run.ts';

/** A working tree's state; branch '' outside a repository. */
export interface GitStatus {
  /** The branch, or the commit's first 8 digits where none is checked out. */
  readonly branch: string;
  /** Files changed, staged or untracked. */
  readonly dirty: number;
  /** Commits that the upstream has not and those that only it has; of a worktree without one, its base. */
  readonly ahead: number;
  readonly behind: number;
}

export const NO_GIT: GitStatus = { branch: '', dirty: 0, ahead: 0, behind: 0 };

/** The same, with what it was compared with. */
export interface StatusAnswer {
  readonly status: GitStatus;
  /** The upstream's short name, '' for none. */
  readonly upstream: string;
  readonly hasCommit: boolean;
}

/**
 * State of the working tree at `cwd`, compared with its upstream, else with `base`. Resolves with NO_GIT outside a
 * repository and without git, with undefined where git takes too long to tell. Never rejects.
 * @param base revision, '' for none
 */
export async function gitStatus(git: Git, cwd: string, base = ''): Promise<GitStatus | undefined> {
  try {
    const output = await git.run(['status', '--porcelain=v2', '--branch', '-z'], { cwd });
    const { status, upstream, hasCommit } = readStatus(output);
    if (upstream || !base || !hasCommit) return status;
    return { ...status, ...(await compare(git, cwd, base)) };
  } catch (error) {
    return error instanceof CodedError && error.code === 'timeout' ? undefined : NO_GIT;
  }
}

/** Commits on either side of HEAD and `base`; none where `base` is gone. */
async function compare(git: Git, cwd: string, base: string): Promise<Pick<GitStatus, 'ahead' | 'behind'>> {
  const args = ['rev-list', '--count', '--left-right', '--end-of-options', `HEAD...${base}`];
  const answer = await git.ask(args, { cwd });
  const [ahead = 0, behind = 0] = answer.stdout.toString('utf8').split('\t').map(Number);
  return answer.code === 0 ? { ahead, behind } : { ahead: 0, behind: 0 };
}

/** Reads `git status --porcelain=v2 --branch -z` (git-status(1), "Porcelain Format Version 2"). */
export function readStatus(output: string): StatusAnswer {
  const records = output.split('\0');
  const headers = new Map<string, string>();
  let dirty = 0;
  for (let i = 0; i < records.length; i++) {
    const record = records[i]!;
    const header = /^# (\S+) (.*)$/s.exec(record);
    if (header) headers.set(header[1]!, header[2]!);
    else if (record !== '') dirty++;
    // A renamed file's former name is a record of its own.
    if (record.startsWith('2 ')) i++;
  }
  const head = headers.get('branch.head') ?? '';
  const oid = headers.get('branch.oid') ?? '';
  const [ahead = 0, behind = 0] = (headers.get('branch.ab') ?? '0 0')
    .split(' ')
    .map(n => Math.abs(Number(n)));
  return {
    status: { branch: head === '(detached)' ? oid.slice(0, 8) : head, dirty, ahead, behind },
    upstream: headers.get('branch.upstream') ?? '',
    hasCommit: oid !== '' && oid !== '(initial)',
  };
}

export function sameStatus(a: GitStatus, b: GitStatus): boolean {
  return a.branch === b.branch && a.dirty === b.dirty && a.ahead === b.ahead && a.behind === b.behind;
}
