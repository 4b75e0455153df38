/**
 * Names of sessions, and how a refused one is said back.
 */
import { CodedError } from '../base/errors.ts';

/** Of a refused word no more is said back, in code units: enough to recognise it. */
const SAID_MAX = 80;

/** Checks a name that a person gives: it must be safe in a target, a path and a status line. Throws CodedError. */
export function checkSessionName(name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}$/u.test(name)) return;
  throw new CodedError(
    'usage',
    `session name '${said(name)}': it may hold letters, digits, . _ + - and is 1 to 64 characters long, beginning with a letter or digit`,
    `try '${
      name
        .replace(/[^\p{L}\p{N}._+-]+/gu, '-')
        .replace(/^[^\p{L}\p{N}]+|-+$/gu, '')
        .slice(0, 64) || 'agent'
    }'`,
  );
}

/** A refused word as it is said back: cut, and with what is not seen as question marks. */
export function said(name: string): string {
  const cut = name.length > SAID_MAX ? `${name.slice(0, SAID_MAX)}…` : name;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?');
}
