/**
 * The attached terminals together: who is there, who was used last, what size they ask for.
 */
import type { Size } from '../base/geometry.ts';
import type { ClientInfo } from '../cmd/spec.ts';
import { notificationBytes } from '../render/notification.ts';
import type { AttachedClient } from './client/client.ts';

/** What a client is told that is sent away: a text for the person, a status for its process. */
export interface Farewell {
  readonly message: string;
  readonly exit: number;
  /** The next server is on its way: the client waits for it. */
  readonly again?: boolean;
}

/** Sends a client away. */
export type LetGo = (farewell: Farewell) => void;

/** A terminal of one column or row (some say 0×0) is a view that nobody looks at: it has no say in sizes. */
const HIDDEN = 1;

export class Clients {
  readonly #clients = new Map<string, { readonly client: AttachedClient; readonly letGo: LetGo }>();
  #latest: AttachedClient | undefined;

  all(): readonly AttachedClient[] {
    return [...this.#clients.values()].map(entry => entry.client);
  }

  get count(): number {
    return this.#clients.size;
  }

  /** The terminal last used. */
  get latest(): AttachedClient | undefined {
    return this.#latest;
  }

  add(client: AttachedClient, letGo: LetGo): void {
    this.#clients.set(client.id, { client, letGo });
    this.#latest = client;
  }

  /** Forgets and frees a client; false if it was not there. */
  remove(client: AttachedClient): boolean {
    if (!this.#clients.delete(client.id)) return false;
    client.dispose();
    if (this.#latest === client) this.#latest = this.all().toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)[0];
    return true;
  }

  /** Notes that a client was used; true if another one was before. */
  use(id: string): boolean {
    const used = this.#clients.get(id)?.client;
    if (!used || used === this.#latest) return false;
    this.#latest = used;
    return true;
  }

  /** Sends one client away. */
  letGo(client: AttachedClient, farewell: Farewell): void {
    this.#clients.get(client.id)?.letGo(farewell);
  }

  /** A notification by the terminals whose windows do not have the focus: at the others a person sees the marks. */
  notifyUnfocused(text: string): void {
    for (const client of this.all())
      if (!client.isFocused) client.screen.raw(notificationBytes(text, client.isInTmux));
  }

  /** Lets clients go, all of them without `ids`. Returns how many were there. */
  detach(ids: readonly string[] | undefined, message: string, again = false): number {
    const chosen = [...this.#clients].filter(([id]) => !ids || ids.includes(id));
    for (const [, { letGo }] of chosen) letGo({ message, exit: 0, ...(again ? { again } : {}) });
    return chosen.length;
  }

  /** Size of windows by policy: the terminal last used, the smallest, or the largest; undefined without terminals. */
  size(policy: 'latest' | 'smallest' | 'largest'): Size | undefined {
    const able = this.all().filter(client => !client.isReadOnly || this.count === 1);
    const seen = able.filter(({ size }) => Math.min(size.cols, size.rows) > HIDDEN);
    const voting = seen.length > 0 ? seen : able;
    if (voting.length === 0) return undefined;
    if (policy === 'latest') {
      const latest = this.#latest && voting.includes(this.#latest) ? this.#latest : voting[0]!;
      return latest.windowSize;
    }
    const pick = policy === 'smallest' ? Math.min : Math.max;
    const sizes = voting.map(client => client.windowSize);
    return { cols: pick(...sizes.map(s => s.cols)), rows: pick(...sizes.map(s => s.rows)) };
  }

  info(now: number): readonly ClientInfo[] {
    return this.all().map(client => ({
      id: client.id,
      tty: client.tty,
      cols: client.size.cols,
      rows: client.size.rows,
      isReadOnly: client.isReadOnly,
      idleSeconds: Math.floor((now - client.lastUsedAt) / 1000),
    }));
  }
}
