/**
 * Tells agents of their mail: by a line that is typed for them, once they are idle and nothing is being typed there. What
 * has been told is in the database, so it is told once, whatever happens to the server.
 */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { Model } from '../../model/model.ts';
import { runs } from '../../model/sessions.ts';
import type { SessionId, SessionRecord } from '../../model/types.ts';
import type { Pending } from '../../messages/types.ts';

/** Messages that come together are announced together. */
const SETTLE_MS = 250;
/** While something stands in the prompt, or the program does not read, it is looked at again after this. */
const AGAIN_MS = 2000;

export interface AnnouncerPorts {
  readonly clock: Clock;
  readonly model: Model;
  pending(subscriber: string): Promise<Pending | undefined>;
  /** Keeps that an announcement begins, or is over. */
  announced(subscriber: string, seq: number, state: 'begun' | 'done'): Promise<void>;
  /** Types a line where `isStill` holds right before the first key; false where it was not typed. */
  type(session: SessionRecord, text: string, isStill: () => boolean): Promise<boolean>;
  /** Whether a person's draft may stand in its prompt. */
  mayHoldDraft(session: SessionRecord): boolean;
  /** Whether a text can be seen on a session's screen or right above it. */
  shows(session: SessionRecord, text: string): boolean;
  /** Whether mail starts a stopped one again. */
  wakes(session: SessionRecord): boolean;
  wake(session: SessionRecord): Promise<void>;
  trouble(error: unknown): void;
}

export class Announcer implements Disposable {
  readonly #ports: AnnouncerPorts;
  readonly #timers = new Map<SessionId, Disposable>();
  /** Sessions that are being told something. */
  readonly #busy = new Set<SessionId>();
  /** The newest message for which a session was started again: one that ends at once is not started without end. */
  readonly #woken = new Map<SessionId, number>();

  constructor(ports: AnnouncerPorts) {
    this.#ports = ports;
  }

  /** Mail has come, or a session has become idle: what there is to tell is told soon. */
  look(id: SessionId, how: { readonly isNew: boolean } = { isNew: false }): void {
    this.#later(id, SETTLE_MS, how.isNew);
  }

  forget(id: SessionId): void {
    this.#timers.get(id)?.dispose();
    this.#timers.delete(id);
    this.#woken.delete(id);
  }

  dispose(): void {
    for (const id of this.#timers.keys()) this.forget(id);
  }

  #later(id: SessionId, ms: number, isNew: boolean): void {
    if (this.#timers.has(id)) return;
    const timer = this.#ports.clock.after(ms, () => {
      this.#timers.delete(id);
      this.#tell(id, isNew).catch((error: unknown) => this.#ports.trouble(error));
    });
    this.#timers.set(id, timer);
  }

  async #tell(id: SessionId, isNew: boolean): Promise<void> {
    const { model } = this.#ports;
    const session = model.sessions.get(id);
    // What is typed into a shell is run.
    if (!session?.isAi || session.deletedAt !== undefined) return;
    if (this.#busy.has(id)) return this.#later(id, AGAIN_MS, isNew);
    this.#busy.add(id);
    try {
      const pending = await this.#ports.pending(id);
      if (!pending || model.sessions.get(id) !== session) return;
      if (!runs(session)) return await this.#wakeFor(session, pending, isNew);
      if (await this.#wasBegun(session, pending)) return this.#later(id, 0, false);
      if (this.#isIdle(session)) await this.#announce(session, pending);
    } finally {
      this.#busy.delete(id);
    }
  }

  async #wakeFor(session: SessionRecord, { seq }: Pending, isNew: boolean): Promise<void> {
    const { wakes, wake } = this.#ports;
    if (!isNew || session.creating || !wakes(session) || (this.#woken.get(session.id) ?? 0) >= seq) return;
    this.#woken.set(session.id, seq);
    // It is told once it is idle.
    await wake(session);
  }

  /**
   * An earlier server died while it told this: what stands on the screen was told. Then the mark is set; true where it was
   * not set before.
   */
  async #wasBegun(session: SessionRecord, { subscriber, begun, begunId }: Pending): Promise<boolean> {
    if (begun === 0 || begunId === '' || !this.#ports.shows(session, begunId)) return false;
    await this.#ports.announced(subscriber, begun, 'done');
    return true;
  }

  async #announce(session: SessionRecord, pending: Pending): Promise<void> {
    const { type, announced, mayHoldDraft } = this.#ports;
    const { subscriber, seq } = pending;
    const isStill = (): boolean => this.#isIdle(session) && !mayHoldDraft(session);
    if (isStill()) {
      await announced(subscriber, seq, 'begun');
      if (await type(session, announcement(pending), isStill)) return announced(subscriber, seq, 'done');
    }
    // A draft goes without a word to anybody.
    this.#later(session.id, AGAIN_MS, false);
  }

  #isIdle(session: SessionRecord): boolean {
    return runs(session) && this.#ports.model.sessions.status(session) === 'ready';
  }
}

/** The line that is typed: one that names the newest message, by which it is known again on the screen. */
export function announcement({ count, senders, messageId, noReply }: Pending): string {
  const names = senders.map(name => name.replace(/[^\w.@-]/g, '?'));
  const what = count === 1 ? 'A new message' : `${count} new messages`;
  const how = "If not shown to you already, read it with 'mux msg inbox --ack'";
  const answer = noReply ? 'no answer is wanted' : `answer with 'mux msg send ${names[0] ?? ''} TEXT'`;
  return `[mux] ${what} from ${names.join(', ')} (${messageId}). ${how}; ${answer}.`;
}
