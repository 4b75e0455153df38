/**
 * The repositories that a graph imports, and those that they import. Each is read once, whatever leads to it.
 */
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FILE } from '../graph/address.ts';
import { diagnostic } from '../graph/check.ts';
import type { GraphImport } from '../graph/config.ts';
import type { Environment } from '../graph/json-text.ts';
import { printable, quote } from '../graph/printable.ts';
import type { Repository } from '../graph/repository.ts';
import type { Diagnostic } from '../graph/types.ts';
import { expandHome } from './settings.ts';

/** Repositories read for one graph, itself not counted: a monorepo's teams import some dozens. */
const MAX_IMPORTED = 64;

/** Gives the repository at an imported root, as if nothing led to it and it to nothing. */
export type ReadRepository = (root: string) => Promise<Repository>;

/** A repository with all it imports. */
export interface Linked {
  readonly own: Repository;
  /** What is wrong with the imports, at their places in the settings. */
  readonly diagnostics: readonly Diagnostic[];
  /** Real roots of what is imported. */
  readonly roots: ReadonlySet<string>;
}

/** The repository at `root` with all it imports. Circles are followed once. Never rejects. */
export async function linkImports(
  root: string,
  own: Repository,
  env: Environment,
  read: ReadRepository,
): Promise<Linked> {
  const linking = new Linking(env, read);
  return linking.run(await realpath(root).catch(() => root), own);
}

interface Open {
  readonly repository: Repository;
  readonly imports: Map<string, Repository>;
}

class Linking {
  readonly #env: Environment;
  readonly #read: ReadRepository;
  readonly #byRoot = new Map<string, Repository>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #open: Open[] = [];

  constructor(env: Environment, read: ReadRepository) {
    this.#env = env;
    this.#read = read;
  }

  async run(root: string, repository: Repository): Promise<Linked> {
    const own = this.#add(root, repository, '');
    // Breadth first, so that what several lead to is called by the shortest way.
    for (const open of this.#open)
      for (const entry of open.repository.config.imports) {
        const found = await this.#find(entry, open.repository.prefix);
        if (typeof found !== 'string') open.imports.set(entry.name, found);
        else this.#complain(open.repository, entry, found);
      }
    const roots = new Set([...this.#byRoot.keys()].filter(r => r !== root));
    return { own, diagnostics: this.#diagnostics, roots };
  }

  #add(root: string, read: Repository, prefix: string): Repository {
    const imports = new Map<string, Repository>();
    const repository = { ...read, prefix, imports };
    this.#byRoot.set(root, repository);
    this.#open.push({ repository, imports });
    return repository;
  }

  /** The imported repository, or why there is none. */
  async #find({ name, path }: GraphImport, prefix: string): Promise<Repository | string> {
    const at = expandHome(path, this.#env);
    const real = await realpath(at).catch(() => undefined);
    if (real === undefined) return `${printable(path)} is not there`;
    const known = this.#byRoot.get(real);
    if (known) return known;
    const marker = await stat(join(real, CONFIG_FILE)).catch(() => undefined);
    if (!marker?.isFile()) return `${printable(path)} has no ${CONFIG_FILE}`;
    if (this.#byRoot.size > MAX_IMPORTED) return `more than ${MAX_IMPORTED} repositories are not read`;
    return this.#add(real, await this.#read(real), `${prefix}@${name}`);
  }

  #complain({ prefix }: Repository, entry: GraphImport, why: string): void {
    if (prefix === '') {
      this.#diagnostics.push(diagnostic(entry, 'missing-import', `import ${quote(entry.name)}: ${why}`));
      return;
    }
    const first = prefix.slice(1).split('@', 1)[0];
    const outer = this.#open[0]!.repository.config.imports.find(i => i.name === first);
    const message = `import ${quote(prefix.slice(1))}: it imports ${quote(entry.name)}, but ${why}`;
    if (outer) this.#diagnostics.push(diagnostic(outer, 'nested-import', message));
  }
}
