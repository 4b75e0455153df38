/**
 * Where documents are: a store for each project, and one for all. A project is the repository that a folder is in, with
 * all its worktrees, so that agents in worktrees of their own meet; outside of any it is the folder itself.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CodedError } from '../base/errors.ts';

/** Of a folder's name this much is seen in its store's. */
const NAME_MAX = 40;

/** A store: its folder, and what it belongs to. */
export interface StorePlace {
  /** Absolute path of its repository, whether it is there or not. */
  readonly dir: string;
  /** Top folder of the project, '' for the shared store. */
  readonly project: string;
}

/** The folder that holds all stores of a server. */
export const storesIn = (data: string): string => join(data, 'documents');

/** The store that all projects share. */
export function sharedStore(data: string): StorePlace {
  return { dir: join(storesIn(data), 'shared'), project: '' };
}

/** The store of the project that `folder` is in. @throws CodedError `not_found` where there is no such folder */
export function projectStore(data: string, folder: string): StorePlace {
  const project = projectOf(folder);
  const name = basename(project)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, NAME_MAX);
  return { dir: join(storesIn(data), `${name || 'root'}-${hash(project)}`), project };
}

/** Top folder of the main working tree around `folder`, else the folder itself; symlinks resolved. */
export function projectOf(folder: string): string {
  const start = canonical(folder);
  for (let at = start; ; at = dirname(at)) {
    const top = mainTop(at);
    if (top !== undefined) return top;
    if (dirname(at) === at) return start;
  }
}

function canonical(folder: string): string {
  try {
    const path = realpathSync(resolve(folder));
    if (statSync(path).isDirectory()) return path;
  } catch {
    // ENOENT, EACCES: told below.
  }
  throw new CodedError('not_found', `${folder}: there is no such folder`);
}

/**
 * The main working tree of the repository whose working tree's top `folder` is (gitrepository-layout(5)): git itself
 * would take longer to ask than the document to write.
 */
function mainTop(folder: string): string | undefined {
  const dot = join(folder, '.git');
  if (!existsSync(dot)) return undefined;
  try {
    const [, target] = /^gitdir: (.+?)\n?$/.exec(readFileSync(dot, 'utf8')) ?? [];
    if (target === undefined) return folder;
    const gitDir = resolve(folder, target);
    const common = realpathSync(resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim()));
    return basename(common) === '.git' ? dirname(common) : common;
  } catch {
    // EISDIR: a repository of its own; ENOENT: a submodule, which is one too.
    return folder;
  }
}

/** FNV-1a, 64 bits: its parameters are its authors'. */
const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/**
 * Twelve hexadecimal digits: they only keep folders of the same name apart, and each store says which project it is of.
 * Not of node:crypto, which takes longer to load than everything else here.
 */
function hash(text: string): string {
  let value = FNV_OFFSET;
  for (const byte of Buffer.from(text)) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * FNV_PRIME);
  return value.toString(16).padStart(16, '0').slice(0, 12);
}
