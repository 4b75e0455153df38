/**
 * The graph that is shown: the one of the focused session's directory. It follows the focus and the directory.
 */
import type { Disposable } from '../base/event.ts';
import type { Config } from '../config/load.ts';
import { GraphService, type GraphHandle } from '../watch/graph-service.ts';
import type { ServerParts } from './parts.ts';

/** Opens graphs for a server: with its clock and environment, and the models of its settings. */
export function graphService({ clock, env, markdownRenderer }: ServerParts, config: Config): GraphService {
  const models = config.ai.models.map(({ name, alias = '' }) => ({ name, alias }));
  return new GraphService({ clock, env, models, renderer: markdownRenderer });
}

export class GraphFocus implements Disposable {
  readonly #service: GraphService;
  readonly #changed: () => void;
  readonly #edited: (dir: string) => void;
  #handle: GraphHandle;

  /**
   * @param changed called when another graph is shown or the one shown has changed
   * @param edited called when files of the one shown have changed, with its directory
   */
  constructor(
    service: GraphService,
    dir: string,
    changed: () => void,
    edited: (dir: string) => void = () => undefined,
  ) {
    this.#service = service;
    this.#changed = changed;
    this.#edited = edited;
    this.#handle = this.#open(dir);
  }

  get handle(): GraphHandle {
    return this.#handle;
  }

  /** Shows the graph of `dir` from now on. */
  setDirectory(dir: string): void {
    if (dir === '' || dir === this.#handle.dir) return;
    const old = this.#handle;
    this.#handle = this.#open(dir);
    // The new one first: within one repository the watcher then goes on instead of starting again.
    old.dispose();
    this.#changed();
  }

  dispose(): void {
    this.#handle.dispose();
  }

  #open(dir: string): GraphHandle {
    const handle = this.#service.open(dir);
    handle.onChange(() => {
      if (handle !== this.#handle) return;
      this.#changed();
      this.#edited(dir);
    });
    void handle.ready.then(() => this.#changed());
    return handle;
  }
}
