/**
 * Agents that never come up: nothing on the screen for minutes after the start. Started afresh, for on a busy machine
 * the next try often works; but not for ever.
 */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { Model } from '../../model/model.ts';
import { runs } from '../../model/sessions.ts';
import type { SessionRecord, Terminal } from '../../model/types.ts';

const LOOK_MS = 15_000;
/** The slowest agents on the slowest machines show something within one minute. */
const SILENT_MS = 3 * 60_000;
const MAX_TRIES = 3;

export interface WatchdogPorts {
  readonly clock: Clock;
  readonly model: Model;
  /** Ends it where `isStill` holds when it comes to it, and starts it afresh where `again`. Never rejects. */
  readonly startAnew: (session: SessionRecord, again: boolean, isStill: () => boolean) => Promise<void>;
  readonly tell: (text: string) => void;
}

interface Silent {
  readonly terminal: Terminal;
  readonly since: number;
  readonly tries: number;
}

export class Watchdog implements Disposable {
  readonly #ports: WatchdogPorts;
  readonly #silent = new Map<SessionRecord, Silent>();
  readonly #busy = new Set<SessionRecord>();
  readonly #timer: Disposable;

  constructor(ports: WatchdogPorts) {
    this.#ports = ports;
    this.#timer = ports.clock.every(LOOK_MS, () => this.#look());
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #look(): void {
    const { model, clock } = this.#ports;
    for (const session of this.#silent.keys())
      if (!this.#busy.has(session) && !isSilent(session)) this.#silent.delete(session);
    for (const session of model.sessions.all()) {
      const { terminal } = session;
      if (this.#busy.has(session) || !terminal || !isSilent(session)) continue;
      const known = this.#silent.get(session);
      const tries = known?.tries ?? 0;
      if (known?.terminal !== terminal) this.#silent.set(session, { terminal, since: clock.now(), tries });
      else if (clock.now() - known.since >= SILENT_MS) void this.#act(session, known);
    }
  }

  async #act(session: SessionRecord, { terminal, since, tries }: Silent): Promise<void> {
    const { startAnew, tell } = this.#ports;
    const again = tries < MAX_TRIES;
    this.#silent.set(session, { terminal, since, tries: tries + 1 });
    this.#busy.add(session);
    tell(
      again
        ? `session ${session.name}: it has shown nothing for 3 minutes, so it is started again`
        : `session ${session.name}: it never came up, and is given up after ${MAX_TRIES} more tries`,
    );
    await startAnew(session, again, () => session.terminal === terminal && isSilent(session));
    this.#busy.delete(session);
  }
}

/** An agent that has shown nothing since its start; one that an earlier server started had its time there. */
function isSilent(session: SessionRecord): boolean {
  const { launch, firstOutputAt, lastOutputAt } = session;
  return (
    Boolean(launch.ofAgent) && runs(session) && firstOutputAt === undefined && lastOutputAt === undefined
  );
}
