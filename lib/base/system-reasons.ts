/**
 * Why the system said no, in words: errno(3) for people.
 */

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'there is a file of that name',
  EIO: 'the disk failed',
  EISDIR: 'it is a directory',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'a part of the path is no directory',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
};

/** The code of an error of the system, '' for any other. */
export function systemCode(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

/**
 * Why it happened: the words for its code, else the code, else what the error says.
 * @param own words that are plainer where the caller stands
 */
export function systemReason(error: unknown, own: Readonly<Record<string, string>> = {}): string {
  const code = systemCode(error);
  return own[code] ?? REASONS[code] ?? (code || String(error));
}

/** Whether there is no room: the one reason with a remedy that is always the same. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error));
}
