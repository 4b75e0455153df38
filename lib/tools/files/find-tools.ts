/**
 * `glob`, `grep` and `list_dir`: finding files by their names and their text.
 */
import { lstat, opendir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Preview, Tool } from '../../agent/tool.ts';
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import type { ToolMethods } from '../contract.ts';
import { code } from '../markdown.ts';
import { told } from '../outcome.ts';
import { protoTool } from '../proto-tool.ts';
import type { Grep } from './grep-file.ts';
import { walkTree, type TreeFile } from './tree.ts';
import { pathError, type Place, type Workspace } from './workspace.ts';

/** Names that an answer has: more are no answer. */
const NAMES_MAX = 500;
/** Entries of a folder that are listed. */
const ENTRIES_MAX = 2000;
/** Lines that an answer has, those around matches too. */
const LINES_MAX = 500;
/** Lines shown around a match at most. */
const CONTEXT_MAX = 20;
/** A search takes at most this long, ms: a big repository takes a few seconds. */
const SEARCH_MS = 20_000;
/** Names whose age is looked up: of more the newest cannot be told in time. */
const AGED_MAX = 20_000;

interface GlobArgs {
  readonly pattern: string;
  readonly path?: string;
}
interface GrepArgs extends GlobArgs {
  readonly include?: string;
  readonly ignore_case?: boolean;
  readonly context_lines?: number;
  readonly files_only?: boolean;
}

/** The three of them. */
export function findTools(methods: ToolMethods, workspace: Workspace): Tool[] {
  return [globTool(methods, workspace), grepTool(methods, workspace), listTool(methods, workspace)];
}

/** Loaded with the first search: the regular expressions take longer to load than all other tools. */
const grepping = (): Promise<typeof import('./grep-file.ts')> => import('./grep-file.ts');
const namePattern = async (pattern: string, what: string): Promise<(path: string) => boolean> =>
  (await import('./pattern.ts')).namePattern(pattern, what);

async function previewOf(
  workspace: Workspace,
  path: string,
  header: (place: Place) => string,
): Promise<Preview> {
  const place = await workspace.place(path);
  const body = place.isInside ? {} : { body: `Outside of the workspace: ${code(place.real)}` };
  const subject = { kind: 'words' as const, words: [place.shown], tier: workspace.readTier([place]) };
  return { subject, header: header(place), ...body, basis: place.real };
}

/** The folder or file of a call, as it was when it was allowed. */
async function startOf(
  workspace: Workspace,
  path: string,
  { basis }: Preview,
): Promise<Place & { readonly isFolder: boolean }> {
  const place = await workspace.place(path);
  if (place.real !== basis) throw new CodedError('failed', `${visible(place.shown)}: it leads elsewhere now`);
  const entry = await stat(place.real).catch((error: unknown) => {
    throw pathError(place.shown, error);
  });
  return { ...place, isFolder: entry.isDirectory() };
}

/** Where patterns of ignored files begin to count. */
function rootOf(workspace: Workspace, place: Place): string {
  const roots = workspace.roots.filter(root => place.real === root || place.real.startsWith(`${root}/`));
  return roots.toSorted((a, b) => a.length - b.length)[0] ?? place.real;
}

function globTool(methods: ToolMethods, workspace: Workspace): Tool {
  return protoTool<GlobArgs>(methods, 'Glob', {
    preview: async ({ pattern, path = '.' }) => {
      await namePattern(pattern, 'glob');
      return previewOf(
        workspace,
        path,
        place => `found files ${code(pattern)}${place.shown === '.' ? '' : ` in ${code(place.shown)}`}`,
      );
    },
    async run({ pattern, path = '.' }, preview, { signal }) {
      const start = await startOf(workspace, path, preview);
      const isWanted = await namePattern(pattern, 'glob');
      const found: TreeFile[] = [];
      for await (const file of walkTree(start.real, { root: rootOf(workspace, start), signal }))
        if (isWanted(file.path)) found.push(file);
      const names = (await newestFirst(found)).map(file => relative(workspace.cwd, file.absolute));
      if (names.length === 0) return told(`no file matches ${pattern}`);
      const more =
        names.length > NAMES_MAX ? `\n[… ${names.length - NAMES_MAX} more: narrow the pattern]` : '';
      return told(names.slice(0, NAMES_MAX).map(visible).join('\n') + more);
    },
  });
}

