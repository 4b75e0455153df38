/**
 * Cuts input into tokens. Every function looks at the bytes from `at` on and answers undefined when more bytes could
 * still change the answer, so that cutting is the same however the bytes arrive. With `flush` (the escape timer has
 * fired) what a person can have typed is taken as typed.
 */
import { C1, ESC, DEL, BEL, isControl } from './controls.ts';
import { scanCsi } from './csi.ts';
import { meaningOfCsi } from './csi-meaning.ts';
import type { Key } from './event.ts';
import { canonicalKey } from './keyname.ts';
import { mouseOfX10 } from './mouse.ts';
import { KEYPAD_KEYS, LETTER_KEYS, LINUX_KEYS, RXVT_ARROWS, TILDE_KEYS } from './sequences.ts';
import { UNKNOWN, legacyKey, pressed } from './token.ts';
import type { Meaning, Token } from './token.ts';
import { readUtf8 } from './utf8.ts';

/**
 * Longest string sequence (OSC, DCS, APC) taken for a reply, in bytes. The longest answer to a query of ours is a
 * terminal's name and version, below 100; this leaves room for a chatty one.
 */
const MAX_STRING = 4096;

/** C0 controls that are keys with names of their own; the rest are control and a character. */
const CONTROL_KEYS: ReadonlyMap<number, Key> = new Map([
  [0x00, pressed('Space', { ctrl: true })],
  [0x09, pressed('Tab')],
  [0x0d, pressed('Enter')],
  [ESC, pressed('Escape')],
  [0x1f, pressed('/', { ctrl: true })],
  [0x20, pressed('Space')],
  [DEL, pressed('BSpace')],
]);

/** The introducers behind ESC, and their 8-bit forms. A string is taken for one only if a reply can go on so. */
const STRINGS: ReadonlyMap<number, RegExp> = new Map([
  [0x5d, /[0-9]/], // OSC: a number
  [0x50, /[0-9>!]/], // DCS: XTVERSION, XTGETTCAP, DECRQSS, DA3
  [0x5f, /G/], // APC: kitty graphics
]);
const STRINGS_8BIT: ReadonlyMap<number, number> = new Map([
  [C1.osc, 0x5d],
  [C1.dcs, 0x50],
  [C1.apc, 0x5f],
]);

/** The token at `at`; undefined when it is not whole yet. */
export function scanToken(bytes: Uint8Array, at: number, flush: boolean): Token | undefined {
  const byte = bytes[at]!;
  if (byte < 0x80 && byte !== ESC) return scanCharacter(bytes, at);
  if (byte === ESC) return scanEscape(bytes, at, flush);
  if (byte === C1.csi) return scanControl(bytes, at, at + 1, flush);
  if (byte === C1.ss3) return scanSs3(bytes, at, at + 1, flush);
  const string = STRINGS_8BIT.get(byte);
  if (string !== undefined) return scanString(bytes, at, at + 1, string, flush);
  return scanCharacter(bytes, at);
}

/** The meaning of a character, or of a C0 control without a name of its own: control and a character. */
function meaningOfCharacter(codePoint: number): Meaning {
  const named = CONTROL_KEYS.get(codePoint);
  if (named) return legacyKey(named);
  const ctrl = codePoint < 0x20;
  const name = String.fromCodePoint(ctrl ? codePoint + 0x40 : codePoint);
  return legacyKey(canonicalKey(pressed(name, { ctrl })));
}

/** The same for every ASCII byte, made once: most of what is typed. */
const ASCII: readonly Meaning[] = Array.from({ length: 0x80 }, (_, code) => meaningOfCharacter(code));

/** One character or C0 control. */
function scanCharacter(bytes: Uint8Array, at: number): Token | undefined {
  const ascii = ASCII[bytes[at]!];
  if (ascii) return { meaning: ascii, end: at + 1 };
  const read = readUtf8(bytes, at);
  if (!read) return undefined;
  const { codePoint, end } = read;
  const isText = codePoint !== undefined && !isControl(codePoint);
  return { meaning: isText ? meaningOfCharacter(codePoint) : UNKNOWN, end };
}

/** The key of one byte, with alt where ESC came before it: `at` is ESC's offset. */
function typed(bytes: Uint8Array, at: number): Token {
  const token = scanCharacter(bytes, at + 1);
  return (token && withAlt(token)) ?? loneEscape(at);
}

