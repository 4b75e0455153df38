/**
 * One graph, kept up to date: its repository and those it imports, each followed on its own, put together whenever one
 * of them changes.
 */
import { relative } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { backlinks, forwardLinks } from '../graph/backlinks.ts';
import { assembleGraph } from '../graph/build.ts';
import type { GraphModel } from '../graph/config.ts';
import { ImportedLores } from '../graph/imported.ts';
import type { Environment } from '../graph/json-text.ts';
import { Resolver } from '../graph/resolve.ts';
import { qualify } from '../graph/selector.ts';
import type { Graph, LoreHit, SearchableLore } from '../graph/types.ts';
import { linkImports } from './imports.ts';
import { LiveTree } from './live-tree.ts';
import { missingFiles, roleFilePath } from './role-files.ts';

/** What a live graph needs to know besides its files. */
export interface LiveSettings {
  readonly env: Environment;
  readonly models: readonly GraphModel[];
}

/** A graph that follows its files. Calls `changed` after the first reading and after each change. */
export class LiveGraph implements Disposable {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #changed: (graph: Graph) => void;
  readonly #settings: LiveSettings;
  readonly #own: LiveTree;
  readonly #imported = new Map<string, LiveTree>();
  readonly #importedLores = new ImportedLores();
  #linking: Promise<void> | undefined;
  #resolver: Resolver | undefined;
  #isStale = false;
  #disposed = false;
  /** Settled once the graph has been read for the first time, with what it imports. */
  readonly ready: Promise<void>;

  constructor(root: string, clock: Clock, changed: (graph: Graph) => void, settings: LiveSettings) {
    this.#root = root;
    this.#clock = clock;
    this.#changed = changed;
    this.#settings = settings;
    this.#own = new LiveTree(root, clock, () => this.#update(), { ...settings, withOuter: true });
    this.ready = this.#own.ready.then(() => this.#linking);
  }

  /** The lores with their bodies, those of imported repositories under their qualified names. */
  *lores(): Iterable<SearchableLore> {
    for (const repository of this.#resolver?.repositories() ?? [])
      for (const { lore, body = '', bodyLine = 1 } of repository.files.values())
        if (lore) {
          const name = qualify(repository.prefix, lore.name);
          yield { lore: repository.prefix === '' ? lore : { ...lore, name }, body, bodyLine };
        }
  }

  /** Where a lore's file is: its repository's root, and its path below it; undefined where there is no such lore. */
  placeOf(name: string): { readonly root: string; readonly file: string } | undefined {
    const found = this.#resolver?.resolve('lore', name).found;
    return found && { root: found.repository.root, file: found.artifact.file };
  }

  /** The lores that a lore links to. */
  links(name: string): readonly LoreHit[] {
    const found = this.#resolver?.resolve('lore', name).found;
    return this.#resolver && found ? forwardLinks(this.#resolver, found) : [];
  }

  /** The lores with a link to the lore of that name; none where there is no such lore. */
  backlinks(name: string): readonly LoreHit[] {
    const found = this.#resolver?.resolve('lore', name).found;
    return this.#resolver && found ? backlinks(this.#resolver, found) : [];
  }

  /** Settings of a directory above the root may have changed. */
  touch(): void {
    this.#own.touch();
  }

  dispose(): void {
    this.#disposed = true;
    this.#own.dispose();
    for (const tree of this.#imported.values()) tree.dispose();
    this.#imported.clear();
  }

  /** Puts the graph together; what changes meanwhile is taken up in one more round. */
  #update(): void {
    this.#isStale = true;
    this.#linking ??= this.#link().finally(() => {
      this.#linking = undefined;
      if (this.#isStale && !this.#disposed) this.#update();
    });
  }

  async #link(): Promise<void> {
    this.#isStale = false;
    const latest = this.#own.latest;
    if (!latest || this.#disposed) return;
    const { env } = this.#settings;
    const { own, diagnostics, roots } = await linkImports(this.#root, latest.repository, env, root =>
      this.#follow(root),
    );
    const missing = await missingFiles(own, env);
    if (this.#disposed) return;
    for (const [root, tree] of this.#imported)
      if (!roots.has(root)) {
        tree.dispose();
        this.#imported.delete(root);
      }
    this.#own.wanted = new Set(
      [...own.files.values()]
        .flatMap(({ references = [] }) => references.filter(r => r.directive === 'file'))
        .map(({ value }) => relative(this.#root, roleFilePath(value, this.#root, env))),
    );
    this.#resolver = new Resolver(own, this.#resolver);
    this.#changed(
      assembleGraph(this.#resolver, [...latest.problems, ...diagnostics, ...missing], this.#importedLores),
    );
  }

  async #follow(root: string) {
    let tree = this.#imported.get(root);
    if (!tree) {
      tree = new LiveTree(root, this.#clock, () => this.#update(), {
        env: this.#settings.env,
        withOuter: false,
      });
      this.#imported.set(root, tree);
      if (this.#disposed) this.dispose();
    }
    await tree.ready;
    return tree.latest!.repository;
  }
}