async function newestFirst(files: readonly TreeFile[]): Promise<readonly TreeFile[]> {
  if (files.length > AGED_MAX) return files;
  const aged: { readonly file: TreeFile; readonly at: number }[] = [];
  for (const file of files) {
    const at = await lstat(file.absolute).then(
      entry => entry.mtimeMs,
      () => 0,
    );
    aged.push({ file, at });
  }
  return aged.sort((a, b) => b.at - a.at).map(({ file }) => file);
}

function grepTool(methods: ToolMethods, workspace: Workspace): Tool {
  return protoTool<GrepArgs>(methods, 'Grep', {
    preview: async ({ pattern, path = '.', include, ignore_case }) => {
      const { lineMatcher } = await grepping();
      lineMatcher(pattern, ignore_case);
      if (include) await namePattern(include, 'grep');
      return previewOf(workspace, path, place => `searched ${code(place.shown)} for ${code(pattern)}`);
    },
    async run(args, preview, { signal }) {
      const { pattern, path = '.', include, ignore_case, context_lines = 0, files_only } = args;
      const start = await startOf(workspace, path, preview);
      const { grepFile, lineMatcher } = await grepping();
      const isWanted = include ? await namePattern(include, 'grep') : () => true;
      const grep: Grep = {
        isMatch: lineMatcher(pattern, ignore_case),
        around: Math.max(0, Math.min(context_lines, CONTEXT_MAX)),
        namesOnly: files_only === true,
        room: LINES_MAX,
        signal: AbortSignal.any([signal, AbortSignal.timeout(SEARCH_MS)]),
      };
      const lines: string[] = [];
      for await (const file of filesOf(start, rootOf(workspace, start), grep.signal)) {
        if (!isWanted(file.path)) continue;
        lines.push(
          ...(await grepFile(file.absolute, visible(relative(workspace.cwd, file.absolute)), {
            ...grep,
            room: LINES_MAX - lines.length,
          })),
        );
        if (lines.length < LINES_MAX) continue;
        lines.push('[… there may be more: narrow the pattern or the path]');
        break;
      }
      if (grep.signal.aborted)
        lines.push(`[… not all was searched within ${SEARCH_MS / 1000} s: narrow the path]`);
      return told(lines.length > 0 ? lines.join('\n') : `nothing matches ${pattern}`);
    },
  });
}

async function* filesOf(
  start: Place & { readonly isFolder: boolean },
  root: string,
  signal: AbortSignal,
): AsyncGenerator<TreeFile> {
  if (start.isFolder) yield* walkTree(start.real, { root, signal });
  else yield { path: relative(dirname(start.real), start.real), absolute: start.real };
}

function listTool(methods: ToolMethods, workspace: Workspace): Tool {
  return protoTool<{ readonly path?: string }>(methods, 'ListDir', {
    preview: ({ path = '.' }) => previewOf(workspace, path, place => `listed ${code(place.shown)}`),
    async run({ path = '.' }, preview) {
      const start = await startOf(workspace, path, preview);
      if (!start.isFolder) throw new CodedError('failed', `${visible(start.shown)}: it is no directory`);
      const { names, isCut } = await entriesOf(start.real);
      const lines: string[] = [];
      for (const name of names) lines.push(await entryLine(start.real, name));
      if (isCut) lines.push('[… there are more]');
      return told(lines.length > 0 ? lines.join('\n') : 'it is empty');
    },
  });
}

async function entriesOf(folder: string): Promise<{ readonly names: string[]; readonly isCut: boolean }> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (names.length === ENTRIES_MAX) return { names: names.sort(), isCut: true };
      names.push(entry.name);
    }
  } catch (error) {
    throw pathError(folder, error);
  }
  return { names: names.sort(), isCut: false };
}

async function entryLine(folder: string, name: string): Promise<string> {
  const entry = await lstat(join(folder, name)).catch(() => undefined);
  if (entry?.isDirectory()) return `${visible(name)}/`;
  if (entry?.isSymbolicLink()) return `${visible(name)} (link)`;
  return entry?.isFile() ? `${visible(name)} (${entry.size} bytes)` : `${visible(name)} (no regular file)`;
}
