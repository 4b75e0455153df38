/**
 * A whole graph read once: settings of all layers, the walk, imports, and everything that is wrong.
 */
import { allDiagnostics } from '../graph/build.ts';
import type { GraphModel } from '../graph/config.ts';
import type { Environment } from '../graph/json-text.ts';
import { Resolver } from '../graph/resolve.ts';
import type { Diagnostic } from '../graph/types.ts';
import { GraphTree } from './graph-tree.ts';
import { linkImports } from './imports.ts';
import { missingFiles } from './role-files.ts';

/** A graph with what it imports. */
export interface LoadedGraph {
  readonly root: string;
  readonly resolver: Resolver;
  /** Everything that is wrong with the own repository, by place. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the graph at `root`, which holds a `.sgpt.json`. Never rejects: what cannot be read is a diagnostic.
 *
 * @param models known besides those of the graph's settings
 */
export async function loadGraph(
  root: string,
  env: Environment,
  models: readonly GraphModel[] = [],
): Promise<LoadedGraph> {
  const tree = new GraphTree(root, undefined, { env, models, withOuter: true });
  await tree.scan();
  const { own, diagnostics } = await linkImports(root, tree.repository(), env, async imported => {
    const other = new GraphTree(imported, undefined, { env, withOuter: false });
    await other.scan();
    return other.repository();
  });
  const resolver = new Resolver(own);
  const outside = [...tree.problems, ...diagnostics, ...(await missingFiles(own, env))];
  return { root, resolver, diagnostics: allDiagnostics(resolver, outside) };
}
