/**
 * What one code point means for clusters and widths: its UAX #29 class, its cells, and whether VS16 widens it.
 * The Unicode data comes from unicode-segmenter (17.0) and get-east-asian-width (UAX #11), so a newer Unicode is a
 * newer package.
 */
import { eastAsianWidth } from 'get-east-asian-width';
import { isEmojiPresentation } from 'unicode-segmenter/emoji';
import { countGraphemes, GraphemeCategory, graphemeSegments } from 'unicode-segmenter/grapheme';

/**
 * Grapheme_Cluster_Break (UAX #29 table 2) with Indic_Conjunct_Break (rule GB9c) folded in: `linker` and `extendOther`
 * are kinds of Extend, `consonant` is a kind of Any.
 */
export const CLASS = {
  any: 0,
  control: 1,
  cr: 2,
  lf: 3,
  extend: 4,
  linker: 5,
  /** Extend, but not part of a conjunct: ZERO WIDTH NON-JOINER. */
  extendOther: 6,
  zwj: 7,
  spacingMark: 8,
  prepend: 9,
  pictographic: 10,
  regional: 11,
  hangulL: 12,
  hangulV: 13,
  hangulT: 14,
  hangulLV: 15,
  hangulLVT: 16,
  consonant: 17,
} as const;

/** Layout of a property byte: bits 0–4 class, bits 5–6 width in cells, bit 7 VARIATION SELECTOR-16 makes it wide. */
export const PROPERTY = { classMask: 31, widthShift: 5, widthMask: 3, widens: 128 } as const;

const WIDE = 2 << PROPERTY.widthShift;
const NARROW = 1 << PROPERTY.widthShift;

const CLASS_OF_CATEGORY: readonly [number, number][] = [
  [GraphemeCategory.Any, CLASS.any],
  [GraphemeCategory.CR, CLASS.cr],
  [GraphemeCategory.Control, CLASS.control],
  [GraphemeCategory.Extend, CLASS.extend],
  [GraphemeCategory.Extended_Pictographic, CLASS.pictographic],
  [GraphemeCategory.L, CLASS.hangulL],
  [GraphemeCategory.LF, CLASS.lf],
  [GraphemeCategory.LV, CLASS.hangulLV],
  [GraphemeCategory.LVT, CLASS.hangulLVT],
  [GraphemeCategory.Prepend, CLASS.prepend],
  [GraphemeCategory.Regional_Indicator, CLASS.regional],
  [GraphemeCategory.SpacingMark, CLASS.spacingMark],
  [GraphemeCategory.T, CLASS.hangulT],
  [GraphemeCategory.V, CLASS.hangulV],
  [GraphemeCategory.ZWJ, CLASS.zwj],
];
const CLASSES: ReadonlyMap<number, number> = new Map(CLASS_OF_CATEGORY);

/** Devanagari KA and VIRAMA: what the conjunct rule GB9c is probed with, since the package keeps InCB to itself. */
const KA = '\u0915';
const VIRAMA = '\u094d';
/** Where the scripts with conjuncts are: what lies outside needs no probing. */
const CONJUNCT_RANGES: readonly (readonly [number, number])[] = [
  [0x900, 0x1bff],
  [0xa800, 0xabff],
  [0x10a00, 0x11fff],
];

const mayBeConsonant = (cp: number): boolean =>
  CONJUNCT_RANGES.some(([first, last]) => cp >= first && cp <= last);

function classOf(cp: number, text: string): number {
  const segment = graphemeSegments(text).next().value;
  const found = segment ? (CLASSES.get(segment._catBegin) ?? CLASS.any) : CLASS.any;
  if (found === CLASS.any && mayBeConsonant(cp) && countGraphemes(KA + VIRAMA + text) === 1)
    return CLASS.consonant;
  if (found !== CLASS.extend) return found;
  if (countGraphemes(KA + text + KA) === 1) return CLASS.linker;
  return countGraphemes(KA + VIRAMA + text + KA) === 1 ? CLASS.extend : CLASS.extendOther;
}

/** Emoji that are text unless VS16 follows, and the keycap bases 0–9 # * (emoji-variation-sequences.txt, UTS #51). */
const TEXT_EMOJI = /^(?!\p{Emoji_Presentation})\p{Emoji}$/u;

const SOFT_HYPHEN = 0xad;
/** Halfwidth katakana sound marks: Extend to UAX #29, yet a cell of their own to every terminal. */
const isHalfwidthMark = (cp: number): boolean => cp === 0xff9e || cp === 0xff9f;

/** Width by class where the class decides; the others go by East Asian Width, ambiguous being narrow. */
function widthOf(cp: number, cls: number): number {
  if (cls === CLASS.regional) return 1;
  if (cls === CLASS.control || cls === CLASS.cr || cls === CLASS.lf || cls === CLASS.zwj)
    return cp === SOFT_HYPHEN ? 1 : 0;
  if (cls === CLASS.extend || cls === CLASS.linker || cls === CLASS.extendOther) {
    if (isHalfwidthMark(cp)) return 1;
    return isEmojiPresentation(cp) ? 2 : 0; // the skin tones
  }
  return isEmojiPresentation(cp) ? 2 : eastAsianWidth(cp);
}

function compute(cp: number): number {
  // A lone surrogate shows as a replacement character and joins nothing.
  if (cp >= 0xd800 && cp < 0xe000) return CLASS.control | NARROW;
  const text = String.fromCodePoint(cp);
  const cls = classOf(cp, text);
  const widens = (cp < 0x80 || cls === CLASS.pictographic) && TEXT_EMOJI.test(text);
  return cls | (widthOf(cp, cls) << PROPERTY.widthShift) | (widens ? PROPERTY.widens : 0);
}

const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;
const LAST_CODEPOINT = 0x10ffff;

/**
 * Pages of properties, filled when first asked for: all of Unicode at once would cost half a second of start-up.
 * A memo of a pure function, at most 1.1 MB.
 */
const pages: (Uint8Array | undefined)[] = Array.from({ length: (LAST_CODEPOINT + 1) >> PAGE_BITS });

function fillPage(index: number): Uint8Array {
  const page = Uint8Array.from({ length: PAGE }, (_, i) => compute((index << PAGE_BITS) | i));
  pages[index] = page;
  return page;
}

/** The property byte (see PROPERTY) of a code point; of U+FFFD for what is none. */
export function property(cp: number): number {
  // The two great blocks need no table.
  if (cp >= 0x4e00 && cp < 0xa000) return CLASS.any | WIDE;
  if (cp >= 0xac00 && cp < 0xd7a4)
    return ((cp - 0xac00) % 28 === 0 ? CLASS.hangulLV : CLASS.hangulLVT) | WIDE;
  if (!(cp >= 0 && cp <= LAST_CODEPOINT)) return CLASS.any | NARROW;
  const index = cp >> PAGE_BITS;
  return (pages[index] ?? fillPage(index))[cp & (PAGE - 1)]!;
}
