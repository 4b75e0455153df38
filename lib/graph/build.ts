/**
 * Parsed files put together to a graph, with all that is wrong.
 */
import { basename } from 'node:path/posix';
import { CONFIG_FILE } from './address.ts';
import { parseArtifact } from './artifact.ts';
import type { ParsedFile } from './artifact.ts';
import { checkGraph, diagnostic } from './check.ts';
import { parseGraphConfig } from './config.ts';
import type { GraphConfig } from './config.ts';
import { ImportedLores } from './imported.ts';
import type { GraphFile } from './parsed.ts';
import type { Repository } from './repository.ts';
import { Resolver } from './resolve.ts';
import type { Diagnostic, Graph } from './types.ts';

/** A graph that is shown lists this many diagnostics; a tree that is broken everywhere stays small. */
export const MAX_GRAPH_DIAGNOSTICS = 500;

/** The graph of a set of files (paths relative to `root`), `.sgpt.json` among them if there is one. */
export function buildGraph(root: string, files: Iterable<GraphFile>): Graph {
  let config = parseGraphConfig('');
  const parsed: ParsedFile[] = [];
  for (const file of files) {
    if (file.file === CONFIG_FILE) config = parseGraphConfig(file.text);
    else parsed.push(parseArtifact(file));
  }
  const repository = repositoryOf(root, config.value, parsed);
  return assembleGraph(new Resolver(repository), config.diagnostics);
}

/** A repository of files already parsed, that imports nothing yet. */
export function repositoryOf(root: string, config: GraphConfig, parsed: Iterable<ParsedFile>): Repository {
  const files = new Map(Array.from(parsed, file => [file.file, file]));
  return { root, prefix: '', config, imports: new Map(), files };
}

/**
 * The graph as it is shown; `diagnostics` are those of the walk and of the settings. Whoever gives the same `imported`
 * again gets the same objects for what did not change.
 */
export function assembleGraph(
  resolver: Resolver,
  diagnostics: readonly Diagnostic[],
  imported = new ImportedLores(),
): Graph {
  const { own } = resolver;
  return {
    root: own.root,
    title: own.config.title || basename(own.root),
    roles: resolver.shelf('role').list,
    toolSets: resolver.shelf('toolset').list,
    lores: resolver.shelf('lore').list,
    imported: imported.of(resolver),
    diagnostics: bounded(allDiagnostics(resolver, diagnostics)),
  };
}

/** Everything that is wrong, by file and line; `diagnostics` are those of the walk and of the settings. */
export function allDiagnostics(resolver: Resolver, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const files = Array.from(resolver.own.files.values(), file => file.diagnostics);
  return [...diagnostics, ...files.flat(), ...checkGraph(resolver)].sort(byPlace);
}

/** By file, line and column. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column;
}

/** No more than MAX_GRAPH_DIAGNOSTICS: warnings give way to errors, and what is left out is counted. */
function bounded(list: readonly Diagnostic[]): readonly Diagnostic[] {
  if (list.length <= MAX_GRAPH_DIAGNOSTICS) return list;
  const room = MAX_GRAPH_DIAGNOSTICS - 1;
  const errors = list.filter(d => d.severity === 'error');
  const warnings = list.filter(d => d.severity === 'warning').slice(0, Math.max(0, room - errors.length));
  const kept = [...errors.slice(0, room), ...warnings].sort(byPlace);
  const spot = { file: CONFIG_FILE, line: 0, column: 0 };
  const message = `${list.length - kept.length} more problems are not listed here`;
  return [...kept, diagnostic(spot, 'too-many-problems', message, "'mux graph check' lists them all")];
}
