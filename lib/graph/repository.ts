/**
 * One repository of a graph, with those it imports.
 */
import { addressOf, directoryOf } from './address.ts';
import type { ArtifactKind } from './address.ts';
import type { GraphConfig } from './config.ts';
import type { ParsedFile } from './artifact.ts';
import type { GraphLore, GraphRole, GraphToolSet } from './types.ts';

/** What each kind of artifact is. */
export interface ArtifactTypes {
  readonly role: GraphRole;
  readonly toolset: GraphToolSet;
  readonly lore: GraphLore;
}

/** A repository as it was read. Imports may lead in circles. */
export interface Repository {
  /** Absolute path. */
  readonly root: string;
  /** How the own repository writes it: '' for itself, `@name`, `@name@nested`. */
  readonly prefix: string;
  /** Of the own repository the merged settings, of an imported one its own file's. */
  readonly config: GraphConfig;
  /** By path. */
  readonly files: ReadonlyMap<string, ParsedFile>;
  /** Those that could be read, by name. */
  readonly imports: ReadonlyMap<string, Repository>;
}

/** The artifacts of one kind in a repository, and how to find them. Lists are sorted by selector. */
export interface Shelf<K extends ArtifactKind> {
  readonly list: readonly ArtifactTypes[K][];
  readonly bySelector: ReadonlyMap<string, ArtifactTypes[K]>;
  /** By title, wherever they are. */
  readonly byTitle: ReadonlyMap<string, readonly ArtifactTypes[K][]>;
  /** Selectors of files that are there, but cannot be used. */
  readonly broken: ReadonlyMap<string, string>;
}

/** The artifacts of all kinds in a repository. */
export type Shelves = { readonly [K in ArtifactKind]: Shelf<K> };

/**
 * Puts the artifacts of a repository in order.
 *
 * @param before as they were: a kind of which nothing changed keeps its shelf
 */
export function shelve(files: Iterable<ParsedFile>, before?: Shelves): Shelves {
  const role = new Gathered<'role'>();
  const toolset = new Gathered<'toolset'>();
  const lore = new Gathered<'lore'>();
  const kinds: { readonly [K in ArtifactKind]: Gathered<K> } = { role, toolset, lore };
  for (const file of files)
    if (file.role) role.list.push(file.role);
    else if (file.toolSet) toolset.list.push(file.toolSet);
    else if (file.lore) lore.list.push(file.lore);
    else {
      const address = addressOf(file.file);
      if (address) kinds[address.kind].broken.set(address.selector, file.file);
    }
  return {
    role: role.shelf(before?.role),
    toolset: toolset.shelf(before?.toolset),
    lore: lore.shelf(before?.lore),
  };
}

/** What was found of one kind. */
class Gathered<K extends ArtifactKind> {
  readonly list: ArtifactTypes[K][] = [];
  readonly broken = new Map<string, string>();

  shelf(before?: Shelf<K>): Shelf<K> {
    const { list, broken } = this;
    list.sort((a, b) => (a.selector < b.selector ? -1 : 1));
    if (before && isSame(list, before.list) && isSame([...broken.keys()], [...before.broken.keys()]))
      return before;
    const byTitle = new Map<string, ArtifactTypes[K][]>();
    for (const artifact of list) {
      const titled = byTitle.get(artifact.title);
      if (titled) titled.push(artifact);
      else byTitle.set(artifact.title, [artifact]);
    }
    return { list, bySelector: new Map(list.map(a => [a.selector, a])), byTitle, broken };
  }
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

/** Directories that hold roles or tool sets, and all above them, without the root. */
export function directoriesOf(selectors: Iterable<string>): ReadonlySet<string> {
  const dirs = new Set<string>();
  for (const selector of selectors)
    for (let dir = directoryOf(selector); dir !== '' && !dirs.has(dir);) {
      dirs.add(dir);
      dir = dir.slice(0, Math.max(0, dir.lastIndexOf('/')));
    }
  return dirs;
}
