/**
 * Parsed files put together to a graph, and what can only be seen with all of them at hand.
 */
import { basename } from 'node:path/posix';
import { nearest } from '../base/errors.ts';
import { CONFIG_FILE, addressOf, canonicalSelector, directoryOf } from './address.ts';
import { parseGraphConfig } from './config.ts';
import type { GraphConfig } from './config.ts';
import { parseLore } from './lore.ts';
import { Problems, WHOLE_FILE } from './parsed.ts';
import type { GraphFile } from './parsed.ts';
import { isPrintable, quote } from './printable.ts';
import { parseRole } from './role.ts';
import type { Reference } from './role.ts';
import { parseToolSet } from './tool-set.ts';
import type { Diagnostic, Graph, GraphLore, GraphRole, GraphToolSet } from './types.ts';

/** One parsed file of any kind; what it is not is absent. */
export interface ParsedFile {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly role?: GraphRole;
  readonly references?: readonly Reference[];
  readonly toolSet?: GraphToolSet;
  readonly lore?: GraphLore;
  /** Of a lore. */
  readonly body?: string;
  readonly bodyLine?: number;
}

/** A graph shows this many diagnostics; a tree that is broken everywhere stays small. */
export const MAX_GRAPH_DIAGNOSTICS = 500;

/** Reads one artifact by the kind its path says. A file that is none has neither value nor diagnostics. */
export function parseArtifact({ file, text }: GraphFile): ParsedFile {
  const kind = addressOf(file)?.kind;
  if (kind !== undefined && !isPrintable(file)) return badName(file);
  if (kind === 'role') {
    const { value, diagnostics } = parseRole(file, text);
    return { file, diagnostics, ...value };
  }
  if (kind === 'toolset') {
    const { value, diagnostics } = parseToolSet(file, text);
    return { file, diagnostics, ...(value && { toolSet: value }) };
  }
  if (kind === 'lore') {
    const { value, diagnostics } = parseLore(file, text);
    return { file, diagnostics, ...value };
  }
  return { file, diagnostics: [] };
}

function badName(file: string): ParsedFile {
  const problems = new Problems(file);
  problems.error(WHOLE_FILE, 'bad-name', 'the file name holds control characters', 'rename the file');
  return { file, diagnostics: problems.list() };
}

/** The graph of a set of files (paths relative to `root`), `.sgpt.json` among them if there is one. */
export function buildGraph(root: string, files: Iterable<GraphFile>): Graph {
  let config = parseGraphConfig('');
  const parsed: ParsedFile[] = [];
  for (const file of files) {
    if (file.file === CONFIG_FILE) config = parseGraphConfig(file.text);
    else parsed.push(parseArtifact(file));
  }
  return assembleGraph(root, config.value, parsed, config.diagnostics);
}

/** The graph of files already parsed; `diagnostics` are those of the walk and of `.sgpt.json`. */
export function assembleGraph(
  root: string,
  config: GraphConfig,
  parsed: Iterable<ParsedFile>,
  diagnostics: readonly Diagnostic[],
): Graph {
  const files = Array.from(parsed);
  const roles = bySelector(files.flatMap(f => f.role ?? []));
  const toolSets = bySelector(files.flatMap(f => f.toolSet ?? []));
  const lores = bySelector(files.flatMap(f => f.lore ?? []));
  const all = [
    ...diagnostics,
    ...files.flatMap(f => f.diagnostics),
    ...aliasWarnings(roles),
    ...ambiguityWarnings([...roles, ...toolSets]),
    ...referenceWarnings(files, roles, toolSets),
    ...defaultRoleWarnings(config, roles, files),
  ];
  return { root, title: config.title || basename(root), roles, toolSets, lores, diagnostics: inOrder(all) };
}

function bySelector<T extends { readonly selector: string }>(list: T[]): T[] {
  return list.sort((a, b) => (a.selector < b.selector ? -1 : 1));
}

