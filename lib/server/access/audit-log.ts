/**
 * What was refused, and what was done that only a person may do: a line each, as JSON. Which command and by whom, but
 * not its words, for those may hold what is typed into a program.
 */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import type { Logger } from '../../base/log.ts';

/** One act. */
export interface AuditLine {
  /** ms since 1970 */
  readonly at: number;
  /** Id of the session that spoke; '' for a person outside of any, and for whoever has no token. */
  readonly session: string;
  readonly who: 'person' | 'agent' | 'nobody';
  readonly command: string;
  readonly outcome: 'refused' | 'done' | 'failed';
  /** Why it was refused or failed, '' else. */
  readonly why: string;
}

/** A log beyond this is put aside, in place of the one put aside before: some ten thousand acts, and twice that on the disk. */
const LOG_MAX = 1024 * 1024;
/** What a line keeps of a reason: whoever is refused chooses some of its words. */
const WHY_MAX = 300;

export class AuditLog {
  readonly path: string;
  readonly #logger: Logger;

  constructor(path: string, logger: Logger) {
    this.path = path;
    this.#logger = logger;
  }

  /** Adds a line. A disk that takes none is told to the server's log: what is refused stays refused. */
  add(line: AuditLine): void {
    try {
      if ((statSync(this.path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX)
        renameSync(this.path, `${this.path}.old`);
      const why = line.why.slice(0, WHY_MAX);
      appendFileSync(this.path, JSON.stringify({ ...line, why }) + '\n', { mode: 0o600 });
    } catch (error) {
      this.#logger.log('warn', 'an act was not noted', { error });
    }
  }
}
