/**
 * What the person has said to the settings that repositories bring along: yes or no, once for each content in each project. What
 * such a file names is run by its commands as they are at that time; so what is kept is for one project, not for a text.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reasons.ts';
import { privateDirectory } from '../../config/directories.ts';
import { projectOf } from '../../documents/places.ts';
import { readIfThere, systemError, writeAtomicSync } from '../../store/atomic.ts';
import type { AppContext } from '../context.ts';

/** Beside config.yaml: it holds for all servers, as that does. */
const NAME = 'trust.json';
/** Answers that are kept, the newest: more projects than anybody works in. */
const KEEP = 1000;
const VERSION = 1;

/** One answer. */
export interface TrustEntry {
  /** Of project and content. */
  readonly key: string;
  /** The project, for people. */
  readonly project: string;
  readonly trusted: boolean;
  /** ISO 8601. */
  readonly at: string;
}

/** The answers of one person. */
export class TrustFile {
  readonly #path: string;

  constructor({ paths }: Pick<AppContext, 'paths'>) {
    this.#path = join(dirname(paths.config), NAME);
  }

  /** What was said to this content; undefined: nothing yet. Throws CodedError where that cannot be known. */
  answer(key: string): boolean | undefined {
    return this.#read().find(entry => entry.key === key)?.trusted;
  }

  /** Keeps an answer in place of an earlier one. Throws CodedError. */
  keep(entry: TrustEntry): void {
    this.#change(entries => [...entries.filter(({ key }) => key !== entry.key), entry].slice(-KEEP));
  }

  /** Forgets all that was said to a project, whatever its content: it is asked about again. Gives how many answers that were. */
  forget(project: string): number {
    let count = 0;
    this.#change(entries => {
      const kept = entries.filter(entry => entry.project !== project);
      count = entries.length - kept.length;
      return kept;
    });
    return count;
  }

  #change(change: (entries: readonly TrustEntry[]) => readonly TrustEntry[]): void {
    const entries = change(this.#read());
    try {
      privateDirectory(dirname(this.#path), { uid: process.getuid?.() ?? 0 });
      writeAtomicSync(
        this.#path,
        `${JSON.stringify({ version: VERSION, answers: entries }, undefined, 2)}\n`,
      );
    } catch (error) {
      throw error instanceof CodedError ? error : systemError(this.#path, error);
    }
  }

  #read(): TrustEntry[] {
    let text: string;
    try {
      text = readIfThere(this.#path)?.toString('utf8') ?? '';
    } catch (error) {
      throw new CodedError('failed', `${this.#path}: ${systemReason(error)}`, undefined, { cause: error });
    }
    // What cannot be read has no answer in it: everything is asked about again.
    return text === '' ? [] : entriesIn(text);
  }
}

function entriesIn(text: string): TrustEntry[] {
  try {
    const { version, answers } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return version === VERSION && Array.isArray(answers) ? answers.filter(isEntry) : [];
  } catch {
    // SyntaxError, or null.
    return [];
  }
}

function isEntry(value: unknown): value is TrustEntry {
  const { key, project, trusted, at } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    typeof key === 'string' &&
    typeof project === 'string' &&
    typeof trusted === 'boolean' &&
    typeof at === 'string'
  );
}

/** The key of a content in a project: SHA-256, since nobody may find another content that has been said yes to. */
export function trustKey(project: string, content: string): string {
  return createHash('sha256')
    .update(JSON.stringify([project, content]))
    .digest('hex');
}

/**
 * The project whose working tree `top` is: that of the repository for each of its worktrees, so that all of them are asked about
 * once. A folder that only says it is one of them, as an unpacked archive may, is a project of its own.
 */
export function trustedProject(top: string): string {
  const real = realpathSync(top);
  const project = projectOf(real);
  return project === real || isKnownWorktree(real) ? project : real;
}

/** Whether the repository that a worktree names knows it, too (gitrepository-layout(5), worktrees/ID/gitdir). */
function isKnownWorktree(top: string): boolean {
  const dot = join(top, '.git');
  try {
    const [, target = ''] = /^gitdir: (.+?)\n?$/.exec(readFileSync(dot, 'utf8')) ?? [];
    const gitDir = resolve(top, target);
    const back = resolve(gitDir, readFileSync(join(gitDir, 'gitdir'), 'utf8').trim());
    return existsSync(back) && realpathSync(back) === realpathSync(dot);
  } catch {
    // ENOENT, EISDIR: it is none.
    return false;
  }
}
