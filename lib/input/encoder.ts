/**
 * Keys → the bytes that a program expects, by the modes it has set.
 */
import type { TermModes } from '../term/screen-view.ts';
import { C1, ESC, encodeText } from './controls.ts';
import { InputDecoder } from './decoder.ts';
import type { Key } from './event.ts';
import { canonicalKey, isNeverTyped, keyId, smallOf } from './keyname.ts';
import { kittySequence, passReport, textOfKey } from './kitty-encoding.ts';
import { KITTY_CODE_OF } from './kitty.ts';
import { functionSequence, legacySequence, modifierParameter } from './legacy-encoding.ts';
import { KEYPAD_KEYS } from './sequences.ts';

/** The modes that decide how keys are sent; without a keyboard protocol where none is named. */
export type KeyModes = Pick<TermModes, 'applicationCursor' | 'applicationKeypad'> &
  Partial<Pick<TermModes, 'kittyFlags' | 'modifyOtherKeys'>>;

/** The key that a program reads from `bytes` if it reads them as legacy ones. */
function readBack(sequence: string): Key | undefined {
  const decoder = new InputDecoder();
  const events = [...decoder.feed(encodeText(sequence)), ...decoder.flush()];
  return events.length === 1 && events[0]?.type === 'key' ? events[0].key : undefined;
}

/** `CSI 27 ; modifiers ; code ~`; level 1 only for keys that legacy bytes would turn into others, level 2 for all. */
function otherKeysSequence(key: Key, level: number, legacy: string): string {
  if (textOfKey(key) !== undefined || functionSequence(key, false) !== undefined) return legacy;
  if (legacy === '\x1b[Z' && !key.ctrl && !key.alt) return legacy;
  const name = key.name === 'BTab' ? 'Tab' : key.name;
  const modifiers = modifierParameter({
    ...key,
    shift: key.shift || name !== key.name || smallOf(name) !== undefined,
  });
  if (modifiers === 1) return legacy;
  const back = level < 2 ? readBack(legacy) : undefined;
  if (back && keyId(back) === keyId(key)) return legacy;
  // xterm tells the character that shift has made.
  const shown = key.shift && /^[a-z]$/.test(name) ? name.toUpperCase() : name;
  const code = KITTY_CODE_OF.get(name) ?? shown.codePointAt(0)!;
  return `\x1b[27;${modifiers};${code}~`;
}

/** The bytes for a key, in the form that the program asked for. Every key has some but `Any` and those of the mouse. */
export function encodeKey(key: Key, modes: KeyModes): Uint8Array {
  if (isNeverTyped(key.name)) return new Uint8Array(0);
  const canonical = canonicalKey(key);
  const flags = modes.kittyFlags ?? 0;
  if (flags !== 0) return encodeText(kittySequence(canonical, flags, modes.applicationCursor));
  const legacy = legacySequence(canonical, modes.applicationCursor);
  const level = modes.modifyOtherKeys ?? 0;
  return encodeText(level > 0 ? otherKeysSequence(canonical, level, legacy) : legacy);
}

/** A decoded key with the bytes it came from. */
export interface TypedKey {
  readonly key: Key;
  readonly raw: Uint8Array;
}

/** Second bytes of the 7-bit sequences that are keys; ESC is Alt in front of another sequence. */
const INTRODUCERS: ReadonlySet<number | undefined> = new Set([0x5b, 0x4f, ESC]);

/** Whether the bytes are a sequence (or none at all) rather than a character, a control, or Alt and one of those. */
function isSequence(raw: Uint8Array): boolean {
  const [first, second] = raw;
  if (first === ESC) return raw.length > 2 && INTRODUCERS.has(second);
  return first === undefined || first === C1.csi || first === C1.ss3;
}

/** Whether the bytes are a character behind an Escape, as terminals without a keyboard protocol send it. */
function isPrefixed(raw: Uint8Array): boolean {
  return raw[0] === ESC && raw.length > 1 && !isSequence(raw) && raw[1]! >= 0x20;
}

/** Whether the bytes are a keypad key in application mode. */
function isKeypad(raw: Uint8Array): boolean {
  return (
    raw.length === 3 && raw[0] === ESC && raw[1] === 0x4f && KEYPAD_KEYS.has(String.fromCharCode(raw[2]!))
  );
}

/** For a program with the kitty protocol: what a terminal that speaks it too has said, else the key in its words. */
function passKitty({ key, raw }: TypedKey, modes: KeyModes, flags: number): Uint8Array {
  // The later characters of a press that made several: the first has carried them all.
  if (raw.length === 0) return raw;
  return passReport(raw, flags) ?? encodeKey(key, modes);
}

/** First of the kitty protocol's codes for keypad keys, and the letters of `SS3 X` in their order. */
const KEYPAD_CODE = 57399;
const KEYPAD_LETTERS = 'pqrstuvwxynojmkMXl';

/** A keypad key that came by the kitty protocol, as application mode has it; undefined where it is none. */
function applicationKey(raw: Uint8Array): Uint8Array | undefined {
  const code = /^\x1b\[(\d{5})u$/.exec(String.fromCharCode(...raw.subarray(0, 9)))?.[1];
  const letter = code === undefined ? undefined : KEYPAD_LETTERS[Number(code) - KEYPAD_CODE];
  return letter === undefined ? undefined : encodeText(`\x1bO${letter}`);
}

/**
 * The bytes for a key that somebody typed: as they came, unless the program expects another form (cursor keys by
 * its mode, the keyboard protocol it asked for or did not ask for).
 */
export function passThrough(typed: TypedKey, modes: KeyModes): Uint8Array {
  const flags = modes.kittyFlags ?? 0;
  if (flags !== 0) return passKitty(typed, modes, flags);
  const keypad = modes.applicationKeypad
    ? isKeypad(typed.raw)
      ? typed.raw
      : applicationKey(typed.raw)
    : undefined;
  if (keypad) return keypad;
  // Escape and a character right behind it look like Alt and that character: the program may tell them apart.
  if ((modes.modifyOtherKeys ?? 0) > 0 && !isPrefixed(typed.raw)) return encodeKey(typed.key, modes);
  return isSequence(typed.raw) ? encodeKey(typed.key, modes) : typed.raw;
}

/**
 * The bytes for a 'key-report' event: none but for a program with the kitty protocol that asked for such.
 */
export function passKeyReport(raw: Uint8Array, modes: Pick<KeyModes, 'kittyFlags'>): Uint8Array {
  const flags = modes.kittyFlags ?? 0;
  return (flags === 0 ? undefined : passReport(raw, flags)) ?? new Uint8Array(0);
}

/** `CSI I` or `CSI O` for a program that asked for focus reports (DECSET 1004), else undefined. */
export function encodeFocus(
  focused: boolean,
  modes: Pick<TermModes, 'focusReports'>,
): Uint8Array | undefined {
  return modes.focusReports ? encodeText(focused ? '\x1b[I' : '\x1b[O') : undefined;
}
