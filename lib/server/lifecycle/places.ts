/**
 * Where sessions work: worktrees made and removed through lib/git, with mux's settings.
 */
import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import type { CreateRequest } from '../../cmd/lifecycle-port.ts';
import type { Config } from '../../config/load.ts';
import { findBase } from '../../git/base.ts';
import { createPlace, type MadePlace, type PlaceNames } from '../../git/create.ts';
import { forkPlace } from '../../git/fork.ts';
import { resolved } from '../../git/ownership.ts';
import { isWithin } from '../../git/places.ts';
import { placeAtRisk, removePlace, type AtRisk } from '../../git/remove.ts';
import { repositoryAt } from '../../git/repository.ts';
import { riskText } from '../../git/risk.ts';
import type { Git } from '../../git/run.ts';
import type { Checkout, Place, SessionRecord } from '../../model/types.ts';

export interface PlacesPorts {
  readonly git: Git;
  readonly config: () => Config['git'];
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A place, with where in it the program starts and what it is told. */
export interface ReadyPlace {
  readonly place: Place;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

type Worktrees = Extract<Place, { kind: 'worktree' }>;

export class Places {
  readonly #ports: PlacesPorts;

  constructor(ports: PlacesPorts) {
    this.#ports = ports;
  }

  /** Makes what `request` asks for. @throws CodedError; nothing is left behind then */
  async make(session: SessionRecord, request: CreateRequest, signal: AbortSignal): Promise<ReadyPlace> {
    const { cwd } = session.launch;
    if (request.place === 'plain') return plainAt(cwd);
    if (request.place === 'in-place') return this.#inPlace(cwd);
    const { git } = this.#ports;
    const { top } = await repositoryAt(git, cwd);
    const made = await createPlace(git, {
      ...this.#names(session, signal),
      dir: cwd,
      base: request.base,
      includes: request.includes.map(dir => resolve(cwd, dir)),
      fetch: request.fetch && this.#ports.config().fetch_on_create,
    });
    return ready(made, top, cwd);
  }

  /** Makes a place that goes on from another session's. Outside a repository it is the same folder. */
  async fork(
    session: SessionRecord,
    source: SessionRecord,
    withChanges: boolean,
    signal: AbortSignal,
  ): Promise<ReadyPlace> {
    const { cwd } = source.launch;
    const from = source.place.kind === 'plain' ? await this.#checkoutAt(cwd) : source.place.main;
    if (!from) return plainAt(cwd);
    const made = await forkPlace(this.#ports.git, {
      ...this.#names(session, signal),
      source: { main: from, includes: source.place.kind === 'worktree' ? source.place.includes : [] },
      withChanges,
    });
    return ready(made, from.worktree, cwd);
  }

  /** What would be lost with a place, in words; '' if nothing would be. */
  async risk(place: Place): Promise<string> {
    return place.kind === 'worktree' ? riskOf(await placeAtRisk(this.#ports.git, place)) : '';
  }

  /**
   * Removes a place. @throws CodedError `refused` where work would be lost and it is not by force; it is all there then
   */
  async remove(place: Place, { force }: { readonly force: boolean }): Promise<readonly string[]> {
    if (place.kind !== 'worktree') return [];
    const removal = await removePlace(this.#ports.git, place, { root: await this.#rootOf(place), force });
    if (removal.kind === 'removed') return removal.notes;
    throw new CodedError('refused', `worktree ${place.main.worktree}: ${riskOf(removal.because)}`);
  }

  async #inPlace(cwd: string): Promise<ReadyPlace> {
    const main = await this.#checkoutAt(cwd);
    return main ? { ...plainAt(cwd), place: { kind: 'in-place', main } } : plainAt(cwd);
  }

  /** The working tree around a folder; undefined where there is none. */
  async #checkoutAt(cwd: string): Promise<Checkout | undefined> {
    const { git } = this.#ports;
    try {
      const repo = await repositoryAt(git, cwd);
      if (repo.isBare) return undefined;
      const { head } = repo;
      const branch = head.kind === 'detached' ? '' : head.branch;
      const { name: base } = await findBase(git, repo);
      return { repo: repo.main, worktree: repo.top, branch, base };
    } catch (error) {
      if (error instanceof CodedError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  #names({ id, name }: SessionRecord, signal: AbortSignal): PlaceNames {
    const { branch_prefix: prefix } = this.#ports.config();
    return { root: this.#roots()[0]!, id, name, prefix, user: this.#user(), signal };
  }

  /** Folders of worktrees: of those made now, and of those made before the setting was changed. */
  #roots(): readonly string[] {
    const { dataDir, env, config } = this.#ports;
    const own = join(dataDir, 'worktrees');
    const wanted = config().worktree_root.replace(/^~(?=\/|$)/, env.HOME ?? '~');
    return wanted === '' ? [own] : [isAbsolute(wanted) ? wanted : resolve(env.HOME ?? '/', wanted), own];
  }

  /** The folder of worktrees that a place is in; the present one where it is in none, which lib/git then refuses. */
  async #rootOf({ main }: Worktrees): Promise<string> {
    const folder = await resolved(dirname(main.worktree));
    for (const root of this.#roots()) if (isWithin(await resolved(root), folder)) return root;
    return this.#roots()[0]!;
  }

  #user(): string {
    const { USER, LOGNAME } = this.#ports.env;
    return USER || LOGNAME || nameOfUser();
  }
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's table, as in containers.
    return 'user';
  }
}

function plainAt(cwd: string): ReadyPlace {
  return { place: { kind: 'plain' }, cwd, env: {}, warnings: [] };
}

/** The program starts in the same folder of its worktree as it would have of the source's, where that is there. */
async function ready(
  { main, includes, env, warnings }: MadePlace,
  top: string,
  cwd: string,
): Promise<ReadyPlace> {
  const below = relative(await resolved(top), await resolved(cwd));
  const wanted = join(main.worktree, below);
  const isThere = isWithin(main.worktree, wanted) && (await isFolder(wanted));
  return {
    place: { kind: 'worktree', main, includes },
    cwd: isThere ? wanted : main.worktree,
    env,
    warnings,
  };
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    entry => entry.isDirectory(),
    () => false,
  );
}

function riskOf(all: readonly AtRisk[]): string {
  if (all.length === 1) return riskText(all[0]!.work);
  return all
    .map(({ checkout, work }) => `${checkout.branch} of ${checkout.repo}: ${riskText(work)}`)
    .join('; ');
}
