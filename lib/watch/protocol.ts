/**
 * What the thread that draws and the graph's thread say to each other. Both ends are of the same build.
 */
import type { StyledLine } from '../base/styled.ts';
import type { GraphModel } from '../graph/config.ts';
import type { Environment } from '../graph/json-text.ts';
import type { RoleText } from './role-text.ts';
import type { Diagnostic, Graph, GraphLore, GraphRole, GraphToolSet, LoreHit } from '../graph/types.ts';

/** What can be asked. */
export type Call =
  | { readonly kind: 'search'; readonly pattern: string; readonly limit: number }
  | { readonly kind: 'preview'; readonly lore: string; readonly width: number }
  | { readonly kind: 'backlinks'; readonly lore: string }
  /** Of the graph that `dir` belongs to, whichever it is. */
  | { readonly kind: 'role'; readonly dir: string; readonly selector: string }
  /** Any Markdown, drawn where it holds up nobody. */
  | { readonly kind: 'markdown'; readonly text: string; readonly width: number };

/** What each question is answered with. */
export interface Answers {
  readonly search: readonly LoreHit[];
  readonly preview: readonly StyledLine[];
  readonly backlinks: readonly LoreHit[];
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

/** A graph with each artifact already sent replaced by its file. */
export interface GraphDelta {
  readonly root: string;
  readonly title: string;
  readonly roles: readonly (GraphRole | string)[];
  readonly toolSets: readonly (GraphToolSet | string)[];
  readonly lores: readonly (GraphLore | string)[];
  readonly diagnostics: readonly Diagnostic[];
}

type AnyArtifact = GraphRole | GraphToolSet | GraphLore;

/** The sending side: remembers what it sent. */
export class DeltaEncoder {
  #sent = new Map<string, AnyArtifact>();

  /** What to send so that the other side has `graph`. */
  encode(graph: Graph): GraphDelta {
    const sent = new Map<string, AnyArtifact>();
    const shorten = <T extends AnyArtifact>(list: readonly T[]): (T | string)[] =>
      list.map(artifact => {
        sent.set(artifact.file, artifact);
        return this.#sent.get(artifact.file) === artifact ? artifact.file : artifact;
      });
    const delta = {
      ...graph,
      roles: shorten(graph.roles),
      toolSets: shorten(graph.toolSets),
      lores: shorten(graph.lores),
    };
    this.#sent = sent;
    return delta;
  }
}

/**
 * The receiving side. What did not change keeps its identity: artifacts, lists, and the graph itself. A lore of which
 * only the body changed is another object, so that what shows the body knows.
 */
export function applyDelta(delta: GraphDelta, before: Graph): Graph {
  const roles = merge(delta.roles, before.roles);
  const toolSets = merge(delta.toolSets, before.toolSets);
  const lores = merge(delta.lores, before.lores);
  const same = JSON.stringify(delta.diagnostics) === JSON.stringify(before.diagnostics);
  const diagnostics = same ? before.diagnostics : delta.diagnostics;
  const after: Graph = { root: delta.root, title: delta.title, roles, toolSets, lores, diagnostics };
  const keys = Object.keys(after) as (keyof Graph)[];
  return keys.every(key => after[key] === before[key]) ? before : after;
}

function merge<T extends AnyArtifact>(list: readonly (T | string)[], before: readonly T[]): readonly T[] {
  const known = new Map(before.map(artifact => [artifact.file, artifact]));
  const after = list.flatMap(item => {
    if (typeof item === 'string') return known.get(item) ?? [];
    return item;
  });
  return after.length === before.length && after.every((artifact, i) => artifact === before[i])
    ? before
    : after;
}
