/**
 * Keeps the screens of running programs on the disk, often enough that the next server has little to parse again, and
 * seldom enough that a flood is not slowed.
 */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { Logger } from '../../base/log.ts';
import type { SessionLogs } from './session-logs.ts';
import type { SessionTerminal } from './session-terminal.ts';

/** Output behind a checkpoint after which the next is due: parsed again in some 20 ms. */
const DUE_BYTES = 1024 * 1024;
/** While that comes faster than once in this time a checkpoint is made only every FLOOD_BYTES. */
const DUE_MS = 1000;
/** In a flood: 5 ms of work for each quarter of a second of parsing. */
const FLOOD_BYTES = 16 * 1024 * 1024;

export class Checkpoints {
  readonly #clock: Clock;
  readonly #logs: SessionLogs;
  readonly #logger: Logger;
  readonly #screens = new Map<string, { terminal: SessionTerminal; offset: number; at: number }>();

  constructor(ports: { clock: Clock; logs: SessionLogs; logger: Logger }) {
    this.#clock = ports.clock;
    this.#logs = ports.logs;
    this.#logger = ports.logger;
  }

  /** Keeps the screen of a session's program until it ends or the result is disposed. */
  follow(session: string, terminal: SessionTerminal): Disposable {
    // From the last checkpoint and not from now: servers that die young one after the other would parse ever more.
    const screen = { terminal, offset: this.#logs.checkpointOffset(session), at: -Infinity };
    this.#screens.set(session, screen);
    const stop = (): void => {
      if (this.#screens.get(session) === screen) this.#screens.delete(session);
    };
    terminal.onExit(stop);
    const output = terminal.onOutput(() => {
      const behind = terminal.offset - screen.offset;
      if (behind < DUE_BYTES) return;
      if (behind < FLOOD_BYTES && this.#clock.now() - screen.at < DUE_MS) return;
      this.#save(session);
    });
    return {
      dispose: () => {
        output.dispose();
        stop();
      },
    };
  }

  /** Keeps every screen as it is now. */
  saveAll(): void {
    for (const session of this.#screens.keys()) this.#save(session);
  }

  #save(session: string): void {
    const screen = this.#screens.get(session);
    const bytes = screen?.terminal.checkpoint();
    // In the middle of a sequence: after the next output, then.
    if (!screen || !bytes) return;
    const { offset } = screen.terminal;
    screen.at = this.#clock.now();
    screen.offset = offset;
    try {
      this.#logs.saveCheckpoint(session, { offset, bytes });
    } catch (error) {
      // The log is there, and more of it is parsed again.
      this.#logger.log('warn', 'screen not kept', { session, error });
    }
  }
}
