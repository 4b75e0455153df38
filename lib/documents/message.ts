/**
 * What a commit of a store says: what was done, and by whom, in trailers (git-interpret-trailers(1)).
 */

/** Who writes a document. */
export interface Writer {
  /** Name of the session, '' if it is not known. */
  readonly session: string;
  /** Its id; '' for the person outside any session. */
  readonly sessionId: string;
  readonly agent: string;
  /** Whether the server has confirmed it by the session's token; else it is what the environment says. */
  readonly isProven: boolean;
}

/** The person outside any session. */
export const PERSON: Writer = { session: '', sessionId: '', agent: '', isProven: true };

export type WriteKind = 'put' | 'append' | 'rm';

/** Longer than any name that mux gives. */
const VALUE_MAX = 100;

/** The message of a commit. `id` tells this write from any other with the same content. */
export function commitMessage(kind: WriteKind, key: string, id: string, writer: Writer): string {
  const { session, sessionId, agent, isProven } = writer;
  const trailers: readonly (readonly [string, string])[] = [
    ['Session', session || (sessionId === '' ? 'human' : '')],
    ['Session-Id', sessionId],
    ['Agent', agent],
    ['Unproven', isProven ? '' : 'as its environment says'],
    ['Write-Id', id],
  ];
  const lines = trailers
    .map(([name, value]) => [name, harmless(value)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\n`);
  return `${kind} ${key}\n\n${lines.join('')}`;
}

/** One line without anything that a terminal or another trailer could be made of. */
function harmless(value: string): string {
  return value
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, VALUE_MAX);
}
