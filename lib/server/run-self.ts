/**
 * Running a command of mux's own in a process beside the server: what writes files and waits for disks holds up nobody.
 */
import { execFile } from 'node:child_process';

/** Longer takes no command that a person waits for, ms. */
const LONGEST_MS = 30_000;
/** What a command says is a line or two. */
const MAX_OUTPUT = 64 * 1024;

/** How a command ended. */
export interface SelfAnswer {
  readonly exit: number;
  /** The last line that it printed, or why it failed. */
  readonly text: string;
}

/** Runs mux with `words` in `cwd`. Never rejects. */
export function runSelf(
  self: readonly string[],
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SelfAnswer> {
  const [program = '', ...args] = [...self, ...words];
  return new Promise(resolve => {
    execFile(program, args, { cwd, env, timeout: LONGEST_MS, maxBuffer: MAX_OUTPUT }, (error, out, err) => {
      const said = (error ? err || error.message : out || err).trim().split('\n');
      const exit = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ exit, text: (error ? said[0] : said.at(-1)) ?? '' });
    });
  });
}