function loneEscape(at: number): Token {
  return { meaning: legacyKey(pressed('Escape')), end: at + 1 };
}

function withAlt(token: Token): Token | undefined {
  const { meaning, end } = token;
  if (meaning.type !== 'keys' || !meaning.legacy) return undefined;
  return { meaning: { ...meaning, keys: meaning.keys.map(key => ({ ...key, alt: true })) }, end };
}

function scanEscape(bytes: Uint8Array, at: number, flush: boolean): Token | undefined {
  const next = bytes[at + 1];
  if (next === undefined) return flush ? loneEscape(at) : undefined;
  if (next === ESC) return scanDoubleEscape(bytes, at, flush);
  if (next === 0x5b) return scanControl(bytes, at, at + 2, flush);
  if (next === 0x4f) return scanSs3(bytes, at, at + 2, flush);
  if (STRINGS.has(next)) return scanString(bytes, at, at + 2, next, flush);
  const token = scanCharacter(bytes, at + 1);
  if (!token) return flush ? loneEscape(at) : undefined;
  return withAlt(token) ?? loneEscape(at);
}

/** Some terminals put one more ESC before a key's sequence for Alt; two ESC and anything else are two presses. */
function scanDoubleEscape(bytes: Uint8Array, at: number, flush: boolean): Token | undefined {
  const third = bytes[at + 2];
  if (third === undefined) return flush ? loneEscape(at) : undefined;
  if (third !== 0x5b && third !== 0x4f) return loneEscape(at);
  const token = scanEscape(bytes, at + 1, flush);
  if (!token) return flush ? loneEscape(at) : undefined;
  const isSequence = token.end > at + 3;
  return (isSequence ? withAlt(token) : undefined) ?? loneEscape(at);
}

/** Whether the introducer before `start` is the one byte of its 8-bit form. */
function isEightBit(at: number, start: number): boolean {
  return start === at + 1;
}

/** What an introducer is with nothing of a sequence behind it: Alt and a key, or a stray byte. */
function noSequence(bytes: Uint8Array, at: number, start: number): Token {
  return isEightBit(at, start) ? { meaning: UNKNOWN, end: start } : typed(bytes, at);
}

/** `ESC O X`, also with a modifier digit before X. */
function scanSs3(bytes: Uint8Array, at: number, start: number, flush: boolean): Token | undefined {
  const first = bytes[start];
  if (first === undefined) return flush ? noSequence(bytes, at, start) : undefined;
  const modifier = first >= 0x32 && first <= 0x38 ? first - 0x31 : 0;
  const place = modifier > 0 ? start + 1 : start;
  const last = bytes[place];
  if (last === undefined) return flush ? noSequence(bytes, at, start) : undefined;
  const key = ss3Key(String.fromCharCode(last));
  if (!key) return noSequence(bytes, at, start);
  const held = {
    shift: key.shift || (modifier & 1) !== 0,
    alt: (modifier & 2) !== 0,
    ctrl: key.ctrl || (modifier & 4) !== 0,
  };
  return { meaning: legacyKey(canonicalKey({ name: key.name, ...held })), end: place + 1 };
}

function ss3Key(letter: string): Key | undefined {
  const arrow = RXVT_ARROWS.get(letter);
  if (arrow !== undefined) return pressed(arrow, { ctrl: true });
  const name = LETTER_KEYS.get(letter) ?? KEYPAD_KEYS.get(letter);
  return name === undefined ? undefined : pressed(name);
}

/** CSI and what follows it, with the three forms that break its grammar: X10 mouse, Linux F1–F5, rxvt's `$`. */
function scanControl(bytes: Uint8Array, at: number, start: number, flush: boolean): Token | undefined {
  const first = bytes[start];
  if (first === undefined) return flush ? noSequence(bytes, at, start) : undefined;
  if (first === 0x4d) return scanX10(bytes, start);
  if (first === 0x5b) return scanLinux(bytes, at, start, flush);
  const extent = scanCsi(bytes, start);
  if (extent.state === 'endless') return { meaning: { type: 'endless', within: 'csi' }, end: extent.end };
  const rxvt = rxvtShift(bytes, start, flush);
  if (rxvt) return rxvt;
  if (extent.state === 'open') return undefined;
  if (extent.state === 'whole')
    return { meaning: meaningOfCsi(extent.csi, isEightBit(at, start)), end: extent.end };
  const parameters = first >= 0x30 && first <= 0x3f;
  return parameters ? { meaning: UNKNOWN, end: extent.end } : noSequence(bytes, at, start);
}

