/**
 * The colours a pane tells its program that it has (OSC 4, 10, 11, 12 queries).
 */

/** 24-bit colours, 0xRRGGBB. */
export interface Palette {
  readonly foreground: number;
  readonly background: number;
  readonly cursor: number;
  /** Colours 0–15; 16–255 are xterm's fixed cube and greys. */
  readonly ansi: readonly number[];
}

/** Light on dark, xterm's own sixteen. */
export const DEFAULT_PALETTE: Palette = {
  foreground: 0xe5e5e5,
  background: 0x000000,
  cursor: 0xe5e5e5,
  ansi: [
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000,
    0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
  ],
};

/** Steps of the 6×6×6 cube (256colres.h). */
const CUBE = [0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff] as const;

/** Colour `index` (0–255) of a palette; undefined outside. */
export function paletteColor(palette: Palette, index: number): number | undefined {
  if (!Number.isInteger(index) || index < 0 || index > 255) return undefined;
  if (index < 16) return palette.ansi[index] ?? DEFAULT_PALETTE.ansi[index];
  if (index >= 232) return (8 + (index - 232) * 10) * 0x010101;
  const cube = index - 16;
  return (CUBE[Math.floor(cube / 36)]! << 16) | (CUBE[Math.floor(cube / 6) % 6]! << 8) | CUBE[cube % 6]!;
}

/** A colour as XParseColor writes it: `rgb:RRRR/GGGG/BBBB`. */
export function colorSpec(color: number): string {
  const channel = (shift: number): string => {
    const byte = ((color >> shift) & 255).toString(16).padStart(2, '0');
    return byte + byte;
  };
  return `rgb:${channel(16)}/${channel(8)}/${channel(0)}`;
}

/** Whether text on this palette's background is light on dark (ITU-R BT.601 luma below one half). */
export function isDark(palette: Palette): boolean {
  const { background } = palette;
  const luma = 299 * ((background >> 16) & 255) + 587 * ((background >> 8) & 255) + 114 * (background & 255);
  return luma < 127_500;
}
