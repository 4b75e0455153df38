/**
 * What the server does for commands on fleets: their files, and what their members are told.
 */
import type { Fleet } from '../fleet/types.ts';
import type { SessionRecord } from '../model/types.ts';

/** A fleet's file in the folder for them. */
export interface SavedFleet {
  readonly name: string;
  readonly file: string;
}

/** What one member is told. */
export interface FleetWord {
  readonly to: SessionRecord;
  /** The member that says it; undefined for whoever starts the fleet. */
  readonly from: SessionRecord | undefined;
  readonly text: string;
}

export interface FleetPort {
  /**
   * The fleet of a file, relative to `cwd`, or of a name in the folder of fleets.
   * @throws CodedError `not_found`, and `invalid_config` with file, line and column
   */
  read(target: string, cwd: string): Promise<Fleet>;
  /** Whether `target` names a file, and not a fleet that runs. */
  isFile(target: string, cwd: string): boolean;
  saved(): readonly SavedFleet[];
  /** Writes a fleet into the folder; its path. @throws CodedError where there is one of that name, but with `force` */
  save(fleet: Fleet, how: { readonly force: boolean }): Promise<string>;
  /** The shell of panes that run nothing else. */
  shell(): string;
  /** Tells a member something; resolves once it will hear of it. @throws CodedError */
  tell(word: FleetWord, gone: AbortSignal): Promise<void>;
}
