/**
 * What is kept beside the state: its bytes before a migration, and files that could not be read.
 */
import { copyFileSync, constants, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shellWord } from '../base/shell-word.ts';
import { syncFolderSync, systemError, writeAtomicSync } from './atomic.ts';

/** The state's file in its folder. */
export const STATE_NAME = 'state.json';

/** The state as it was before a newer mux wrote it in its own form. */
export interface Backup {
  readonly path: string;
  /** Version of the form it is in. */
  readonly version: number;
}

/** Unreadable files that are kept: the first tell what went wrong, the rest would fill a disk. */
const MAX_ASIDE = 20;

/** The backups in a state folder, oldest form first; none where there is no folder. */
export function backups(stateDir: string): Backup[] {
  return namesIn(stateDir)
    .flatMap(name => {
      const version = /^state\.json\.v(\d{1,9})\.bak$/.exec(name)?.[1];
      return version === undefined ? [] : [{ path: join(stateDir, name), version: Number(version) }];
    })
    .sort((a, b) => a.version - b.version);
}

/** How a person goes back to a backup, in words and the command to copy. */
export function restoreText(backup: Backup): string {
  const state = join(dirname(backup.path), STATE_NAME);
  return `with a mux that reads version ${backup.version}, while no server runs: cp ${shellWord(backup.path)} ${shellWord(state)}`;
}

/** Files that were kept aside because they could not be read, oldest first. */
export function keptAside(stateDir: string): string[] {
  return namesIn(stateDir)
    .filter(name => name.startsWith(`${STATE_NAME}.corrupt-`))
    .sort()
    .map(name => join(stateDir, name));
}

/**
 * Keeps exactly `bytes`, the state in form `version`, and makes that durable.
 * @throws CodedError where that cannot be done; nothing is changed then
 */
export function makeBackup(statePath: string, bytes: Uint8Array, version: number): Backup {
  const path = `${statePath}.v${version}.bak`;
  try {
    writeAtomicSync(path, bytes);
  } catch (error) {
    throw systemError(
      `state ${statePath}: it is in an older form and its backup ${basename(path)} cannot be made`,
      error,
    );
  }
  return { path, version };
}

/** Removes backups other than `kept`: once the state is durable in its new form the newest is enough. */
export function removeOtherBackups(stateDir: string, kept: Backup): void {
  const others = backups(stateDir).filter(({ path }) => path !== kept.path);
  for (const { path } of others) rmSync(path, { force: true });
  if (others.length > 0) syncFolderSync(stateDir);
}

/**
 * Keeps a file that cannot be read, as `state.json.corrupt-TIME`, and gives its new path. `copy`: what of it could be
 * read is in use, so the file itself stays until it is written anew.
 * @throws CodedError where that cannot be done: the file would be lost by the next write
 */
export function keepAside(statePath: string, now: number, mode: 'move' | 'copy'): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const folder = dirname(statePath);
  const taken = new Set(keptAside(folder));
  let path = `${statePath}.corrupt-${time}`;
  for (let n = 2; taken.has(path); n++) path = `${statePath}.corrupt-${time}-${n}`;
  try {
    if (mode === 'move') renameSync(statePath, path);
    else copyFileSync(statePath, path, constants.COPYFILE_EXCL);
    syncFolderSync(folder);
  } catch (error) {
    throw systemError(`state ${statePath}: it is damaged and cannot be kept aside`, error);
  }
  const all = keptAside(folder);
  for (const old of all.slice(0, Math.max(0, all.length - MAX_ASIDE))) rmSync(old, { force: true });
  return path;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // ENOENT, EACCES: there is nothing to tell of.
    return [];
  }
}
