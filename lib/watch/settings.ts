/**
 * The settings of a graph on disk: `.sgpt.json` at the root, those of the directories above it, and beside each a
 * person's own file, which beats it.
 */
import { join, relative, sep } from 'node:path';
import { CONFIG_FILE, LOCAL_CONFIG_FILE } from '../graph/address.ts';
import { diagnostic } from '../graph/check.ts';
import { mergeConfigs, parseGraphConfig } from '../graph/config.ts';
import type { GraphConfig, GraphModel } from '../graph/config.ts';
import type { Environment } from '../graph/json-text.ts';
import type { Diagnostic } from '../graph/types.ts';
import { ancestors } from './find-root.ts';
import { readTextFile } from './read-file.ts';
import type { Stamp } from './read-file.ts';

/** What the settings depend on besides files. */
export interface Surroundings {
  /** Answers calls of `env`, and says where `~` is. */
  readonly env: Environment;
  /** Models known besides those of the settings, which beat them. */
  readonly models?: readonly GraphModel[];
  /** Whether directories above the root count: not for an imported repository, which must mean the same for everyone. */
  readonly withOuter: boolean;
}

interface Layer {
  readonly stamp: Stamp;
  readonly config: GraphConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/** The layers of one graph, kept so that only what changed is read again. */
export class Settings {
  readonly #root: string;
  readonly #surroundings: Surroundings;
  readonly #layers = new Map<string, Layer>();
  #unreadable: readonly Diagnostic[] = [];
  #config = parseGraphConfig('').value;

  constructor(root: string, surroundings: Surroundings) {
    this.#root = root;
    this.#surroundings = surroundings;
  }

  /** The merged settings as of the last reading. */
  get config(): GraphConfig {
    return this.#config;
  }

  /** What is wrong with any of the layers. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#unreadable, ...Array.from(this.#layers.values(), layer => layer.diagnostics).flat()];
  }

  /** Reads what changed. With `force` files are read even if they look the same. */
  read(force = false): void {
    const dirs = this.#surroundings.withOuter ? ancestors(this.#root).reverse() : [this.#root];
    const problems: Diagnostic[] = [];
    const layers: GraphConfig[] = [];
    for (const dir of dirs)
      for (const name of [CONFIG_FILE, LOCAL_CONFIG_FILE]) {
        const layer = this.#readLayer(dir, name, force, problems);
        if (layer) layers.push(layer.config);
      }
    this.#unreadable = problems;
    // A title of a directory further out says nothing about this one.
    const own = [CONFIG_FILE, LOCAL_CONFIG_FILE].map(
      name => this.#layers.get(join(this.#root, name))?.config,
    );
    const title = own.findLast(config => config?.title)?.title ?? '';
    const merged = mergeConfigs(layers);
    this.#config = { ...merged, title, models: [...merged.models, ...(this.#surroundings.models ?? [])] };
  }

  #readLayer(dir: string, name: string, force: boolean, problems: Diagnostic[]): Layer | undefined {
    const path = join(dir, name);
    const file = relative(this.#root, path).split(sep).join('/');
    const known = this.#layers.get(path);
    const result = readTextFile(dir, name, force ? undefined : known?.stamp);
    if (result.kind === 'same') return known;
    if (result.kind === 'text') {
      const { value, diagnostics } = parseGraphConfig(result.text, file, this.#surroundings.env);
      const layer = { stamp: result.stamp, config: value, diagnostics };
      this.#layers.set(path, layer);
      return layer;
    }
    // A directory of that name is no settings, and no mistake either.
    if (result.kind === 'problem' && result.code !== 'not-a-file')
      problems.push(diagnostic({ file, line: 0, column: 0 }, result.code, result.message, result.hint));
    // While it cannot be read, what it said before goes on: half a graph would be worse.
    if (result.kind === 'problem' && dir === this.#root) return known;
    this.#layers.delete(path);
    return undefined;
  }
}

/** The absolute path of an import or a role's file, `~` taken for home. */
export function expandHome(path: string, env: Environment): string {
  return /^~(?=\/|$)/.test(path) ? join(env.HOME ?? '/', path.slice(1)) : path;
}
