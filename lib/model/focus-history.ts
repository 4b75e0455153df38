/**
 * Which sessions had the focus, so that one can go back.
 */
import type { SessionId } from './types.ts';

/** Sessions remembered: back is one step, and the steps beyond it serve only where sessions have gone. */
const MAX = 32;

export class FocusHistory {
  /** Most recent first. */
  #ids: readonly SessionId[] = [];

  /** A session has the focus now; undefined while none has. */
  note(id: SessionId | undefined): void {
    if (id === undefined || this.#ids[0] === id) return;
    this.#ids = [id, ...this.#ids.filter(other => other !== id)].slice(0, MAX);
  }

  /** Sessions by last focus, most recent first; some may be gone. */
  get all(): readonly SessionId[] {
    return this.#ids;
  }
}
