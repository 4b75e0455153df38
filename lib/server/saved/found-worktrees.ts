/**
 * Sessions that nothing tells of any more but the worktrees that were made for them: `worktrees/REPOSITORY/ID`, with the
 * branch `PREFIX/NAME-ID`. Asked for only where the state is damaged or missing, before there is anything that could wait
 * for git: so git's own files are read as gitrepository-layout(5) describes them.
 *
 * Only the folder of this server's data is looked into: in one that a person chose other servers may have theirs.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { repositoryFolder } from '../../git/places.ts';
import { durableState, newRunState } from '../../model/run-state.ts';
import type { SavedSession } from '../../model/saved.ts';
import type { Checkout, SessionId } from '../../model/types.ts';
import { strayRecord } from '../programs/adoption.ts';

/** As many as a state can hold sessions. */
const MAX_WORKTREES = 10_000;
/** Longer lines of git's are no paths and no branches. */
const MAX_LINE = 4096;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

export interface FoundWorktreesOptions {
  /** The folder of worktrees, symlinks resolved where there are some. */
  readonly root: string;
  /** What a session runs of which nothing else is known. */
  readonly shell: string;
}

/** A session for each, as stopped. What cannot be understood is passed over; never throws. */
export function foundWorktrees({ root, shell }: FoundWorktreesOptions): SavedSession[] {
  const folders = foldersIn(root).flatMap(repo =>
    foldersIn(join(root, repo)).map(id => join(root, repo, id)),
  );
  return folders.slice(0, MAX_WORKTREES).flatMap(folder => sessionOf(root, folder, shell) ?? []);
}

function sessionOf(root: string, folder: string, shell: string): SavedSession | undefined {
  const id = folder.slice(dirname(folder).length + 1);
  if (!ID.test(id)) return undefined;
  const single = checkoutAt(folder);
  const all = single ? [single] : foldersIn(folder).flatMap(name => checkoutAt(join(folder, name)) ?? []);
  // With further repositories the folder is named by the main one.
  const main = single ?? all.find(({ repo }) => repositoryFolder(root, repo) === dirname(folder));
  if (!main) return undefined;
  const leaf = main.branch.slice(main.branch.lastIndexOf('/') + 1);
  const name = leaf.endsWith(`-${id}`) ? leaf.slice(0, -id.length - 1) : '';
  const made = statSync(folder).birthtimeMs;
  const createdAt = Math.round(made > 0 ? made : statSync(folder).mtimeMs);
  const stray = { session: id, argv: [shell], cwd: main.worktree, size: { cols: 80, rows: 24 } };
  const record = {
    ...strayRecord(stray, undefined, createdAt),
    ...newRunState(createdAt),
    id: id as SessionId,
    name: name || `found-${id}`,
    place: { kind: 'worktree', main, includes: all.filter(one => one !== main) },
  } as const;
  return { ...durableState(record), runs: false };
}

/** The worktree at `path`; undefined where there is none with a branch. */
function checkoutAt(path: string): Checkout | undefined {
  const own = /^gitdir: (.+)$/.exec(lineOf(join(path, '.git')))?.[1];
  if (!own) return undefined;
  const gitDir = resolve(path, own);
  const branch = /^ref: refs\/heads\/(.+)$/.exec(lineOf(join(gitDir, 'HEAD')))?.[1];
  const common = lineOf(join(gitDir, 'commondir'));
  if (!branch || common === '') return undefined;
  const commonDir = resolve(gitDir, common);
  const repo = commonDir.endsWith('/.git') ? dirname(commonDir) : commonDir;
  return { repo, worktree: path, branch, base: lineOf(join(gitDir, 'mux-base')) };
}

/** The one line of a small file; '' where there is none. */
function lineOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text.length > MAX_LINE || text.includes('\n') ? '' : text;
  } catch {
    // ENOENT, EISDIR (a repository and no worktree): not what is looked for.
    return '';
  }
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name);
  } catch {
    // ENOENT: no worktree was ever made.
    return [];
  }
}
