/**
 * The way back after a server has gone: when to try, when to give up, and what was typed meanwhile.
 */
import type { ServerPeer } from './connect.ts';

/** A server that is exchanged or crashed is back within a second or two; after this long it does not come. */
const GIVE_UP_MS = 10_000;
const TRY_EVERY_MS = 100;
/** A server that goes so soon after it came, so often, will go again. */
const SHORT_LIFE_MS = 5000;
const MAX_SHORT_LIVES = 3;
/** Bytes typed without a server at most: more than anyone types in that time; a paste may lose its end. */
const MAX_KEPT = 1024 * 1024;

export class Reconnection {
  readonly #connect: () => Promise<ServerPeer>;
  #since = Date.now();
  #shortLives = 0;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(connect: () => Promise<ServerPeer>) {
    this.#connect = connect;
  }

  /** Keeps input until there is a server again. */
  keep(bytes: Buffer): void {
    if (this.#keptBytes + bytes.length > MAX_KEPT) return;
    this.#keptBytes += bytes.length;
    this.#kept.push(Buffer.from(bytes));
  }

  /** What was kept, in order; it is forgotten here. */
  kept(): Buffer[] {
    this.#keptBytes = 0;
    return this.#kept.splice(0);
  }

  /** The next server, undefined where none comes. */
  async next(): Promise<ServerPeer | undefined> {
    const now = Date.now();
    this.#shortLives = now - this.#since < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    if (this.#shortLives > MAX_SHORT_LIVES) return undefined;
    for (const deadline = now + GIVE_UP_MS; Date.now() < deadline;) {
      try {
        const peer = await this.#connect();
        this.#since = Date.now();
        return peer;
      } catch {
        // It is on its way, or cannot be started; the second is told when the time is up.
        await new Promise(resolve => setTimeout(resolve, TRY_EVERY_MS));
      }
    }
    return undefined;
  }
}
