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

/** Where a lore's file is. */
export interface LorePlace {
  readonly root: string;
  /** Relative to the root. */
  readonly file: string;
}

export class LoreHistory {
  readonly #git: Git;

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

  /** What a commit changed, drawn. @param file what the lore was called then @throws CodedError failed */
  async change({ root }: LorePlace, commit: string, file: string): Promise<readonly StyledLine[]> {
    const lines = (await fileChange(this.#git, root, commit, file)).split(/\r\n|\n|\r/);
    const start = lines.findIndex(line => line.startsWith('@@'));
    const shown = lines.slice(Math.max(0, start), Math.max(0, start) + MAX_LINES);
    if (shown.at(-1) === '') shown.pop();
    return shown.length > 0 ? shown.map(styled) : [[{ text: 'nothing but its name', role: 'dim' }]];
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
