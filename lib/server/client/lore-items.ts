/**
 * The lores of a graph as the browser lists them: those of imported repositories too, and what is stale is marked.
 */
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Disposable } from '../../base/event.ts';
import { daysBetween, isStale } from '../../graph/age.ts';
import type { Graph } from '../../graph/types.ts';
import type { BrowserItem } from '../../mode/browser-list.ts';
import type { GraphHandle } from '../../watch/graph-service.ts';

/** A list that follows the graph; git's word comes a moment later. */
export class LoreItems {
  readonly #graph: GraphHandle;
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  #ages: ReadonlyMap<string, number> = new Map();
  #isAsking = false;
  #made: {
    readonly graph: Graph;
    readonly ages: ReadonlyMap<string, number>;
    readonly items: readonly BrowserItem[];
  };

  constructor(graph: GraphHandle, clock: Clock) {
    this.#graph = graph;
    this.#clock = clock;
    this.#made = { graph: graph.graph, ages: this.#ages, items: this.#make(graph.graph) };
  }

  /** What there is now. The same list while nothing has changed. */
  get list(): readonly BrowserItem[] {
    const { graph } = this.#graph;
    if (this.#made.graph !== graph || this.#made.ages !== this.#ages)
      this.#made = { graph, ages: this.#ages, items: this.#make(graph) };
    return this.#made.items;
  }

  /** Calls when the list has changed, until it is disposed. */
  follow(listener: () => void): Disposable {
    const parts = [
      this.#changed.event(listener),
      this.#graph.onChange(() => {
        listener();
        void this.#ask();
      }),
    ];
    void this.#ask();
    return { dispose: () => parts.forEach(part => part.dispose()) };
  }

  #make({ lores, imported }: Graph): readonly BrowserItem[] {
    const now = this.#clock.now();
    const own = lores.map(lore => {
      const at = this.#ages.get(lore.file);
      return at !== undefined && isStale(at, now)
        ? { ...lore, note: `stale ${daysBetween(at, now)}d` }
        : lore;
    });
    return imported.length > 0 ? [...own, ...imported] : own;
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    // Without git's word nothing is marked.
    const ages = await this.#graph.ages().catch(() => undefined);
    this.#isAsking = false;
    if (!ages || isEqual(ages, this.#ages)) return;
    this.#ages = ages;
    this.#changed.fire();
  }
}

function isEqual(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && Array.from(a).every(([file, at]) => b.get(file) === at);
}
