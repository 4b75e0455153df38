/**
 * Regular expressions under a time limit: a person's pattern may be one that takes for ever on some line of output.
 */
import { createContext, Script } from 'node:vm';
import { matchLines, type LineMatcher, type Match } from '../mode/copy/pattern.ts';

/** One step of a search: a hundred times what a harmless pattern takes, and as long as a person waits for a key. */
const LIMIT_MS = 100;
/** A busy machine may have stood still meanwhile: before a pattern is blamed, the step is done again with more time. */
const AGAIN_FACTOR = 3;

interface Sandbox {
  run: () => Match[][];
}

/**
 * A matcher that gives up after `limitMs`. V8 looks for the interruption while a regular expression backtracks, so
 * none can hold the server up.
 */
export function boundedMatcher(limitMs = LIMIT_MS): LineMatcher {
  const sandbox: Sandbox = { run: () => [] };
  const context = createContext(sandbox);
  const script = new Script('run()');
  const run = (timeout: number): Match[][] | undefined => {
    try {
      return script.runInContext(context, { timeout }) as Match[][];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    }
  };
  return (pattern, lines) => {
    sandbox.run = () => matchLines(pattern, lines);
    return run(limitMs) ?? run(limitMs * AGAIN_FACTOR);
  };
}
