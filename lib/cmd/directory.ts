/**
 * Directories as text: where a path leads from another, and which lies in which. Nothing is looked up.
 */

/** `path` from `base`, absolute, with `.`, `..` and doubled slashes taken out. */
export function resolveDirectory(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether `path` is `directory` or lies below it; both absolute. */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}
