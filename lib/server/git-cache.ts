/**
 * git's word on the directories that panes work in: the last known answer at once, a newer one when it arrives. Where
 * the repository is watched, git is asked when something was committed, staged or fetched; for edits, which no watch
 * tells, when a program has become quiet, and ever more seldom while somebody looks and nothing changes.
 */
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { NO_GIT, sameStatus, type GitStatus } from '../git/status.ts';
import type { StatusSource, StatusWatch } from '../git/status-watch.ts';

/** Between two looks at one directory: a person notices a branch change late rather than git runs all the time. */
const REFRESH_MS = 3000;
/** The same where nothing has changed for long, and changes of the repository are told anyway. */
const QUIET_REFRESH_MS = 120_000;
/** Nobody looks who has not for so long: what is shown is drawn once a minute. Git then waits for the next look. */
const LOOK_MS = 90_000;
/** Who asks from a shell waits this long: git needs longer only in the largest repositories. */
const ANSWER_MS = 2000;
/** Directories remembered; panes seldom work in more. */
const MAX_DIRECTORIES = 200;
/** A question takes at most a twentieth of the time: in a repository in which it takes 2 s, one in 40 s is asked. */
const COST_FACTOR = 20;

interface Entry {
  status: GitStatus;
  hasAnswer: boolean;
  askedAt: number;
  lookedAt: number;
  /** Until it is asked again because somebody looks. */
  pauseMs: number;
  /** Settles with the answer that is on its way. */
  running: Promise<void> | undefined;
  /** What is on its way may be too old already. */
  isStale: boolean;
  watch: StatusWatch | undefined;
  /** The question put off because the last was a moment ago. */
  later: Disposable | undefined;
}

export class GitCache implements Disposable {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #source: StatusSource;
  readonly #changed: () => void;

  /** @param changed called when an answer differs from the one before */
  constructor(clock: Clock, source: StatusSource, changed: () => void) {
    this.#clock = clock;
    this.#source = source;
    this.#changed = changed;
  }

  /** The last answer for `cwd`; asks again if that is old. */
  get(cwd: string): GitStatus {
    const entry = this.#entry(cwd);
    entry.lookedAt = this.#clock.now();
    if (!entry.running && this.#clock.now() - entry.askedAt >= entry.pauseMs) void this.#refresh(cwd, entry);
    return entry.status;
  }

  /** Where the repository of `cwd` is, as far as that is known by now; '' outside of one. */
  repository(cwd: string): string {
    return this.#source.repository(cwd);
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

  /** Something may have been edited in `cwd`: asked soon if somebody looks, else when they do. */
  touch(cwd: string): void {
    const entry = this.#entries.get(cwd);
    if (!entry) return;
    entry.pauseMs = Math.min(entry.pauseMs, REFRESH_MS);
    const wait = entry.askedAt + REFRESH_MS - this.#clock.now();
    if (wait <= 0) return this.#stale(cwd, entry);
    entry.later ??= this.#clock.after(wait, () => {
      entry.later = undefined;
      this.#stale(cwd, entry);
    });
  }

  dispose(): void {
    for (const cwd of Array.from(this.#entries.keys())) this.#forget(cwd);
  }

  #entry(cwd: string): Entry {
    const known = this.#entries.get(cwd);
    if (known) return known;
    if (this.#entries.size >= MAX_DIRECTORIES) this.#forget(this.#entries.keys().next().value!);
    const entry: Entry = {
      status: NO_GIT,
      hasAnswer: false,
      askedAt: -Infinity,
      lookedAt: -Infinity,
      pauseMs: REFRESH_MS,
      running: undefined,
      isStale: false,
      watch: undefined,
      later: undefined,
    };
    this.#entries.set(cwd, entry);
    this.#watch(cwd, entry);
    return entry;
  }

  #watch(cwd: string, entry: Entry): void {
    entry.watch?.dispose();
    entry.watch = this.#source.watch(cwd, () => this.#stale(cwd, entry));
  }

  #forget(cwd: string): void {
    const entry = this.#entries.get(cwd);
    entry?.watch?.dispose();
    entry?.later?.dispose();
    this.#entries.delete(cwd);
  }

  #stale(cwd: string, entry: Entry): void {
    if (this.#entries.get(cwd) !== entry) return;
    if (entry.running) entry.isStale = true;
    else if (this.#clock.now() - entry.lookedAt <= LOOK_MS) void this.#refresh(cwd, entry);
    else entry.pauseMs = 0;
  }

  #refresh(cwd: string, entry: Entry): Promise<void> {
    entry.running = this.#take(cwd, entry);
    return entry.running;
  }

  async #take(cwd: string, entry: Entry): Promise<void> {
    entry.askedAt = this.#clock.now();
    entry.isStale = false;
    // A repository that takes too long is asked again later; its last state stays shown.
    const status = (await this.#source.ask(cwd)) ?? entry.status;
    entry.running = undefined;
    const isSame = sameStatus(entry.status, status);
    // A repository where there was none is watched from now on.
    const isNew = entry.hasAnswer && !entry.status.branch && status.branch !== '' && !entry.watch?.isLive;
    if (isNew && this.#entries.get(cwd) === entry) this.#watch(cwd, entry);
    entry.hasAnswer = true;
    entry.status = status;
    entry.pauseMs = this.#pause(entry, isSame);
    if (entry.isStale) this.#stale(cwd, entry);
    if (!isSame) this.#changed();
  }

  /** Where changes are told, each answer that says nothing new doubles the pause. */
  #pause(entry: Entry, isSame: boolean): number {
    const cost = COST_FACTOR * (this.#clock.now() - entry.askedAt);
    const doubled = isSame && entry.watch?.isLive ? entry.pauseMs * 2 : 0;
    return Math.min(QUIET_REFRESH_MS, Math.max(REFRESH_MS, doubled, cost));
  }
}
