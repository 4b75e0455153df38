/**
 * Keys → the bytes that a program expects, by the modes it has set.
 */
import type { TermModes } from '../term/screen-view.ts';
import { C1, ESC, encodeText } from './controls.ts';
import { scanCsi } from './csi.ts';
import { InputDecoder } from './decoder.ts';
import type { Key } from './event.ts';
import { ANY_KEY, canonicalKey, isOneCharacter, keyId, smallOf } from './keyname.ts';
import { KITTY_CODE_OF } from './kitty.ts';
import { functionSequence, legacySequence, modifierParameter } from './legacy-encoding.ts';
import { KEYPAD_KEYS } from './sequences.ts';

/** The modes that decide how keys are sent. A plain `TermModes` is one without a keyboard protocol. */
export interface KeyModes extends Pick<TermModes, 'applicationCursor' | 'applicationKeypad'> {
  /** The kitty keyboard protocol's flags in force (`CSI > flags u`); 0 or absent for none. */
  readonly kittyFlags?: number;
  /** xterm's modifyOtherKeys level (`CSI > 4 ; level m`); 0 or absent for none. */
  readonly modifyOtherKeys?: number;
}

/** The kitty protocol's flags that are looked at here. */
const KITTY = { disambiguate: 1, eventTypes: 2, alternates: 4, allKeys: 8, text: 16 } as const;

/** Keys that stay one control character when nothing is held, so that a shell stays usable after a crash. */
const PLAIN_CONTROLS: ReadonlyMap<string, string> = new Map([
  ['Enter', '\r'],
  ['Tab', '\t'],
  ['BSpace', '\x7f'],
]);

/** The text that a key makes when nothing but shift is held; undefined for keys without. */
function textOf(key: Key): string | undefined {
  if (key.ctrl || key.alt || key.shift) return undefined;
  if (key.name === 'Space') return ' ';
  return isOneCharacter(key.name) ? key.name : undefined;
}

/** Key code and modifiers: a capital letter is its small one with shift. */
function codeOf(key: Key): { readonly code: number; readonly modifiers: number } {
  const name = key.name === 'BTab' ? 'Tab' : key.name;
  const small = smallOf(name);
  const shifted = small !== undefined || key.name === 'BTab';
  const modifiers = modifierParameter({ ...key, shift: key.shift || shifted });
  return { code: KITTY_CODE_OF.get(name) ?? (small ?? name).codePointAt(0)!, modifiers };
}

/** `CSI 1 ; m A` and `CSI n ; m ~` as the kitty protocol has them: never SS3, and F3 has a number of its own. */
function kittyFunction(key: Key): string | undefined {
  if (KITTY_CODE_OF.has(key.name)) return undefined;
  const modifiers = modifierParameter(key);
  if (key.name === 'F3') return modifiers > 1 ? `\x1b[13;${modifiers}~` : '\x1b[13~';
  return functionSequence(key, false)?.replace('\x1bO', '\x1b[');
}

function kittySequence(key: Key, flags: number): string {
  const sequence = kittyFunction(key);
  if (sequence !== undefined) return sequence;
  const text = textOf(key);
  const { code, modifiers } = codeOf(key);
  const all = (flags & KITTY.allKeys) !== 0;
  if (!all && text !== undefined) return text;
  const plain = modifiers === 1 ? PLAIN_CONTROLS.get(key.name) : undefined;
  if (!all && plain !== undefined) return plain;
  if (text !== undefined && (flags & KITTY.text) !== 0)
    return `\x1b[${code};${modifiers === 1 ? '' : modifiers};${text.codePointAt(0)!}u`;
  return modifiers === 1 ? `\x1b[${code}u` : `\x1b[${code};${modifiers}u`;
}

/** The key that a program reads from `bytes` if it reads them as legacy ones. */
function readBack(sequence: string): Key | undefined {
  const decoder = new InputDecoder();
  const events = [...decoder.feed(encodeText(sequence)), ...decoder.flush()];
  return events.length === 1 && events[0]?.type === 'key' ? events[0].key : undefined;
}

