/**
 * What one stretch of input turned out to be, before its bytes are cut out.
 */
import type { Key, MouseEvent } from './event.ts';

/** The meaning of a stretch of bytes. */
export type Meaning =
  /** One key; several where one press made several characters. */
  | { readonly type: 'keys'; readonly keys: readonly Key[]; readonly legacy: boolean }
  | { readonly type: 'mouse'; readonly mouse: MouseEvent }
  | { readonly type: 'focus'; readonly focused: boolean }
  /** See InputEvent. */
  | { readonly type: 'key-report' }
  | { readonly type: 'reply' }
  /** The marker that begins a bracketed paste, in its 7-bit or 8-bit form. */
  | { readonly type: 'paste'; readonly eightBit: boolean }
  | { readonly type: 'unknown' }
  /** The same, and what follows belongs to it too, until something ends it. */
  | { readonly type: 'endless'; readonly within: 'csi' | 'string' };

/** A meaning and the offset behind its last byte. */
export interface Token {
  readonly meaning: Meaning;
  readonly end: number;
}

export const UNKNOWN: Meaning = { type: 'unknown' };
export const KEY_REPORT: Meaning = { type: 'key-report' };

/** A key without modifiers but those named. */
export function pressed(name: string, held: Partial<Omit<Key, 'name'>> = {}): Key {
  return { name, ctrl: false, alt: false, shift: false, ...held };
}

/** The meaning of one key that came in a form older than the kitty protocol. */
export function legacyKey(key: Key): Meaning {
  return { type: 'keys', keys: [key], legacy: true };
}
