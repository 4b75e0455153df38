/**
 * Live graphs for the thread that draws: values that change, and calls that answer later. All the work is done in
 * another thread.
 */
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import type { Disposable, Event } from '../base/event.ts';
import type { StyledLine } from '../base/styled.ts';
import type { FileCommit } from '../git/history.ts';
import { CONFIG_FILE } from '../graph/address.ts';
import { diagnostic } from '../graph/check.ts';
import type { GraphModel } from '../graph/config.ts';
import type { Environment } from '../graph/json-text.ts';
import type { SearchRank } from '../graph/search.ts';
import { EMPTY_GRAPH } from '../graph/types.ts';
import type { Graph, LoreHit } from '../graph/types.ts';
import { applyDelta } from './protocol.ts';
import type { Answers, Call, FromWorker } from './protocol.ts';
import type { RoleText } from './role-text.ts';
import { WorkerLink } from './worker-link.ts';
import type { News } from './worker-link.ts';

/** The graph of a directory, as long as it is wanted. */
export interface GraphHandle extends Disposable {
  /** Absolute path of the directory it was opened for. */
  readonly dir: string;
  /** The latest graph; EMPTY_GRAPH where there is none, or none yet. */
  readonly graph: Graph;
  /** Resolves with the graph once it is known for the first time, or known not to be there. */
  readonly ready: Promise<Graph>;
  readonly onChange: Event<Graph>;
  /**
   * Lores that match a regular expression of RE2, best first.
   * @throws CodedError usage for what is no regular expression, timeout for one that takes too long
   */
  search(pattern: string, limit: number, rank?: SearchRank): Promise<readonly LoreHit[]>;
  /** A lore's body as lines of at most `width` cells. @throws CodedError not_found */
  preview(lore: string, width: number): Promise<readonly StyledLine[]>;
  /** The lores with a link to a lore. */
  backlinks(lore: string): Promise<readonly LoreHit[]>;
  /** The lores that a lore links to. */
  links(lore: string): Promise<readonly LoreHit[]>;
  /** When lores were last committed, Unix times in ms by file; empty where git knows nothing. */
  ages(): Promise<ReadonlyMap<string, number>>;
  /** The commits that changed a lore, the latest first. @throws CodedError failed outside a repository */
  history(lore: string): Promise<readonly FileCommit[]>;
  /** What a commit changed in a lore that was called `file` then. @throws CodedError */
  change(lore: string, commit: string, file: string): Promise<readonly StyledLine[]>;
  /** Any Markdown as lines of at most `width` cells. */
  markdown(text: string, width: number): Promise<readonly StyledLine[]>;
}

/** What a service needs. */
export interface GraphServiceOptions {
  readonly clock?: Clock;
  /** URL of a module that exports `renderMarkdown(text, width)`, loaded in the other thread. Without it, plain text. */
  readonly renderer?: string;
  /** What calls of `env` in graph files are answered with, and HOME for paths; else the process's own. */
  readonly env?: Environment;
  /** Models that the graph's settings need not name. */
  readonly models?: readonly GraphModel[];
}

/** One directory that is open, however many handles it has. */
interface OpenDir {
  readonly dir: string;
  readonly change: Emitter<Graph>;
  /** The graph's root, '' for none, undefined while unknown. */
  root: string | undefined;
  graph: Graph;
  handles: number;
  readonly ready: Promise<Graph>;
  readonly settle: (graph: Graph) => void;
}

/** How long the thread may be away before that is told, ms: a restart after a slow search is not worth a word. */
const AWAY_MS = 2000;

/** Opens graphs. One thread serves all of them. */
export class GraphService implements Disposable {
  readonly #clock: Clock;
  readonly #link: WorkerLink;
  readonly #dirs = new Map<string, OpenDir>();
  /** Latest graph by root, of all that the other thread follows. */
  readonly #graphs = new Map<string, Graph>();
  #away: Disposable | undefined;

  constructor(options: GraphServiceOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#link = new WorkerLink(
      this.#clock,
      {
        renderer: options.renderer ?? '',
        env: { ...(options.env ?? process.env) },
        models: options.models ?? [],
      },
      {
        message: message => this.#receive(message),
        started: () => {
          for (const dir of this.#dirs.keys()) this.#link.send({ type: 'open', dir });
        },
        stopped: (reason, final) => this.#stopped(reason, final),
      },
    );
  }

  /** The graph that `dir` belongs to. Dispose the handle when it is no longer wanted. */
  open(dir: string): GraphHandle {
    const path = resolve(dir);
    const open = this.#dirs.get(path) ?? this.#openDir(path);
    open.handles++;
    return this.#handle(open);
  }

