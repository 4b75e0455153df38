/**
 * Stops agents that nobody needs for long: ready, with nobody in front of them, and able to go on where they were.
 */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { Model } from '../../model/model.ts';
import { runs } from '../../model/sessions.ts';
import type { SessionRecord, Terminal } from '../../model/types.ts';

/** How exact it is: nobody sets minutes and misses these seconds, and fifty sessions are looked at in no time. */
const LOOK_MS = 2000;

export interface IdleStopPorts {
  readonly clock: Clock;
  readonly model: Model;
  /** `lifecycle.idle_stop` in ms, 0 for never. */
  readonly after: () => number;
  /** Whether a pane that shows it is in front of an attached terminal. */
  readonly isAttached: (session: SessionRecord) => boolean;
  readonly canResume: (session: SessionRecord) => boolean;
  /** Stops it where `isStill` holds when it comes to it. */
  readonly stop: (session: SessionRecord, isStill: () => boolean) => void;
}

interface Idle {
  /** Of one run only: a session that was resumed begins anew. */
  readonly terminal: Terminal;
  readonly since: number;
}

export class IdleStop implements Disposable {
  readonly #ports: IdleStopPorts;
  readonly #idle = new WeakMap<SessionRecord, Idle>();
  readonly #timer: Disposable;

  constructor(ports: IdleStopPorts) {
    this.#ports = ports;
    this.#timer = ports.clock.every(LOOK_MS, () => this.#look());
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #look(): void {
    const { model, clock, after, stop } = this.#ports;
    if (after() <= 0) return;
    for (const session of model.sessions.all()) {
      const { terminal } = session;
      if (!terminal || !this.#isIdle(session)) {
        this.#idle.delete(session);
        continue;
      }
      const known = this.#idle.get(session);
      const idle = known?.terminal === terminal ? known : { terminal, since: clock.now() };
      this.#idle.set(session, idle);
      if (clock.now() - idle.since >= after())
        stop(session, () => session.terminal === terminal && this.#isIdle(session));
    }
  }

  #isIdle(session: SessionRecord): boolean {
    const { model, isAttached, canResume } = this.#ports;
    if (!runs(session) || isAttached(session)) return false;
    return model.sessions.status(session) === 'ready' && canResume(session);
  }
}
