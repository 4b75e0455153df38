/**
 * What people decided about agents' wishes: a line each, kept for reading, and for what was allowed always.
 */
import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Logger } from '../../base/log.ts';

/** What was decided. */
export interface VerdictLine {
  /** ms since 1970 */
  readonly at: number;
  readonly session: string;
  readonly tool: string;
  readonly command: string;
  readonly verdict: 'allow' | 'deny';
  readonly always: boolean;
  readonly reason: string;
}

/** A log beyond this is put aside, in place of the one put aside before: some thousand verdicts. */
const LOG_MAX = 1024 * 1024;
/** Bytes of what was allowed always that a new log begins with: half of it stays for what comes. */
const KEPT_MAX = LOG_MAX / 2;

export class VerdictLog {
  readonly #path: string;
  readonly #logger: Logger;

  constructor(path: string, logger: Logger) {
    this.#path = path;
    this.#logger = logger;
  }

  /** Adds a line. A disk that takes none is told to the server's log: the verdict holds all the same. */
  add(line: VerdictLine): void {
    try {
      if ((statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX) this.#putAside();
      appendFileSync(this.#path, JSON.stringify(line) + '\n', { mode: 0o600 });
    } catch (error) {
      this.#logger.log('warn', 'verdict not kept', { error });
    }
  }

  /** Begins a new log with what was allowed always, the newest first to stay: it holds for longer than lines are kept. */
  #putAside(): void {
    const lines = new Map(this.always().map(line => [ruleIn(line), JSON.stringify(line) + '\n']));
    let room = KEPT_MAX;
    const kept = [...lines.values()]
      .toReversed()
      .filter(line => (room -= Buffer.byteLength(line)) >= 0)
      .toReversed();
    writeFileSync(`${this.#path}.new`, kept.join(''), { mode: 0o600 });
    renameSync(this.#path, `${this.#path}.old`);
    renameSync(`${this.#path}.new`, this.#path);
  }

  /** What was allowed always. What cannot be read is asked about again. */
  always(): VerdictLine[] {
    return [`${this.#path}.old`, this.#path]
      .flatMap(linesIn)
      .filter(line => line.always && line.verdict === 'allow');
  }
}

/** What is allowed by it: the same twice need not be kept twice. */
function ruleIn({ session, tool, command }: VerdictLine): string {
  return JSON.stringify([session, tool, command]);
}

function linesIn(path: string): VerdictLine[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // ENOENT: nothing was ever decided.
    return [];
  }
  return text.split('\n').flatMap(line => {
    try {
      return isLine(JSON.parse(line)) ? [JSON.parse(line) as VerdictLine] : [];
    } catch {
      // SyntaxError: the last line, where the machine went down, or the empty one.
      return [];
    }
  });
}

function isLine(value: unknown): boolean {
  const { session, tool, command, always } = (value ?? {}) as Record<string, unknown>;
  return [session, tool, command].every(one => typeof one === 'string') && always === true;
}
