/**
 * Keeps what is known of remotes fresh: fetches the repositories in use from time to time, and fast-forwards their
 * main branches where the person wants that.
 */
import type { Clock } from '../base/clock.ts';
import { errorText, toCoded } from '../base/errors.ts';
import type { Disposable } from '../base/event.ts';
import { fetchRemote } from './fetch.ts';
import { fastForward } from './pull.ts';
import { repositoryAt, type Repository } from './repository.ts';
import type { Git } from './run.ts';

/** Nobody waits for it, so a remote that is slow now is asked next time. */
const FETCH_MS = 30_000;
/** More often than once a minute would be noticed by the remote's owner. */
const MIN_INTERVAL_MS = 60_000;
/** A repository that cannot be fetched is tried after 2, 4, … rounds, at least after so many. */
const MAX_SKIPPED = 16;

export interface BackgroundPorts {
  readonly git: Git;
  readonly clock: Clock;
  /** Folders that sessions work in. */
  readonly folders: () => readonly string[];
  /** Between two rounds; 0: never. Read before each round. */
  readonly intervalMs: () => number;
  /** Whether main branches are fast-forwarded (`git.pull`). */
  readonly pulls: () => boolean;
  /** Whether a session works in this working tree itself. */
  readonly isInUse: (worktree: string) => boolean;
  /** What a person may want to know, once for each change. */
  readonly tell: (text: string) => void;
}

interface Trouble {
  /** Rounds to wait after this failure, and of those the rest. */
  readonly rounds: number;
  left: number;
}

/** Rounds one after the other, a repository at a time: it must not be felt. */
export class BackgroundFetch implements Disposable {
  readonly #ports: BackgroundPorts;
  /** By common folder. */
  readonly #troubles = new Map<string, Trouble>();
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(ports: BackgroundPorts) {
    this.#ports = ports;
    this.#schedule();
  }

  /** Fetches, and pulls, all repositories in use now. Never rejects. */
  async round(): Promise<void> {
    const repos = await this.#repositories();
    for (const known of this.#troubles.keys()) if (!repos.has(known)) this.#troubles.delete(known);
    for (const [key, repo] of repos) {
      if (this.#isDisposed) return;
      if (!this.#isSkipped(key)) await this.#one(key, repo);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  #schedule(): void {
    if (this.#isDisposed) return;
    const wanted = this.#ports.intervalMs();
    const isOff = wanted <= 0;
    this.#timer = this.#ports.clock.after(Math.max(wanted, MIN_INTERVAL_MS), () => {
      void (isOff ? Promise.resolve() : this.round()).finally(() => this.#schedule());
    });
  }

  /** Each repository once, however many sessions work in it. */
  async #repositories(): Promise<ReadonlyMap<string, Repository>> {
    const found = new Map<string, Repository>();
    for (const folder of new Set(this.#ports.folders())) {
      const repo = await repositoryAt(this.#ports.git, folder).catch(() => undefined);
      if (repo) found.set(repo.commonDir, repo);
    }
    return found;
  }

  #isSkipped(key: string): boolean {
    const trouble = this.#troubles.get(key);
    if (!trouble || trouble.left === 0) return false;
    trouble.left--;
    return true;
  }

  async #one(key: string, repo: Repository): Promise<void> {
    const { git, pulls, isInUse, tell } = this.#ports;
    try {
      const remote = await fetchRemote(git, repo, { timeoutMs: FETCH_MS });
      if (remote && pulls() && (await fastForward(git, repo.main, isInUse)) === '')
        tell(`${repo.main} was updated from ${remote}`);
      this.#troubles.delete(key);
    } catch (error) {
      const before = this.#troubles.get(key);
      const rounds = Math.min(MAX_SKIPPED, before ? before.rounds * 2 : 1);
      this.#troubles.set(key, { rounds, left: rounds });
      if (!before) tell(`${repo.main}: ${errorText(toCoded(error))}`);
    }
  }
}
