/**
 * The packed cell: three 32-bit words, in the layout @xterm/headless 6 keeps its lines in, so that a row of a pane
 * is copied into a frame by one TypedArray.set.
 *
 * word 0 "content": bits 0–20 code point (0 = empty), bit 21 the cell holds a cluster of several code points (its
 *   text is in a side table), bits 22–23 width in cells (0 for the right half of a wide character).
 * word 1 "fg", word 2 "bg": bits 0–23 colour, bits 24–25 colour mode, the rest flags.
 */

/** Words per cell. */
export const CELL_WORDS = 3;

export const CONTENT = {
  codepointMask: 0x1fffff,
  isCluster: 0x200000,
  /** Code point or cluster bit: zero means an empty cell. */
  hasContent: 0x3fffff,
  widthMask: 0xc00000,
  widthShift: 22,
} as const;

/** Colour modes, already shifted into place, for both fg and bg words. */
export const COLOR = {
  modeMask: 0x3000000,
  default: 0,
  /** Palette colours 0–15. */
  p16: 0x1000000,
  /** Palette colours 0–255. */
  p256: 0x2000000,
  rgb: 0x3000000,
  indexMask: 0xff,
  rgbMask: 0xffffff,
} as const;

export const FG = {
  inverse: 0x4000000,
  bold: 0x8000000,
  underline: 0x10000000,
  blink: 0x20000000,
  invisible: 0x40000000,
  strikethrough: 0x80000000,
} as const;

export const BG = {
  italic: 0x4000000,
  dim: 0x8000000,
  /** Underline style, underline colour or a link: see Extended. */
  hasExtended: 0x10000000,
  isProtected: 0x20000000,
  overline: 0x40000000,
} as const;

/** Underline styles as SGR 4:N numbers them. */
export const UNDERLINE = { none: 0, single: 1, double: 2, curly: 3, dotted: 4, dashed: 5 } as const;
export type UnderlineStyle = (typeof UNDERLINE)[keyof typeof UNDERLINE];

/** What a cell has beyond the three words. */
export interface Extended {
  readonly underlineStyle: UnderlineStyle;
  /** A colour as in the fg word (mode bits + colour), COLOR.default for the text's own. */
  readonly underlineColor: number;
  /** OSC 8 target and its id, '' for none. */
  readonly link: string;
  readonly linkId: string;
}

/** One line of cells with its side tables, keyed by column. Valid until the screen is next written to. */
export interface CellLine {
  /** CELL_WORDS per column; may be shorter than the screen is wide (the rest is blank). */
  readonly words: Uint32Array;
  /** Text of cells whose `isCluster` bit is set. May hold stale entries for other columns. */
  readonly clusters: Readonly<Record<number, string>>;
  /** Extended attributes by column; ask only where `BG.hasExtended` is set. */
  extended(column: number): Extended | undefined;
  /** Whether this line continues the one above it (soft wrap). */
  readonly wrapped: boolean;
  /** Whether a shell said that its prompt starts on this line (OSC 133 A). */
  readonly isPrompt?: boolean;
}
