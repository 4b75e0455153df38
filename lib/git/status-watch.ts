/**
 * The state of working trees without asking again and again: their references and index are watched, and git is asked
 * when one has changed. What is edited without being staged no watch of ours sees: who shows states asks for that.
 */
import { existsSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/event.ts';
import { rememberedBase } from './marker.ts';
import { placesOf, type RepositoryPlaces } from './repository.ts';
import type { Git } from './run.ts';
import { Shared } from './slots.ts';
import { gitStatus, type GitStatus } from './status.ts';
import { watchPlan, type WatchedFolder } from './watch-plan.ts';
import { WatchPool } from './watch-pool.ts';

/** From a change to the question: a commit touches index and references within a few milliseconds of each other. */
const SETTLE_MS = 50;

/** A watched folder; `isLive` once every change of what is committed, staged or fetched would be told. */
export interface StatusWatch extends Disposable {
  readonly isLive: boolean;
}

/** Answers and watches for whoever shows states. */
export interface StatusSource {
  /** Undefined where git could not tell in time. Never rejects. */
  ask(cwd: string): Promise<GitStatus | undefined>;
  /** Calls `stale` when the answer may be another now. */
  watch(cwd: string, stale: () => void): StatusWatch;
  /** The folder that the repository of a watched folder is in, whichever working tree that is; '' while unknown. */
  repository(cwd: string): string;
}

/** The real thing, over git and the file system. */
export class WatchedStatus implements StatusSource, Disposable {
  readonly #git: Git;
  readonly #pool = new WatchPool();
  readonly #asked = new Shared<GitStatus | undefined>();
  readonly #trees = new Map<string, RepositoryPlaces>();

  constructor(git: Git) {
    this.#git = git;
  }

  /** Folders of one working tree share one question. Never rejects. */
  async ask(cwd: string): Promise<GitStatus | undefined> {
    const places = this.#trees.get(cwd);
    if (!places) return gitStatus(this.#git, cwd);
    return this.#asked.run(places.gitDir, async () =>
      gitStatus(this.#git, cwd, await rememberedBase(places.gitDir)),
    );
  }

  watch(cwd: string, stale: () => void): StatusWatch {
    const tree = new TreeWatch(this.#git, this.#pool, cwd, {
      stale,
      found: places => void this.#trees.set(cwd, places),
      lost: () => void this.#trees.delete(cwd),
    });
    tree.begin();
    return tree;
  }

  repository(cwd: string): string {
    return (this.#trees.get(cwd)?.commonDir ?? '').replace(/\/\.git$/, '');
  }

  /** Folders of git that are watched now. */
  get watched(): number {
    return this.#pool.size;
  }

  dispose(): void {
    this.#pool.dispose();
    this.#trees.clear();
  }
}

interface TreePorts {
  readonly stale: () => void;
  readonly found: (places: RepositoryPlaces) => void;
  readonly lost: () => void;
}

/** The watches of one working tree, planned anew when its branch, upstream or folders change. */
class TreeWatch implements StatusWatch {
  readonly #git: Git;
  readonly #pool: WatchPool;
  readonly #cwd: string;
  readonly #ports: TreePorts;
  #folders: readonly WatchedFolder[] = [];
  #watches: Disposable[] = [];
  #isLive = false;
  #isDisposed = false;
  #isPlanning = false;
  /** Something changed while it was being planned. */
  #isOutdated = false;
  #settling: Disposable | undefined;
  #needsPlan = false;

  constructor(git: Git, pool: WatchPool, cwd: string, ports: TreePorts) {
    this.#git = git;
    this.#pool = pool;
    this.#cwd = cwd;
    this.#ports = ports;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  get #clock(): Clock {
    return this.#git.clock;
  }

  begin(): void {
    void this.#plan();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#settling?.dispose();
    this.#ports.lost();
    this.#unwatch();
  }

  #unwatch(): void {
    this.#isLive = false;
    for (const watch of this.#watches) watch.dispose();
    this.#watches = [];
  }

  /** Watches first and tells then, so that no change falls in between. Never rejects. */
  async #plan(): Promise<void> {
    if (this.#isPlanning) {
      this.#isOutdated = true;
      return;
    }
    this.#isPlanning = true;
    do {
      this.#isOutdated = false;
      await this.#watchNow().catch(() => this.#lose());
    } while (this.#isOutdated && !this.#isDisposed);
    this.#isPlanning = false;
    if (!this.#isDisposed) this.#ports.stale();
  }

  async #watchNow(): Promise<void> {
    const places = await placesOf(this.#git, this.#cwd);
    const refs = await watchedRefs(this.#git, this.#cwd, places);
    if (this.#isDisposed) return;
    this.#ports.found(places);
    const former = this.#watches;
    const plan = watchPlan({ ...places, refs, exists: existsSync });
    const made = plan.map(({ dir, names, planning }) =>
      this.#pool.add(dir, name => {
        if (name === '' || names.has(name)) this.#changed(name === '' || planning.has(name));
      }),
    );
    this.#folders = plan;
    this.#watches = made.filter(watch => watch !== undefined);
    // After the new ones, so that folders in both are watched all the time.
    for (const watch of former) watch.dispose();
    this.#isLive = this.#watches.length === plan.length;
  }

  /** No repository any more, or one that git cannot read: whoever shows it has to ask by itself. */
  #lose(): void {
    this.#ports.lost();
    this.#unwatch();
  }

  #changed(needsPlan: boolean): void {
    this.#needsPlan ||= needsPlan;
    // Not put off by what comes meanwhile: a long rebase is seen going on.
    this.#settling ??= this.#clock.after(SETTLE_MS, () => {
      this.#settling = undefined;
      // Git removes folders of references that have become empty, and their watches end with them.
      const plans = this.#needsPlan || this.#folders.some(({ dir }) => !existsSync(dir));
      this.#needsPlan = false;
      if (plans) void this.#plan();
      else this.#ports.stale();
    });
  }
}

/** Full names of the branch and of what it is compared with; fewer where there is nothing of the kind. */
async function watchedRefs(git: Git, cwd: string, places: RepositoryPlaces): Promise<readonly string[]> {
  const head = await git.ask(['symbolic-ref', '--quiet', 'HEAD'], { cwd });
  const branch = head.stdout.toString('utf8').trim();
  if (head.code !== 0 || branch === '') return [];
  const upstream = await git.run(['for-each-ref', '--format=%(upstream)', branch], { cwd });
  // A pattern also means what lies below it: the first line is the branch's own.
  const named = upstream.split('\n')[0] || (await baseRef(git, cwd, places));
  return named ? [branch, named] : [branch];
}

async function baseRef(git: Git, cwd: string, { gitDir }: RepositoryPlaces): Promise<string> {
  const base = await rememberedBase(gitDir);
  if (!base) return '';
  const args = ['rev-parse', '--symbolic-full-name', '--verify', '--quiet', '--end-of-options', base];
  const answer = await git.ask(args, { cwd });
  const name = answer.stdout.toString('utf8').trim().split('\n').at(-1) ?? '';
  return name.startsWith('refs/') ? name : '';
}