/** `CSI 27 ; modifiers ; code ~`; level 1 only for keys that legacy bytes would turn into others, level 2 for all. */
function otherKeysSequence(key: Key, level: number, legacy: string): string {
  if (textOf(key) !== undefined || functionSequence(key, false) !== undefined) return legacy;
  if (legacy === '\x1b[Z' && !key.ctrl && !key.alt) return legacy;
  const name = key.name === 'BTab' ? 'Tab' : key.name;
  const modifiers = modifierParameter({
    ...key,
    shift: key.shift || name !== key.name || smallOf(name) !== undefined,
  });
  if (modifiers === 1) return legacy;
  const back = level < 2 ? readBack(legacy) : undefined;
  if (back && keyId(back) === keyId(key)) return legacy;
  const code = KITTY_CODE_OF.get(name) ?? name.codePointAt(0)!;
  return `\x1b[27;${modifiers};${code}~`;
}

/** The bytes for a key, in the form that the program asked for. Every key has some but `Any`, which is none. */
export function encodeKey(key: Key, modes: KeyModes): Uint8Array {
  if (key.name === ANY_KEY) return new Uint8Array(0);
  const canonical = canonicalKey(key);
  const flags = modes.kittyFlags ?? 0;
  if (flags !== 0) return encodeText(kittySequence(canonical, flags));
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

/** Whether the bytes are a keypad key in application mode. */
function isKeypad(raw: Uint8Array): boolean {
  return (
    raw.length === 3 && raw[0] === ESC && raw[1] === 0x4f && KEYPAD_KEYS.has(String.fromCharCode(raw[2]!))
  );
}

/** Fields of a kitty sequence that a Key does not keep, and the flag by which a program asks for each. */
function fieldsOf(raw: Uint8Array): number | undefined {
  const extent = raw[0] === ESC && raw[1] === 0x5b ? scanCsi(raw, 2) : undefined;
  if (extent?.state !== 'whole' || !/[A-HPQSu~]/.test(extent.csi.final)) return undefined;
  const [code, modifiers, text] = extent.csi.params;
  return (
    ((code?.length ?? 0) > 1 ? KITTY.alternates : 0) |
    ((modifiers?.length ?? 0) > 1 ? KITTY.eventTypes : 0) |
    (extent.csi.final === 'u' && text ? KITTY.text : 0)
  );
}

/** For a program with the kitty protocol: the bytes as they came if they tell no more than it asked for. */
function passKitty({ key, raw }: TypedKey, modes: KeyModes, flags: number): Uint8Array {
  const fields = fieldsOf(raw);
  if (fields !== undefined && fields !== 0 && (fields & ~flags) === 0) return raw;
  // The later characters of a press that made several: the first has carried them all.
  if (raw.length === 0 && (flags & KITTY.text) !== 0) return raw;
  return encodeKey(key, modes);
}

/**
 * The bytes for a key that somebody typed: as they came, unless the program expects another form (cursor keys by
 * its mode, the keyboard protocol it asked for or did not ask for).
 */
export function passThrough(typed: TypedKey, modes: KeyModes): Uint8Array {
  const flags = modes.kittyFlags ?? 0;
  if (flags !== 0) return passKitty(typed, modes, flags);
  if (isKeypad(typed.raw) && modes.applicationKeypad) return typed.raw;
  if ((modes.modifyOtherKeys ?? 0) > 0) return encodeKey(typed.key, modes);
  return isSequence(typed.raw) ? encodeKey(typed.key, modes) : typed.raw;
}

/** `CSI I` or `CSI O` for a program that asked for focus reports (DECSET 1004), else undefined. */
export function encodeFocus(
  focused: boolean,
  modes: Pick<TermModes, 'focusReports'>,
): Uint8Array | undefined {
  return modes.focusReports ? encodeText(focused ? '\x1b[I' : '\x1b[O') : undefined;
}
