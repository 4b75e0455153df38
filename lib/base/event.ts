/**
 * Events and ownership. Who creates a Disposable disposes it.
 */

/** Something that holds a resource until told to let go. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Subscribes a listener; the returned Disposable unsubscribes it. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A source of events. Listeners run in the order they subscribed, over a copy of the list. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  /** The subscribing side, safe to hand out. */
  readonly event: Event<T> = listener => {
    // A wrapper, so that the same function subscribed twice is called twice.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  };

  /** Calls every listener. A listener that throws does not keep the others from running; the first error is rethrown. */
  fire(value: T): void {
    if (this.#listeners.size === 0) return;
    let failed = false;
    let first: unknown;
    for (const listener of Array.from(this.#listeners)) {
      try {
        listener(value);
      } catch (error) {
        if (!failed) first = error;
        failed = true;
      }
    }
    if (failed) throw first;
  }

  /** Number of live subscriptions: specs count leaks with it. */
  get size(): number {
    return this.#listeners.size;
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** Owns several Disposables and lets them go together, last first. */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  /** Takes ownership; on a store already disposed the item is disposed at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const item of this.#items.reverse()) item.dispose();
    this.#items = [];
  }
}
