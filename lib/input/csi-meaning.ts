/**
 * What a whole control sequence means: a table by final byte for keys, mouse and focus, and one of reply forms.
 */
import { param } from './csi.ts';
import type { Csi } from './csi.ts';
import type { Key } from './event.ts';
import { canonicalKey } from './keyname.ts';
import { kittyKeys, otherKey } from './kitty.ts';
import { mouseOfCsi } from './mouse.ts';
import { LETTER_KEYS, RXVT_ARROWS, RXVT_FINALS, TILDE_KEYS } from './sequences.ts';
import { KEY_REPORT, UNKNOWN, legacyKey, pressed } from './token.ts';
import type { Meaning } from './token.ts';

/**
 * Forms of the answers to queries of ours, `marker final` with intermediates before the final (ctlseqs). They are
 * never typed, however late they come.
 */
const REPLIES: ReadonlySet<string> = new Set([
  '?c', // DA1
  '>c', // DA2
  '=c', // DA3 of some terminals
  'n', // DSR 5
  '?n', // DSR of colour scheme (997) and others
  'R', // CPR
  '?R', // DECXCPR
  '?$y', // DECRPM
  '$y', // DECRPM of ANSI modes
  '?u', // kitty keyboard flags
  't', // window reports
  'x', // DECREPTPARM
  '>m', // XTQMODKEYS
  '?S', // XTSMGRAPHICS
]);

/** xterm's modifier parameter: 1 + shift 1, alt 2, control 4, meta 8 (what Option sends in some terminals). */
const LEGACY_BITS = { shift: 1, alt: 2 | 8, ctrl: 4 } as const;
/** Largest modifier parameter without the kitty protocol's locks; with them 256. */
const MAX_MODIFIER = 256;
/** The kitty protocol tells releases in the modifier's sub-parameter. */
const RELEASE = 3;

function modified(name: string, modifier: number): Key | undefined {
  if (!(modifier >= 1 && modifier <= MAX_MODIFIER)) return undefined;
  const bits = modifier - 1;
  return canonicalKey({
    name,
    ctrl: (bits & LEGACY_BITS.ctrl) !== 0,
    alt: (bits & LEGACY_BITS.alt) !== 0,
    shift: (bits & LEGACY_BITS.shift) !== 0,
  });
}

function keyMeaning(key: Key | undefined): Meaning | undefined {
  return key && legacyKey(key);
}

/** `CSI X`, `CSI 1 ; m X` and, from old xterms, `CSI m X`. */
function letterKey(name: string, csi: Csi): Meaning | undefined {
  if (csi.marker !== '' || csi.intermediate !== '' || csi.params.length > 2) return undefined;
  const old = csi.params.length === 1 && param(csi, 0, 0, 1) > 1;
  if (!old && param(csi, 0, 0, 1) !== 1) return undefined;
  if (param(csi, 1, 1, 1) === RELEASE) return KEY_REPORT;
  return keyMeaning(modified(name, param(csi, old ? 0 : 1, 0, 1)));
}

/** F3 and the cursor position report share a form: `CSI 1 ; 2..16 R` is taken for the key, all else for the report. */
function f3Key(csi: Csi): Meaning | undefined {
  return csi.params.length === 2 && param(csi, 1, 0, 1) > 16 ? undefined : letterKey('F3', csi);
}

/** `CSI n ~` and its rxvt forms, where the final byte holds the modifiers. */
function numberKey(csi: Csi, held: { ctrl?: boolean; shift?: boolean } | undefined): Meaning | undefined {
  if (csi.marker !== '' || csi.intermediate !== '') return undefined;
  const name = TILDE_KEYS.get(param(csi, 0, 0, -1));
  if (name === undefined || csi.params.length > 2) return undefined;
  if (held) return csi.params.length === 1 ? legacyKey(pressed(name, held)) : undefined;
  if (param(csi, 1, 1, 1) === RELEASE) return KEY_REPORT;
  return keyMeaning(modified(name, param(csi, 1, 0, 1)));
}

/** xterm's number for a key that has no sequence of its own (modifyOtherKeys), and DECSET 2004's two markers. */
const OTHER_KEYS = 27;
const PASTE_START = 200;

function tilde(csi: Csi, eightBit: boolean): Meaning | undefined {
  const code = csi.marker === '' && csi.intermediate === '' ? param(csi, 0, 0, -1) : -1;
  if (code === PASTE_START && csi.params.length === 1) return { type: 'paste', eightBit };
  if (code !== OTHER_KEYS || csi.params.length !== 3) return numberKey(csi, undefined);
  const key = otherKey(csi);
  if (key) return { type: 'keys', keys: [key], legacy: false };
  return isKeyCode(param(csi, 2, 0, -1)) ? KEY_REPORT : undefined;
}

/** Whether a number can be a key's: it is a key then, though none with a name here. */
function isKeyCode(code: number): boolean {
  return code >= 0 && code <= 0x10ffff;
}

function kitty(csi: Csi): Meaning | undefined {
  if (csi.marker !== '' || csi.intermediate !== '' || csi.params.length === 0) return undefined;
  const keys = kittyKeys(csi);
  if (keys) return { type: 'keys', keys, legacy: false };
  return isKeyCode(param(csi, 0, 0, -1)) ? KEY_REPORT : undefined;
}

function mouse(csi: Csi): Meaning | undefined {
  const event = csi.intermediate === '' ? mouseOfCsi(csi) : undefined;
  return event && { type: 'mouse', mouse: event };
}

/** Whether the sequence is its final byte alone. */
function bare(csi: Csi): boolean {
  return csi.marker === '' && csi.intermediate === '' && csi.params.length === 0;
}

type Reader = (csi: Csi, eightBit: boolean) => Meaning | undefined;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...Array.from(LETTER_KEYS, ([letter, name]) => [letter, csi => letterKey(name, csi)] as [string, Reader]),
  ...Array.from(RXVT_ARROWS, ([letter, name]) => [letter, csi => rxvtArrow(name, csi)] as [string, Reader]),
  ...Array.from(RXVT_FINALS, ([final, held]) => [final, csi => numberKey(csi, held)] as [string, Reader]),
  ['R', f3Key],
  ['Z', csi => letterKey('BTab', csi)],
  ['~', tilde],
  ['u', kitty],
  ['M', mouse],
  ['m', mouse],
  ['I', csi => (bare(csi) ? { type: 'focus', focused: true } : undefined)],
  ['O', csi => (bare(csi) ? { type: 'focus', focused: false } : undefined)],
]);

function rxvtArrow(name: string, csi: Csi): Meaning | undefined {
  return bare(csi) ? legacyKey(pressed(name, { shift: true })) : undefined;
}

/** What a whole control sequence means. Total: 'unknown' where no table has it. */
export function meaningOfCsi(csi: Csi, eightBit: boolean): Meaning {
  const meaning = READERS.get(csi.final)?.(csi, eightBit);
  if (meaning) return meaning;
  const isReply = csi.params.length > 0 && REPLIES.has(csi.marker + csi.intermediate + csi.final);
  return isReply ? { type: 'reply' } : UNKNOWN;
}
