/**
 * Who speaks. Every program in a pane is given a token of its own at each start, and the person has one in a file that
 * only they can read: what a caller says about itself counts for nothing.
 *
 * Of sessions' tokens hashes alone are kept, one small file each, written before the program starts: a server that is
 * killed the moment after still knows the program when the next one takes it over.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Speaker } from '../../cmd/spec.ts';
import type { SessionId, SessionRecord } from '../../model/types.ts';

/** As long as a key of AES-256: nobody guesses it. */
const TOKEN_BYTES = 32;
const TOKEN = /^[0-9a-f]{64}$/;
/** Files that are read at a start: as many as a state can hold sessions. */
const MAX_FILES = 10_000;
const MODE = 0o600;

export interface TokenPlaces {
  /** Folder for the hashes of sessions' tokens. */
  readonly folder: string;
  /** The person's file. */
  readonly person: string;
  readonly logger: Logger;
}

interface Known {
  readonly hash: string;
  /** A shell of the person's, not started by an agent. */
  readonly isPerson: boolean;
}

export class Tokens {
  readonly #places: TokenPlaces;
  readonly #bySession = new Map<string, Known>();
  readonly #byHash = new Map<string, string>();
  /** Sessions whose file could not be written. */
  readonly #unwritten = new Set<SessionId>();
  readonly #person: string;

  /** Reads what an earlier server left, and makes the person's file where there is none. Throws the system's error. */
  constructor(places: TokenPlaces) {
    this.#places = places;
    for (const [session, known] of readKnown(places.folder)) this.#know(session, known);
    this.#person = readPersonToken(places.person) ?? newToken();
    this.#keepPersonFile();
  }

  /**
   * A new token for a session's program; the one before is refused from now on. The program speaks for the person, unless
   * it is an agent or was started by one: once it was, it stays so.
   */
  issue({ id, isAi, parentId }: Pick<SessionRecord, 'id' | 'isAi' | 'parentId'>): string {
    const before = this.#bySession.get(id);
    const isFromPerson = before?.isPerson ?? (parentId === '' || this.#bySession.get(parentId)?.isPerson);
    const token = newToken();
    const known = { hash: hashOf(token), isPerson: !isAi && isFromPerson === true };
    this.#know(id, known);
    this.#write(id, known);
    return token;
  }

  /**
   * What `start` makes of a new token. Where it throws the token is refused; who the session speaks for stays known, or an
   * agent's shell could become a person's by a start that fails and one that does not.
   */
  forStart<T>(session: Pick<SessionRecord, 'id' | 'isAi' | 'parentId'>, start: (token: string) => T): T {
    const isFirst = !this.#bySession.has(session.id);
    try {
      return start(this.issue(session));
    } catch (error) {
      if (isFirst) this.forget(session.id);
      else this.issue(session);
      throw error;
    }
  }

  /** A session is gone: its token is refused. */
  forget(id: SessionId): void {
    this.#unknow(id);
    this.#unwritten.delete(id);
    // Before whose child they are is forgotten.
    this.#writeAgain();
    try {
      rmSync(this.#path(id), { force: true });
    } catch (error) {
      this.#places.logger.log('warn', 'token not removed', { session: id, error });
    }
  }

  /**
   * Takes the sessions that a new server has: forgets all others, which an earlier one has left. One that was started
   * by another and of which nothing is known, since its file could not be written, is never the person's, also when the
   * other has gone meanwhile.
   */
  keep(sessions: readonly Pick<SessionRecord, 'id' | 'parentId'>[]): void {
    const there = new Set<string>(sessions.map(({ id }) => id));
    for (const id of [...this.#bySession.keys()] as SessionId[]) if (!there.has(id)) this.forget(id);
    for (const { id, parentId } of sessions)
      // No token has this hash.
      if (parentId !== '' && !this.#bySession.has(id))
        this.#know(id, { hash: `none ${id}`, isPerson: false });
  }

  /** Whose token it is. Throws CodedError `refused` for none, a wrong one, and one from before a restart. */
  speaker(token: string | undefined): Speaker {
    if (!token) throw this.#noToken();
    const hash = hashOf(token);
    if (hash === hashOf(this.#person)) return { session: '', isPerson: true };
    const session = this.#byHash.get(hash);
    const known = session === undefined ? undefined : this.#bySession.get(session);
    if (!known)
      throw new CodedError(
        'refused',
        'token: it belongs to nobody here; its program was started anew, or its session is gone',
        'unset MUX_TOKEN to speak for yourself',
      );
    return { session: session as SessionId, isPerson: known.isPerson };
  }

  #noToken(): CodedError {
    const { person } = this.#places;
    // Somebody may have cleaned up: without the file the person could not even end the server.
    this.#keepPersonFile();
    return new CodedError(
      'refused',
      'caller: it does not say who it is',
      `a session speaks by MUX_TOKEN, a person by the token in ${person}`,
    );
  }

  #know(session: string, known: Known): void {
    this.#unknow(session);
    this.#bySession.set(session, known);
    this.#byHash.set(known.hash, session);
  }

  #unknow(session: string): void {
    const old = this.#bySession.get(session);
    if (old) this.#byHash.delete(old.hash);
    this.#bySession.delete(session);
  }

  #write(id: SessionId, known: Known): void {
    const path = this.#path(id);
    this.#unwritten.add(id);
    try {
      mkdirSync(this.#places.folder, { recursive: true, mode: 0o700 });
      writeWhole(path, JSON.stringify({ hash: known.hash, person: known.isPerson }) + '\n');
      this.#unwritten.delete(id);
    } catch (error) {
      // A full or read-only disk: the program is known for as long as this server lives.
      this.#places.logger.log('warn', 'token not kept', { session: id, error });
    }
  }

  #writeAgain(): void {
    for (const id of this.#unwritten) {
      const known = this.#bySession.get(id);
      if (known) this.#write(id, known);
      else this.#unwritten.delete(id);
    }
  }

  #keepPersonFile(): void {
    const { person } = this.#places;
    if (readPersonToken(person) !== this.#person) writeWhole(person, this.#person + '\n');
    else chmodSync(person, MODE);
  }

  #path(id: string): string {
    return join(this.#places.folder, `${id}.json`);
  }
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

/** Looked up by its hash, so that the time an answer takes tells nothing of a token. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whole or not at all, for its owner alone. Not made durable: after a power cut no program of before runs. */
function writeWhole(path: string, text: string): void {
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode: MODE, flag: 'wx' });
  renameSync(`${path}.new`, path);
}

function readPersonToken(path: string): string | undefined {
  const text = readIfThere(path)?.trim();
  return text !== undefined && TOKEN.test(text) ? text : undefined;
}

function readKnown(folder: string): [string, Known][] {
  return filesIn(folder).flatMap(name => {
    const session = /^([\w-]+)\.json$/.exec(name)?.[1];
    const known = session === undefined ? undefined : parseKnown(readIfThere(join(folder, name)) ?? '');
    return known ? [[session!, known]] : [];
  });
}

function parseKnown(text: string): Known | undefined {
  try {
    const { hash, person } = JSON.parse(text) as { hash?: unknown; person?: unknown };
    // Anything but a clear yes is a no.
    return typeof hash === 'string' && TOKEN.test(hash) ? { hash, isPerson: person === true } : undefined;
  } catch {
    // SyntaxError, TypeError: damaged. Its program is refused until it is started again.
    return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // ENOENT: there is none; EACCES: none that is of use.
    return undefined;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, MAX_FILES);
  } catch {
    // ENOENT: nothing was ever started.
    return [];
  }
}
