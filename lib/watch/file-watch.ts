/**
 * Watching a few files and directories that may not be there yet: settings and themes.
 */
import { dirname } from 'node:path';
import { watch } from 'chokidar';
import type { Disposable } from '../base/event.ts';

/** Editors write a file in several steps; one reload for all of them is enough. */
const SETTLE_MS = 50;

/**
 * Calls `changed` some time after any of `paths` (files, or directories for their entries) was added, changed or
 * removed. A path that is not there is noticed when it comes, if its directory is there. Errors of watching are told
 * and otherwise harmless.
 */
export function watchFiles(
  paths: readonly string[],
  changed: () => void,
  failed: (error: unknown) => void,
): Disposable {
  const wanted = new Set(paths);
  const isWanted = (path: string): boolean => wanted.has(path) || wanted.has(dirname(path));
  const watcher = watch([...new Set(paths.map(path => dirname(path)).concat(paths))], {
    ignoreInitial: true,
    depth: 0,
    persistent: false,
    ignored: path => !isWanted(path) && !paths.some(p => dirname(p) === path),
  });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', (_event, path) => {
    if (!isWanted(path)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  });
  watcher.on('error', failed);
  return {
    dispose: () => {
      clearTimeout(timer);
      void watcher.close();
    },
  };
}
