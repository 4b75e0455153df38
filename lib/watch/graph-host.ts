/**
 * What runs in the graph's thread: the open directories, their graphs, and the answers to calls.
 */
import type { Clock } from '../base/clock.ts';
import { CodedError, toCoded } from '../base/errors.ts';
import type { Disposable } from '../base/event.ts';
import type { StyledLine } from '../base/styled.ts';
import { printable } from '../graph/printable.ts';
import { searchLores } from '../graph/search.ts';
import { LiveGraph } from './live-graph.ts';
import { LoreHistory, type LorePlace } from './lore-history.ts';
import { DeltaEncoder } from './protocol.ts';
import type { Answers, Call, FromWorker, ToWorker, WorkerSettings } from './protocol.ts';
import { roleText } from './role-text.ts';
import { RootWatch } from './root-watch.ts';

/** Shows markdown as lines at most `width` cells wide. */
export type RenderMarkdown = (text: string, width: number) => readonly StyledLine[];

/** A search ends with what it has after this long, ms. */
const SEARCH_MS = 500;

interface OpenDir extends Disposable {
  readonly ready: Promise<void>;
  root: string;
}

interface OpenGraph {
  readonly live: LiveGraph;
  /** Directories open in it. */
  readonly dirs: Set<string>;
}

/** The far end of GraphService. */
export class GraphHost {
  readonly #clock: Clock;
  readonly #settings: WorkerSettings;
  readonly #send: (message: FromWorker) => void;
  readonly #dirs = new Map<string, OpenDir>();
  readonly #graphs = new Map<string, OpenGraph>();
  readonly #history: LoreHistory;
  #renderer: Promise<RenderMarkdown> | undefined;

  constructor(clock: Clock, settings: WorkerSettings, send: (message: FromWorker) => void) {
    this.#clock = clock;
    this.#settings = settings;
    this.#send = send;
    this.#history = new LoreHistory(settings.env, clock);
  }

  /** Takes a message from the other thread. */
  receive(message: ToWorker): void {
    if (message.type === 'ping') this.#send({ type: 'pong' });
    else if (message.type === 'call') void this.#answer(message.id, message.root, message.call);
    else if (message.type === 'open') this.#open(message.dir);
    else this.#close(message.dir);
  }

  #open(dir: string): void {
    if (this.#dirs.has(dir)) return;
    const watch = new RootWatch(
      dir,
      this.#clock,
      root => this.#moved(dir, root),
      root => this.#graphs.get(root)?.live.touch(),
    );
    this.#dirs.set(dir, { root: '', ready: watch.ready, dispose: () => watch.dispose() });
  }

  #close(dir: string): void {
    const open = this.#dirs.get(dir);
    this.#dirs.delete(dir);
    open?.dispose();
    if (open) this.#release(dir, open.root);
  }

  /** A directory belongs to another graph than before. */
  #moved(dir: string, root: string): void {
    const open = this.#dirs.get(dir);
    if (!open) return;
    const before = open.root;
    open.root = root;
    this.#send({ type: 'root', dir, root });
    if (root !== '') {
      const graph = this.#graphs.get(root) ?? this.#start(root);
      graph.dirs.add(dir);
    }
    if (before !== root) this.#release(dir, before);
  }

  #start(root: string): OpenGraph {
    const encoder = new DeltaEncoder();
    const { env, models } = this.#settings;
    const live = new LiveGraph(
      root,
      this.#clock,
      graph => this.#send({ type: 'graph', root, delta: encoder.encode(graph) }),
      { env, models },
    );
    const graph = { live, dirs: new Set<string>() };
    this.#graphs.set(root, graph);
    return graph;
  }

  #release(dir: string, root: string): void {
    const graph = this.#graphs.get(root);
    graph?.dirs.delete(dir);
    if (!graph || graph.dirs.size > 0) return;
    this.#graphs.delete(root);
    graph.live.dispose();
    this.#send({ type: 'closed', root });
  }

  async #answer(id: number, root: string, call: Call): Promise<void> {
    try {
      // After a restart calls may come before it is known again which graphs are open.
      await Promise.all(Array.from(this.#dirs.values(), dir => dir.ready));
      await this.#graphs.get(root)?.live.ready;
      this.#send({ type: 'started', id });
      const perform = this.#calls[call.kind] as (root: string, call: Call) => Promise<unknown>;
      this.#send({ type: 'answer', id, value: await perform(root, call) });
    } catch (error) {
      const { code, message, hint } = toCoded(error);
      this.#send({ type: 'refused', id, code, message, hint });
    }
  }

  #place(root: string, lore: string): LorePlace {
    const place = this.#graphs.get(root)?.live.placeOf(lore);
    if (!place) throw unknownLore(lore);
    return place;
  }

  readonly #calls: {
    [K in Call['kind']]: (root: string, call: Call & { kind: K }) => Promise<Answers[K]>;
  } = {
    search: async (root, { pattern, limit, rank }) => {
      const end = this.#clock.now() + SEARCH_MS;
      const lores = this.#graphs.get(root)?.live.lores() ?? [];
      return searchLores(lores, { pattern, limit, rank, expired: () => this.#clock.now() > end });
    },
    preview: async (root, { lore, width }) => {
      const found = Array.from(this.#graphs.get(root)?.live.lores() ?? []).find(l => l.lore.name === lore);
      if (!found) throw unknownLore(lore);
      const render = await (this.#renderer ??= loadRenderer(this.#settings.renderer));
      return render(found.body, width);
    },
    links: async (root, { lore }) => this.#graphs.get(root)?.live.links(lore) ?? [],
    ages: root => this.#history.ages(root),
    history: (root, { lore }) => this.#history.history(this.#place(root, lore)),
    change: (root, { lore, commit, file }) => this.#history.change(this.#place(root, lore), commit, file),
    backlinks: async (root, { lore }) => this.#graphs.get(root)?.live.backlinks(lore) ?? [],
    role: (_root, { dir, selector }) => roleText(dir, selector, this.#settings.env, this.#settings.models),
    markdown: async (_root, { text, width }) => {
      const render = await (this.#renderer ??= loadRenderer(this.#settings.renderer));
      return render(text, width);
    },
  };
}

function unknownLore(name: string): CodedError {
  return new CodedError('not_found', `lore '${printable(name)}': not in the graph`);
}

async function loadRenderer(url: string): Promise<RenderMarkdown> {
  if (url === '') return plainLines;
  const module = (await import(url)) as { renderMarkdown: RenderMarkdown };
  return module.renderMarkdown;
}

/** The text as it is: one line each, cut at the width by whoever draws it. */
function plainLines(text: string): StyledLine[] {
  return text.split(/\r\n|\n|\r/).map(line => [{ text: printable(line.replaceAll('\t', '    ')) }]);
}
