/**
 * The files of a folder, without those that git ignores (gitignore(5)): for finding names and text.
 */
import { lstat, opendir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ignore from 'ignore';
import { isBelow } from './workspace.ts';

/** A file of a tree. */
export interface TreeFile {
  /** Relative to where the walk began, with /. */
  readonly path: string;
  readonly absolute: string;
}

/** Folders that nobody looks for anything in. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', '__pycache__']);
/** Files that a walk comes by: a home folder has more, and then the walk takes minutes. */
const FILES_MAX = 200_000;
/** Levels: deeper is a circle of mounts. */
const DEPTH_MAX = 64;
/** Bytes of a list of patterns. */
const IGNORE_MAX = 256 * 1024;

/** Patterns of one folder, and where they hold. */
interface Rules {
  readonly folder: string;
  readonly matcher: ignore.Ignore;
}

/** What a walk needs. */
export interface WalkOptions {
  /** Patterns of folders above the start count down from here. */
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Walks a folder, files of a folder before its folders, sorted. Links are not followed. Ends early when it is aborted. */
export async function* walkTree(start: string, options: WalkOptions): AsyncGenerator<TreeFile> {
  const rules = await rulesAbove(start, options.root);
  const state = { left: FILES_MAX };
  yield* walk(start, start, rules, { ...options, state, depth: 0 });
}

interface Walk extends WalkOptions {
  readonly state: { left: number };
  readonly depth: number;
}

async function* walk(
  start: string,
  folder: string,
  above: readonly Rules[],
  walkOf: Walk,
): AsyncGenerator<TreeFile> {
  if (walkOf.depth > DEPTH_MAX || walkOf.signal.aborted) return;
  const rules = [...above, ...(await rulesOf(folder))];
  const { files, folders } = await entriesOf(folder);
  for (const name of files) {
    const absolute = join(folder, name);
    if (isIgnored(absolute, false, rules)) continue;
    if (walkOf.state.left-- <= 0) return;
    yield { path: relative(start, absolute), absolute };
  }
  for (const name of folders) {
    const absolute = join(folder, name);
    if (SKIPPED.has(name) || isIgnored(absolute, true, rules)) continue;
    yield* walk(start, absolute, rules, { ...walkOf, depth: walkOf.depth + 1 });
  }
}

async function entriesOf(folder: string): Promise<{ readonly files: string[]; readonly folders: string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isFile()) files.push(entry.name);
      else if (entry.isDirectory()) folders.push(entry.name);
      if (files.length + folders.length > FILES_MAX) break;
    }
  } catch {
    // EACCES, or it is gone meanwhile: nothing to find there.
  }
  return { files: files.sort(), folders: folders.sort() };
}

async function rulesAbove(start: string, root: string): Promise<Rules[]> {
  if (!isBelow(root, start)) return [];
  const steps = relative(root, start).split('/').filter(Boolean);
  // Those of the start itself are read when it is walked.
  const folders = steps.map((_, at) => join(root, ...steps.slice(0, at)));
  return (await Promise.all(folders.map(rulesOf))).flat();
}

async function rulesOf(folder: string): Promise<Rules[]> {
  const found: Rules[] = [];
  for (const file of ['.git/info/exclude', '.gitignore']) {
    const path = join(folder, file);
    try {
      const entry = await lstat(path);
      if (!entry.isFile() || entry.size > IGNORE_MAX) continue;
      found.push({ folder, matcher: ignore({ ignoreCase: false }).add(await readFile(path, 'utf8')) });
    } catch {
      // ENOENT, as nearly everywhere.
    }
  }
  return found;
}

/** The innermost patterns that say something count. */
function isIgnored(absolute: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, matcher } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(relative(folder, absolute) + (isFolder ? '/' : ''));
    if (ignored || unignored) return ignored;
  }
  return false;
}
