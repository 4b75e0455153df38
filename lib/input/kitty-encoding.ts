/**
 * Keys for programs that speak the kitty keyboard protocol: made from a Key, or passed on from a terminal that speaks
 * it too, without what the program did not ask for.
 */
import { C1, ESC, encodeText } from './controls.ts';
import { param, scanCsi } from './csi.ts';
import type { Csi } from './csi.ts';
import type { Key } from './event.ts';
import { isOneCharacter, smallOf } from './keyname.ts';
import { KITTY_CODE_OF, isFunctional, isText, nameOfCode } from './kitty.ts';
import { functionSequence, legacySequence, modifierParameter } from './legacy-encoding.ts';

/** The protocol's flags, by what they ask for. */
export const KITTY = { disambiguate: 1, eventTypes: 2, alternates: 4, allKeys: 8, text: 16 } as const;

const NOTHING = new Uint8Array(0);
/** Event types of the modifiers' sub-parameter. */
const EVENT = { press: 1, repeat: 2, release: 3 } as const;
/** Modifier bits that hold without anybody holding a key: caps lock and num lock. */
const LOCKS = 64 | 128;
const SHIFT = 1;
const CAPS_LOCK = 64;

/** Keys that stay one control character when nothing is held, so that a shell stays usable after a crash. */
const PLAIN_CONTROLS: ReadonlyMap<string, string> = new Map([
  ['Enter', '\r'],
  ['Tab', '\t'],
  ['BSpace', '\x7f'],
]);
const PLAIN_CODES: ReadonlyMap<number, string> = new Map(
  Array.from(PLAIN_CONTROLS, ([name, control]) => [KITTY_CODE_OF.get(name)!, control]),
);

/** Whether a program with these flags wants other sequences than legacy ones for presses. */
function isDistinct(flags: number): boolean {
  return (flags & (KITTY.disambiguate | KITTY.allKeys)) !== 0;
}

/** The text that a key makes when nothing but shift is held; undefined for keys without. */
export function textOfKey(key: Key): string | undefined {
  if (key.ctrl || key.alt || key.shift) return undefined;
  if (key.name === 'Space') return ' ';
  return isOneCharacter(key.name) ? key.name : undefined;
}

/** `CSI 1 ; m A` and `CSI n ; m ~` as the protocol has them: never SS3, and F3 has a number of its own. */
function functionKey(key: Key): string | undefined {
  if (KITTY_CODE_OF.has(key.name)) return undefined;
  const modifiers = modifierParameter(key);
  if (key.name === 'F3') return modifiers > 1 ? `\x1b[13;${modifiers}~` : '\x1b[13~';
  return functionSequence(key, false)?.replace('\x1bO', '\x1b[');
}

/** Every key as text to send to a program with these flags, which are not 0. */
export function kittySequence(key: Key, flags: number, applicationCursor: boolean): string {
  if (!isDistinct(flags)) return legacySequence(key, applicationCursor);
  const sequence = functionKey(key);
  if (sequence !== undefined) return sequence;
  const text = textOfKey(key);
  const all = (flags & KITTY.allKeys) !== 0;
  if (!all && text !== undefined) return text;
  const name = key.name === 'BTab' ? 'Tab' : key.name;
  const small = smallOf(name);
  const modifiers = modifierParameter({
    ...key,
    shift: key.shift || small !== undefined || name !== key.name,
  });
  const plain = modifiers === 1 ? PLAIN_CONTROLS.get(name) : undefined;
  if (!all && plain !== undefined) return plain;
  const code = KITTY_CODE_OF.get(name) ?? (small ?? name).codePointAt(0)!;
  // A capital letter is its small one with shift: the only alternate that a Key tells.
  const shifted = small !== undefined && (flags & KITTY.alternates) !== 0 ? `:${name.codePointAt(0)!}` : '';
  const end = text !== undefined && (flags & KITTY.text) !== 0 ? `;${text.codePointAt(0)!}` : '';
  const middle = modifiers === 1 ? (end === '' ? '' : ';') : `;${modifiers}`;
  return `\x1b[${code}${shifted}${middle}${end}u`;
}

/** Numbers of `CSI n ~` in the protocol's table; others of that form are other terminals' keys. */
const TILDES: ReadonlySet<number> = new Set([
  2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 57427,
]);

/** The control sequence that the bytes are, if it is a key in a form of the protocol. */
function readReport(raw: Uint8Array): Csi | undefined {
  const start = raw[0] === ESC && raw[1] === 0x5b ? 2 : raw[0] === C1.csi ? 1 : 0;
  const extent = start > 0 ? scanCsi(raw, start) : undefined;
  if (extent?.state !== 'whole') return undefined;
  const { csi } = extent;
  if (csi.marker !== '' || csi.intermediate !== '') return undefined;
  if (csi.final === 'u') return csi.params.length > 0 ? csi : undefined;
  if (csi.params.length > 2) return undefined;
  if (csi.final === '~') return TILDES.has(param(csi, 0, 0, -1)) ? csi : undefined;
  return /[A-FHPQS]/.test(csi.final) && param(csi, 0, 0, 1) === 1 ? csi : undefined;
}

