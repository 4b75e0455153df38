/**
 * The lores of the graph here, for the tools. The graph is read when it is asked for: it may change all the time.
 */
import { join, relative } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { newLore } from '../../graph/new-artifact.ts';
import { parseLore } from '../../graph/lore.ts';
import { printable } from '../../graph/printable.ts';
import type { LoreFound, Lores, ProposedLore } from '../../tools/knowledge/lore-tools.ts';
import type { AppContext } from '../context.ts';
import { openGraph } from '../graph-context.ts';
import { createFile } from '../graph-write.ts';
import { allLores, boundedSearch } from '../lore-search.ts';

/** Hits that are looked at: those that a conversation has seen are left out of them. */
const HITS_MAX = 200;

/** The lores of the graph that the working directory belongs to. */
export function lorePort(context: AppContext): Lores {
  const draft = async (lore: ProposedLore): Promise<{ root: string; file: string; text: string }> => {
    const { root } = await openGraph(context, 'propose_lore');
    const made = newLore(lore.name, { title: lore.title, labels: lore.labels ?? {} });
    const description = JSON.stringify((lore.description ?? '').replace(/\s+/g, ' ').trim());
    const text = `${made.text.replace('description: ""', `description: ${description}`)}${lore.content.trimEnd()}\n`;
    // What is written must be read the same: text that would end the front matter is told before.
    if (parseLore(made.file, text).diagnostics.some(({ severity }) => severity === 'error'))
      throw new CodedError('usage', `propose_lore: ${printable(lore.name)}: it cannot be written down so`);
    return { root, file: made.file, text };
  };
  return {
    search: query => search(context, query),
    draft: async lore => {
      const { file, text } = await draft(lore);
      return { path: file, text };
    },
    keep: async lore => {
      const { root, file, text } = await draft(lore);
      await createFile(root, file, text, `lore ${printable(lore.name)}`);
      return relative(context.cwd, join(root, file));
    },
  };
}

async function search(context: AppContext, query: string): Promise<LoreFound[]> {
  const { resolver } = await openGraph(context, 'search_lores');
  const lores = allLores(resolver);
  const byName = new Map(lores.map(({ lore }) => [lore.name, lore]));
  const homes = new Map(
    resolver
      .repositories()
      .flatMap(repository => [...repository.files.keys()].map(file => [file, repository.root] as const)),
  );
  return boundedSearch(lores, query, HITS_MAX).flatMap(({ name, matchCount, snippets }) => {
    const lore = byName.get(name);
    if (!lore) return [];
    const { title, description, labels, file } = lore;
    const path = relative(context.cwd, join(homes.get(file) ?? '', file));
    return [
      { name, title, description, labels, path, matchCount, snippets: snippets.map(({ text }) => text) },
    ];
  });
}
