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

/** Puts the artifacts of one kind in order. */
export function shelve<K extends ArtifactKind>(kind: K, files: Iterable<ParsedFile>): Shelf<K> {
  const list: ArtifactTypes[K][] = [];
  const broken = new Map<string, string>();
  for (const file of files) {
    const artifact = FIELD[kind](file) as ArtifactTypes[K] | undefined;
    const address = artifact ? undefined : addressOf(file.file);
    if (artifact) list.push(artifact);
    else if (address?.kind === kind) broken.set(address.selector, file.file);
  }
  list.sort((a, b) => (a.selector < b.selector ? -1 : 1));
  const byTitle = new Map<string, ArtifactTypes[K][]>();
  for (const artifact of list)
    byTitle.set(artifact.title, [...(byTitle.get(artifact.title) ?? []), artifact]);
  return { list, bySelector: new Map(list.map(a => [a.selector, a])), byTitle, broken };
}

const FIELD: { readonly [K in ArtifactKind]: (file: ParsedFile) => ArtifactTypes[K] | undefined } = {
  role: file => file.role,
  toolset: file => file.toolSet,
  lore: file => file.lore,
};

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
