/**
 * The lores of imported repositories, as the own one writes them.
 */
import { join } from 'node:path/posix';
import type { Resolver } from './resolve.ts';
import { qualify } from './selector.ts';
import type { GraphLore } from './types.ts';

interface Known {
  readonly prefix: string;
  readonly lores: readonly GraphLore[];
}

/** Gives the imported lores again and again; those of a repository that did not change stay the same objects. */
export class ImportedLores {
  #known = new Map<readonly GraphLore[], Known>();

  /** By repository, the nearest first. Their names are qualified, their files absolute. */
  of(resolver: Resolver): readonly GraphLore[] {
    const known = new Map<readonly GraphLore[], Known>();
    for (const repository of resolver.repositories()) {
      if (repository === resolver.own) continue;
      const { list } = resolver.shelf('lore', repository);
      const before = this.#known.get(list);
      const { prefix, root } = repository;
      known.set(list, before?.prefix === prefix ? before : { prefix, lores: qualified(list, prefix, root) });
    }
    this.#known = known;
    return Array.from(known.values(), ({ lores }) => lores).flat();
  }
}

function qualified(list: readonly GraphLore[], prefix: string, root: string): readonly GraphLore[] {
  return list.map(lore => {
    const name = qualify(prefix, lore.name);
    return { ...lore, name, selector: name, file: join(root, lore.file) };
  });
}
