/**
 * What was learned about a project: a document of it, so that all its worktrees share it, and that people read, edit and follow
 * by `mux store`. Works without a server.
 */
import { randomUUID } from 'node:crypto';
import { noteOf, NOTES_MAX, readNotes, withNote, type Note } from '../../agent/notes.ts';
import { systemClock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { StoreGit } from '../../documents/git.ts';
import { projectStore, type StorePlace } from '../../documents/places.ts';
import { readDocument } from '../../documents/read.ts';
import { hasStore, makeStore } from '../../documents/repository.ts';
import { performWrite } from '../../documents/write.ts';
import type { AppContext } from '../context.ts';
import { writerOf } from '../store-writer.ts';

/** The document's key. */
export const NOTES_KEY = 'memory';

/** Notes of the project that the working directory is in. */
export class LearnedNotes {
  readonly #context: AppContext;
  readonly #place: StorePlace;
  readonly #git: StoreGit;

  /** Throws CodedError `not_found` where the working directory is gone. */
  constructor(context: AppContext) {
    this.#context = context;
    this.#place = projectStore(context.paths.data, context.cwd);
    this.#git = { dir: this.#place.dir, env: context.env };
  }

  /** All notes, the newest last. Throws CodedError where they cannot be read. */
  async list(): Promise<readonly Note[]> {
    return readNotes(await this.#page());
  }

  /**
   * Keeps a fact that the person has said yes to, in place of an earlier one with its key. Throws CodedError.
   *
   * Added as a line: of several that are kept at the same time none is lost. Only a page with many outdated lines is written anew.
   */
  async keep(key: string, value: string): Promise<void> {
    const note = noteOf(key, value);
    const page = await this.#page();
    if (page.split('\n').length > 2 * NOTES_MAX) return this.#write('put', withNote(page, note));
    await this.#write('append', `- ${note.key}: ${note.value}\n`);
  }

  async #page(): Promise<string> {
    if (!hasStore(this.#place)) return '';
    return (await readDocument(this.#git, NOTES_KEY))?.toString('utf8') ?? '';
  }

  async #write(kind: 'put' | 'append', text: string): Promise<void> {
    makeStore(this.#place);
    const now = (): number => systemClock.now();
    const { result } = await performWrite(
      this.#git,
      {
        id: randomUUID(),
        kind,
        key: NOTES_KEY,
        body: Buffer.from(text),
        writer: await writerOf(this.#context),
        at: Math.floor(now() / 1000),
      },
      now,
    );
    if (result === 'written' || result === 'unchanged') return;
    throw new CodedError(
      'refused',
      `notes: the document ${NOTES_KEY} takes no more`,
      `look at it with 'mux store get ${NOTES_KEY}'`,
    );
  }
}
