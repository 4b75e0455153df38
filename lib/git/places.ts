/**
 * Names and places of what mux makes in repositories, as values: paths, branches, variables.
 */
import { createHash } from 'node:crypto';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { CodedError } from '../base/errors.ts';

/** Bytes of a file name that any file system takes, with room for a suffix. */
const NAME_MAX = 60;
/** 48 bits: two repositories of one name do not meet in one person's lifetime. */
const HASH_DIGITS = 12;

/** Whether `path` is `folder` or lies in it, at the boundary of a name: `/a/foobar` does not lie in `/a/foo`. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A repository's name: that of its folder, without `.git`, in letters that are safe in paths and branches. */
export function repositoryName(repo: string): string {
  const name = basename(repo).replace(/\.git$/, '') || basename(join(repo, '..'));
  return slug(name, 'repository');
}

/** Folder of all worktrees of one repository. @param repo its top folder, symlinks resolved */
export function repositoryFolder(root: string, repo: string): string {
  const hash = createHash('sha256').update(repo).digest('hex').slice(0, HASH_DIGITS);
  return join(root, `${repositoryName(repo)}-${hash}`);
}

/** Letters, digits and `._-`; nothing a reference or a path may not hold (git-check-ref-format(1)). */
export function slug(text: string, fallback: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/-{2,}/g, '-')
    .slice(0, NAME_MAX)
    .replace(/^[-.]+|[-.]+$|\.lock$/g, '');
  return plain || fallback;
}

/**
 * The branch of a session: `PREFIX/NAME-ID`. `{user}` in the prefix is the person's login name.
 * @throws CodedError `invalid_config` for a prefix that no branch can have
 */
export function branchName(prefix: string, user: string, name: string, id: string): string {
  const folder = prefix.replaceAll('{user}', slug(user, 'user')).replace(/^\/+|\/+$/g, '');
  const isBad =
    // oxlint-disable-next-line no-control-regex -- git-check-ref-format(1) forbids exactly these.
    /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^-/.test(folder) ||
    folder.split('/').some(part => part.startsWith('.') || /\.(?:lock)?$/.test(part));
  if (isBad)
    throw new CodedError(
      'invalid_config',
      `git.branch_prefix: ${JSON.stringify(prefix)} cannot begin the name of a branch`,
      "use letters, digits, '-', '_' and '/'",
    );
  const leaf = `${slug(name, 'session')}-${id}`;
  return folder === '' ? leaf : `${folder}/${leaf}`;
}

/** The variable that tells an agent where a further repository is: `MUX_INCLUDE_<NAME>_PATH`. */
export function includeVariable(name: string): string {
  return `MUX_INCLUDE_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_PATH`;
}
