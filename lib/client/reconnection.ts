/**
 * The way back after a server has gone: when to try and when to give up.
 */
import type { ServerPeer } from './connect.ts';

/** A server that is exchanged or crashed is back within a second or two; after this long it does not come. */
const GIVE_UP_MS = 10_000;
const TRY_EVERY_MS = 100;
/** Servers lost in a minute, beyond which the next one would be lost as well: one that crashes as soon as it draws. */
const MAX_LOSSES = 60;
const LOSSES_MS = 60_000;
export class Reconnection {
  readonly #connect: () => Promise<ServerPeer>;
  /** When servers were lost, within the last minute. */
  #losses: number[] = [];
  #problem = '';

  constructor(connect: () => Promise<ServerPeer>) {
    this.#connect = connect;
  }

  /** Why there is no next one, as far as is known. */
  get problem(): string {
    return this.#problem;
  }

  /** The next server, undefined where none comes. */
  async next(): Promise<ServerPeer | undefined> {
    const now = Date.now();
    this.#losses = [...this.#losses.filter(at => now - at < LOSSES_MS), now];
    this.#problem = 'it ends again and again';
    if (this.#losses.length > MAX_LOSSES) return undefined;
    for (const deadline = now + GIVE_UP_MS; Date.now() < deadline;) {
      try {
        return await this.#connect();
      } catch (error) {
        // It is on its way, or cannot be started; the second is told when the time is up.
        this.#problem = error instanceof Error ? error.message : String(error);
        await new Promise(resolve => setTimeout(resolve, TRY_EVERY_MS));
      }
    }
    return undefined;
  }
}
