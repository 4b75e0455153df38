/**
 * Which lores lead to a lore, and where a lore leads.
 */
import type { LoreLink } from './links.ts';
import type { Found, Resolver } from './resolve.ts';
import { qualify } from './selector.ts';
import type { LoreHit } from './types.ts';

/** Links of one lore that are quoted, as of a search's matches. */
const MAX_SNIPPETS = 3;

/** The lores with a link to `to`, by name as the own repository writes it, with the lines where the links stand. */
export function backlinks(resolver: Resolver, to: Found<'lore'>): readonly LoreHit[] {
  const hits: LoreHit[] = [];
  for (const repository of resolver.repositories()) {
    // Most links are to lores that are called otherwise: those are not looked up.
    const leadsThere = ({ target }: LoreLink): boolean =>
      target.endsWith(to.artifact.name) &&
      resolver.resolve('lore', target, repository).found?.artifact === to.artifact;
    for (const { lore, links = [] } of repository.files.values()) {
      const found = lore && lore !== to.artifact ? links.filter(leadsThere) : [];
      if (found.length === 0) continue;
      const snippets = found.slice(0, MAX_SNIPPETS).map(({ line, text }) => ({ line, text }));
      hits.push({ name: qualify(repository.prefix, lore!.name), matchCount: found.length, snippets });
    }
  }
  return hits.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lores that `from` links to, by name as the own repository writes it, with the lines where the links stand. */
export function forwardLinks(resolver: Resolver, from: Found<'lore'>): readonly LoreHit[] {
  const { artifact, repository } = from;
  const found = new Map<string, { line: number; text: string }[]>();
  for (const { target, line, text } of repository.files.get(artifact.file)?.links ?? []) {
    const to = resolver.resolve('lore', target, repository).found;
    if (to && to.artifact !== artifact)
      found.set(to.selector, [...(found.get(to.selector) ?? []), { line, text }]);
  }
  return Array.from(found, ([name, places]) => ({
    name,
    matchCount: places.length,
    snippets: places.slice(0, MAX_SNIPPETS),
  }));
}