/** `CSI n $` is rxvt's Shift and a key; `CSI n $ y` a report. */
function rxvtShift(bytes: Uint8Array, start: number, flush: boolean): Token | undefined {
  const dollar = [start + 1, start + 2].find(place => bytes[place] === 0x24);
  if (dollar === undefined) return undefined;
  const next = bytes[dollar + 1];
  if (next === 0x79 || (next === undefined && !flush)) return undefined;
  const name = TILDE_KEYS.get(Number(String.fromCharCode(...bytes.subarray(start, dollar))));
  return name === undefined
    ? undefined
    : { meaning: legacyKey(pressed(name, { shift: true })), end: dollar + 1 };
}

/** `CSI M` and three bytes. */
function scanX10(bytes: Uint8Array, start: number): Token | undefined {
  const [code, column, row] = bytes.subarray(start + 1, start + 4);
  // A byte that no report has ends it early, so that a stray `CSI M` eats nothing.
  const broken = [code, column, row].findIndex(
    (value, i) => value !== undefined && value < (i === 0 ? 0x20 : 0x21),
  );
  if (broken >= 0) return { meaning: UNKNOWN, end: start + 1 + broken };
  if (code === undefined || column === undefined || row === undefined) return undefined;
  const mouse = mouseOfX10(code, column, row);
  return { meaning: mouse ? { type: 'mouse', mouse } : UNKNOWN, end: start + 4 };
}

function scanLinux(bytes: Uint8Array, at: number, start: number, flush: boolean): Token | undefined {
  const letter = bytes[start + 1];
  if (letter === undefined && !flush) return undefined;
  const name = letter === undefined ? undefined : LINUX_KEYS.get(String.fromCharCode(letter));
  return name === undefined
    ? noSequence(bytes, at, start)
    : { meaning: legacyKey(pressed(name)), end: start + 2 };
}

/** A reply in a string: printable up to BEL or ST. A control inside it means that it was cut off. */
function scanString(
  bytes: Uint8Array,
  at: number,
  start: number,
  introducer: number,
  flush: boolean,
): Token | undefined {
  const first = bytes[start];
  if (first === undefined) return flush ? noSequence(bytes, at, start) : undefined;
  if (!STRINGS.get(introducer)!.test(String.fromCharCode(first))) return noSequence(bytes, at, start);
  const limit = Math.min(bytes.length, start + MAX_STRING);
  const eightBit = isEightBit(at, start);
  let p = start;
  while (p < limit && bytes[p]! >= 0x20 && bytes[p] !== DEL && !(eightBit && bytes[p] === C1.st)) p++;
  if (p === start + MAX_STRING) return { meaning: { type: 'endless', within: 'string' }, end: p };
  if (p === bytes.length) return undefined;
  if (bytes[p] === BEL || bytes[p] === C1.st) return { meaning: { type: 'reply' }, end: p + 1 };
  if (bytes[p] !== ESC) return { meaning: UNKNOWN, end: p };
  if (p + 1 === bytes.length) return undefined;
  return bytes[p + 1] === 0x5c ? { meaning: { type: 'reply' }, end: p + 2 } : { meaning: UNKNOWN, end: p };
}

/** How much of what follows an endless sequence still belongs to it, and whether it ended there. */
export interface Tail {
  readonly end: number;
  readonly over: boolean;
}

/** Reads on inside an endless sequence from `at`. What it leaves unread without being over waits for more bytes. */
export function scanTail(bytes: Uint8Array, at: number, within: 'csi' | 'string'): Tail {
  let p = at;
  if (within === 'csi') {
    while (p < bytes.length && bytes[p]! >= 0x20 && bytes[p]! <= 0x3f) p++;
    const isFinal = p < bytes.length && bytes[p]! >= 0x40 && bytes[p]! <= 0x7e;
    return { end: isFinal ? p + 1 : p, over: p < bytes.length };
  }
  while (p < bytes.length && bytes[p]! >= 0x20 && bytes[p] !== DEL) p++;
  if (p === bytes.length) return { end: p, over: false };
  if (bytes[p] === BEL) return { end: p + 1, over: true };
  if (bytes[p] !== ESC) return { end: p, over: true };
  if (p + 1 === bytes.length) return { end: p, over: false };
  return { end: bytes[p + 1] === 0x5c ? p + 2 : p, over: true };
}
