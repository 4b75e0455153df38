/** What a person is told whose question could not be sent. */
import type { CallFailure } from '../../ai/client.ts';
import { CodedError } from '../../base/errors.ts';

/** The failure, with what becomes of the question. */
export function kept({ code, message }: CallFailure): CodedError {
  return new CodedError(code, message, 'the question is kept, and sent before the next one in this chat');
}
