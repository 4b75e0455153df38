/**
 * What the server does for commands on fleets: their files, and what they name.
 */
import type { Fleet } from '../fleet/types.ts';

/** A fleet's file in the folder for them. */
export interface SavedFleet {
  readonly name: string;
  readonly file: string;
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
  /** Resolves if the graph of a directory has the role. @throws CodedError with what may have been meant */
  checkRole(cwd: string, role: string): Promise<void>;
}
