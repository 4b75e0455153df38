/**
 * What git says of a directory, asked seldom and never waited for by anyone who draws.
 */
import { execFile } from 'node:child_process';

/** A working tree's state; branch '' outside a repository. */
export interface GitStatus {
  /** The branch, or the commit's first 8 digits where none is checked out. */
  readonly branch: string;
  /** Files changed, staged or untracked. */
  readonly dirty: number;
  readonly ahead: number;
  readonly behind: number;
}

export const NO_GIT: GitStatus = { branch: '', dirty: 0, ahead: 0, behind: 0 };

/** A repository that takes longer is asked again later; its last state stays shown. */
const TIMEOUT_MS = 10_000;
/** Output kept of `git status`: 4 MiB is some 50,000 changed files. */
const MAX_OUTPUT = 4 * 1024 * 1024;

/**
 * State of the working tree at `cwd`. Resolves with NO_GIT outside a repository, without git, or after TIMEOUT_MS. Never
 * rejects.
 */
export function gitStatus(cwd: string): Promise<GitStatus> {
  const args = ['--no-optional-locks', 'status', '--porcelain=v2', '--branch', '-z'];
  return new Promise(resolve => {
    try {
      execFile('git', args, { cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT }, (error, stdout) => {
        resolve(error ? NO_GIT : parseStatus(stdout));
      });
    } catch {
      // ERR_INVALID_ARG_VALUE (a NUL in the path), ENOMEM, E2BIG: for these it throws instead of calling back.
      resolve(NO_GIT);
    }
  });
}

/** Reads `git status --porcelain=v2 --branch -z` (git-status(1), "Porcelain Format Version 2"). */
export function parseStatus(output: string): GitStatus {
  const records = output.split('\0');
  let head = '';
  let oid = '';
  let dirty = 0;
  let ahead = 0;
  let behind = 0;
  for (let i = 0; i < records.length; i++) {
    const record = records[i]!;
    const [kind, ...rest] = record.split(' ');
    if (kind === '#') {
      if (rest[0] === 'branch.head') head = rest[1] ?? '';
      if (rest[0] === 'branch.oid') oid = rest[1] ?? '';
      if (rest[0] === 'branch.ab') [ahead = 0, behind = 0] = rest.slice(1).map(n => Math.abs(Number(n)));
    } else if (record !== '') {
      dirty++;
      // A renamed file's former name is a record of its own.
      if (kind === '2') i++;
    }
  }
  return { branch: head === '(detached)' ? oid.slice(0, 8) : head, dirty, ahead, behind };
}
