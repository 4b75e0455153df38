/**
 * The state of an earlier server of this name, and where this one keeps its own.
 */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { MuxPaths } from '../config/paths.ts';
import type { Model } from '../model/model.ts';
import {
  NO_STATE,
  restoreModel,
  withSessions,
  type Adopt,
  type SavedSession,
  type SavedState,
} from '../model/saved.ts';
import { Identities } from '../store/identities.ts';
import { StateFile } from '../store/state-file.ts';
import { Persistence } from './persistence.ts';

/** What a server begins with. */
export interface SavedServer {
  /** What people must be told of it, a line each. */
  readonly reports: readonly string[];
  /** Fills an empty model; returns what had to be put right, a line each. */
  restore(model: Model): readonly string[];
  /** Keeps a model from now on. */
  keep(model: Model, clock: Clock, tell: (text: string, tone: 'info' | 'error') => void): Persistence;
}

export interface SavedServerOptions {
  readonly paths: Pick<MuxPaths, 'state' | 'data'>;
  readonly version: string;
  readonly now: () => number;
  /** Gives the terminals of programs that still run. */
  readonly adopt?: Adopt;
  /** Sessions whose programs run somewhere: one that was started right before a crash may stand nowhere else. */
  readonly known?: () => readonly SavedSession[];
}

/**
 * Reads the state in `paths`; nobody else may use it from now on.
 * @throws CodedError where it is of a newer form, or cannot be read, backed up or kept aside: it is untouched then
 */
export function openState({ paths, version, now, adopt, known }: SavedServerOptions): SavedServer {
  const identities = new Identities(join(paths.data, 'logs'));
  const file = new StateFile({ folder: paths.state, version, now, rebuild: () => identities.read() });
  const { state: kept, reports } = file.load();
  const running = known?.() ?? [];
  const state = kept || running.length > 0 ? withSessions(kept ?? NO_STATE, running).state : undefined;
  return {
    reports,
    restore: model => (state ? restore(model, state, identities, adopt) : []),
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

function restore(
  model: Model,
  state: SavedState,
  identities: Identities,
  adopt: Adopt | undefined,
): readonly string[] {
  identities.adopt(state.sessions);
  return restoreModel(model, state, adopt);
}
