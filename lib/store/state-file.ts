/**
 * `state.json`: read once at the start, written many times after. What is in it is never lost without a word: a newer
 * form is refused, an older one is backed up and brought forward, a damaged file is kept aside and what it held is
 * taken from a copy of it.
 */
import { dirname, join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { shellWord } from '../base/shell-word.ts';
import { NO_STATE, withSessions, type SavedSession, type SavedState } from '../model/saved.ts';
import {
  readIfThere,
  removeUnfinished,
  systemError,
  writeAtomic,
  writeAtomicSync,
  writeCopy,
} from './atomic.ts';
import { backups, keepAside, makeBackup, removeOtherBackups, STATE_NAME } from './backups.ts';
import { readState } from './document.ts';
import { migrate, STATE_VERSION } from './migrations.ts';
import { Invalid, object } from './readers.ts';

/**
 * 64 MiB hold ten thousand sessions with long environments; more is no state of ours, and would take seconds to parse.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/** Ends the name of a copy of the file. */
const COPY = '.copy';

export interface StateFileOptions {
  /** The state folder. */
  readonly folder: string;
  /** Version of mux, so that whoever cannot read a file learns which can. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Sessions that are known by other means than the state; asked only where that is damaged. */
  readonly rebuild: () => readonly SavedSession[];
}

/** What was found. */
export interface Loaded {
  /** Undefined at the very first start. */
  readonly state: SavedState | undefined;
  /** What people must be told, a line each. */
  readonly reports: readonly string[];
}

/** What a file's bytes turn out to be. */
type Reading =
  | {
      readonly kind: 'state';
      readonly state: SavedState;
      readonly problems: string[];
      readonly version: number;
    }
  | { readonly kind: 'newer'; readonly version: number; readonly writtenBy: string }
  | { readonly kind: 'damaged'; readonly why: string };

export class StateFile {
  readonly path: string;
  readonly #options: StateFileOptions;

  constructor(options: StateFileOptions) {
    this.#options = options;
    this.path = join(options.folder, STATE_NAME);
  }

  /**
   * Reads the state; before there is any other use of the file.
   * @throws CodedError where it is of a newer form, cannot be read at all, or cannot be backed up or kept aside. It is
   *   untouched then.
   */
  load(): Loaded {
    const bytes = this.#read(this.path);
    const reading = bytes && interpret(bytes);
    if (reading?.kind === 'newer') throw this.#tooNew(reading);
    for (const path of [this.path, this.path + COPY]) removeUnfinished(path);
    if (!bytes || !reading) return this.#missing();
    if (reading.kind === 'damaged') return this.#damaged(reading.why);
    const partly = reading.problems.length > 0 ? this.#partlyDamaged(reading) : undefined;
    const loaded = partly ?? { state: reading.state, reports: [] };
    if (reading.version < STATE_VERSION) this.#bringForward(bytes, reading.version, loaded.state!);
    return loaded;
  }

  /** The state as it is written: the same for states that are equal, but for the time. */
  text(state: SavedState): string {
    const head = { version: STATE_VERSION, writtenBy: this.#options.version, savedAt: this.#options.now() };
    return JSON.stringify({ ...head, ...state }, undefined, 1) + '\n';
  }

  /** Replaces the file; one call at a time. Rejects with a CodedError; the file is then what it was. */
  async save(state: SavedState): Promise<void> {
    try {
      const text = this.text(state);
      await writeAtomic(this.path, text);
      // For the day that the file itself is damaged; until then nobody waits for it.
      await writeCopy(this.path + COPY, text);
    } catch (error) {
      throw systemError(`state ${this.path}: it cannot be saved`, error);
    }
  }

  /** The same at once, for a process that is about to die. @throws the system's error */
  saveNow(state: SavedState): void {
    writeAtomicSync(this.path, this.text(state));
  }

  #read(path: string): Buffer | undefined {
    try {
      return readIfThere(path);
    } catch (error) {
      throw systemError(`state ${path}: it cannot be read`, error);
    }
  }

  #tooNew({ version, writtenBy }: { version: number; writtenBy: string }): CodedError {
    const back = backups(this.#options.folder).findLast(backup => backup.version <= STATE_VERSION);
    return new CodedError(
      'refused',
      `state ${this.path}: ${writtenBy} wrote it in form ${version}, and mux ${this.#options.version} reads no newer one than ${STATE_VERSION}`,
      back
        ? `start that mux instead, or go back to what stood there before: cp ${shellWord(back.path)} ${shellWord(this.path)}`
        : 'start that mux instead, or move the file away to begin anew',
    );
  }

  #bringForward(bytes: Buffer, version: number, state: SavedState): void {
    const backup = makeBackup(this.path, bytes, version);
    try {
      this.saveNow(state);
    } catch (error) {
      throw systemError(`state ${this.path}: it cannot be written in its new form`, error);
    }
    removeOtherBackups(dirname(this.path), backup);
  }

  /** No file: the first start, unless something says otherwise. */
  #missing(): Loaded {
    const { state, sources } = this.#salvage(undefined);
    if (state.sessions.length === 0 && state.windows.length === 0) return { state: undefined, reports: [] };
    return { state, reports: [`state ${this.path}: it is missing; ${sources}`] };
  }

  #damaged(why: string): Loaded {
    const aside = keepAside(this.path, this.#options.now(), 'move');
    const { state, sources } = this.#salvage(undefined);
    return { state, reports: [`state ${this.path}: ${why}; it is kept as ${aside}; ${sources}`] };
  }

  #partlyDamaged({ state: good, problems }: { state: SavedState; problems: string[] }): Loaded {
    const aside = keepAside(this.path, this.#options.now(), 'copy');
    const { state, sources } = this.#salvage(good);
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    return {
      state,
      reports: [`state ${this.path}: ${problems[0]}${more}; a copy is kept as ${aside}; ${sources}`],
    };
  }

  /** The best that is left: what was `good` or else its copy, and sessions that are known otherwise. */
  #salvage(good: SavedState | undefined): { state: SavedState; sources: string } {
    const copy = this.#copy();
    const base = good ?? copy ?? NO_STATE;
    const others = good && copy ? copy.sessions : [];
    const { state, added } = withSessions(base, [...others, ...this.#options.rebuild()]);
    const from = good ? 'of it' : copy ? 'from its copy' : 'left of it';
    const sources = `${count(base.sessions.length, 'session')} and ${count(base.windows.length, 'window')} ${from}, ${count(added, 'session')} from elsewhere`;
    return { state, sources };
  }

  /** The copy of the file, if it makes any sense. */
  #copy(): SavedState | undefined {
    try {
      const bytes = readIfThere(this.path + COPY);
      const reading = bytes && interpret(bytes);
      return reading?.kind === 'state' ? reading.state : undefined;
    } catch {
      // It is the second best; without it there are the logs.
      return undefined;
    }
  }
}

function interpret(bytes: Buffer): Reading {
  if (bytes.length > MAX_BYTES) return { kind: 'damaged', why: `it is larger than ${MAX_BYTES} bytes` };
  try {
    const document = object(JSON.parse(bytes.toString()), 'state');
    const version = document['version'];
    if (!Number.isInteger(version) || (version as number) < 1)
      return { kind: 'damaged', why: 'it has no version' };
    const at = version as number;
    if (at > STATE_VERSION) return { kind: 'newer', version: at, writtenBy: writer(document['writtenBy']) };
    return { kind: 'state', ...readState(migrate(document, at)), version: at };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'damaged', why: 'it is cut off or no JSON' };
    if (error instanceof Invalid) return { kind: 'damaged', why: error.message };
    throw error;
  }
}

/** `mux 0.1.0`, as far as what stands there can be a version. */
function writer(value: unknown): string {
  return typeof value === 'string' && /^[\w.+-]{1,40}$/.test(value) ? `mux ${value}` : 'a newer mux';
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
