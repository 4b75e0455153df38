/**
 * Names of documents. A store may be checked out on any system, so a key that any of them would take for something else
 * is refused on all: it could lead out of the folder, into git's own, to a device, or to another document.
 */
import { CodedError } from '../base/errors.ts';

/** Linux takes 4,096 bytes for a path (PATH_MAX) and Windows 260 characters by default: a store's own path comes before. */
const KEY_MAX = 200;
/** Some encrypting file systems (eCryptfs) take 143 bytes for a name. */
const SEGMENT_MAX = 140;

/** Names that Windows keeps for devices, whatever comes behind a dot (Naming Files, Paths, and Namespaces). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?: *\.|$)/i;

/** What is wrong with a key as a whole, in the order in which it is told. */
const KEY_RULES: readonly (readonly [isWrong: (key: string) => boolean, why: string])[] = [
  [key => key === '', 'it is empty'],
  [key => Buffer.byteLength(key) > KEY_MAX, `it is longer than ${KEY_MAX} bytes`],
  [key => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(key), 'it holds a control character'],
  // What argv held was no UTF-8, or half of a pair.
  [key => /[\p{Cs}\ufffd]/u.test(key), 'it is not valid Unicode'],
  // HFS+ passes over them, so that `.g\u200cit` is `.git`.
  [key => /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(key), 'it holds a character that is not seen'],
  [key => key !== key.normalize('NFC'), 'it is not in the normal form NFC'],
  [key => key.includes('\\'), 'it holds a backslash'],
  [key => key.startsWith('/'), 'it begins with a slash'],
  [key => key.endsWith('/'), 'it ends with a slash'],
  [key => key.includes(':'), 'it holds a colon'],
  [key => /[*?[\]"<>|]/.test(key), 'it holds one of * ? [ ] " < > |'],
];

/** The same for each part between slashes. */
const SEGMENT_RULES: readonly (readonly [isWrong: (segment: string) => boolean, why: string])[] = [
  [segment => segment === '', 'it has an empty part'],
  [segment => /^\.{1,2}$/.test(segment), "a part of it is '.' or '..'"],
  [segment => Buffer.byteLength(segment) > SEGMENT_MAX, `a part of it is longer than ${SEGMENT_MAX} bytes`],
  // .gitattributes and .gitmodules too: git reads them wherever the store is checked out.
  [segment => /^\.git/i.test(segment), "a part of it begins with '.git'"],
  // The short names that NTFS and FAT make: GIT~1 is .git.
  [segment => /~\d+(?:\.|$)/.test(segment), 'a part of it is a short name of Windows (NAME~1)'],
  [segment => segment.startsWith('~'), "a part of it begins with '~'"],
  [segment => segment.startsWith('-'), "a part of it begins with '-'"],
  [segment => /^\s|[\s.]$/.test(segment), 'a part of it begins with a space, or ends with a space or a dot'],
  [segment => DEVICE.test(segment), 'a part of it is a device of Windows'],
  [segment => /^store\.lock$/i.test(segment), "a part of it is 'store.lock'"],
];

/** Why `key` may not name a document; undefined where it may. */
export function keyProblem(key: string): string | undefined {
  const whole = KEY_RULES.find(([isWrong]) => isWrong(key));
  if (whole) return whole[1];
  const segments = key.split('/');
  return SEGMENT_RULES.find(([isWrong]) => segments.some(isWrong))?.[1];
}

/** The key, if it may name a document. @throws CodedError `usage` */
export function checkKey(key: string): string {
  const problem = keyProblem(key);
  if (problem === undefined) return key;
  throw new CodedError(
    'usage',
    `document ${JSON.stringify(key.slice(0, KEY_MAX))}: ${problem}`,
    'use letters, digits and dashes, with slashes between: plans/next.md',
  );
}

/** The keys above one: `a` and `a/b` for `a/b/c`. Where one of them is a document, it cannot be a folder. */
export function parentsOf(key: string): string[] {
  const segments = key.split('/');
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join('/'));
}
