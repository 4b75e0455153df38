/**
 * `mux graph`: what is in the graph here; `mux graph check`: what is wrong with it.
 */
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from '../cmd/args.ts';
import { command, flag } from '../cmd/define.ts';
import { byPlace } from '../graph/build.ts';
import { unusedRoles } from '../graph/check.ts';
import { CONFIG_FILE } from '../graph/address.ts';
import { newConfig } from '../graph/new-artifact.ts';
import { printable } from '../graph/printable.ts';
import { sarifLog } from '../graph/sarif.ts';
import type { Diagnostic } from '../graph/types.ts';
import { findGraphRoot } from '../watch/find-root.ts';
import type { LoadedGraph } from '../watch/load-graph.ts';
import { muxVersion, type AppContext } from './context.ts';
import { createFile } from './graph-write.ts';
import { counted, openGraph, shownPath } from './graph-context.ts';
import { loreJson, roleJson, toolSetJson } from './graph-json.ts';
import { unknownWord } from './own-commands.ts';

const TREE = command({ name: 'graph', group: 'Screen', text: '', exec: () => undefined });
const CHECK = command({
  name: 'graph check',
  group: 'Screen',
  text: '',
  flags: [flag('strict', 'warnings count as errors'), flag('sarif', 'print SARIF 2.1.0')],
  exec: () => undefined,
});

const INIT = command({ name: 'graph init', group: 'Screen', text: '', exec: () => undefined });

/** Throws CodedError where there is no graph, or for wrong words. */
export async function graphCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  if (what === undefined) return showTree(context);
  if (what === 'check') return check(context, rest);
  if (what === 'init') return init(context, rest);
  if (what.startsWith('-')) parseArgs(TREE, words);
  throw unknownWord('graph', what, 'graph [check [--strict] [--sarif] | init]');
}

/** Makes the working directory the root of a graph: by one file, and nothing else. */
async function init(context: AppContext, words: readonly string[]): Promise<number> {
  parseArgs(INIT, words);
  const { cwd } = context;
  const around = await findGraphRoot(dirname(cwd));
  await createFile(cwd, CONFIG_FILE, newConfig(basename(cwd)), `graph ${printable(cwd)}`);
  if (context.json === 'off') {
    console.log(shownPath(context, cwd, CONFIG_FILE));
    if (around !== undefined)
      console.error(`mux: it lies in the graph ${printable(around)}, whose roles are not seen here`);
    console.error("mux: 'mux role new NAME' and 'mux lore new NAME' fill it");
  } else console.log(JSON.stringify({ root: cwd, file: CONFIG_FILE }));
  return 0;
}

async function check(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(CHECK, words);
  const graph = await openGraph(context, 'graph check');
  const list = [...graph.diagnostics, ...unusedRoles(graph.resolver)].sort(byPlace);
  if (args.has('sarif'))
    console.log(JSON.stringify(sarifLog(list, muxVersion(), `${pathToFileURL(graph.root).href}/`), null, 2));
  else if (context.json !== 'off') console.log(JSON.stringify({ root: graph.root, diagnostics: list }));
  else printDiagnostics(context, graph, list);
  return list.some(d => d.severity === 'error' || args.has('strict')) ? 1 : 0;
}

/** `FILE:LINE:COLUMN: error: WHAT [CODE]`, as compilers write it, and the remedy below. */
function printDiagnostics(
  context: AppContext,
  { root, resolver }: LoadedGraph,
  list: readonly Diagnostic[],
): void {
  for (const { file, line, column, severity, code, message, hint } of list) {
    const place = line > 0 ? `:${line}${column > 0 ? `:${column}` : ''}` : '';
    console.log(`${shownPath(context, root, file)}${place}: ${severity}: ${message} [${code}]`);
    if (hint) console.log(`    ${hint}`);
  }
  const { roles, toolSets, lores } = counts(resolver);
  const errors = list.filter(d => d.severity === 'error').length;
  const found = list.length === 0 ? 'fine' : tally(errors, list.length - errors);
  console.error(`${printable(root)}: ${roles}, ${toolSets}, ${lores}: ${found}`);
}

function counts(resolver: LoadedGraph['resolver'], repository = resolver.own) {
  return {
    roles: counted(resolver.shelf('role', repository).list.length, 'role'),
    toolSets: counted(resolver.shelf('toolset', repository).list.length, 'tool set'),
    lores: counted(resolver.shelf('lore', repository).list.length, 'lore'),
  };
}

function tally(errors: number, warnings: number): string {
  const parts = [
    errors > 0 ? [counted(errors, 'error')] : [],
    warnings > 0 ? [counted(warnings, 'warning')] : [],
  ];
  return parts.flat().join(', ');
}

async function showTree(context: AppContext): Promise<number> {
  const { root, resolver, diagnostics } = await openGraph(context, 'graph');
  const errors = diagnostics.filter(d => d.severity === 'error').length;
  const title = resolver.own.config.title;
  const imported = resolver.repositories().slice(1);
  const [roles, toolSets, lores] = [
    resolver.shelf('role'),
    resolver.shelf('toolset'),
    resolver.shelf('lore'),
  ];
  if (context.json !== 'off') {
    const document = {
      root,
      title,
      roles: roles.list.map(role => roleJson(role)),
      tool_sets: toolSets.list.map(set => toolSetJson(set)),
      lores: lores.list.map(lore => loreJson(lore)),
      imports: imported.map(r => ({ name: r.prefix.slice(1), root: r.root })),
      errors,
      warnings: diagnostics.length - errors,
    };
    console.log(JSON.stringify(document));
    return 0;
  }
  const section = (name: string, rows: readonly string[]): void => {
    if (rows.length > 0)
      console.log([`${name} (${rows.length})`, ...rows.map(row => `  ${printable(row)}`)].join('\n'));
  };
  console.log(printable(title === '' ? root : `${title}  ${root}`));
  section(
    'Roles',
    roles.list.map(r => (r.alias === '' ? r.selector : `${r.selector}  ${r.alias}`)),
  );
  section(
    'Tool sets',
    toolSets.list.map(t => `${t.selector}  ${t.engineService}`),
  );
  section(
    'Lores',
    lores.list.map(l => (l.title === l.name ? l.name : `${l.name}  ${l.title}`)),
  );
  section(
    'Imports',
    imported.map(r => {
      const has = counts(resolver, r);
      return `${r.prefix}  ${r.root}  ${has.roles}, ${has.toolSets}, ${has.lores}`;
    }),
  );
  if (diagnostics.length > 0)
    console.log(`${tally(errors, diagnostics.length - errors)}: 'mux graph check' lists them`);
  return 0;
}
