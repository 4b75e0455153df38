/**
 * The lores of imported repositories, as the own one writes them.
 */
import { join } from 'node:path/posix';
import type { Resolver } from './resolve.ts';
import { qualify } from './selector.ts';
import type { GraphLore } from './types.ts';

/** Gives the imported lores again and again; those that did not change stay the same objects. */
export class ImportedLores {
  /** Those given last, by what they are in their own repository. */
  #known: ReadonlyMap<GraphLore, GraphLore> = new Map();

  /** By repository, the nearest first. Their names are qualified, their files absolute. */
  of(resolver: Resolver): readonly GraphLore[] {
    const known = new Map<GraphLore, GraphLore>();
    for (const repository of resolver.repositories()) {
      if (repository === resolver.own) continue;
      for (const lore of resolver.shelf('lore', repository).list) {
        const name = qualify(repository.prefix, lore.name);
        const before = this.#known.get(lore);
        const file = join(repository.root, lore.file);
        known.set(lore, before?.name === name ? before : { ...lore, name, selector: name, file });
      }
    }
    this.#known = known;
    return Array.from(known.values());
  }
}
