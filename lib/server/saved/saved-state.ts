/**
 * The state of an earlier server of this name, and where this one keeps its own.
 */
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { MuxPaths } from '../../config/paths.ts';
import type { Model } from '../../model/model.ts';
import { restoreModel, type Adopt, type SavedSession, type SavedState } from '../../model/saved.ts';
import { Identities } from '../../store/identities.ts';
import { StateFile } from '../../store/state-file.ts';
import { foundWorktrees } from './found-worktrees.ts';
import { Persistence } from './persistence.ts';

/** What a server begins with. */
export interface SavedServer {
  /** What people must be told of it, a line each. */
  readonly reports: readonly string[];
  /** Fills an empty model; returns what had to be put right, a line each. */
  restore(model: Model, adopt: Adopt): readonly string[];
  /** Who a session is that the state does not know. */
  identity(id: string): SavedSession | undefined;
  /** Keeps a model from now on. */
  keep(model: Model, clock: Clock, tell: (text: string, tone: 'info' | 'error') => void): Persistence;
}

export interface SavedServerOptions {
  readonly paths: Pick<MuxPaths, 'state' | 'data'>;
  readonly version: string;
  readonly now: () => number;
  /** What sessions run that were found by their worktrees alone. */
  readonly shell: string;
}

/**
 * Reads the state in `paths`; nobody else may use it from now on.
 * @throws CodedError where it is of a newer form, or cannot be read, backed up or kept aside: it is untouched then
 */
export function openState({ paths, version, now, shell }: SavedServerOptions): SavedServer {
  const identities = new Identities(join(paths.data, 'logs'));
  let found: readonly SavedSession[] = [];
  const rebuild = (): readonly SavedSession[] => {
    found = foundWorktrees({ root: join(paths.data, 'worktrees'), shell });
    return [...identities.read(), ...found];
  };
  const file = new StateFile({ folder: paths.state, version, now, rebuild });
  const { state, reports } = file.load();
  return {
    reports: [...reports, ...foundReports(found.filter(session => state?.sessions.includes(session)))],
    restore: (model, adopt) => (state ? restore(model, state, identities, adopt) : []),
    identity: id => identities.read().find(session => session.id === id),
    keep(model, clock, tell) {
      const persistence = new Persistence({
        clock,
        model,
        tell,
        save: kept => file.save(kept),
        saveNow: kept => file.saveNow(kept),
        keepIdentities: sessions => identities.keep(sessions),
      });
      // What was put right, or lost with a machine, is so on the disk too.
      if (state) persistence.changed();
      return persistence;
    },
  };
}

/** What people are told of sessions that came back without what they ran. */
function foundReports(found: readonly SavedSession[]): readonly string[] {
  return found.map(
    ({ name, launch }) =>
      `session ${name}: found by its worktree ${launch.cwd}; what it ran is not known, resume starts a shell there`,
  );
}

function restore(model: Model, state: SavedState, identities: Identities, adopt: Adopt): readonly string[] {
  identities.adopt(state.sessions);
  return restoreModel(model, state, adopt);
}
