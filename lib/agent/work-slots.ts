/**
 * Room for agents at work. Who waits for others of its own gives its place back and gets one again before anybody who is
 * new: so there is always one that can go on, however deep they start each other.
 */
import { CodedError } from '../base/errors.ts';

/** More than a batch in each of a few agents; beyond it something starts agents without end. */
const WAITING_MAX = 256;

/** Who waits for a place. */
interface Waiting {
  go(): void;
}

/** Places of all agents of one program. */
export class WorkSlots {
  readonly #size: number;
  readonly #waiting: Waiting[] = [];
  /** They had a place before, and go first. */
  readonly #returning: Waiting[] = [];
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Places that are taken now. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Waits for a place. Throws CodedError `refused` where too many wait, `cancelled` where the signal says so first.
   *
   * @param isReturning it had one before
   */
  async take(signal: AbortSignal, isReturning = false): Promise<void> {
    if (signal.aborted) throw cancelled();
    if (this.#taken < this.#size) {
      this.#taken++;
      return;
    }
    const line = isReturning ? this.#returning : this.#waiting;
    if (!isReturning && line.length >= WAITING_MAX)
      throw new CodedError(
        'refused',
        `sub-agents: ${WAITING_MAX} wait already`,
        'let some of them end first',
      );
    await new Promise<void>((resolve, reject) => {
      const waiting = { go: (): void => (signal.removeEventListener('abort', leave), resolve()) };
      const leave = (): void => {
        line.splice(line.indexOf(waiting), 1);
        reject(cancelled());
      };
      line.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Gives a place back: it goes to the next who waits, never free in between. */
  release(): void {
    const next = this.#returning.shift() ?? this.#waiting.shift();
    if (next) next.go();
    else this.#taken--;
  }
}

/** The place of one agent, which it may give back for a while. */
export class Place {
  readonly #slots: WorkSlots;
  /** How often it was given back and not taken again. */
  #waits = 0;
  #isHeld = true;
  #isLeft = false;

  /** @param slots of which one was taken for it */
  constructor(slots: WorkSlots) {
    this.#slots = slots;
  }

  /** The agent waits for others from now on. */
  rest(): void {
    if (this.#waits++ === 0) this.#release();
  }

  /** It goes on, once it has a place. Throws CodedError as `take`; then it has none. */
  async resume(signal: AbortSignal): Promise<void> {
    if (--this.#waits > 0 || this.#isLeft) return;
    await this.#slots.take(signal, true);
    this.#isHeld = true;
    // It ended, or waits again, while it waited for the place.
    if (this.#isLeft || this.#waits > 0) this.#release();
  }

  /** The agent has ended. */
  leave(): void {
    this.#isLeft = true;
    this.#release();
  }

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#slots.release();
  }
}

function cancelled(): CodedError {
  return new CodedError('cancelled', 'cancelled');
}
