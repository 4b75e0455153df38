/**
 * What the person has begun to write and not sent. It is in a file soon after each change, so whatever ends the terminal
 * or the server, at most the last half second of typing is lost.
 */
import { renameSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { CodedError, errorText } from '../../base/errors.ts';
import type { Disposable } from '../../base/event.ts';
import {
  readIfThere,
  removeUnfinished,
  systemError,
  writeAtomic,
  writeAtomicSync,
} from '../../store/atomic.ts';

/** Their file in the folder of a server's data. */
export const DRAFTS_NAME = 'drafts.json';
/** From a change to its being written: rarely enough for a disk, and as much as one could bear to type again. */
const SAVE_MS = 500;
/** More letters than anybody has half written. */
export const DRAFTS_MAX = 100;
/** The form of the file. */
const VERSION = 1;
/** A file of all drafts at their longest is smaller; a larger one is none of ours. */
const FILE_MAX = 16 * 1024 * 1024;

/** The message that a draft answers. */
export interface Answered {
  readonly id: string;
  readonly stream: string;
}

/** A message that is being written. */
export interface SavedDraft {
  /** Its own name among the drafts. */
  readonly key: string;
  /** Receivers, as the composer names them: `session:ID`, `topic:NAME`, `tree:ID`, `label:NAME`. */
  readonly to: readonly string[];
  readonly text: string;
  readonly answers: Answered | null;
  /**
   * Under which its messages are published once sending has begun, '' before. Where that was cut off, sending again sends
   * only what is missing.
   */
  readonly sendId: string;
  /** ms since the epoch */
  readonly changedAt: number;
}

export interface DraftsOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Something that people must be told. */
  readonly report: (text: string) => void;
}

export class Drafts implements Disposable {
  readonly #options: DraftsOptions;
  readonly #drafts = new Map<string, SavedDraft>();
  /** Those that are open on some terminal. */
  readonly #open = new Set<string>();
  #timer: Disposable | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isChanged = false;
  #isTold = false;

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  /** All of them, the one that was changed last first. */
  list(): readonly SavedDraft[] {
    return [...this.#drafts.values()].sort((a, b) => b.changedAt - a.changedAt);
  }

  get(key: string): SavedDraft | undefined {
    return this.#drafts.get(key);
  }

  /** Whether one may be written on this terminal: no other is at it. What is taken is given back by `release`. */
  take(key: string): boolean {
    if (this.#open.has(key)) return false;
    this.#open.add(key);
    return true;
  }

  release(key: string): void {
    this.#open.delete(key);
  }

  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  /** Keeps a draft; one without text is dropped. False where there are too many already. */
  set(draft: SavedDraft): boolean {
    if (draft.text === '') {
      this.remove(draft.key);
      return true;
    }
    if (!this.#drafts.has(draft.key) && this.#drafts.size >= DRAFTS_MAX) return false;
    this.#drafts.set(draft.key, draft);
    this.#later();
    return true;
  }

  remove(key: string): void {
    if (this.#drafts.delete(key)) this.#later();
  }

  /** Resolves once what is known now is on the disk, or could not be written, which is reported. */
  async flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  /** The server ends: what is not written yet is written at once. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isChanged) return;
    try {
      writeAtomicSync(this.#options.path, this.#text());
    } catch (error) {
      this.#failed(error);
    }
  }

  /** A timer that runs is left alone: who never pauses is saved all the same. */
  #later(): void {
    this.#isChanged = true;
    this.#timer ??= this.#options.clock.after(SAVE_MS, () => {
      this.#timer = undefined;
      void this.flush();
    });
  }

  async #write(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    try {
      await writeAtomic(this.#options.path, this.#text());
      this.#isTold = false;
    } catch (error) {
      this.#isChanged = true;
      this.#failed(error);
    }
  }

  /** Told once, until it works again: a full disk is met with every key. */
  #failed(error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const { report, path } = this.#options;
    report(errorText(systemError(`drafts cannot be written to ${path}`, error)));
  }

  #text(): string {
    return JSON.stringify({ version: VERSION, drafts: this.list() });
  }

  /** Takes in what an earlier server has kept. What cannot be read is put aside, and reported. */
  load(): void {
    const { path, clock, report } = this.#options;
    removeUnfinished(path);
    try {
      const bytes = readIfThere(path);
      if (bytes) for (const draft of draftsIn(bytes)) this.#drafts.set(draft.key, draft);
    } catch (error) {
      const aside = `${path}.corrupt-${clock.now()}`;
      try {
        renameSync(path, aside);
        report(`drafts: ${(error as Error).message}; they are kept in ${aside}`);
      } catch {
        // EACCES, EROFS: the reason it could not be read says enough.
        report(`drafts: ${path}: ${(error as Error).message}`);
      }
    }
  }
}

/** What a file holds. Throws CodedError where it is not one of drafts. */
function draftsIn(bytes: Buffer): readonly SavedDraft[] {
  if (bytes.length > FILE_MAX) throw new CodedError('failed', 'the file is too long to be one of drafts');
  const value = parsed(bytes.toString());
  const isKnown = typeof value === 'object' && value !== null && 'drafts' in value && 'version' in value;
  if (!isKnown || value.version !== VERSION || !Array.isArray(value.drafts))
    throw new CodedError('failed', 'the file is not one of drafts that this mux knows');
  return value.drafts.filter(isDraft).slice(0, DRAFTS_MAX);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CodedError('failed', 'the file is damaged');
  }
}

function isDraft(value: unknown): value is SavedDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { key, to, text, answers, sendId, changedAt } = value as Partial<Record<keyof SavedDraft, unknown>>;
  return (
    [key, text, sendId].every(one => typeof one === 'string') &&
    typeof changedAt === 'number' &&
    Array.isArray(to) &&
    to.every(one => typeof one === 'string') &&
    (answers === null || isAnswered(answers))
  );
}

function isAnswered(value: unknown): value is Answered {
  if (typeof value !== 'object' || value === null) return false;
  const { id, stream } = value as Partial<Record<keyof Answered, unknown>>;
  return typeof id === 'string' && typeof stream === 'string';
}
