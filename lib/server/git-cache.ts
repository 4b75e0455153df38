/**
 * git's word on the directories that panes work in: the last known answer at once, a newer one when it arrives.
 */
import type { Clock } from '../base/clock.ts';
import { NO_GIT, type GitStatus } from '../git/status.ts';

/** Between two looks at one directory: a person notices a branch change late rather than git runs all the time. */
const REFRESH_MS = 3000;
/** Directories remembered; panes seldom work in more. */
const MAX_DIRECTORIES = 200;

interface Entry {
  status: GitStatus;
  askedAt: number;
  running: boolean;
}

export class GitCache {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #ask: (cwd: string) => Promise<GitStatus>;
  readonly #changed: () => void;

  /** @param changed called when an answer differs from the one before */
  constructor(clock: Clock, ask: (cwd: string) => Promise<GitStatus>, changed: () => void) {
    this.#clock = clock;
    this.#ask = ask;
    this.#changed = changed;
  }

  /** The last answer for `cwd`; asks again if that is older than REFRESH_MS. */
  get(cwd: string): GitStatus {
    let entry = this.#entries.get(cwd);
    if (!entry) {
      if (this.#entries.size >= MAX_DIRECTORIES) this.#entries.delete(this.#entries.keys().next().value!);
      entry = { status: NO_GIT, askedAt: -Infinity, running: false };
      this.#entries.set(cwd, entry);
    }
    if (!entry.running && this.#clock.now() - entry.askedAt >= REFRESH_MS) void this.#refresh(cwd, entry);
    return entry.status;
  }

  async #refresh(cwd: string, entry: Entry): Promise<void> {
    entry.running = true;
    entry.askedAt = this.#clock.now();
    const status = await this.#ask(cwd);
    entry.running = false;
    const before = entry.status;
    entry.status = status;
    const isSame =
      before.branch === status.branch &&
      before.dirty === status.dirty &&
      before.ahead === status.ahead &&
      before.behind === status.behind;
    if (!isSame) this.#changed();
  }
}
