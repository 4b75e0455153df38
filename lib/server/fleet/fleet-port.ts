/**
 * What the server does for commands on fleets.
 */
import type { FleetPort } from '../../cmd/fleet-port.ts';
import { fleetFile, fleetFrom, fleetsFolder, savedFleets, saveFleet } from './fleet-files.ts';

/** What it is made of. */
export interface FleetParts {
  readonly configFile: string;
  readonly agents: () => readonly string[];
  readonly shell: () => string;
  /** What a role comes to in the graph of a directory. Throws CodedError. */
  readonly role: (cwd: string, role: string) => Promise<unknown>;
}

/** The port of one server. */
export function fleetPort({ configFile, agents, shell, role }: FleetParts): FleetPort {
  const folder = fleetsFolder(configFile);
  return {
    read: (target, cwd) => fleetFrom(target, cwd, { folder, agents: agents() }),
    isFile: (target, cwd) => fleetFile(target, cwd, folder) !== undefined,
    saved: () => savedFleets(folder),
    save: (fleet, { force }) => saveFleet(fleet, folder, force),
    shell,
    checkRole: async (cwd, name) => void (await role(cwd, name)),
  };
}
