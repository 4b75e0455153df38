/**
 * Files of fleets: those that people name, and those in the folder beside config.yaml.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import type { SavedFleet } from '../../cmd/fleet-port.ts';
import { problemError, readFleet, type ReadFleet } from '../../fleet/read.ts';
import type { Fleet } from '../../fleet/types.ts';
import { writeFleet } from '../../fleet/write.ts';
import { readBytes } from '../files.ts';

/** As much as is read of any settings file. */
const FILE_MAX = 131_072;
const ENDINGS = ['.yaml', '.yml'];
/** What may name a file in the folder. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._+-]{0,50}$/u;

/** The folder of fleets. */
export function fleetsFolder(configFile: string): string {
  return join(dirname(configFile), 'fleets');
}

/** Path of the file that `target` names: a file, or a fleet of the folder; undefined where there is none. */
export function fleetFile(target: string, cwd: string, folder: string): string | undefined {
  const path = resolve(cwd || '/', target);
  if (isFile(path)) return path;
  if (!NAME.test(target)) return undefined;
  return ENDINGS.map(ending => join(folder, target + ending)).find(isFile);
}

/** What the file says. @throws CodedError `not_found`, `failed`, `refused` where it cannot be read */
export async function loadFleet(
  target: string,
  cwd: string,
  { folder, agents }: { readonly folder: string; readonly agents: readonly string[] },
): Promise<ReadFleet> {
  const path = fleetFile(target, cwd, folder);
  if (path === undefined)
    throw new CodedError('not_found', `${target}: there is no such file`, `nor is there one in ${folder}`);
  const text = new TextDecoder().decode(await readBytes(path, cwd, FILE_MAX));
  return readFleet({
    file: path.startsWith(folder) || isAbsolute(target) ? path : target,
    text,
    name: basename(path, extname(path)),
    resolve: (one, from) => resolve(from || dirname(path), one.replace(/^~(?=\/|$)/, homedir())),
    agents,
  });
}

/** The fleet, or the first of its mistakes. @throws CodedError */
export async function fleetFrom(...args: Parameters<typeof loadFleet>): Promise<Fleet> {
  const { fleet, problems } = await loadFleet(...args);
  if (!fleet) throw problemError(problems);
  return fleet;
}

/** What is in the folder. */
export function savedFleets(folder: string): SavedFleet[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(name => ENDINGS.includes(extname(name)))
    .map(name => ({ name: basename(name, extname(name)), file: join(folder, name) }));
}

/** Writes it; its path. @throws CodedError */
export async function saveFleet(fleet: Fleet, folder: string, force: boolean): Promise<string> {
  if (!NAME.test(fleet.name))
    throw new CodedError(
      'usage',
      `fleet '${fleet.name}': it is no name for a file`,
      'use letters, digits and dashes',
    );
  const path = join(folder, `${fleet.name}.yaml`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // It may hold environments.
    await writeFile(path, writeFleet(fleet), { flag: force ? 'w' : 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CodedError('failed', `${path}: it exists`, '--force writes in its place');
  }
  return path;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
