/**
 * Which lores lead to a lore.
 */
import type { Found, Resolver } from './resolve.ts';
import { qualify } from './selector.ts';

/** The names of the lores with a link to `to`, as the own repository writes them, sorted; each once. */
export function backlinks(resolver: Resolver, to: Found<'lore'>): readonly string[] {
  const found = new Set<string>();
  // Most links are to lores that are called otherwise: those are not looked up.
  const end = to.artifact.name;
  for (const repository of resolver.repositories())
    for (const { lore, links = [] } of repository.files.values()) {
      if (!lore) continue;
      const isLinked = links.some(
        ({ target }) =>
          target.endsWith(end) &&
          resolver.resolve('lore', target, repository).found?.artifact === to.artifact,
      );
      if (isLinked && lore !== to.artifact) found.add(qualify(repository.prefix, lore.name));
    }
  return [...found].sort();
}
