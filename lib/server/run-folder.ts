/**
 * The folder of sockets, which all servers share: who listens there, and what the dead have left.
 */
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { tryConnect } from '../client/daemon-process.ts';

/** A socket, or the lock beside it. */
export interface RunEntry {
  readonly path: string;
  readonly kind: 'socket' | 'lock';
  /** Somebody listens, or holds the lock. */
  readonly isAlive: boolean;
  readonly ageMs: number;
}

/** A lock is refreshed every 2.5 s while it is held (STALE_MS in listen.ts); after this nobody holds it. */
const LOCK_MS = 60_000;

/** Everything of mux in the folder; empty where there is none. */
export async function runEntries(folder: string, now: number): Promise<RunEntry[]> {
  const names = await readdir(folder).catch(() => []);
  const entries = await Promise.all(names.sort().map(name => entryOf(join(folder, name), now)));
  return entries.flatMap(entry => entry ?? []);
}

async function entryOf(path: string, now: number): Promise<RunEntry | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return undefined;
  const ageMs = Math.max(0, now - stats.mtimeMs);
  if (stats.isDirectory() && path.endsWith('.lock'))
    return { path, kind: 'lock', isAlive: ageMs < LOCK_MS, ageMs };
  return stats.isSocket() ? { path, kind: 'socket', isAlive: await isAlive(path), ageMs } : undefined;
}

async function isAlive(path: string): Promise<boolean> {
  try {
    const socket = await tryConnect(path);
    socket?.destroy();
    return socket !== undefined;
  } catch {
    // EACCES and others: not ours to say that nobody is there.
    return true;
  }
}

/**
 * Removes what nobody listens on or holds: looked at again, since a server may have started meanwhile.
 * @throws CodedError where it is in use
 */
export async function removeRunEntry({ path, kind }: RunEntry, now: number): Promise<void> {
  const present = await entryOf(path, now);
  const isStarting = (await entryOf(`${path}.lock`, now))?.isAlive === true;
  if (present?.isAlive || isStarting) throw new CodedError('failed', `${path}: it is in use`);
  await (kind === 'lock' ? rmdir(path) : rm(path, { force: true }));
}
