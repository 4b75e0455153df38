/**
 * Paths compared at their boundaries: /a/foo is not within /a/fo. Pure.
 */

/** Whether `path` is `root` or lies below it; both absolute and without `.` and `..`. */
export function isWithin(root: string, path: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}

/** How deep a path lies: `/` 0, `/usr` 1. */
export function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

/** `~` and `~/x` as a person means them; anything else as it is. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}
