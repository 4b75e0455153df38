/**
 * Keys of the kitty keyboard protocol (`CSI code:shifted:base ; modifiers:event ; text u`) and of xterm's
 * modifyOtherKeys (`CSI 27 ; modifiers ; code ~`), both normalised to the keys that legacy sequences give.
 */
import { isControl } from './controls.ts';
import { param } from './csi.ts';
import type { Csi } from './csi.ts';
import type { Key } from './event.ts';
import { canonicalKey } from './keyname.ts';

/** Event types of the protocol's second sub-parameter. */
const RELEASE = 3;

/** Bits of `modifiers - 1`. Super and hyper have no place in a Key: such a key is none of ours. */
const MODIFIER_BITS = { shift: 1, alt: 2, ctrl: 4, super: 8, hyper: 16, meta: 32 } as const;

/** Keys that have a control character for a code. */
const CONTROL_CODES: readonly (readonly [number, string])[] = [
  [9, 'Tab'],
  [13, 'Enter'],
  [27, 'Escape'],
  [32, 'Space'],
  [127, 'BSpace'],
];

const HIGH_FUNCTION_KEYS = Array.from({ length: 12 }, (_, i) => [57376 + i, `F${13 + i}`] as const);

/** Keypad keys from 57399 on, as the keys they type or move like. */
const KEYPAD: readonly string[] = [
  ...'0123456789./*-+',
  'Enter',
  '=',
  ',',
  'Left',
  'Right',
  'Up',
  'Down',
  'PPage',
  'NPage',
  'Home',
  'End',
  'IC',
  'DC',
];

/** Functional key codes (the protocol's "Functional key definitions"). Locks, media and bare modifiers are left out. */
const FUNCTIONAL: ReadonlyMap<number, string> = new Map([
  // What xterm reports for a BSpace that sends C-h.
  [8, 'BSpace'] as const,
  ...CONTROL_CODES,
  ...HIGH_FUNCTION_KEYS,
  ...KEYPAD.map((name, i) => [57399 + i, name] as const),
]);

/** The protocol's code by key, for the keys without text that it sends as `CSI code u`. */
export const KITTY_CODE_OF: ReadonlyMap<string, number> = new Map(
  [...CONTROL_CODES, ...HIGH_FUNCTION_KEYS].map(([code, name]) => [name, code]),
);

/** Codes of the private use area that the protocol gives to keys without text. */
export function isFunctional(code: number): boolean {
  return code >= 57344 && code <= 63743;
}

/** The name of the key with that code, or undefined where it is no key of ours. */
export function nameOfCode(code: number): string | undefined {
  const name = FUNCTIONAL.get(code);
  if (name !== undefined) return name;
  return isText(code) && !isFunctional(code) ? String.fromCodePoint(code) : undefined;
}

/** Whether a number is a code point that can be the text of a key. */
export function isText(code: number): boolean {
  return Number.isInteger(code) && code <= 0x10ffff && !isControl(code) && (code < 0xd800 || code > 0xdfff);
}

/** Modifiers out of the protocol's parameter, or undefined where one is held that a Key cannot say. */
function heldModifiers(modifiers: number): Omit<Key, 'name'> | undefined {
  const bits = modifiers - 1;
  // Caps lock and num lock make 256 values in all.
  if (!(bits >= 0 && bits < 256) || (bits & (MODIFIER_BITS.super | MODIFIER_BITS.hyper)) !== 0)
    return undefined;
  return {
    ctrl: (bits & MODIFIER_BITS.ctrl) !== 0,
    alt: (bits & (MODIFIER_BITS.alt | MODIFIER_BITS.meta)) !== 0,
    shift: (bits & MODIFIER_BITS.shift) !== 0,
  };
}

/** The text that a key made, as code points; empty where none was told. */
function textOf(csi: Csi): readonly number[] {
  const text = csi.params[2] ?? [];
  return text.every(isText) ? text : [];
}

/** The code that names the key: what shift makes of it, or where control is held what a Latin layout has there. */
function codeOf(csi: Csi, held: Omit<Key, 'name'>): { readonly code: number; readonly shift: boolean } {
  const code = param(csi, 0, 0, 0);
  const shifted = param(csi, 0, 1, 0);
  const base = param(csi, 0, 2, 0);
  if ((held.ctrl || held.alt) && code > 0x7f && base > 0x20 && base < 0x7f)
    return { code: base, shift: held.shift };
  // A letter keeps its shift for canonicalKey to decide on; `C-%` has used it up.
  const used =
    held.shift &&
    isText(shifted) &&
    String.fromCodePoint(shifted).toLowerCase() === String.fromCodePoint(shifted);
  return used ? { code: shifted, shift: false } : { code, shift: held.shift };
}

/**
 * The keys of a `CSI … u`: one, or one per character where the key made several (an input method). Undefined where
 * it is a release or no key of ours.
 */
export function kittyKeys(csi: Csi): readonly Key[] | undefined {
  const held = heldModifiers(param(csi, 1, 0, 1));
  if (!held || param(csi, 1, 1, 1) === RELEASE) return undefined;
  const text = textOf(csi);
  if (text.length > 0 && !held.ctrl && !held.alt && !FUNCTIONAL.has(param(csi, 0, 0, 0)))
    return text.map(code => plainKey(String.fromCodePoint(code)));
  const { code, shift } = codeOf(csi, held);
  const name = nameOfCode(code);
  return name === undefined ? undefined : [canonicalKey({ ...held, name, shift })];
}

function plainKey(name: string): Key {
  return canonicalKey({ name, ctrl: false, alt: false, shift: false });
}

/** The key of a `CSI 27 ; modifiers ; code ~`. The code is what shift has made already, so only letters keep it. */
export function otherKey(csi: Csi): Key | undefined {
  const held = heldModifiers(param(csi, 1, 0, 1));
  const name = nameOfCode(param(csi, 2, 0, 0));
  if (!held || name === undefined) return undefined;
  const symbol = name.length === 1 && name.toLowerCase() === name.toUpperCase();
  return canonicalKey({ ...held, name, shift: held.shift && !symbol });
}
