/**
 * A store's repository: bare, so that nobody ever sees half of a document, with all that git needs to read it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { BRANCH, type StoreGit } from './git.ts';
import type { StorePlace } from './places.ts';

/** Documents are for their owner alone. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * The first commit, of an empty tree: a store without a branch is broken, and never one that is new. Its content is the
 * same in all stores, so its name is, too.
 */
const ROOT_COMMIT = [
  'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'author mux <mux@localhost> 0 +0000',
  'committer mux <mux@localhost> 0 +0000',
  '',
  'begin\n',
].join('\n');
const ROOT_OBJECTS: readonly (readonly [id: string, object: string])[] = [
  ['4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'tree 0\0'],
  ['643cc9ec69da92b8038eb700b4b3dc7df577bd52', `commit ${ROOT_COMMIT.length}\0${ROOT_COMMIT}`],
];
const ROOT_ID = ROOT_OBJECTS[1]![0];

/** In a store's `config`. */
const PROJECT = /^\tproject = "(.*)"$/m;

/** Whether there is something at the store's place. */
export const hasStore = ({ dir }: StorePlace): boolean => existsSync(dir);

/** Makes the repository where there is none: whole, or not at all. @throws CodedError, and the system's error */
export function makeStore({ dir, project }: StorePlace): void {
  if (existsSync(dir)) return checkProject(dir, project);
  mkdirSync(dirname(dir), { recursive: true, mode: FOLDER_MODE });
  const made = `${dir}.new-${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'mux/queue'])
    mkdirSync(join(made, folder), { recursive: true, mode: FOLDER_MODE });
  const write = (name: string, data: string | Uint8Array): void =>
    writeFileSync(join(made, name), data, { mode: FILE_MODE });
  const { deflateSync } = process.getBuiltinModule('node:zlib');
  for (const [id, object] of ROOT_OBJECTS) {
    mkdirSync(join(made, 'objects', id.slice(0, 2)), { mode: FOLDER_MODE });
    write(join('objects', id.slice(0, 2), id.slice(2)), deflateSync(object));
  }
  write('HEAD', `ref: refs/heads/${BRANCH}\n`);
  write(`refs/heads/${BRANCH}`, `${ROOT_ID}\n`);
  write('description', `documents of ${project || 'all projects'}\n`);
  // The log of the branch is what a damaged one is mended from.
  write(
    'config',
    `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogAllRefUpdates = true\n\tsharedRepository = 0600\n` +
      `[mux]\n\tproject = "${quoted(project)}"\n`,
  );
  try {
    renameSync(made, dir);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Somebody else has made it at the same time.
    if (!existsSync(dir)) throw error;
  }
}

/** The project that a store says it is of; undefined where it does not say. */
export function projectIn(dir: string): string | undefined {
  try {
    const text = PROJECT.exec(readFileSync(join(dir, 'config'), 'utf8'))?.[1];
    return text?.replace(/\\(.)/g, '$1');
  } catch {
    // ENOENT, EACCES: git will say what is wrong.
    return undefined;
  }
}

function checkProject(dir: string, project: string): void {
  const found = projectIn(dir);
  if (found === undefined || found === project) return;
  throw new CodedError('failed', `document store ${dir}: it belongs to ${found || 'all projects'}`);
}

/** As git's configuration writes a value (git-config(1), SYNTAX). */
function quoted(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replace(/[\n\t]/g, ' ');
}

/** The commit that the branch is at (gitrepository-layout(5)). @throws CodedError where there is none */
export function tipOf(git: StoreGit): string {
  const loose = read(join(git.dir, 'refs/heads', BRANCH))?.trim();
  const packed = loose === undefined ? packedTip(git.dir) : loose;
  if (packed !== undefined && /^[0-9a-f]{40}$/.test(packed)) return packed;
  throw broken(git.dir, `its branch ${BRANCH} is ${packed === undefined ? 'missing' : 'damaged'}`);
}

function packedTip(dir: string): string | undefined {
  return new RegExp(`^([0-9a-f]{40}) refs/heads/${BRANCH}$`, 'm').exec(
    read(join(dir, 'packed-refs')) ?? '',
  )?.[1];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** How many packs there are: each batch of writes makes one. */
export function packCount(dir: string): number {
  return readdirSync(join(dir, 'objects/pack')).filter(name => name.endsWith('.pack')).length;
}

/** A store that git cannot work with: nothing of it is touched. */
export function broken(dir: string, why: string): CodedError {
  return new CodedError(
    'failed',
    `document store ${dir}: ${why}`,
    "nothing was changed; 'mux store repair' puts it aside and goes on with what can be read of it",
  );
}