  /**
   * A role as a program is told it that is started in `dir`, from the disk as it is now.
   * @throws CodedError not_found and ambiguous with what may have been meant, timeout
   */
  role(dir: string, selector: string): Promise<RoleText> {
    return this.#link.call<'role'>('', { kind: 'role', dir, selector });
  }

  /** Number of directories open: specs count leaks with it. */
  get size(): number {
    return this.#dirs.size;
  }

  dispose(): void {
    this.#away?.dispose();
    this.#link.dispose();
    for (const open of this.#dirs.values()) {
      open.settle(open.graph);
      open.change.dispose();
    }
    this.#dirs.clear();
    this.#graphs.clear();
  }

  #openDir(dir: string): OpenDir {
    let settle: (graph: Graph) => void = () => undefined;
    const ready = new Promise<Graph>(done => (settle = done));
    const open: OpenDir = {
      dir,
      change: new Emitter(),
      root: undefined,
      graph: EMPTY_GRAPH,
      handles: 0,
      ready,
      settle,
    };
    this.#dirs.set(dir, open);
    if (this.#link.running) this.#link.send({ type: 'open', dir });
    else this.#link.revive();
    void this.#link.holdFor(ready);
    return open;
  }

  #handle(open: OpenDir): GraphHandle {
    const { dir, ready } = open;
    const subscriptions = new Set<Disposable>();
    let disposed = false;
    const dispose = (): void => {
      if (disposed) return;
      disposed = true;
      for (const subscription of subscriptions) subscription.dispose();
      this.#release(open);
    };
    const onChange: Event<Graph> = listener => {
      const subscription = open.change.event(listener);
      subscriptions.add(subscription);
      return {
        dispose: () => {
          subscriptions.delete(subscription);
          subscription.dispose();
        },
      };
    };
    return {
      dir,
      ready,
      onChange,
      dispose,
      get graph() {
        return open.graph;
      },
      search: (pattern, limit, rank = 'matches') =>
        this.#call(open, { kind: 'search', pattern, limit, rank }),
      preview: (lore, width) => this.#call(open, { kind: 'preview', lore, width }),
      backlinks: lore => this.#call(open, { kind: 'backlinks', lore }),
      links: lore => this.#call(open, { kind: 'links', lore }),
      ages: () => this.#call(open, { kind: 'ages' }),
      history: lore => this.#call(open, { kind: 'history', lore }),
      change: (lore, commit, file) => this.#call(open, { kind: 'change', lore, commit, file }),
      markdown: (text, width) => this.#call(open, { kind: 'markdown', text, width }),
    };
  }

  async #call<K extends Call['kind']>(open: OpenDir, call: Call & { kind: K }): Promise<Answers[K]> {
    await open.ready;
    return this.#link.call<K>(open.root ?? '', call);
  }

  #release(open: OpenDir): void {
    if (--open.handles > 0 || this.#dirs.get(open.dir) !== open) return;
    this.#dirs.delete(open.dir);
    this.#link.send({ type: 'close', dir: open.dir });
    open.settle(open.graph);
    open.change.dispose();
  }

  #receive(message: News): void {
    if (message.type === 'root') this.#moved(message);
    else if (message.type === 'closed') this.#graphs.delete(message.root);
    else {
      this.#away?.dispose();
      this.#away = undefined;
      const graph = applyDelta(message.delta, this.#graphs.get(message.root) ?? EMPTY_GRAPH);
      const used = Array.from(this.#dirs.values()).filter(d => d.root === message.root);
      this.#graphs.set(message.root, graph);
      for (const open of used) this.#show(open, graph);
    }
  }

  #moved({ dir, root }: FromWorker & { type: 'root' }): void {
    const open = this.#dirs.get(dir);
    if (!open) return;
    open.root = root;
    const known = root === '' ? EMPTY_GRAPH : this.#graphs.get(root);
    if (known) this.#show(open, known);
  }

  #show(open: OpenDir, graph: Graph): void {
    const changed = open.graph !== graph;
    open.graph = graph;
    open.settle(graph);
    if (changed) open.change.fire(graph);
  }

  #stopped(reason: string, final: boolean): void {
    this.#away?.dispose();
    const tell = (): void => this.#tellAway(reason, final);
    if (final) tell();
    else this.#away = this.#clock.after(AWAY_MS, tell);
  }

  /** The last graphs stay, with a word that they no longer follow their files. */
  #tellAway(reason: string, final: boolean): void {
    const message = `changes are not followed: the graph's thread ${reason}`;
    const hint = final ? 'open the graph again' : 'wait: it is started again';
    const notice = diagnostic({ file: CONFIG_FILE, line: 0, column: 0 }, 'not-watched', message, hint);
    for (const open of Array.from(this.#dirs.values()))
      this.#show(open, { ...open.graph, diagnostics: [...open.graph.diagnostics, notice] });
  }
}
