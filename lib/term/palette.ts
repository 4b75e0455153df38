/**
 * The colours a pane tells its program that it has (OSC 4, 10, 11, 12 queries).
 */

import { BASE16, isLight, paletteRgb } from '../base/palette.ts';

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
  ansi: BASE16,
};

/** Colour `index` (0–255) of a palette; undefined outside. */
export function paletteColor(palette: Palette, index: number): number | undefined {
  if (!Number.isInteger(index) || index < 0 || index > 255) return undefined;
  if (index < 16) return palette.ansi[index] ?? DEFAULT_PALETTE.ansi[index];
  return paletteRgb(index);
}

/** A colour as XParseColor writes it: `rgb:RRRR/GGGG/BBBB`. */
export function colorSpec(color: number): string {
  const channel = (shift: number): string => {
    const byte = ((color >> shift) & 255).toString(16).padStart(2, '0');
    return byte + byte;
  };
  return `rgb:${channel(16)}/${channel(8)}/${channel(0)}`;
}

/** Whether text on this palette's background is light on dark. */
export function isDark(palette: Palette): boolean {
  return !isLight(palette.background);
}
