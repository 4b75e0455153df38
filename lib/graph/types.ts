/**
 * The `.sgpt` graph of a repository as values: roles, tool sets, lores, and what is wrong with them.
 */

import type { DiagnosticCode } from './codes.ts';

/** Something wrong in a graph file. Line and column are one-based; 0 where the whole file is meant. */
export interface Diagnostic {
  /** Path relative to the graph root, with '/'. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  /** The kind of problem. */
  readonly code: DiagnosticCode;
  /** One line: what and why. */
  readonly message: string;
  /** The remedy. */
  readonly hint: string;
}

/** What every artifact has. */
export interface Artifact {
  /** Canonical address, `//dir:title` or `//title` at the root; lores `lores/path`. */
  readonly selector: string;
  readonly title: string;
  /** Path relative to the graph root, with '/'. */
  readonly file: string;
}

/** `<dir>/.sgpt/<title>.role.md` */
export interface GraphRole extends Artifact {
  readonly alias: string;
  readonly model: string;
  readonly tools: readonly string[];
  readonly files: readonly string[];
  /** Included roles, as written. */
  readonly roles: readonly string[];
  /** The body: the prompt, trimmed. */
  readonly prompt: string;
}

/** `<dir>/.sgpt/<title>.toolset` */
export interface GraphToolSet extends Artifact {
  readonly engineService: string;
  /** Full names of the services in the set. */
  readonly services: readonly string[];
  /** Number of methods named in all services; 0 where a service is taken whole. */
  readonly methodCount: number;
}

/** `<root>/.sgpt/lores/<path>.md`. The body is not kept: it is read when shown. */
export interface GraphLore extends Artifact {
  /** Address: `lores/path` without `.md`. */
  readonly name: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A scanned graph. Lists are sorted by selector. */
export interface Graph {
  /** Absolute path of the directory that holds `.sgpt.json`, or '' where there is no graph. */
  readonly root: string;
  /** `title` of `.sgpt.json`, else the root's base name. */
  readonly title: string;
  readonly roles: readonly GraphRole[];
  readonly toolSets: readonly GraphToolSet[];
  readonly lores: readonly GraphLore[];
  /** Lores of imported repositories: their names begin with `@import//`, their files are absolute paths. */
  readonly imported: readonly GraphLore[];
  readonly diagnostics: readonly Diagnostic[];
}

/** No graph. */
export const EMPTY_GRAPH: Graph = {
  root: '',
  title: '',
  roles: [],
  toolSets: [],
  lores: [],
  imported: [],
  diagnostics: [],
};

/** What is searched. */
export interface SearchableLore {
  readonly lore: GraphLore;
  readonly body: string;
  /** One-based line of the file where the body starts. */
  readonly bodyLine: number;
}

/** A lore found by a search. */
export interface LoreHit {
  readonly name: string;
  readonly matchCount: number;
  /** Up to three matching lines with their one-based numbers. */
  readonly snippets: readonly { readonly line: number; readonly text: string }[];
}
