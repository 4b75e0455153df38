/**
 * A yes to a loss is a yes to what was told: `--told ID:DIGEST` brings back with it what `--dry-run` gave.
 */
import { CodedError } from '../base/errors.ts';

/** What a person was told would be lost, by session id; undefined where they agree to any loss. */
export type Told = ReadonlyMap<string, string> | undefined;

/** FNV-1a of 32 bits, in hex: texts that are told one after the other differ in it. No secret depends on it. */
export function riskDigest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Reads words of `--told`. Throws CodedError `usage`. */
export function parseTold(words: readonly string[]): Told {
  if (words.length === 0) return undefined;
  return new Map(
    words.map(word => {
      const [, id, digest] = /^([\w-]+):([0-9a-f]{8})$/.exec(word) ?? [];
      if (id === undefined || digest === undefined)
        throw new CodedError('usage', `purge: --told '${word.slice(0, 60)}' is no ID:DIGEST`);
      return [id, digest] as const;
    }),
  );
}

/** Whether a yes covers that `risk` is lost with a session. */
export function isCovered(told: Told, id: string, risk: string): boolean {
  return risk === '' || told === undefined || told.get(id) === riskDigest(risk);
}