/** Which key a report is about, and whether it was let go: releases belong to whoever got the press. */
export function reportedKey(
  raw: Uint8Array,
): { readonly id: string; readonly isRelease: boolean } | undefined {
  const csi = readReport(raw);
  if (!csi) return undefined;
  return {
    id: `${param(csi, 0, 0, 1)}${csi.final}`,
    isRelease: param(csi, 1, 1, EVENT.press) === EVENT.release,
  };
}

/** Keys that are only told to programs that want all keys: shift, control … alone, and the locks. */
function isModifierKey(code: number): boolean {
  return (code >= 57441 && code <= 57454) || (code >= 57358 && code <= 57360);
}

/** Text that a `CSI … u` stands for; undefined where it makes none, or none that can be known. */
function textOfReport(csi: Csi): string | undefined {
  const bits = param(csi, 1, 0, 1) - 1;
  if ((bits & ~(LOCKS | SHIFT)) !== 0) return undefined;
  const told = csi.params[2];
  if (told && told.length > 0 && told.every(isText)) return String.fromCodePoint(...told);
  const code = param(csi, 0, 0, 0);
  const name = nameOfCode(code);
  const text = name === 'Space' ? ' ' : name;
  if (text === undefined || !isOneCharacter(text)) return undefined;
  if (isFunctional(code)) return text;
  const shifted = param(csi, 0, 1, 0);
  if ((bits & SHIFT) !== 0 && isText(shifted)) return String.fromCodePoint(shifted);
  const capital = ((bits & SHIFT) !== 0) !== ((bits & CAPS_LOCK) !== 0);
  const letter = text.toUpperCase();
  if (!capital || text === ' ') return text;
  return letter !== text && isOneCharacter(letter) ? letter : undefined;
}

/** What a report becomes where not all keys are to be sequences; undefined where it stays one. */
function plainForm(csi: Csi, isRelease: boolean): string | undefined {
  const code = param(csi, 0, 0, 0);
  if (isModifierKey(code)) return '';
  const held = (param(csi, 1, 0, 1) - 1) & ~LOCKS;
  const text = (held === 0 ? PLAIN_CODES.get(code) : undefined) ?? textOfReport(csi);
  if (text !== undefined) return isRelease ? '' : text;
  return isRelease && PLAIN_CODES.has(code) ? '' : undefined;
}

/** The report with the fields alone that the flags ask for. */
function strip(raw: Uint8Array, csi: Csi, flags: number): Uint8Array {
  const [code = [], modifiers = [], text] = csi.params;
  const wanted =
    (flags & KITTY.alternates || code.length < 2) &&
    (flags & KITTY.eventTypes || modifiers.length < 2) &&
    (flags & KITTY.text || text === undefined);
  if (wanted) return raw;
  const shown = (values: readonly number[]): string => values.map(n => (n === -1 ? '' : n)).join(':');
  const first = shown(flags & KITTY.alternates ? code : code.slice(0, 1));
  const second = shown(flags & KITTY.eventTypes ? modifiers : modifiers.slice(0, 1));
  const third = flags & KITTY.text && text ? shown(text) : '';
  const plain = third === '' && (second === '' || second === '1');
  const rest = plain ? '' : third === '' ? `;${second}` : `;${second};${third}`;
  return encodeText(`\x1b[${plain && csi.final !== 'u' && first === '1' ? '' : first}${rest}${csi.final}`);
}

/**
 * The bytes for a program with these flags (not 0) when a terminal has sent `raw`: the same key, without the fields,
 * events and keys that the program did not ask for. Empty where nothing is left. Undefined where `raw` is no report
 * in the protocol's form, or the program wants this one as a legacy key.
 */
export function passReport(raw: Uint8Array, flags: number): Uint8Array | undefined {
  const csi = readReport(raw);
  if (!csi) return undefined;
  const event = param(csi, 1, 1, EVENT.press);
  if (event === EVENT.release && (flags & KITTY.eventTypes) === 0) return NOTHING;
  const isLegacy = !isDistinct(flags) && !(event === EVENT.repeat && (flags & KITTY.eventTypes) !== 0);
  if (isLegacy && event !== EVENT.release) return undefined;
  if (csi.final === 'u' && (flags & KITTY.allKeys) === 0) {
    const plain = plainForm(csi, event === EVENT.release);
    if (plain !== undefined) return encodeText(plain);
  }
  // Text of an input method belongs to no key: without its text the report would say nothing.
  if (param(csi, 0, 0, -1) === 0 && (flags & KITTY.text) === 0) return encodeText(textOfReport(csi) ?? '');
  return strip(raw, csi, flags);
}
