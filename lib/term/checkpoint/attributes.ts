/**
 * What a pen and a saved cursor have in common, as bytes: attributes beyond the words of a cell, and character sets.
 */
import type { XtermCharset, XtermExtended } from '../xterm-core.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Character sets that can be designated: G0 to G3. */
const SETS = 4;
/** Characters a set can replace: those of ASCII. */
const MAX_REPLACED = 128;

export function saveExtended(to: ByteWriter, { _ext, urlId }: XtermExtended): void {
  to.word(_ext);
  to.long(urlId);
}

/** @param like any of xterm's, of which this is to be another */
export function loadExtended(from: ByteReader, like: XtermExtended): XtermExtended {
  const extended = like.clone();
  extended._ext = from.word() | 0;
  extended.urlId = from.long();
  return extended;
}

/** By what they replace, since a set has no name of its own in xterm. */
export function saveCharsets(to: ByteWriter, sets: readonly XtermCharset[]): void {
  for (let g = 0; g < SETS; g++) {
    const pairs = Object.entries(sets[g] ?? {});
    to.count(pairs.length);
    for (const [character, replacement] of pairs) {
      to.shared(character);
      to.shared(replacement);
    }
  }
}

export function loadCharsets(from: ByteReader): XtermCharset[] {
  return Array.from({ length: SETS }, () => {
    const size = from.count(MAX_REPLACED);
    if (size === 0) return undefined;
    return Object.fromEntries(Array.from({ length: size }, () => [from.shared(), from.shared()]));
  });
}

/** One of a few, or none. */
export function saveChoice<T>(to: ByteWriter, choices: readonly T[], value: T | undefined): void {
  to.count(value === undefined ? 0 : choices.indexOf(value) + 1);
}

export function loadChoice<T>(from: ByteReader, choices: readonly T[]): T | undefined {
  return choices[from.count(choices.length) - 1];
}
