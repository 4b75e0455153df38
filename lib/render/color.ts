/**
 * Colours for terminals with fewer of them. A colour is a word as in cells: mode bits and value (term/cell.ts).
 */
import { isLight, nearest16, nearest256, paletteRgb } from '../base/palette.ts';
import { COLOR } from '../term/cell.ts';
import type { TerminalCaps } from './caps.ts';

/**
 * Remembered answers. More than the colours of any picture a person looks at; a program drawing noise in a million
 * colours makes it start over, not grow (16 bytes an entry or so).
 */
const CACHE_ENTRIES = 4096;

/** Turns the colours of cells into those a terminal has. */
export class ColorMapper {
  readonly #colors: TerminalCaps['colors'];
  readonly #cache = new Map<number, number>();

  constructor(colors: TerminalCaps['colors']) {
    this.#colors = colors;
  }

  /** The nearest colour word (no flags) of this terminal. */
  map(word: number): number {
    const color = word & (COLOR.modeMask | COLOR.rgbMask);
    const mode = color & COLOR.modeMask;
    if (mode === COLOR.default || this.#colors === 'truecolor') return color;
    if (this.#colors === 0) return COLOR.default;
    if (mode === COLOR.p16 || (mode === COLOR.p256 && this.#colors === 256)) return color;
    const known = this.#cache.get(color);
    if (known !== undefined) return known;
    const rgb = mode === COLOR.rgb ? color & COLOR.rgbMask : paletteRgb(color & COLOR.indexMask);
    const mapped = this.#colors === 256 ? COLOR.p256 | nearest256(rgb) : COLOR.p16 | nearest16(rgb);
    if (this.#cache.size >= CACHE_ENTRIES) this.#cache.clear();
    this.#cache.set(color, mapped);
    return mapped;
  }

  /**
   * The foreground to use for two colours that were different and are now the same, so that text stays readable:
   * black on the light half of the 16, white on the dark.
   */
  contrast(fg: number, bg: number, mappedFg: number, mappedBg: number): number {
    if (mappedFg !== mappedBg || mappedFg === COLOR.default || fg === bg) return mappedFg;
    const mode = mappedBg & COLOR.modeMask;
    const rgb = mode === COLOR.rgb ? mappedBg & COLOR.rgbMask : paletteRgb(mappedBg & COLOR.indexMask);
    return COLOR.p16 | (isLight(rgb) ? 0 : 15);
  }
}
