/**
 * xterm's palette of 256 colours, and the entries nearest to a 24-bit one. Colours are 0xRRGGBB.
 */

/** Entries 0–15 as xterm has them by default; people change them, but their order stays. */
export const BASE16: readonly number[] = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000,
  0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
];
/** Steps of the 6x6x6 cube, entries 16 to 231. */
const CUBE: readonly number[] = [0, 95, 135, 175, 215, 255];

const red = (rgb: number): number => (rgb >> 16) & 0xff;
const green = (rgb: number): number => (rgb >> 8) & 0xff;
const blue = (rgb: number): number => rgb & 0xff;

/** Colour of a palette entry, 0–255, as 0xRRGGBB. */
export function paletteRgb(index: number): number {
  if (index < 16) return BASE16[index]!;
  if (index >= 232) return (8 + (index - 232) * 10) * 0x010101;
  const n = index - 16;
  return (CUBE[Math.floor(n / 36)]! << 16) | (CUBE[Math.floor(n / 6) % 6]! << 8) | CUBE[n % 6]!;
}

/** Squared distance with the eye's uneven weights ("redmean", a cheap stand-in for CIE Luv). */
function distance(a: number, b: number): number {
  const mean = (red(a) + red(b)) / 2;
  const r = red(a) - red(b);
  const g = green(a) - green(b);
  const bl = blue(a) - blue(b);
  return (2 + mean / 256) * r * r + 4 * g * g + (2 + (255 - mean) / 256) * bl * bl;
}

/** Index of the cube step nearest to a channel value. */
function cubeStep(value: number): number {
  if (value < 48) return 0;
  return value < 115 ? 1 : Math.min(5, Math.floor((value - 35) / 40));
}

/**
 * Nearest of palette entries 16 to 255; the first 16 are left out as people choose them freely. Only the nearest
 * cube entry and the nearest grey can win, so only they are compared.
 */
export function nearest256(rgb: number): number {
  const cube = 16 + 36 * cubeStep(red(rgb)) + 6 * cubeStep(green(rgb)) + cubeStep(blue(rgb));
  const average = (red(rgb) + green(rgb) + blue(rgb)) / 3;
  const grey = 232 + Math.max(0, Math.min(23, Math.round((average - 8) / 10)));
  return distance(rgb, paletteRgb(grey)) < distance(rgb, paletteRgb(cube)) ? grey : cube;
}

/** Position in the OKLab space (Ottosson 2020), where distance is difference in looks, hue included. */
function oklab(rgb: number): readonly [number, number, number] {
  const linear = (v: number): number => (v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const r = linear(red(rgb));
  const g = linear(green(rgb));
  const b = linear(blue(rgb));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const BASE16_LAB = BASE16.map(oklab);
/** Lightness counts less than hue: a dark red must stay red, not become grey. */
const LIGHTNESS_WEIGHT = 0.4;

/** Nearest of the 16 colours. */
export function nearest16(rgb: number): number {
  const [l, a, b] = oklab(rgb);
  let best = 0;
  let bestDistance = Infinity;
  for (let i = 0; i < 16; i++) {
    const [l2, a2, b2] = BASE16_LAB[i]!;
    const d = LIGHTNESS_WEIGHT * (l - l2) ** 2 + (a - a2) ** 2 + (b - b2) ** 2;
    if (d < bestDistance) {
      best = i;
      bestDistance = d;
    }
  }
  return best;
}

/** Whether black is easier to read on a colour than white: its luma is above one half. */
export function isLight(rgb: number): boolean {
  return 2 * red(rgb) + 5 * green(rgb) + blue(rgb) > 8 * 128;
}
