/**
 * The attached terminals together: who is there, who was used last, what size they ask for.
 */
import type { Size } from '../base/geometry.ts';
import type { ClientInfo } from '../cmd/spec.ts';
import { notificationBytes } from '../render/notification.ts';
import type { AttachedClient } from './client/client.ts';

/** Sends a client away with a text for the person and a status for its process. */
export type LetGo = (message: string, exit: number) => void;

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

  /** Sends one client away with a text for the person and a status for its process. */
  letGo(client: AttachedClient, message: string, exit: number): void {
    this.#clients.get(client.id)?.letGo(message, exit);
  }

  /** A notification by the terminals whose windows do not have the focus: at the others a person sees the marks. */
  notifyUnfocused(text: string): void {
    for (const client of this.all())
      if (!client.isFocused) client.screen.raw(notificationBytes(text, client.isInTmux));
  }

  /** Lets clients go, all of them without `ids`. Returns how many were there. */
  detach(ids: readonly string[] | undefined, message: string): number {
    const chosen = [...this.#clients].filter(([id]) => !ids || ids.includes(id));
    for (const [, { letGo }] of chosen) letGo(message, 0);
    return chosen.length;
  }

  /** Size of windows by policy: the terminal last used, the smallest, or the largest; undefined without terminals. */
  size(policy: 'latest' | 'smallest' | 'largest'): Size | undefined {
    const voting = this.all().filter(client => !client.isReadOnly || this.count === 1);
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
