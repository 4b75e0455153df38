/**
 * Keys as xterm sends them without any keyboard protocol (ctlseqs, "PC-Style Function Keys").
 */
import type { Key } from './event.ts';
import { CURSOR_KEYS, LETTER_OF, TILDE_OF } from './sequences.ts';

/** Control characters by the key beside Control; letters are computed. The digits are VT220's. */
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['Space', '\x00'],
  ['@', '\x00'],
  ['`', '\x00'],
  ['2', '\x00'],
  ['3', '\x1b'],
  ['[', '\x1b'],
  ['4', '\x1c'],
  ['\\', '\x1c'],
  ['5', '\x1d'],
  [']', '\x1d'],
  ['6', '\x1e'],
  ['^', '\x1e'],
  ['~', '\x1e'],
  ['7', '\x1f'],
  ['/', '\x1f'],
  ['_', '\x1f'],
  ['8', '\x7f'],
  ['?', '\x7f'],
  ['BSpace', '\x08'],
]);

/** Keys that are one control character, or BTab, which has a sequence without room for modifiers. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['Enter', '\r'],
  ['Tab', '\t'],
  ['BTab', '\x1b[Z'],
  ['Escape', '\x1b'],
  ['BSpace', '\x7f'],
  ['Space', ' '],
]);

/** xterm's modifier parameter: 1 and shift 1, alt 2, control 4. */
export function modifierParameter(key: Key): number {
  return 1 + (key.shift ? 1 : 0) + (key.alt ? 2 : 0) + (key.ctrl ? 4 : 0);
}

/** A function or cursor key; undefined for keys that have characters. */
export function functionSequence(key: Key, applicationCursor: boolean): string | undefined {
  const modifiers = modifierParameter(key);
  const letter = LETTER_OF.get(key.name);
  if (letter !== undefined) {
    if (modifiers > 1) return `\x1b[1;${modifiers}${letter}`;
    const cursor = CURSOR_KEYS.has(key.name);
    return (cursor && !applicationCursor ? '\x1b[' : '\x1bO') + letter;
  }
  const number = TILDE_OF.get(key.name);
  if (number === undefined) return undefined;
  return modifiers > 1 ? `\x1b[${number};${modifiers}~` : `\x1b[${number}~`;
}

/** The character of a key with control held, or the plain one where control makes no other. */
function controlled(name: string): string {
  const letter = /^[a-z]$/.test(name);
  if (letter) return String.fromCharCode(name.charCodeAt(0) & 0x1f);
  return CONTROLS.get(name) ?? SPECIAL.get(name) ?? name;
}

/**
 * Every key as text to send. What legacy keys cannot say is dropped: `C-é` is é, `C-Enter` is CR. `S-Enter` is
 * `ESC CR`, for that is what programs without the protocol read as a new line.
 */
export function legacySequence(key: Key, applicationCursor: boolean): string {
  const sequence = functionSequence(key, applicationCursor);
  if (sequence !== undefined) return sequence;
  const character = key.ctrl ? controlled(key.name) : (SPECIAL.get(key.name) ?? key.name);
  const newLine = key.name === 'Enter' && key.shift && !key.ctrl;
  return (key.alt || newLine ? '\x1b' : '') + character;
}
