/**
 * The changes of one file, as the history of a repository tells them, under the names it had before too.
 */
import type { Git } from './run.ts';

/** A commit that changed a file. Texts are as people wrote them: whoever shows them makes them harmless. */
export interface FileCommit {
  readonly commit: string;
  /** Unix time in ms. */
  readonly at: number;
  readonly author: string;
  readonly subject: string;
  /** What the file was called then, relative to the folder that was asked for. */
  readonly file: string;
}

/** Commits told: more than anybody goes through one by one. */
const MAX_COMMITS = 200;
/** A history of that many, and a change, in bytes; of more the rest is of no use to a person. */
const MAX_HISTORY = 256 * 1024;
const MAX_CHANGE = 1024 * 1024;
/** Nothing that a repository's own settings could make git start or draw. */
const QUIET = ['--no-ext-diff', '--no-textconv', '--no-color', '--relative', '-M'];

/**
 * The commits that changed `file`, the latest first.
 *
 * @param file relative to `cwd`
 * @throws CodedError failed outside a repository, timeout
 */
export async function fileHistory(
  git: Pick<Git, 'bytes'>,
  cwd: string,
  file: string,
): Promise<readonly FileCommit[]> {
  const format = '--format=%x01%H%x00%ct%x00%an%x00%s';
  const args = ['log', `-n${MAX_COMMITS}`, '--follow', '--name-only', '-z', ...QUIET, format, '--', file];
  const text = (await git.bytes(args, { cwd, maxOutput: MAX_HISTORY })).toString('utf8');
  return text.split('\x01').flatMap(record => {
    const [commit = '', at = '', author = '', subject = '', ...names] = record.split('\0');
    if (!/^[0-9a-f]{40,64}$/.test(commit)) return [];
    const name = names.map(part => part.replace(/^\n+/, '')).find(part => part !== '') ?? file;
    return [{ commit, at: Number.parseInt(at, 10) * 1000, author, subject, file: name }];
  });
}

/**
 * What a commit changed in a file, as a unified diff.
 *
 * @param file as it was called then, relative to `cwd`
 * @throws CodedError failed where git says so, or it is too much
 */
export async function fileChange(
  git: Pick<Git, 'bytes'>,
  cwd: string,
  commit: string,
  file: string,
  signal?: AbortSignal,
): Promise<string> {
  const args = [
    'log',
    '-n1',
    '--follow',
    '--patch',
    '--format=',
    ...QUIET,
    '--end-of-options',
    commit,
    '--',
    file,
  ];
  return (await git.bytes(args, { cwd, maxOutput: MAX_CHANGE, signal })).toString('utf8');
}
