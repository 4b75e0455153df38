/**
 * Stops agents that nobody needs for long: ready, with nobody in front of them, and able to go on where they were.
 */
import type { Clock } from '../../base/clock.ts';
import { errorText, toCoded } from '../../base/errors.ts';
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
  readonly stop: (session: SessionRecord, isStill: () => boolean) => Promise<void>;
  /** Why one could not be stopped. */
  readonly tell: (text: string) => void;
}

interface Idle {
  /** Of one run only: a session that was resumed begins anew. */
  readonly terminal: Terminal;
  since: number;
  isBeingStopped: boolean;
  /** That it could not be stopped has been told: once is enough for a program that cannot be killed. */
  isTold: boolean;
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
    const { model, clock, after } = this.#ports;
    if (after() <= 0) return;
    for (const session of model.sessions.all()) {
      const { terminal } = session;
      if (!terminal || !this.#isIdle(session)) {
        this.#idle.delete(session);
        continue;
      }
      const known = this.#idle.get(session);
      const idle =
        known?.terminal === terminal
          ? known
          : { terminal, since: clock.now(), isBeingStopped: false, isTold: false };
      this.#idle.set(session, idle);
      if (!idle.isBeingStopped && clock.now() - idle.since >= after()) void this.#stop(session, idle);
    }
  }

  /** Never rejects. Where it does not succeed all the time passes before the next try. */
  async #stop(session: SessionRecord, idle: Idle): Promise<void> {
    const { clock, stop, tell } = this.#ports;
    idle.isBeingStopped = true;
    try {
      await stop(session, () => session.terminal === idle.terminal && this.#isIdle(session));
    } catch (error) {
      if (!idle.isTold) tell(errorText(toCoded(error)));
      idle.isTold = true;
    }
    idle.isBeingStopped = false;
    idle.since = clock.now();
  }

  #isIdle(session: SessionRecord): boolean {
    const { model, isAttached, canResume } = this.#ports;
    if (!runs(session) || isAttached(session)) return false;
    return model.sessions.status(session) === 'ready' && canResume(session);
  }
}
