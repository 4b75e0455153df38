/**
 * Names of sessions.
 */
import { CodedError } from '../base/errors.ts';

/** Checks a name that a person gives: it must be safe in a target, a path and a status line. Throws CodedError. */
export function checkSessionName(name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}$/u.test(name)) return;
  throw new CodedError(
    'usage',
    `session name '${name.replace(/[\p{Cc}\p{Cf}]/gu, '?')}': it may hold letters, digits, . _ + - and is 1 to 64 characters long, beginning with a letter or digit`,
    `try '${
      name
        .replace(/[^\p{L}\p{N}._+-]+/gu, '-')
        .replace(/^[^\p{L}\p{N}]+|-+$/gu, '')
        .slice(0, 64) || 'agent'
    }'`,
  );
}
