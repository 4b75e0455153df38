/**
 * Files for agents that a project has, and that the person has: read within bounds, and never from outside of where they are
 * looked for.
 */
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ContextFile } from '../../agent/prompt.ts';
import { visible } from '../../base/visible.ts';
import { readTextFile } from '../../watch/read-file.ts';

/** In a folder that has both, both are told, unless they say the same. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];
/** UTF-16 units of one file, and of all: beyond it a model reads the rest where it needs it. */
const FILE_MAX = 32 * 1024;
const ALL_MAX = 96 * 1024;
/** Folders between the top of a project and where one works: deeper than any is. */
const FOLDERS_MAX = 64;

/** What was read, and what could not be, a line each. */
export interface ContextFiles {
  readonly files: readonly ContextFile[];
  readonly warnings: readonly string[];
}

/**
 * The files of a project from its top down to the working directory, in this order. Where they are too much, those nearest to
 * the working directory are told whole first. Never rejects.
 *
 * @param root the project's top; links are followed as long as they stay below it
 */
export async function projectFiles(root: string, cwd: string): Promise<ContextFiles> {
  const [top, here] = await Promise.all([real(root), real(cwd)]);
  const names = folders(top, here).flatMap(folder => NAMES.map(name => join(relative(top, folder), name)));
  return bounded(top, names, path => path);
}

/** What the person wants everywhere: `AGENTS.md` beside config.yaml. Never rejects. */
export async function personalFiles(configFile: string): Promise<ContextFiles> {
  const folder = await real(dirname(configFile));
  return bounded(folder, [NAMES[0]!], path => join(folder, path));
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** From the top down; the working directory alone where it is not below the top. */
function folders(top: string, here: string): string[] {
  const chain: string[] = [];
  for (let at = here; chain.length < FOLDERS_MAX; at = dirname(at)) {
    chain.unshift(at);
    if (at === top) return chain;
    if (dirname(at) === at || !`${at}${sep}`.startsWith(top.endsWith(sep) ? top : top + sep)) break;
  }
  return [here];
}

async function bounded(
  root: string,
  names: readonly string[],
  shown: (path: string) => string,
): Promise<ContextFiles> {
  const read = await Promise.all(names.map(async name => ({ name, result: await readTextFile(root, name) })));
  const warnings = read.flatMap(({ name, result }) => {
    if (result.kind !== 'problem') return [];
    const why = result.code === 'outside' ? 'leads out of its folder' : result.message;
    return [`${visible(shown(name))}: not told to the model: it ${why}`];
  });
  const texts = read.flatMap(({ name, result }) =>
    result.kind === 'text' && result.text.trim() !== '' ? [{ path: shown(name), text: result.text }] : [],
  );
  const fresh = texts.filter(({ text }, at) => texts.findIndex(other => other.text === text) === at);
  return { files: fitted(fresh), warnings };
}

/** The files within their bounds; what has no room at all is told by its name, with nothing of it. */
function fitted(files: readonly { readonly path: string; readonly text: string }[]): ContextFile[] {
  let room = ALL_MAX;
  const nearestFirst = files.toReversed().map(({ path, text }) => {
    const part = text.slice(0, Math.min(FILE_MAX, room)).replace(/[\ud800-\udbff]$/, '');
    room -= part.length;
    return { path, text: part, isCut: part.length < text.length };
  });
  return nearestFirst.toReversed();
}
