/**
 * Makes the folders that hold state and sockets, and refuses those that other people could reach into: a socket is
 * guarded by nothing but its folder.
 */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { isFull, systemReason } from '../base/system-reasons.ts';
import type { MuxPaths } from './paths.ts';

const GROUP_OR_OTHERS_WRITE = 0o022;
const GROUP_OR_OTHERS_ANY = 0o077;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Makes `paths.data`, `paths.state` and `paths.run` with mode 0700 where they are missing, and checks them.
 * @param uid whose they must be
 * @throws CodedError `refused` for a folder that is not ours or that others may write; `failed` or `no_space` where
 *   one cannot be made or written
 */
export function makeDirectories(paths: MuxPaths, uid: number = process.getuid?.() ?? 0): void {
  if (paths.home !== undefined) checkHome(paths.home);
  for (const path of [paths.data, paths.state, paths.run]) privateDirectory(path, { uid, home: paths.home });
}

/** One folder, made or checked as `makeDirectories` says. */
export function privateDirectory(path: string, options: { uid: number; home?: string | undefined }): void {
  try {
    makeMissing(path);
    checkPrivate(path, options.uid);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof CodedError ? error : unusable(path, options.home, error);
  }
}

/**
 * Makes `path` and what is missing above it. Not mkdirSync's `recursive`: on a file system that answers ENOENT to
 * mkdir itself, such as /proc, Node 20 tries for ever.
 */
function makeMissing(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  if (dirname(path) !== path) makeMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Somebody else of us was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Anybody who may write MUX_HOME could exchange the folders below it, unless the sticky bit keeps them from it. */
function checkHome(home: string): void {
  const mode = statSync(home, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || !(mode & OTHERS_WRITE) || mode & STICKY) return;
  throw new CodedError('refused', `MUX_HOME ${home}: everybody may write to it`, `chmod 700 ${home}`);
}

function checkPrivate(path: string, uid: number): void {
  // The link itself must be ours too: in a shared temp folder somebody else could have put it there first.
  for (const stats of [lstatSync(path), statSync(path)]) checkOwner(path, stats, uid);
  const mode = statSync(path).mode;
  if (mode & GROUP_OR_OTHERS_WRITE)
    throw new CodedError('refused', `${path}: others may write to it`, `chmod 700 ${path}`);
  // Readable by others is no danger that happened yet: put right without asking.
  if (mode & GROUP_OR_OTHERS_ANY) chmodSync(path, 0o700);
}

function checkOwner(path: string, stats: Stats, uid: number): void {
  if (stats.uid === uid) return;
  throw new CodedError(
    'refused',
    `${path}: it belongs to user ${stats.uid}, not to you (${uid})`,
    'remove it, or set MUX_HOME to a folder of your own',
  );
}

function unusable(path: string, home: string | undefined, error: unknown): CodedError {
  const why = systemReason(error, { ENOENT: 'a part of the path is missing' });
  const what = home === undefined ? path : `MUX_HOME ${home}`;
  const detail = home === undefined || path === home ? why : `cannot use ${path}: ${why}`;
  const full = isFull(error);
  const hint = full ? 'free some space' : 'set MUX_HOME to a folder that you can write to';
  return new CodedError(full ? 'no_space' : 'failed', `${what}: ${detail}`, hint, { cause: error });
}
