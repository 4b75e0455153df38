/**
 * Keys as people write them, in tmux's spelling: `C-b`, `M-Left`, `S-F5`, `C-M-x`, `|`.
 */
import { CodedError, nearest } from '../base/errors.ts';
import { isControl } from './controls.ts';
import { KEY_NAMES } from './event.ts';
import type { Key } from './event.ts';

/** The name that stands for every key without a binding of its own. */
export const ANY_KEY = 'Any';

/** What of the screen a press of the mouse is on, in tmux's names: a pane, a tab, a border or a header. */
export type MousePlace = 'Pane' | 'Status' | 'Border';
const MOUSE_PLACES: readonly MousePlace[] = ['Pane', 'Status', 'Border'];
/** Left, middle, right. */
const MOUSE_BUTTONS = 3;

/** Presses of the mouse, which are bound like keys and typed by nobody. */
const MOUSE_KEYS: readonly string[] = MOUSE_PLACES.flatMap(place =>
  Array.from({ length: MOUSE_BUTTONS }, (_, button) => `MouseDown${button + 1}${place}`),
);

/** The name of a press of `button` (0 is the left one); undefined where it has none. */
export function mouseKeyName(button: number, place: MousePlace): string | undefined {
  return button >= 0 && button < MOUSE_BUTTONS ? `MouseDown${button + 1}${place}` : undefined;
}

/** Whether nothing is typed for a key of that name. */
export function isNeverTyped(name: string): boolean {
  return name === ANY_KEY || MOUSE_KEYS.includes(name);
}

/** Spellings beside the names themselves, in lower case: tmux's own synonyms and those that people try first. */
const ALIASES: readonly (readonly [alias: string, name: string])[] = [
  ['pageup', 'PPage'],
  ['pgup', 'PPage'],
  ['pagedown', 'NPage'],
  ['pgdn', 'NPage'],
  ['insert', 'IC'],
  ['delete', 'DC'],
  ['del', 'DC'],
  ['esc', 'Escape'],
  ['return', 'Enter'],
  ['backspace', 'BSpace'],
  ['backtab', 'BTab'],
];

const NAMES: ReadonlyMap<string, string> = new Map([
  ...[...KEY_NAMES, ANY_KEY, ...MOUSE_KEYS].map(name => [name.toLowerCase(), name] as const),
  ...ALIASES,
]);

type Modifier = 'ctrl' | 'alt' | 'shift';
const MODIFIERS: ReadonlyMap<string, Modifier> = new Map([
  ['C-', 'ctrl'],
  ['M-', 'alt'],
  ['S-', 'shift'],
  ['c-', 'ctrl'],
  ['m-', 'alt'],
  ['s-', 'shift'],
]);

/** Whether `text` is exactly one Unicode character (code point). */
export function isOneCharacter(text: string): boolean {
  const codePoint = text.codePointAt(0);
  return codePoint !== undefined && text.length === (codePoint > 0xffff ? 2 : 1);
}

/** The small form of a capital letter, or undefined where there is none that leads back. */
export function smallOf(name: string): string | undefined {
  const small = name.toLowerCase();
  return small !== name && isOneCharacter(small) && small.toUpperCase() === name ? small : undefined;
}

/** The capital form of a small letter, or undefined where there is none that leads back. */
function capitalOf(name: string): string | undefined {
  const capital = name.toUpperCase();
  return capital !== name && isOneCharacter(capital) && capital.toLowerCase() === name ? capital : undefined;
}

/** Where shift goes into the name: `S-a` is `A`. With control it stays, for a terminal never sends a capital there. */
function foldLetter(key: Key): Key {
  const small = smallOf(key.name);
  if (key.ctrl) return small === undefined ? key : { ...key, name: small };
  if (!key.shift) return key;
  if (small !== undefined) return { ...key, shift: false };
  const capital = capitalOf(key.name);
  return capital === undefined ? key : { ...key, name: capital, shift: false };
}

/**
 * The one form of keys that mean the same: ' ' is Space, S-Tab is BTab, `S-a` is `A`, `C-A` is `C-a` (`C-S-a` is
 * another key). The decoder gives, and `parseKey` returns, canonical keys only.
 */
export function canonicalKey(key: Key): Key {
  if (key.name === ' ') return { ...key, name: 'Space' };
  if (key.name === 'Tab' && key.shift) return { ...key, name: 'BTab', shift: false };
  if (key.name === 'BTab') return { ...key, shift: false };
  return isOneCharacter(key.name) ? foldLetter(key) : key;
}

/** The key as tmux writes it. Total: every key has a spelling, and `parseKey` reads it back. */
export function formatKey(key: Key): string {
  const name = key.name === ' ' ? 'Space' : key.name;
  return (key.ctrl ? 'C-' : '') + (key.alt ? 'M-' : '') + (key.shift ? 'S-' : '') + name;
}

/** A text that is equal for two keys exactly when they are the same key. */
export function keyId(key: Key): string {
  return formatKey(canonicalKey(key));
}

function invalidKey(text: string, name: string): CodedError {
  const shown = JSON.stringify(text.length > 40 ? text.slice(0, 40) + '…' : text);
  const meant = name.length > 40 ? undefined : nearest(name.toLowerCase(), NAMES.keys());
  const spelled = meant === undefined ? undefined : NAMES.get(meant);
  const hint =
    spelled === undefined
      ? 'write keys like C-b, M-Left, S-F5, C-M-x, Enter or |'
      : `did you mean ${text.slice(0, text.length - name.length)}${spelled}?`;
  return new CodedError('invalid_key', `key ${shown}: no such key`, hint);
}

/**
 * Reads a key: modifiers `C-`, `M-`, `S-` (or a leading `^` for control), then one character or a name, whose case
 * does not matter.
 * @throws CodedError `invalid_key`, with the name that was probably meant
 */
export function parseKey(text: string): Key {
  const held = { ctrl: false, alt: false, shift: false };
  let name = text;
  for (;;) {
    const modifier = name.length > 2 ? MODIFIERS.get(name.slice(0, 2)) : undefined;
    if (modifier) {
      held[modifier] = true;
      name = name.slice(2);
    } else if (name.length > 1 && name.startsWith('^')) {
      held.ctrl = true;
      name = name.slice(1);
    } else break;
  }
  const known = NAMES.get(name.toLowerCase());
  if (known !== undefined) return canonicalKey({ name: known, ...held });
  const composed = name.length > 40 ? name : name.normalize('NFC');
  const single = isOneCharacter(name) ? name : isOneCharacter(composed) ? composed : undefined;
  if (single === undefined || isControl(single.codePointAt(0)!) || /[\ud800-\udfff]/u.test(single))
    throw invalidKey(text, name);
  return canonicalKey({ name: single, ...held });
}
