/**
 * Taking back what calls have changed, and doing it again. A call of a file tool keeps the files that it names; a command of the
 * shell may change any, so the whole workspace is looked at before and after it.
 */
import { join } from 'node:path';
import type { Outcome } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import { CodedError, toCoded } from '../../base/errors.ts';
import { systemCode, systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import type { Git } from '../../git/run.ts';
import type { KeptCall, Keeper } from '../proto-tool.ts';
import { JournalFiles, type Entry, type Journal, type PathChange } from './journal.ts';
import { Shadow } from './shadow.ts';
import { isSame, putState, stateAt, type FileState } from './states.ts';

/** Paths that an error names. */
const NAMED_MAX = 5;

/** What was taken back, or done again. */
export interface Reverted {
  readonly entry: Entry;
  /** Absolute. */
  readonly paths: readonly string[];
}

export interface CheckpointOptions {
  readonly git: Git;
  readonly clock: Clock;
  /** Where what is kept is kept: outside of the workspace, one for each conversation. */
  readonly dir: string;
  /** The workspace's root, absolute, links followed. */
  readonly root: string;
  /** A call cannot be taken back, and why: it runs all the same. */
  readonly onTrouble: (text: string) => void;
}

/** The checkpoints of one conversation. */
export class Checkpoints implements Keeper {
  readonly #options: CheckpointOptions;
  readonly #shadow: Shadow;
  readonly #journal: JournalFiles;

  constructor(options: CheckpointOptions) {
    this.#options = options;
    this.#shadow = new Shadow(options.git, join(options.dir, 'kept'), options.root);
    this.#journal = new JournalFiles(join(options.dir, 'journal'));
  }

  async around(call: KeptCall, run: () => Promise<Outcome>): Promise<Outcome> {
    const { what } = call.touched;
    if (what.length === 0) return run();
    const before = await this.#quietly(call, () => this.#look(what));
    const outcome = await run();
    if (before) await this.#quietly(call, async () => this.#note(call, await this.#since(before)));
    return outcome;
  }

  /** What can be taken back, and done again. */
  journal(): Promise<Journal> {
    return this.#journal.read();
  }

  /**
   * Takes the last call back that was not yet.
   *
   * @param force also where somebody has changed the files since
   * @throws CodedError `not_found` where there is none, `refused` where files are not as the call left them
   */
  async undo(force = false): Promise<Reverted> {
    const { cursor, entries } = await this.#journal.read();
    const entry = entries[cursor - 1];
    if (!entry) throw new CodedError('not_found', 'undo: there is nothing to take back');
    const changes = await this.#changesOf(entry);
    const paths = await this.#put(
      'undo',
      changes.map(({ path, before, after }) => ({ path, from: after, to: before })),
      force,
    );
    await this.#journal.move(cursor - 1);
    return { entry, paths };
  }

  /** Does the last one again that was taken back. Throws CodedError as `undo` does. */
  async redo(force = false): Promise<Reverted> {
    const { cursor, entries } = await this.#journal.read();
    const entry = entries[cursor];
    if (!entry) throw new CodedError('not_found', 'redo: there is nothing to do again');
    const changes = await this.#changesOf(entry);
    const paths = await this.#put(
      'redo',
      changes.map(({ path, before, after }) => ({ path, from: before, to: after })),
      force,
    );
    await this.#journal.move(cursor + 1);
    return { entry, paths };
  }

  async #quietly<T>(call: KeptCall, look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      // Neither git nor the disk keeps a call from running that was allowed.
      this.#options.onTrouble(`${call.tool}: it cannot be taken back: ${toCoded(error).message}`);
      return undefined;
    }
  }

  async #look(what: readonly string[] | 'workspace'): Promise<Moment> {
    if (what === 'workspace') return { tree: await this.#shadow.look() };
    const files = new Map<string, FileState | undefined>();
    for (const path of what) {
      const found = await stateAt(path);
      if (found === 'unkept') continue;
      if (found) await this.#shadow.keep(found.content);
      files.set(path, found?.state);
    }
    return { files };
  }

  async #since(before: Moment): Promise<readonly PathChange[]> {
    if ('tree' in before) {
      const changes = await this.#shadow.changes(before.tree, await this.#shadow.look());
      return changes.map(change => ({ ...change, path: join(this.#options.root, change.path) }));
    }
    const after = await this.#look([...before.files.keys()]);
    if (!('files' in after)) return [];
    return [...after.files].map(([path, state]) => ({ path, before: before.files.get(path), after: state }));
  }

  async #note({ tool, header }: KeptCall, all: readonly PathChange[]): Promise<void> {
    const changes = all.filter(({ before, after }) => !isSame(before, after));
    if (changes.length > 0) await this.#journal.add({ at: this.#options.clock.now(), tool, header }, changes);
  }

  async #changesOf(entry: Entry): Promise<readonly PathChange[]> {
    try {
      return await this.#journal.changes(entry);
    } catch (error) {
      throw new CodedError('failed', 'checkpoint: what was kept of the call is gone', undefined, {
        cause: error,
      });
    }
  }

  /** All of it, or nothing where a file is not as it is thought to be. */
  async #put(what: string, steps: readonly Step[], force: boolean): Promise<string[]> {
    if (!force) await this.#check(what, steps);
    const names = steps.flatMap(({ to }) => (to ? [to.sha] : []));
    const contents = await this.#shadow.contents(names);
    // Folders are in the way of files, and files of folders: what goes, goes first.
    for (const { path, to } of steps.toSorted((a, b) => Number(Boolean(a.to)) - Number(Boolean(b.to))))
      await putState(path, to, to ? contents.get(to.sha)! : Buffer.alloc(0)).catch((error: unknown) => {
        throw error instanceof CodedError || !systemCode(error)
          ? error
          : new CodedError('failed', `${what}: ${visible(path)}: ${systemReason(error)}`, undefined, {
              cause: error,
            });
      });
    return steps.map(({ path }) => path);
  }

  async #check(what: string, steps: readonly Step[]): Promise<void> {
    const changed: string[] = [];
    for (const { path, from } of steps) {
      const found = await stateAt(path);
      const state = found === 'unkept' ? { kind: 'file' as const, mode: 0, sha: '' } : found?.state;
      if (!isSame(state, from)) changed.push(path);
    }
    if (changed.length === 0) return;
    const named = changed.slice(0, NAMED_MAX).map(visible).join(', ');
    const more = changed.length > NAMED_MAX ? ` and ${changed.length - NAMED_MAX} more` : '';
    throw new CodedError(
      'refused',
      `${what}: changed since: ${named}${more}`,
      'with --force they are overwritten',
    );
  }
}

/** What was there before a call: a look at all of it, or at some files. */
type Moment = { readonly tree: string } | { readonly files: ReadonlyMap<string, FileState | undefined> };

/** What is to be put in place of what. */
interface Step {
  readonly path: string;
  readonly from: FileState | undefined;
  readonly to: FileState | undefined;
}
