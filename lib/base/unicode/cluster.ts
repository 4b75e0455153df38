/**
 * Extended grapheme clusters (UAX #29) and their cells, one code point at a time, with the whole state in one number,
 * so that text may come in any pieces.
 *
 * The number has the layout of an xterm.js "character properties" value: bit 0 the code point joins the cell before
 * it, bits 1–2 width of that cell so far, the rest is ours. Zero means nothing precedes.
 */
import { CLASS, property, PROPERTY } from './properties.ts';

/** Fields of a state. */
export const STATE = {
  /** Joins the cell before it (part of its cluster, or without width of its own). */
  join: 1,
  widthShift: 1,
  widthMask: 3,
  /** A grapheme cluster begins here. */
  boundary: 1 << 13,
} as const;

const CLASS_SHIFT = 3;
const COUNT_SHIFT = 8;
const COUNT_MASK = 31;
/** An odd number of regional indicators ends here (GB12). */
const REGIONAL_ODD = 1 << 14;
/** A pictograph and marks end here (GB11). */
const PICT = 1 << 15;
/** The same and a joiner. */
const PICT_ZWJ = 1 << 16;
/** An Indic consonant and marks end here (GB9c). */
const CONSONANT = 1 << 17;
/** The same with a linker among the marks. */
const LINKED = 1 << 18;
/** This code point becomes wide by a variation selector-16. */
const WIDENS = 1 << 19;
const PREPENDED = 1 << 20;

/**
 * Code points a cell takes: a base and 30 more, the bound of the Stream-Safe Text Format (UAX #15 section 13). What
 * follows gets a cell of its own, so a cell cannot be made to grow without end.
 */
const MAX_CODEPOINTS = 31;

const VS16 = 0xfe0f;
const PLAIN = STATE.boundary | (1 << COUNT_SHIFT) | (1 << STATE.widthShift);
const PLAIN_KEYCAP = PLAIN | WIDENS;

/** A table by class: looked up for every code point, so a typed array. */
function byClass(rows: readonly (readonly [cls: number, value: number])[]): Uint32Array {
  const table = new Uint32Array(PROPERTY.classMask + 1);
  for (const [cls, value] of rows) table[cls] = value;
  return table;
}

const bits = (...classes: readonly number[]): number => classes.reduce((set, cls) => set | (1 << cls), 0);

/** GB6–GB8: which Hangul classes may follow which. */
const HANGUL = byClass([
  [CLASS.hangulL, bits(CLASS.hangulL, CLASS.hangulV, CLASS.hangulLV, CLASS.hangulLVT)],
  [CLASS.hangulLV, bits(CLASS.hangulV, CLASS.hangulT)],
  [CLASS.hangulV, bits(CLASS.hangulV, CLASS.hangulT)],
  [CLASS.hangulLVT, bits(CLASS.hangulT)],
  [CLASS.hangulT, bits(CLASS.hangulT)],
]);

const isControl = (cls: number): boolean => cls === CLASS.control || cls === CLASS.cr || cls === CLASS.lf;
const isExtend = (cls: number): boolean =>
  cls === CLASS.extend || cls === CLASS.linker || cls === CLASS.extendOther;

/** Whether no boundary lies between what `state` describes and a code point of class `cls` (GB3–GB999). */
function continues(state: number, cls: number): boolean {
  const before = (state >> CLASS_SHIFT) & PROPERTY.classMask;
  if (isControl(before) || isControl(cls)) return before === CLASS.cr && cls === CLASS.lf;
  if (isExtend(cls) || cls === CLASS.zwj || cls === CLASS.spacingMark) return true;
  if (before === CLASS.prepend) return true;
  if (cls === CLASS.pictographic) return (state & PICT_ZWJ) !== 0;
  if (cls === CLASS.regional) return (state & REGIONAL_ODD) !== 0;
  if (cls === CLASS.consonant) return (state & LINKED) !== 0;
  return (HANGUL[before]! & (1 << cls)) !== 0;
}

/** Sequence flags that live on through a code point of a class; every other class ends them all. */
const KEEPS = byClass([
  [CLASS.extend, PICT | CONSONANT | LINKED],
  [CLASS.linker, PICT | CONSONANT | LINKED],
  [CLASS.extendOther, PICT],
  [CLASS.zwj, CONSONANT | LINKED],
]);
/** Sequence flags that a code point of a class sets. */
const SETS = byClass([
  [CLASS.pictographic, PICT],
  [CLASS.consonant, CONSONANT],
  [CLASS.prepend, PREPENDED],
]);

/** The sequence flags after a code point of class `cls`. */
function flagsAfter(state: number, cls: number): number {
  let flags = (state & KEEPS[cls]!) | SETS[cls]!;
  if (cls === CLASS.regional) flags |= (state & REGIONAL_ODD) ^ REGIONAL_ODD;
  if (cls === CLASS.linker && state & CONSONANT) flags |= LINKED;
  if (cls === CLASS.zwj && state & PICT) flags |= PICT_ZWJ;
  return flags;
}

/** Width of a cell that had `old` cells when a code point joins it. */
function joinedWidth(state: number, old: number, cp: number, cls: number, width: number): number {
  if (cp === VS16 && state & WIDENS) return 2;
  if (cls === CLASS.regional && state & REGIONAL_ODD) return 2;
  // A halfwidth sound mark stands beside its letter.
  if (cls === CLASS.extend && width === 1) return Math.min(2, old + width);
  return Math.max(old, width);
}

/** The state after a code point that joins nothing and that has nothing to remember. */
function stepAlone(properties: number): number {
  const width = (properties >> PROPERTY.widthShift) & PROPERTY.widthMask;
  const widens = properties & PROPERTY.widens ? WIDENS : 0;
  return STATE.boundary | (1 << COUNT_SHIFT) | (width << STATE.widthShift) | widens;
}

function stepSlow(state: number, cp: number): number {
  const properties = property(cp);
  const cls = properties & PROPERTY.classMask;
  if (cls === CLASS.any && (state & PREPENDED) === 0) return stepAlone(properties);
  const width = (properties >> PROPERTY.widthShift) & PROPERTY.widthMask;
  const old = (state >> STATE.widthShift) & STATE.widthMask;
  const count = (state >> COUNT_SHIFT) & COUNT_MASK;
  const sameCluster = state !== 0 && continues(state, cls);
  const full = count >= MAX_CODEPOINTS;
  const join = state !== 0 && !full && (sameCluster || width === 0);
  let cells = width;
  if (join) cells = joinedWidth(state, old, cp, cls, width);
  else if (full) cells = Math.max(1, width);
  return (
    (join ? STATE.join : 0) |
    (cells << STATE.widthShift) |
    (cls << CLASS_SHIFT) |
    ((join ? count + 1 : 1) << COUNT_SHIFT) |
    (sameCluster ? 0 : STATE.boundary) |
    flagsAfter(state, cls) |
    (properties & PROPERTY.widens ? WIDENS : 0)
  );
}

/** The state after `cp` when `state` stood before it. Printable ASCII takes a short way. */
export function step(state: number, cp: number): number {
  if (cp < 0x7f && cp >= 0x20 && (state & PREPENDED) === 0) {
    if (cp > 0x39) return PLAIN;
    return cp >= 0x30 || cp === 0x23 || cp === 0x2a ? PLAIN_KEYCAP : PLAIN;
  }
  return stepSlow(state, cp);
}

/** Cells of the cell that `state` ends in. */
export function stateWidth(state: number): number {
  return (state >> STATE.widthShift) & STATE.widthMask;
}
