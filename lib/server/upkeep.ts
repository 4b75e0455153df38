/**
 * What sessions and servers that are gone have left behind, found and removed.
 */
import { lstat, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Orphan, UpkeepPort } from '../cmd/upkeep-port.ts';
import type { MadeCheckout } from '../git/create.ts';
import { rememberedBase } from '../git/marker.ts';
import { placeAtRisk, removePlace } from '../git/remove.ts';
import { headOf, placesOf, repositoryAt } from '../git/repository.ts';
import { riskText } from '../git/risk.ts';
import type { Git } from '../git/run.ts';
import { removeRunEntry, runEntries } from './run-folder.ts';

/** What is younger may belong to something that is just being made, or that another process is about to tell of. */
const YOUNG_MS = 60 * 60_000;
/** Folders that are looked at in one go: as many as a state can hold sessions. */
const MAX_FOLDERS = 10_000;
/** Files of a folder whose sizes are added up. */
const MAX_FILES = 1000;

export interface UpkeepPorts {
  readonly clock: Clock;
  readonly git: Git;
  readonly dataDir: string;
  readonly stateDir: string;
  readonly runDir: string;
  /** Whether there is such a session, also a deleted one that can be restored. */
  readonly isSession: (id: string) => boolean;
}

/** The port over the folders of one server. */
export function upkeepPort(ports: UpkeepPorts): UpkeepPort {
  return new Upkeep(ports);
}

class Upkeep implements UpkeepPort {
  readonly #ports: UpkeepPorts;

  constructor(ports: UpkeepPorts) {
    this.#ports = ports;
  }

  async orphans(): Promise<readonly Orphan[]> {
    const { dataDir } = this.#ports;
    const all = await Promise.all([
      this.#folders('log', join(dataDir, 'logs')),
      this.#folders('hooks', join(dataDir, 'hooks')),
      this.#worktrees(),
      this.#sockets(),
      this.#temporaries(),
    ]);
    return all.flat().filter(({ ageMs }) => ageMs >= YOUNG_MS);
  }

  async remove(orphan: Orphan): Promise<void> {
    const { clock, isSession } = this.#ports;
    if (orphan.kind === 'worktree') return this.#removeWorktree(orphan.path);
    if (orphan.kind === 'socket' || orphan.kind === 'lock')
      return removeRunEntry({ path: orphan.path, kind: orphan.kind, isAlive: false, ageMs: 0 }, clock.now());
    if (isSession(nameOf(orphan.path)))
      throw new CodedError('failed', `${orphan.path}: there is such a session again`);
    await rm(orphan.path, { recursive: true, force: true });
  }

  /** Folders that are named by a session that is gone. */
  async #folders(kind: 'log' | 'hooks', root: string): Promise<Orphan[]> {
    const { isSession } = this.#ports;
    const names = (await namesIn(root)).filter(name => !isSession(name));
    return Promise.all(
      names.map(async name => {
        const path = join(root, name);
        const { bytes, changedAt } = await contents(path);
        return { kind, path, bytes, ageMs: this.#age(changedAt), keep: '' };
      }),
    );
  }

  /** Worktrees below our own folder; in one that a person chose other servers may have theirs. */
  async #worktrees(): Promise<Orphan[]> {
    const { isSession } = this.#ports;
    const root = join(this.#ports.dataDir, 'worktrees');
    const found: Orphan[] = [];
    for (const repository of await namesIn(root)) {
      for (const name of await namesIn(join(root, repository))) {
        const path = join(root, repository, name);
        if (isSession(name.replace(/\.removed$/, ''))) continue;
        const stats = await lstat(path).catch(() => undefined);
        if (!stats) continue;
        const ageMs = this.#age(stats.mtimeMs);
        const keep = ageMs < YOUNG_MS ? '' : await this.#workIn(path);
        found.push({ kind: 'worktree', path, bytes: undefined, ageMs, keep });
      }
    }
    return found;
  }

  /** Why a worktree must stay, '' where nothing would be lost with it. */
  async #workIn(path: string): Promise<string> {
    try {
      const main = await this.#checkout(path);
      const atRisk = await placeAtRisk(this.#ports.git, { main, includes: [] });
      return atRisk.map(({ work }) => riskText(work)).join(', ');
    } catch (error) {
      return `cannot tell what is in it: ${(error as Error).message}`;
    }
  }

  async #removeWorktree(path: string): Promise<void> {
    const { git, dataDir } = this.#ports;
    const main = await this.#checkout(path);
    const root = join(dataDir, 'worktrees');
    const removal = await removePlace(git, { main, includes: [] }, { root, force: false });
    if (removal.kind === 'removed') return;
    const why = removal.because.map(({ work }) => riskText(work)).join(', ');
    throw new CodedError('refused', `${path}: ${why}`);
  }

  /** What git itself tells of a worktree. Rejects with CodedError where it is none. */
  async #checkout(worktree: string): Promise<MadeCheckout> {
    const { git } = this.#ports;
    const [{ main }, places, head] = await Promise.all([
      repositoryAt(git, worktree),
      placesOf(git, worktree),
      headOf(git, worktree),
    ]);
    // In a folder of its own that is no worktree git would look further up, and find somebody else's.
    if (places.top !== join(await realpath(dirname(worktree)), nameOf(worktree)))
      throw new CodedError('failed', 'git knows of no worktree there');
    if (head.kind === 'detached') throw new CodedError('failed', 'no branch is checked out');
    return { repo: main, worktree, branch: head.branch, base: await rememberedBase(places.gitDir) };
  }

  async #sockets(): Promise<Orphan[]> {
    const entries = await runEntries(this.#ports.runDir, this.#ports.clock.now());
    return entries
      .filter(entry => !entry.isAlive)
      .map(({ kind, path, ageMs }) => ({ kind, path, bytes: 0, ageMs, keep: '' }));
  }

  /** What a write that was cut by a crash has left beside the state. */
  async #temporaries(): Promise<Orphan[]> {
    const { stateDir } = this.#ports;
    const names = (await namesIn(stateDir)).filter(name => /\.new(?:-last)?$/.test(name));
    const found = names.map(async name => {
      const path = join(stateDir, name);
      const stats = await lstat(path).catch(() => undefined);
      return stats?.isFile()
        ? [{ kind: 'temporary' as const, path, bytes: stats.size, ageMs: this.#age(stats.mtimeMs), keep: '' }]
        : [];
    });
    return (await Promise.all(found)).flat();
  }

  #age(changedAt: number): number {
    return Math.max(0, this.#ports.clock.now() - changedAt);
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function namesIn(folder: string): Promise<string[]> {
  // ENOENT: nothing was ever made there.
  return (await readdir(folder).catch(() => [])).sort().slice(0, MAX_FOLDERS);
}

/** Bytes of the files in a folder, and when one of them or the folder changed last. */
async function contents(folder: string): Promise<{ bytes: number; changedAt: number }> {
  const names = (await namesIn(folder)).slice(0, MAX_FILES);
  const paths = [folder, ...names.map(name => join(folder, name))];
  const stats = await Promise.all(paths.map(path => lstat(path).catch(() => undefined)));
  return {
    bytes: stats.slice(1).reduce((sum, one) => sum + (one?.isFile() ? one.size : 0), 0),
    changedAt: Math.max(0, ...stats.map(one => one?.mtimeMs ?? 0)),
  };
}
