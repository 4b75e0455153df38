/**
 * Errors as a person or a script gets them.
 */
import { errorJson, errorLine, type CodedError } from '../base/errors.ts';
import { jsonMode } from './argv.ts';

/** Tells an error on stderr in one line, or as JSON on stdout, and returns the status to exit with. */
export function reportError(error: CodedError, explicitJson: boolean): number {
  if (jsonMode(explicitJson, process.env) !== 'off') process.stdout.write(errorJson(error) + '\n');
  else process.stderr.write(errorLine(error) + '\n');
  return error.exit;
}
