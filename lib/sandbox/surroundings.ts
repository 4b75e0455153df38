/**
 * What lies around a program on the disk: the repository that it works in, and the programs that it needs.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from './paths.ts';

/** A path with symlinks resolved; undefined where there is nothing. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // ENOENT, EACCES, ELOOP: nothing that could be granted.
    return undefined;
  }
}

/** The top of the working tree around a folder, and its git folders; the folder itself, and none, outside of any. */
export function repositoryAround(folder: string): {
  readonly top: string;
  readonly gitDirs: readonly string[];
} {
  const start = realOf(folder) ?? folder;
  for (let at = start; ; at = dirname(at)) {
    const dot = join(at, '.git');
    if (existsSync(dot)) return { top: at, gitDirs: gitDirsOf(at, dot) };
    if (dirname(at) === at) return { top: start, gitDirs: [] };
  }
}

/**
 * The folder of git's own that is shared by all worktrees (gitrepository-layout(5)). A program could write a `.git` that
 * leads anywhere into its worktree and be given that at its next start: it counts only where the other side, which it
 * cannot have written, knows of this worktree and is a repository.
 */
function gitDirsOf(top: string, dot: string): string[] {
  try {
    const [, target] = /^gitdir: (.+?)\n?$/.exec(readFileSync(dot, 'utf8')) ?? [];
    if (target === undefined) return [];
    const own = realpathSync(resolve(top, target));
    const common = realpathSync(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()));
    const knowsUs = realOf(dirname(readFileSync(join(own, 'gitdir'), 'utf8').trim())) === top;
    const isPart = dirname(own) === join(common, 'worktrees');
    return knowsUs && isPart && isRepository(common) ? [common] : [];
  } catch {
    // EISDIR: the repository itself, and part of what is granted with it; ENOENT: a submodule, or nothing of git's.
    const real = realOf(dot);
    return real !== undefined && isWithin(top, real) && isRepository(real) ? [real] : [];
  }
}

function isRepository(dir: string): boolean {
  return ['HEAD', 'objects', 'refs'].every(name => existsSync(join(dir, name)));
}

/** Folders that a program needs to be run from: where it is found on PATH, where that leads, and its package. */
export function programFolders(program: string, path: string): readonly string[] {
  const found = isAbsolute(program)
    ? program
    : path
        .split(':')
        .filter(isAbsolute)
        .map(dir => join(dir, program))
        .find(file => existsSync(file));
  const real = found === undefined ? undefined : realOf(found);
  if (found === undefined || real === undefined) return [];
  return [found, packageOf(real)];
}

/** `/x/lib/node_modules/pkg/bin/cli.js` → `/x/lib/node_modules`: packages lie beside each other there. */
function packageOf(file: string): string {
  for (let at = dirname(file); dirname(at) !== at; at = dirname(at))
    if (basename(at) === 'node_modules') return at;
  // `versions/1.2/bin/tool` needs what lies beside bin; a file right in a folder of the home's is granted alone.
  const folder = dirname(file);
  return basename(folder) === 'bin' && dirname(folder).split('/').length > 4 ? dirname(folder) : file;
}

/** mux itself, with node and its packages, wherever they lie. */
export function ownPrograms(self: readonly string[]): readonly string[] {
  const root = join(dirname(self[1] ?? '.'), '../../..');
  return [
    ...programFolders(self[0] ?? 'node', ''),
    ...['bin', 'dist', 'proto', 'themes', 'man', 'package.json', 'node_modules'].map(part =>
      join(root, part),
    ),
  ];
}
