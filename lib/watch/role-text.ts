/**
 * A role as an agent is told it that knows nothing of graphs: its prompt, and where the files and lores are that belong
 * to it.
 */
import { join, relative } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { expandRole, type ExpandedRole } from '../graph/expand.ts';
import type { GraphModel } from '../graph/config.ts';
import type { Environment } from '../graph/json-text.ts';
import { printable } from '../graph/printable.ts';
import type { Resolver } from '../graph/resolve.ts';
import { findGraphRoot } from './find-root.ts';
import { loadGraph } from './load-graph.ts';
import { roleFilePath } from './role-files.ts';

/** A role made ready for a program that is started in it. */
export interface RoleText {
  /** Its one spelling, as the graph's own repository writes it. */
  readonly selector: string;
  readonly text: string;
  /** Built-in tools by name, tool sets by selector; empty where it says nothing of tools. */
  readonly tools: readonly string[];
  /** Includes that lead nowhere, a line each. */
  readonly warnings: readonly string[];
}

/**
 * The role behind `selector` in the graph that `dir` belongs to, read from the disk as it is now: whoever has just
 * written a role can start an agent in it. Paths in the text are relative to `dir` where they are in its repository,
 * so that they hold in another worktree of it, too.
 *
 * @throws CodedError not_found where there is no graph, or no such role, or ambiguous, with what may have been meant
 */
export async function roleText(
  dir: string,
  selector: string,
  env: Environment,
  models: readonly GraphModel[],
): Promise<RoleText> {
  const root = await findGraphRoot(dir);
  if (root === undefined)
    throw new CodedError(
      'not_found',
      `role ${printable(selector)}: there is no .sgpt.json in ${printable(dir)} or above`,
      "'mux graph init' begins a graph there",
    );
  const { resolver } = await loadGraph(root, env, models);
  const role = expandRole(resolver, selector);
  const shown = (path: string, base: string): string => printable(base === root ? relative(dir, path) : path);
  const sections = [
    role.prompt,
    section('Read these files before you begin:', fileLines(role, env, shown)),
    section('Read these notes on the repository before you begin, too:', loreLines(resolver, shown)),
  ];
  return {
    selector: role.selector,
    tools: role.tools.map(({ value }) => value),
    text: sections.filter(part => part !== '').join('\n\n'),
    warnings: role.missing.map(
      ({ written, reason, from }) =>
        `${printable(from.file)}:${from.line}: @role("${printable(written)}"): ${reason}`,
    ),
  };
}

type Shown = (path: string, base: string) => string;

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map(line => `- ${line}`)].join('\n');
}

function fileLines({ files }: ExpandedRole, env: Environment, shown: Shown): string[] {
  return files.map(({ value: { written, root } }) => {
    const base = /^[/~]/.test(written) ? '' : root;
    const path = shown(roleFilePath(written, root, env), base) || '.';
    return written.endsWith('/...') ? `${path}: everything in it and below` : path;
  });
}

/** The lores that every chat in this graph begins with. */
function loreLines(resolver: Resolver, shown: Shown): string[] {
  return resolver.own.config.chat.defaultLores.flatMap(written => {
    const { found } = resolver.resolve('lore', written);
    // What leads nowhere is a diagnostic of the settings, and no reason not to start.
    if (!found) return [];
    const { artifact, repository } = found;
    const about = [artifact.title, artifact.description].filter(text => text !== '').join(': ');
    const path = shown(join(repository.root, artifact.file), repository.root);
    return [about === '' ? path : `${path} (${printable(about)})`];
  });
}
