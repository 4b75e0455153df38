/**
 * Who a session is, beside its output: `logs/ID/session.json`. Should the state be lost, the sessions are found
 * again here.
 */
import { readdirSync } from 'node:fs';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SavedSession } from '../model/saved.ts';
import { readIfThere, systemError, writeAtomic } from './atomic.ts';
import { readSession } from './document.ts';
import { object } from './readers.ts';
import { STATE_VERSION } from './migrations.ts';

const NAME = 'session.json';
/** As many folders as a state can hold sessions. */
const MAX_FOLDERS = 10_000;

export class Identities {
  readonly #logs: string;
  /** What was written last, by id. */
  readonly #written = new Map<string, string>();

  /** `logs`: the folder that has a folder for each session. */
  constructor(logs: string) {
    this.#logs = logs;
  }

  /** Every session that can be read; none where there is no folder. Newer forms and damaged files are passed over. */
  read(): SavedSession[] {
    return foldersIn(this.#logs).flatMap(id => {
      try {
        const text = readIfThere(this.#path(id))?.toString();
        if (text === undefined) return [];
        const document = object(JSON.parse(text), NAME);
        if (document['version'] !== STATE_VERSION) return [];
        const session = readSession(document['session'], NAME);
        return session.id === id ? [session] : [];
      } catch {
        // Damaged, or not ours to read: the others count.
        return [];
      }
    });
  }

  /**
   * Makes the files those of exactly these sessions, as far as this process has written them; what is as it was is not
   * written again. Rejects with a CodedError.
   */
  async keep(sessions: readonly SavedSession[]): Promise<void> {
    try {
      await this.#keep(sessions);
    } catch (error) {
      throw systemError(`${this.#logs}: who the sessions are cannot be saved`, error);
    }
  }

  async #keep(sessions: readonly SavedSession[]): Promise<void> {
    const wanted = new Map(
      sessions.filter(session => !session.isViewer).map(one => [one.id as string, text(one)]),
    );
    for (const id of this.#written.keys()) if (!wanted.has(id)) await this.#remove(id);
    for (const [id, content] of wanted) {
      if (this.#written.get(id) === content) continue;
      if (await write(this.#path(id), content)) this.#written.set(id, content);
    }
  }

  /** Sessions of an earlier process that are to be followed like those of this one. */
  adopt(sessions: readonly SavedSession[]): void {
    // Never equal to a content, so each is written anew once.
    for (const { id } of sessions) this.#written.set(id, '');
  }

  async #remove(id: string): Promise<void> {
    const path = this.#path(id);
    await rm(path, { force: true });
    // Output that is still there keeps its folder.
    await rmdir(dirname(path)).catch(() => undefined);
    this.#written.delete(id);
  }

  #path(id: string): string {
    return join(this.#logs, id, NAME);
  }
}

/** False where the folder went meanwhile: its session is being removed, and is not kept the next time. */
async function write(path: string, content: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeAtomic(path, content);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** What changes with every output or resize is left out: it would be written again and again for nothing. */
function text(session: SavedSession): string {
  const settled: SavedSession = {
    ...session,
    lastOutputAt: undefined,
    attention: '',
    program: '',
    size: { cols: 80, rows: 24 },
    exit: undefined,
    endedAt: undefined,
    runs: true,
  };
  return JSON.stringify({ version: STATE_VERSION, session: settled }) + '\n';
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, MAX_FOLDERS);
  } catch {
    // ENOENT: nothing was ever written.
    return [];
  }
}
