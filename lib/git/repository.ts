/**
 * Facts about a repository, read from git and never guessed from paths.
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { gitFailure } from './failure.ts';
import type { Git } from './run.ts';

/** What is checked out. `unborn`: a branch without a commit; `detached`: a commit without a branch. */
export type Head =
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: string }
  | { readonly kind: 'unborn'; readonly branch: string }
  | { readonly kind: 'detached'; readonly commit: string };

/** Where a folder's repository is. All paths absolute, symlinks resolved. */
export interface RepositoryPlaces {
  /** Top of the working tree the folder is in, '' in a bare repository. */
  readonly top: string;
  /** Git's own folder of this working tree, and the one that all working trees share. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly isBare: boolean;
}

export interface Repository extends RepositoryPlaces {
  /** Top of the main working tree, or the bare repository: what names it wherever one stands in it. */
  readonly main: string;
  readonly head: Head;
  readonly remotes: readonly string[];
  /** `merge`, `rebase` … that is not finished, '' for none. */
  readonly operation: string;
}

/** Files of git's folder that stand for something unfinished (gitrepository-layout(5), git's own status). */
const OPERATIONS: readonly (readonly [file: string, operation: string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
  ['sequencer', 'sequence of picks'],
];

/**
 * Where the repository around `dir` is.
 * @throws CodedError `not_found` outside a repository, `failed` with git's reason
 */
export async function placesOf(git: Git, dir: string): Promise<RepositoryPlaces> {
  const args = [
    'rev-parse',
    '--path-format=absolute',
    '--is-bare-repository',
    '--git-dir',
    '--git-common-dir',
  ];
  // The top comes last: in a bare repository git fails there, having said the rest.
  const answer = await git.ask([...args, '--show-toplevel'], { cwd: dir });
  if (/not a git repository/i.test(answer.stderr))
    throw new CodedError('not_found', `${dir}: not in a git repository`);
  const [bare, gitDir, commonDir, top = ''] = answer.stdout.toString('utf8').replace(/\n$/, '').split('\n');
  if (!gitDir || !commonDir || (answer.code !== 0 && bare !== 'true')) throw gitFailure(args, answer);
  return { top, gitDir, commonDir, isBare: bare === 'true' };
}

/** All facts about the repository around `dir`. @throws CodedError as `placesOf` */
export async function repositoryAt(git: Git, dir: string): Promise<Repository> {
  const places = await placesOf(git, dir);
  const [head, remotes, worktrees, operation] = await Promise.all([
    headOf(git, dir),
    git.run(['remote'], { cwd: dir }),
    listWorktrees(git, dir),
    operationIn(places.gitDir),
  ]);
  const main = worktrees[0]?.path ?? (places.top || places.commonDir);
  return { ...places, main, head, remotes: remotes.split('\n').filter(name => name !== ''), operation };
}

/** What is checked out at `dir`. */
export async function headOf(git: Git, dir: string): Promise<Head> {
  const [ref, commit] = await Promise.all([
    git.ask(['symbolic-ref', '--quiet', 'HEAD'], { cwd: dir }),
    commitOf(git, dir, 'HEAD'),
  ]);
  const branch = ref.stdout
    .toString('utf8')
    .trim()
    .replace(/^refs\/heads\//, '');
  if (ref.code === 0) return commit ? { kind: 'branch', branch, commit } : { kind: 'unborn', branch };
  if (!commit) throw gitFailure(['symbolic-ref'], ref);
  return { kind: 'detached', commit };
}

/** The commit that `revision` means; undefined if it means none. */
export async function commitOf(git: Git, dir: string, revision: string): Promise<string | undefined> {
  const answer = await git.ask(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    { cwd: dir },
  );
  // Before 2.43 the mark itself is printed too.
  return answer.code === 0 ? answer.stdout.toString('utf8').trim().split('\n').at(-1) : undefined;
}

/** The unfinished operation in a working tree, '' for none. @param gitDir its own folder of git */
export async function operationIn(gitDir: string): Promise<string> {
  const found = await Promise.all(
    OPERATIONS.map(([file, operation]) =>
      access(join(gitDir, file)).then(
        () => operation,
        () => '',
      ),
    ),
  );
  return found.find(operation => operation !== '') ?? '';
}

/** A working tree that git knows of. */
export interface Worktree {
  readonly path: string;
  /** Branch checked out, '' for none. */
  readonly branch: string;
  readonly isBare: boolean;
}

/** The working trees of the repository around `dir`, the main one first. */
export async function listWorktrees(git: Git, dir: string): Promise<readonly Worktree[]> {
  return parseWorktrees(await git.run(['worktree', 'list', '--porcelain'], { cwd: dir }));
}

/** Reads `git worktree list --porcelain` (git-worktree(1), PORCELAIN FORMAT). */
export function parseWorktrees(output: string): readonly Worktree[] {
  return output
    .split('\n\n')
    .map(block => block.split('\n').filter(line => line !== ''))
    .filter(lines => lines[0]?.startsWith('worktree '))
    .map(lines => ({
      path: lines[0]!.slice('worktree '.length),
      branch: valueOf(lines, 'branch').replace(/^refs\/heads\//, ''),
      isBare: lines.includes('bare'),
    }));
}

function valueOf(lines: readonly string[], key: string): string {
  return lines.find(line => line.startsWith(`${key} `))?.slice(key.length + 1) ?? '';
}
