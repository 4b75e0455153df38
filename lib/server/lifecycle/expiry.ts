/**
 * Deleted sessions go for good when their time is over, except with work that would be lost.
 */
import type { Clock } from '../../base/clock.ts';
import { errorText, toCoded } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/event.ts';
import type { Model } from '../../model/model.ts';
import type { SessionRecord } from '../../model/types.ts';

/** Longest timer of Node: 2^31 - 1 ms. */
const TIMER_MAX_MS = 0x7fffffff;
/** What could not go is tried again after this: until then somebody may have pushed. */
const AGAIN_MS = 60 * 60_000;

export interface ExpiryPorts {
  readonly clock: Clock;
  readonly model: Model;
  /** Removes it for good, unless work would be lost. */
  readonly purge: (session: SessionRecord) => Promise<void>;
  readonly tell: (text: string) => void;
}

/** A session that could not go when its time was over. */
interface Kept {
  /** Of which deletion: one that was restored and deleted anew has all its time again. */
  readonly expiresAt: number | undefined;
  /** When it is tried again. */
  readonly at: number;
}

export class Expiry implements Disposable {
  readonly #ports: ExpiryPorts;
  readonly #owned = new DisposableStore();
  /** Those that could not go. Told once for each deletion. */
  readonly #kept = new WeakMap<SessionRecord, Kept>();
  #timer: Disposable | undefined;
  #isBusy = false;

  constructor(ports: ExpiryPorts) {
    this.#ports = ports;
    this.#owned.add(ports.model.onEvent(event => event.type !== 'layout' && this.#plan()));
    this.#plan();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#owned.dispose();
  }

  /** Sets the timer for what is due next. */
  #plan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#isBusy) return;
    const { clock, model } = this.#ports;
    const due = model.sessions.every().map(session => this.#dueAt(session));
    const wait = Math.min(...due) - clock.now();
    if (wait < Infinity)
      this.#timer = clock.after(Math.max(0, Math.min(wait, TIMER_MAX_MS)), () => void this.#sweep());
  }

  #dueAt(session: SessionRecord): number {
    if (session.deletedAt === undefined) return Infinity;
    return this.#keptFor(session)?.at ?? session.expiresAt ?? Infinity;
  }

  #keptFor(session: SessionRecord): Kept | undefined {
    const kept = this.#kept.get(session);
    return kept?.expiresAt === session.expiresAt ? kept : undefined;
  }

  async #sweep(): Promise<void> {
    const { clock, model } = this.#ports;
    this.#isBusy = true;
    try {
      for (const session of model.sessions.every())
        if (this.#dueAt(session) <= clock.now()) await this.#one(session);
    } finally {
      this.#isBusy = false;
      this.#plan();
    }
  }

  async #one(session: SessionRecord): Promise<void> {
    const { clock, purge, tell } = this.#ports;
    // It may be restored while it is looked through.
    const { expiresAt } = session;
    try {
      await purge(session);
    } catch (error) {
      if (!this.#keptFor(session)) tell(`its time is over, but ${errorText(toCoded(error))}`);
      this.#kept.set(session, { expiresAt, at: clock.now() + AGAIN_MS });
    }
  }
}
