/**
 * git's word on the directories that panes work in: the last known answer at once, a newer one when it arrives.
 */
import type { Clock } from '../base/clock.ts';
import { NO_GIT, type GitStatus } from '../git/status.ts';

/** Between two looks at one directory: a person notices a branch change late rather than git runs all the time. */
const REFRESH_MS = 3000;
/** Who asks from a shell waits this long: git needs longer only in the largest repositories. */
const ANSWER_MS = 2000;
/** Directories remembered; panes seldom work in more. */
const MAX_DIRECTORIES = 200;

interface Entry {
  status: GitStatus;
  askedAt: number;
  /** Settles with the answer that is on its way. */
  running: Promise<void> | undefined;
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
    const entry = this.#entry(cwd);
    if (!entry.running && this.#clock.now() - entry.askedAt >= REFRESH_MS) void this.#refresh(cwd, entry);
    return entry.status;
  }

  /** An answer for `cwd` that was asked for now; the last one where git takes longer than ANSWER_MS. */
  async now(cwd: string): Promise<GitStatus> {
    const entry = this.#entry(cwd);
    const answered = (async () => {
      // What is on its way may have been asked before the change that the caller wants to see.
      await entry.running;
      await (entry.running ?? this.#refresh(cwd, entry));
    })();
    await new Promise<void>(done => {
      const late = this.#clock.after(ANSWER_MS, done);
      void answered.finally(() => {
        late.dispose();
        done();
      });
    });
    return entry.status;
  }

  #entry(cwd: string): Entry {
    const known = this.#entries.get(cwd);
    if (known) return known;
    if (this.#entries.size >= MAX_DIRECTORIES) this.#entries.delete(this.#entries.keys().next().value!);
    const entry: Entry = { status: NO_GIT, askedAt: -Infinity, running: undefined };
    this.#entries.set(cwd, entry);
    return entry;
  }

  #refresh(cwd: string, entry: Entry): Promise<void> {
    entry.running = this.#take(cwd, entry);
    return entry.running;
  }

  async #take(cwd: string, entry: Entry): Promise<void> {
    entry.askedAt = this.#clock.now();
    const status = await this.#ask(cwd);
    entry.running = undefined;
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
