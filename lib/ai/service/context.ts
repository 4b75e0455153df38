/** What every call of the service works with. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import { CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Model, ModelRegistry } from '../model.ts';
import type { Provider } from '../provider.ts';
import { ServiceError } from '../service-error.ts';
import type { ChatStore } from '../store/chat-store.ts';

/** What goes on: calls, and work that nobody waits for. */
export class Background {
  readonly #running = new Set<Promise<void>>();

  /** `work` must not throw. */
  add(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  async done(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/** A request that is sent again while its first sending is still answered: that one is stopped first. */
export class Running {
  readonly #stops = new Map<string, { readonly stop: () => void; readonly ended: Promise<void> }>();

  /** Begins under a key, '' for one that is never sent again; the signal is aborted where another takes its place. */
  begin(key: string): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController();
    let resolve: () => void = () => undefined;
    const ended = new Promise<void>(done => (resolve = done));
    const own = { stop: () => controller.abort(), ended };
    if (key !== '') this.#stops.set(key, own);
    const end = (): void => {
      if (this.#stops.get(key) === own) this.#stops.delete(key);
      resolve();
    };
    return { signal: controller.signal, end };
  }

  /** Stops what runs under a key; resolves with whether nothing does any more after `ms`. */
  async stop(key: string, clock: Clock, ms: number): Promise<boolean> {
    const found = this.#stops.get(key);
    if (!found) return true;
    found.stop();
    let late: Disposable | undefined;
    const timeout = new Promise<void>(done => (late = clock.after(ms, done)));
    await Promise.race([found.ended, timeout]);
    late?.dispose();
    return !this.#stops.has(key);
  }
}

export interface ServiceContext {
  readonly store: ChatStore;
  readonly clock: Clock;
  readonly registry: ModelRegistry;
  readonly log: Logger;
  /** The model that makes titles; absent: there are none. */
  readonly titleModel?: string;
  /** Generations that run, by what tells their requests apart. */
  readonly running: Running;
  /** What goes on after an answer; the service ends once it is done. */
  readonly background: Background;
  /** Makes ids of chats and messages. */
  readonly newId: () => string;
  /** The process that this is, by which inputs that wait for an answer are told from those nobody waits for. */
  readonly pid: number;
  /** Throws ServiceError NOT_FOUND. */
  model(name: string): Model;
  /** The source of a model's answers. Throws ProviderFailure. */
  provider(model: Model): Provider;
}

export interface ContextOptions {
  readonly store: ChatStore;
  readonly clock: Clock;
  readonly registry: ModelRegistry;
  readonly log: Logger;
  readonly titleModel?: string;
  readonly newId: () => string;
  readonly pid: number;
  readonly provider: (model: Model) => Provider;
}

export function serviceContext(options: ContextOptions): ServiceContext {
  return {
    ...options,
    background: new Background(),
    running: new Running(),
    model: name => {
      try {
        return options.registry.find(name);
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        const text = error.hint ? `${error.message} (${error.hint})` : error.message;
        throw new ServiceError('NOT_FOUND', text, [], { cause: error });
      }
    },
  };
}
