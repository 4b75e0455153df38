/**
 * Starting sessions' programs, a few agents at a time.
 */
import type { SessionRecord } from '../../model/types.ts';
import type { LaunchSlots } from './launch-slots.ts';

export class Launcher {
  readonly #slots: LaunchSlots;

  constructor(slots: LaunchSlots) {
    this.#slots = slots;
  }

  /**
   * Calls `start`, which gives the session a terminal, once it may; resolves when its program runs. Agents of the
   * registry wait for each other; a shell or a command of the person's own does not, for it is there at once.
   * @throws what `start` throws, CodedError where the program cannot be started or `signal` fires
   */
  async start(session: SessionRecord, start: () => void, signal?: AbortSignal): Promise<void> {
    const slot = session.launch.ofAgent ? await this.#slots.take(signal) : undefined;
    try {
      start();
    } catch (error) {
      slot?.release();
      throw error;
    }
    const { terminal } = session;
    if (!terminal) return slot?.release();
    slot?.follow(terminal);
    await terminal.started;
  }
}
