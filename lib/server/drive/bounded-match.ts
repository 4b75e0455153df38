/**
 * Regular expressions under a time limit: a person's pattern may be one that takes for ever on some line of output.
 */
import { createContext, Script } from 'node:vm';
import { matchLines, type LineMatcher, type Match } from '../../mode/copy/pattern.ts';

/** One step of a search: a hundred times what a harmless pattern takes, and as long as a person waits for a key. */
const LIMIT_MS = 100;
/** A busy machine may have stood still meanwhile: before a pattern is blamed, the step is done again with more time. */
const AGAIN_FACTOR = 3;

interface Sandbox {
  run: () => Match[][];
}

/** Tries on a machine that gives us no time, before it is given up all the same. */
const BUSY_TRIES = 20;
/** A try that had most of its time, and this often, is the pattern's fault: once may have been a collection of garbage. */
const FULL_TRIES = 3;
const FULL = 0.7;

/**
 * A matcher that gives up after `limitMs`. V8 looks for the interruption while a regular expression backtracks, so
 * none can hold the server up.
 */
export function boundedMatcher(limitMs = LIMIT_MS): LineMatcher {
  const run = boundedRun();
  return (pattern, lines) => run(pattern, lines, limitMs) ?? run(pattern, lines, limitMs * AGAIN_FACTOR);
}

/**
 * The same for scripts, which must not fail because others have the processor: a pattern is given up where it took
 * `limitMs` of processor time, FULL_TRIES times.
 */
export function patientMatcher(limitMs: number): LineMatcher {
  const run = boundedRun();
  return (pattern, lines) => {
    for (let full = 0, tries = 0; full < FULL_TRIES && tries < BUSY_TRIES; tries++) {
      const before = process.cpuUsage();
      const found = run(pattern, lines, limitMs);
      if (found) return found;
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 >= limitMs * FULL) full++;
    }
    return undefined;
  };
}

/** Matches under a time limit in ms; undefined where that is over. */
function boundedRun(): (pattern: RegExp, lines: readonly string[], timeout: number) => Match[][] | undefined {
  const sandbox: Sandbox = { run: () => [] };
  const context = createContext(sandbox);
  const script = new Script('run()');
  return (pattern, lines, timeout) => {
    sandbox.run = () => matchLines(pattern, lines);
    try {
      return script.runInContext(context, { timeout }) as Match[][];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    }
  };
}