/** By file and line, errors of a line first, no more than MAX_GRAPH_DIAGNOSTICS. */
function inOrder(list: Diagnostic[]): Diagnostic[] {
  const sorted = list.sort(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
  );
  return sorted.slice(0, MAX_GRAPH_DIAGNOSTICS);
}

function warning(
  file: string,
  line: number,
  column: number,
  code: string,
  message: string,
  hint: string,
): Diagnostic {
  return { file, line, column, severity: 'warning', code, message, hint };
}

/** An alias that two roles have, or that is another role's title at the root, finds only the first of them. */
function aliasWarnings(roles: readonly GraphRole[]): Diagnostic[] {
  const owners = new Map(roles.filter(r => directoryOf(r.selector) === '').map(r => [r.title, r]));
  return roles.flatMap(role => {
    if (role.alias === '') return [];
    const owner = owners.get(role.alias);
    if (!owner) owners.set(role.alias, role);
    if (!owner || owner === role) return [];
    const message = `alias ${quote(role.alias)} already means ${owner.selector}`;
    return [warning(role.file, 1, 1, 'duplicate-alias', message, 'give one of them another alias')];
  });
}

/** `//x` names both the artifact `x` of the root and the directory `x`. */
function ambiguityWarnings(
  artifacts: readonly { selector: string; title: string; file: string }[],
): Diagnostic[] {
  const dirs = new Set(artifacts.map(a => directoryOf(a.selector)));
  return artifacts
    .filter(a => directoryOf(a.selector) === '' && dirs.has(a.title))
    .map(a => {
      const message = `//${a.title} is a directory of the graph too`;
      return warning(a.file, 0, 0, 'ambiguous-selector', message, `write //:${a.title}`);
    });
}

/** Own roles and tool sets that are mentioned but not there. Imports and built-in tools are not known here. */
function referenceWarnings(
  files: readonly ParsedFile[],
  roles: readonly GraphRole[],
  toolSets: readonly GraphToolSet[],
): Diagnostic[] {
  const known = {
    role: new Set([...roles.map(r => r.selector), ...brokenSelectors(files, 'role')]),
    tool: new Set([...toolSets.map(t => t.selector), ...brokenSelectors(files, 'toolset')]),
  };
  const aliases = new Set(roles.map(r => r.alias));
  return files.flatMap(({ file, references = [] }) =>
    references.flatMap(({ directive, selector, line, column }) => {
      const bare = !selector.startsWith('//');
      if (selector.startsWith('@') || (bare && (directive === 'tool' || aliases.has(selector)))) return [];
      const canonical = canonicalSelector(selector);
      if (canonical !== undefined && known[directive].has(canonical)) return [];
      const near = nearest(canonical ?? selector, known[directive]);
      const what = directive === 'role' ? 'role' : 'tool set';
      const message = `@${directive}: there is no ${what} ${quote(selector)}`;
      return [
        warning(file, line, column, `unknown-${directive}`, message, near ? `did you mean '${near}'?` : ''),
      ];
    }),
  );
}

/** Selectors of files that are there but broken: mentioning them is no mistake of its own. */
function brokenSelectors(files: readonly ParsedFile[], kind: 'role' | 'toolset'): string[] {
  return files.flatMap(f => {
    const address = f.role || f.toolSet || f.lore ? undefined : addressOf(f.file);
    return address?.kind === kind ? [address.selector] : [];
  });
}

function defaultRoleWarnings(
  config: GraphConfig,
  roles: readonly GraphRole[],
  files: readonly ParsedFile[],
): Diagnostic[] {
  const name = config.chat.defaultRole;
  if (name === '' || name.startsWith('@') || roles.some(r => r.alias === name)) return [];
  const known = [...roles.map(r => r.selector), ...brokenSelectors(files, 'role')];
  const canonical = canonicalSelector(name);
  if (canonical !== undefined && known.includes(canonical)) return [];
  const near = nearest(name, [...known, ...roles.map(r => r.alias).filter(Boolean)]);
  const message = `chat.default_role: there is no role ${quote(name)}`;
  return [warning(CONFIG_FILE, 0, 0, 'unknown-role', message, near ? `did you mean '${near}'?` : '')];
}
