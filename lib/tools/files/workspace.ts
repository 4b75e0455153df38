/**
 * Where the paths of calls lead to in the end, links followed, and whether that is within the workspace.
 */
import { constants } from 'node:fs';
import { access, lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { systemCode, systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import { higher, type Tier } from '../../permissions/tier.ts';
import { pathTier } from '../../permissions/paths.ts';

/** Links that are followed before it is a circle: what Linux does (path_resolution(7)). */
const LINKS_MAX = 40;
/** Bytes of a path (PATH_MAX). */
const PATH_MAX = 4096;

/** A path that a call has given. */
export interface Place {
  /** Absolute, links followed; the end of it need not exist. */
  readonly real: string;
  /** For people and rules: relative to the working directory where it is inside, else absolute. */
  readonly shown: string;
  readonly isInside: boolean;
}

/** The folders that a conversation is about. */
export class Workspace {
  /** The working directory, absolute. */
  readonly cwd: string;
  readonly home: string;
  /** Absolute, links followed. */
  readonly roots: readonly string[];

  private constructor(cwd: string, roots: readonly string[], home: string) {
    this.cwd = cwd;
    this.roots = roots;
    this.home = home;
  }

  /** @param roots folders whose files belong to it; the working directory always does. Throws CodedError. */
  static async open(cwd: string, roots: readonly string[], home: string): Promise<Workspace> {
    const real = await Promise.all([cwd, ...roots].map(root => followed(resolve(cwd, root), 0)));
    return new Workspace(real[0]!, [...new Set(real)], home);
  }

  /** Where a path leads to. Throws CodedError `usage` for what is no path, `failed` where it cannot be followed. */
  async place(path: string): Promise<Place> {
    if (path === '' || path.includes('\0'))
      throw new CodedError('usage', `path ${visible(path) || "''"}: it is none`);
    if (Buffer.byteLength(path) > PATH_MAX) throw new CodedError('usage', 'path: it is too long');
    const isHome = path === '~' || path.startsWith('~/');
    const real = await followed(isHome ? join(this.home, path.slice(1)) : resolve(this.cwd, path), 0);
    const isInside = this.roots.some(root => isBelow(root, real));
    const near = relative(this.cwd, real) || '.';
    return { real, shown: isInside && !isAbsolute(near) ? near : real, isInside };
  }

  /** The tier of reading there: what is outside is somebody else's. */
  readTier(places: readonly Place[]): Tier {
    return places.every(place => place.isInside) ? 'read' : 'elevated';
  }

  /** The tier of writing there: by where it is, and what runs what is there later. */
  writeTier({ real, shown, isInside }: Place): Tier {
    const { tier } = pathTier({
      text: isInside ? shown : real,
      isGlob: false,
      isDynamic: false,
      sources: [],
    });
    return isInside ? higher('write', tier) : higher('elevated', tier);
  }
}

/** Whether `path` is `root` or below it; both absolute and followed. */
export function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Follows every link in an absolute path, also one to a file that is not there: it is where a write would go. */
async function followed(path: string, links: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || links > LINKS_MAX || dirname(path) === path)
      throw pathError(path, error);
  }
  const folder = await followed(dirname(path), links);
  const here = join(folder, basename(path));
  const isLink = await lstat(here).then(
    entry => entry.isSymbolicLink(),
    () => false,
  );
  return isLink ? followed(resolve(folder, await readlink(here)), links + 1) : here;
}

/** What keeps a path from being used, for people. */
export function pathError(path: string, error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  return new CodedError('failed', `${visible(path)}: ${systemReason(error)}`, undefined, { cause: error });
}

/** Whether the file may be written: a rename would replace it even where its mode says no. */
export async function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}
