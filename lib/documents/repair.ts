/**
 * Mending a store that git cannot read: it is put aside whole, and what can be read of it goes into a new one, with its
 * history, from the newest commit that is whole.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '../base/errors.ts';
import { askGit, BRANCH, runGit, type StoreGit } from './git.ts';
import { Lock } from './lock.ts';
import type { StorePlace } from './places.ts';
import { listDocuments } from './read.ts';
import { makeStore } from './repository.ts';

/** What became of a store. */
export interface Repaired {
  /** Nothing was wrong, and nothing was done. */
  readonly isWhole: boolean;
  /** Where all is that was there before. */
  readonly aside: string | undefined;
  readonly documents: number;
}

/** Commits that are tried, the newest first. Each is read whole. */
const TRIES = 200;
/** All objects of a store by name. */
const OBJECTS_MAX = 256 * 1024 * 1024;
const LOG_MAX = 8 * 1024 * 1024;
/** A writer is done in less, or has met the same error. */
const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 50;

/** Mends it where it is broken. @throws CodedError where somebody writes, and the system's error */
export async function repairStore(place: StorePlace, git: StoreGit): Promise<Repaired> {
  const lock = new Lock(join(git.dir, 'mux/lock'));
  let isMine = takeQuietly(lock);
  for (let i = 0; isMine === false && i < LOCK_TRIES; i++) {
    await pause(LOCK_PAUSE_MS);
    isMine = takeQuietly(lock);
  }
  if (isMine === false) throw new CodedError('failed', `document store ${git.dir}: somebody writes to it`);
  try {
    const now = tipIn(git.dir);
    if ((await firstWhole(git, [now])) === undefined) return await begunAnew(place, git);
    return { isWhole: true, aside: undefined, documents: (await listDocuments(git, '')).length };
  } finally {
    lock.release();
  }
}

/** Undefined where the folder is so broken that there is no lock in it. */
function takeQuietly(lock: Lock): boolean | undefined {
  try {
    return lock.take();
  } catch {
    // ENOENT, ENOTDIR: nobody can write there either.
    return undefined;
  }
}

/** A new store that borrows the objects of the old one until it has its own: whatever else of that is damaged. */
async function begunAnew(place: StorePlace, git: StoreGit): Promise<Repaired> {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const aside = `${git.dir}.broken-${stamp}-${process.pid}`;
  renameSync(git.dir, aside);
  makeStore(place);
  const borrowed = join(git.dir, 'objects/info/alternates');
  writeFileSync(borrowed, `${join(aside, 'objects')}\n`);
  const tip = await firstWhole(git, await candidates(git, aside));
  if (tip !== undefined) {
    const pack = ['pack-objects', '--revs', '--quiet', join(git.dir, 'objects/pack/pack')];
    await runGit(git, pack, { input: `${tip}\n`, maxOutput: LOG_MAX });
    await runGit(git, ['update-ref', `refs/heads/${BRANCH}`, tip], { maxOutput: LOG_MAX });
  }
  rmSync(borrowed);
  return { isWhole: false, aside, documents: (await listDocuments(git, '')).length };
}

/** The first whose whole history can be read. */
async function firstWhole(git: StoreGit, tips: readonly string[]): Promise<string | undefined> {
  for (const tip of tips.filter(one => /^[0-9a-f]{40}$/.test(one))) {
    const words = ['rev-list', '--objects', '--quiet', tip];
    const answer = await askGit(git, words, { maxOutput: OBJECTS_MAX }).catch(() => undefined);
    if (answer?.code !== 0) continue;
    // That all are there does not say that all can be read.
    const packed = await askGit(git, ['pack-objects', '--revs', '--stdout', '--quiet'], {
      input: `${tip}\n`,
      maxOutput: 0,
      isEnough: () => false,
    }).catch(() => undefined);
    if (packed?.code === 0) return tip;
  }
  return undefined;
}

/** What the branch was at, the newest first, and then whatever commit nothing refers to any more. */
async function candidates(git: StoreGit, aside: string): Promise<string[]> {
  const logged = read(join(aside, 'logs/refs/heads', BRANCH))
    .split('\n')
    .map(line => line.split(' ')[1] ?? '')
    .toReversed();
  const words = ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)'];
  const all = await askGit(git, words, { maxOutput: OBJECTS_MAX }).catch(() => undefined);
  const commits = (all?.stdout.toString() ?? '').match(/(?<=^commit )[0-9a-f]{40}$/gm) ?? [];
  return [...new Set([tipIn(aside), ...logged, ...(await byDate(git, commits))])].slice(0, TRIES);
}

async function byDate(git: StoreGit, commits: readonly string[]): Promise<string[]> {
  const words = ['log', '--no-walk=sorted', '--format=%H', '--stdin'];
  const input = `${commits.join('\n')}\n`;
  const answer = await askGit(git, words, { input, maxOutput: LOG_MAX }).catch(() => undefined);
  return answer?.stdout.toString().split('\n') ?? [];
}

/** Where its branch is, '' where that cannot be told. */
function tipIn(dir: string): string {
  const loose = read(join(dir, 'refs/heads', BRANCH)).trim();
  if (loose !== '') return loose;
  const packed = read(join(dir, 'packed-refs'));
  return new RegExp(`^([0-9a-f]{40}) refs/heads/${BRANCH}$`, 'm').exec(packed)?.[1] ?? '';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // ENOENT, EISDIR, EACCES: as good as empty.
    return '';
  }
}
