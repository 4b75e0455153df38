/**
 * What git knows of lores, asked in the graph's thread: long histories hold up nobody who types.
 */
import type { Clock } from '../base/clock.ts';
import type { StyledLine } from '../base/styled.ts';
import { lastChanges } from '../git/ages.ts';
import { fileChange, fileHistory, type FileCommit } from '../git/history.ts';
import { Git } from '../git/run.ts';
import { LORE_DIR } from '../graph/address.ts';
import type { Environment } from '../graph/json-text.ts';
import { printable } from '../graph/printable.ts';

/** Lines of a change that are shown. */
const MAX_LINES = 5000;
/** A line of a change is shown this far, in UTF-16 units. */
const MAX_LINE = 2000;

/** Changes asked for at once: a few terminals may look at histories at the same time. */
const MAX_ASKED = 4;

/** Where a lore's file is. */
export interface LorePlace {
  readonly root: string;
  /** Relative to the root. */
  readonly file: string;
}

export class LoreHistory {
  readonly #git: Git;
  #asked: AbortController[] = [];

  constructor(env: Environment, clock: Clock) {
    this.#git = new Git({ env, clock });
  }

  /** When the lores at `root` were last committed, Unix times in ms by file; empty where git knows nothing. */
  ages(root: string): Promise<ReadonlyMap<string, number>> {
    return lastChanges(this.#git, root, LORE_DIR);
  }

  /** The commits that changed a lore, the latest first. @throws CodedError failed outside a repository */
  async history({ root, file }: LorePlace): Promise<readonly FileCommit[]> {
    const commits = await fileHistory(this.#git, root, file);
    return commits.map(commit => ({
      ...commit,
      author: printable(commit.author),
      subject: printable(commit.subject),
    }));
  }

  /** Runs a question; whoever goes through commits faster than git answers has the first ones given up. */
  async #latest<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#asked.push(controller);
    if (this.#asked.length > MAX_ASKED) this.#asked.shift()!.abort();
    try {
      return await ask(controller.signal);
    } finally {
      this.#asked = this.#asked.filter(other => other !== controller);
    }
  }

  /** What a commit changed, drawn. @param file what the lore was called then @throws CodedError failed */
  async change({ root }: LorePlace, commit: string, file: string): Promise<readonly StyledLine[]> {
    const diff = await this.#latest(signal => fileChange(this.#git, root, commit, file, signal));
    const lines = diff.split(/\r\n|\n|\r/);
    const start = lines.findIndex(line => line.startsWith('@@'));
    // Without a change of the text git's own words say what it was.
    const told =
      start < 0
        ? lines.filter(line => /^(?:rename|copy|new|deleted|old|Binary)/.test(line))
        : lines.slice(start);
    const shown = told.slice(0, MAX_LINES);
    if (shown.at(-1) === '') shown.pop();
    return shown.length > 0 ? shown.map(styled) : [[{ text: 'nothing in the text', role: 'dim' }]];
  }
}

function styled(line: string): StyledLine {
  const text = printable(line.slice(1, MAX_LINE).replaceAll('\t', '    '));
  // The sign stays before the blanks that `printable` takes away.
  const indent = ' '.repeat(/^ */.exec(line.slice(1).replaceAll('\t', '    '))![0].length);
  const sign = line.slice(0, 1);
  if (sign === '+') return [{ text: `+${indent}${text}`, role: 'add' }];
  if (sign === '-') return [{ text: `-${indent}${text}`, role: 'del' }];
  if (sign === ' ') return [{ text: ` ${indent}${text}` }];
  return [{ text: printable(line.slice(0, MAX_LINE)), role: 'dim' }];
}
