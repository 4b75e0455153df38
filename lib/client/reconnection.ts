/**
 * The way back after a server has gone: when to try and when to give up.
 */
import type { ServerPeer } from './connect.ts';

/** A server that is exchanged or crashed is back within a second or two; after this long it does not come. */
const GIVE_UP_MS = 10_000;
const TRY_EVERY_MS = 100;
/**
 * One that is said to be on its way is left this long to come before another is started: that one would only take the
 * processor from it.
 */
const EXPECTED_MS = 2000;
/** And is looked for this often, since a person looks at a screen that stands still. */
const EXPECTED_EVERY_MS = 20;

/** A connection to the server; where none runs it is started if `start`. Rejects where there is none to be had. */
export type Connect = (start: boolean) => Promise<ServerPeer>;

/** Servers lost in a minute, beyond which the next one would be lost as well: one that crashes as soon as it draws. */
const MAX_LOSSES = 60;
const LOSSES_MS = 60_000;
export class Reconnection {
  readonly #connect: Connect;
  /** When servers were lost, within the last minute. */
  #losses: number[] = [];
  #problem = '';

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  /** Why there is no next one, as far as is known. */
  get problem(): string {
    return this.#problem;
  }

  /** The next server, undefined where none comes. `isExpected`: somebody else is about to start it. */
  async next(isExpected: boolean): Promise<ServerPeer | undefined> {
    const now = Date.now();
    const startAt = isExpected ? now + EXPECTED_MS : now;
    this.#losses = [...this.#losses.filter(at => now - at < LOSSES_MS), now];
    this.#problem = 'it ends again and again';
    if (this.#losses.length > MAX_LOSSES) return undefined;
    for (const deadline = now + GIVE_UP_MS; Date.now() < deadline;) {
      const isDue = Date.now() >= startAt;
      try {
        return await this.#connect(isDue);
      } catch (error) {
        // It is on its way, or cannot be started; the second is told when the time is up.
        this.#problem = error instanceof Error ? error.message : String(error);
        await new Promise(resolve => setTimeout(resolve, isDue ? TRY_EVERY_MS : EXPECTED_EVERY_MS));
      }
    }
    return undefined;
  }
}
