/**
 * Errors of commands on their way to a person.
 */
import { CodedError, toCoded } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';

/** An error as a person is told it. One that is no mistake of theirs goes into the log as well, with its stack. */
export function failure(logger: Logger, command: string, error: unknown): CodedError {
  if (!(error instanceof CodedError)) logger.log('error', 'command failed', { command, error });
  return toCoded(error);
}
