/**
 * What the server does for commands on fleets.
 */
import type { FleetPort } from '../../cmd/fleet-port.ts';
import type { DrivePort } from '../../cmd/drive-port.ts';
import { fleetFile, fleetFrom, fleetsFolder, savedFleets, saveFleet } from './fleet-files.ts';

/** What it is made of. */
export interface FleetParts {
  readonly configFile: string;
  readonly agents: () => readonly string[];
  readonly shell: () => string;
  readonly drive: Pick<DrivePort, 'type'>;
}

/** The port of one server. */
export function fleetPort({ configFile, agents, shell, drive }: FleetParts): FleetPort {
  const folder = fleetsFolder(configFile);
  return {
    read: (target, cwd) => fleetFrom(target, cwd, { folder, agents: agents() }),
    isFile: (target, cwd) => fleetFile(target, cwd, folder) !== undefined,
    saved: () => savedFleets(folder),
    save: (fleet, { force }) => saveFleet(fleet, folder, force),
    shell,
    // Typed, as a person would say it: what is said first is what a member is to begin with.
    tell: ({ to, from, text }, gone) =>
      drive.type(to, from ? `${from.name}: ${text}` : text, { enter: true, gone }),
  };
}
