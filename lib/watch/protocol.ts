/**
 * What the thread that draws and the graph's thread say to each other. Both ends are of the same build.
 */
import type { StyledLine } from '../base/styled.ts';
import type { FileCommit } from '../git/history.ts';
import type { GraphModel } from '../graph/config.ts';
import type { Environment } from '../graph/json-text.ts';
import type { SearchRank } from '../graph/search.ts';
import type { RoleText } from './role-text.ts';
import { EMPTY_GRAPH } from '../graph/types.ts';
import type { Diagnostic, Graph, GraphLore, GraphRole, GraphToolSet, LoreHit } from '../graph/types.ts';

/** What can be asked. */
export type Call =
  | { readonly kind: 'search'; readonly pattern: string; readonly limit: number; readonly rank: SearchRank }
  | { readonly kind: 'preview'; readonly lore: string; readonly width: number }
  | { readonly kind: 'backlinks' | 'links' | 'history'; readonly lore: string }
  | { readonly kind: 'ages' }
  /** What one commit changed in a lore. */
  | { readonly kind: 'change'; readonly lore: string; readonly commit: string; readonly file: string }
  /** Of the graph that `dir` belongs to, whichever it is. */
  | { readonly kind: 'role'; readonly dir: string; readonly selector: string }
  /** Any Markdown, drawn where it holds up nobody. */
  | { readonly kind: 'markdown'; readonly text: string; readonly width: number };

/** What each question is answered with. */
export interface Answers {
  readonly search: readonly LoreHit[];
  readonly preview: readonly StyledLine[];
  readonly backlinks: readonly LoreHit[];
  readonly links: readonly LoreHit[];
  readonly history: readonly FileCommit[];
  /** Unix times of the last commits, ms, by file. */
  readonly ages: ReadonlyMap<string, number>;
  readonly change: readonly StyledLine[];
  readonly role: RoleText;
  readonly markdown: readonly StyledLine[];
}

/** To the graph's thread. */
export type ToWorker =
  | { readonly type: 'open' | 'close'; readonly dir: string }
  | { readonly type: 'call'; readonly id: number; readonly root: string; readonly call: Call }
  | { readonly type: 'ping' };

/** From the graph's thread. */
export type FromWorker =
  /** The graph root of an opened directory; '' for none. */
  | { readonly type: 'root'; readonly dir: string; readonly root: string }
  | { readonly type: 'graph'; readonly root: string; readonly delta: GraphDelta }
  /** A graph is no longer followed; should it be again, all of it is sent. */
  | { readonly type: 'closed'; readonly root: string }
  /** Work on a call has begun: from here its time counts. */
  | { readonly type: 'started'; readonly id: number }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | {
      readonly type: 'refused';
      readonly id: number;
      readonly code: string;
      readonly message: string;
      readonly hint: string | undefined;
    }
  | { readonly type: 'pong' };

/** What the graph's thread is started with. */
export interface WorkerSettings {
  /** URL of a module that exports `renderMarkdown`; '' shows lores as plain text. */
  readonly renderer: string;
  /** The environment that graph files may ask for. */
  readonly env: Environment;
  /** Models that the graph's settings need not name. */
  readonly models: readonly GraphModel[];
}

/** A list as the other side has it, with items from `from` up to before `to` replaced. Known ones are named by file. */
export interface Splice<T> {
  readonly from: number;
  readonly to: number;
  readonly items: readonly (T | string)[];
}

/** What makes one graph of the one sent before. */
export interface GraphDelta {
  /** Nothing was sent before. */
  readonly isFirst: boolean;
  readonly root: string;
  readonly title: string;
  readonly roles: Splice<GraphRole>;
  readonly toolSets: Splice<GraphToolSet>;
  readonly lores: Splice<GraphLore>;
  readonly imported: Splice<GraphLore>;
  /** Left out where they are the same. */
  readonly diagnostics?: readonly Diagnostic[];
}

type AnyArtifact = GraphRole | GraphToolSet | GraphLore;

/** The sending side: remembers what it sent. */
export class DeltaEncoder {
  #sent: Graph | undefined;

  /** What to send so that the other side has `graph`. */
  encode(graph: Graph): GraphDelta {
    const before = this.#sent ?? EMPTY_GRAPH;
    const same =
      this.#sent !== undefined && JSON.stringify(before.diagnostics) === JSON.stringify(graph.diagnostics);
    const delta = {
      isFirst: this.#sent === undefined,
      root: graph.root,
      title: graph.title,
      roles: difference(before.roles, graph.roles),
      toolSets: difference(before.toolSets, graph.toolSets),
      lores: difference(before.lores, graph.lores),
      imported: difference(before.imported, graph.imported),
      ...(!same && { diagnostics: graph.diagnostics }),
    };
    this.#sent = graph;
    return delta;
  }
}

function difference<T extends AnyArtifact>(before: readonly T[], after: readonly T[]): Splice<T> {
  const least = Math.min(before.length, after.length);
  let from = 0;
  while (from < least && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < least - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const known = new Set(before.slice(from, before.length - tail));
  const items = after.slice(from, after.length - tail).map(item => (known.has(item) ? item.file : item));
  return { from, to: before.length - tail, items };
}

/**
 * The receiving side. What did not change keeps its identity: artifacts, lists, and the graph itself. A lore of which
 * only the body changed is another object, so that what shows the body knows.
 */
export function applyDelta(delta: GraphDelta, latest: Graph): Graph {
  const before = delta.isFirst ? EMPTY_GRAPH : latest;
  const { root, title } = delta;
  const roles = spliced(before.roles, delta.roles);
  const toolSets = spliced(before.toolSets, delta.toolSets);
  const lores = spliced(before.lores, delta.lores);
  const imported = spliced(before.imported, delta.imported);
  const after: Graph = {
    root,
    title,
    roles,
    toolSets,
    lores,
    imported,
    diagnostics: delta.diagnostics ?? before.diagnostics,
  };
  const keys = Object.keys(after) as (keyof Graph)[];
  return keys.every(key => after[key] === before[key]) ? before : after;
}

function spliced<T extends AnyArtifact>(before: readonly T[], { from, to, items }: Splice<T>): readonly T[] {
  if (from === to && items.length === 0) return before;
  const known = new Map(before.slice(from, to).map(artifact => [artifact.file, artifact]));
  const changed = items.flatMap(item => (typeof item === 'string' ? (known.get(item) ?? []) : item));
  return [...before.slice(0, from), ...changed, ...before.slice(to)];
}
