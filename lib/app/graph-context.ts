/**
 * What the commands that look at the graph share: reading it, and printing rows.
 */
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { cellWidth, pad } from '../base/text.ts';
import { readConfig } from '../config/file.ts';
import type { Environment } from '../graph/json-text.ts';
import { printable } from '../graph/printable.ts';
import { findGraphRoot } from '../watch/find-root.ts';
import { loadGraph, type LoadedGraph } from '../watch/load-graph.ts';
import type { AppContext } from './context.ts';

/** The graph that the working directory belongs to. Throws CodedError `not_found` where there is none. */
export async function openGraph(context: AppContext, what: string): Promise<LoadedGraph> {
  const root = await findGraphRoot(context.cwd);
  if (root === undefined)
    throw new CodedError(
      'not_found',
      `${what}: there is no .sgpt.json here or above`,
      "an empty one marks a graph's root",
    );
  const { config } = readConfig(context.configFile);
  const models = config.ai.models.map(({ name, alias = '' }) => ({ name, alias }));
  return loadGraph(root, graphEnv(context), models);
}

/** The environment as graph files see it. */
export function graphEnv({ env }: AppContext): Environment {
  return { ...env, HOME: env.HOME || homedir() };
}

/** A file of a repository as a person here finds it: from the working directory if that is in it, else absolute. */
export function shownPath(context: AppContext, root: string, file: string): string {
  const path = join(root, file);
  const isInside = !relative(root, context.cwd).startsWith('..');
  return printable((isInside && relative(context.cwd, path)) || path);
}

/** Rows under a header for a terminal; without it and parted by tabs for a pipe. */
export function printRows(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const clean = rows.map(row => row.map(printable));
  if (!process.stdout.isTTY) {
    for (const row of clean) console.log(row.join('\t'));
    return;
  }
  if (rows.length === 0) return;
  const all = [header, ...clean];
  const widths = header.map((_, i) => Math.max(...all.map(row => cellWidth(row[i] ?? ''))));
  for (const row of all)
    console.log(
      row
        .map((cell, i) => pad(cell, widths[i]!))
        .join('  ')
        .trimEnd(),
    );
}

/** `1 error`, `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
