/**
 * The colours of xterm's 256 colour palette, and the nearest entry to a 24-bit colour. Entries 0–15 differ from
 * terminal to terminal; here they are xterm's defaults.
 */

/** Entries 0–15 as 0xRRGGBB (xterm's own resources). */
const SYSTEM: readonly number[] = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000,
  0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
];
/** The steps of the 6×6×6 cube in entries 16–231. */
const CUBE: readonly number[] = [0, 95, 135, 175, 215, 255];

/** The colour of a palette entry (0–255), as 0xRRGGBB. */
export function paletteRgb(index: number): number {
  if (index < 16) return SYSTEM[index]!;
  if (index >= 232) return (8 + 10 * (index - 232)) * 0x010101;
  const n = index - 16;
  return (CUBE[Math.floor(n / 36)]! << 16) | (CUBE[Math.floor(n / 6) % 6]! << 8) | CUBE[n % 6]!;
}

/** The nearest of the entries that look the same everywhere: 16–255. */
export function nearest256(rgb: number): number {
  return nearestOf(rgb, 16, 255);
}

/** The nearest of the entries 0–15. */
export function nearest16(rgb: number): number {
  return nearestOf(rgb, 0, 15);
}

function nearestOf(rgb: number, from: number, to: number): number {
  let best = from;
  for (let i = from + 1; i <= to; i++)
    if (distance(rgb, paletteRgb(i)) < distance(rgb, paletteRgb(best))) best = i;
  return best;
}

/** Squared distance, weighted roughly as eyes weigh the channels. */
function distance(a: number, b: number): number {
  const [r, g, blue] = [16, 8, 0].map(shift => ((a >> shift) & 255) - ((b >> shift) & 255)) as [
    number,
    number,
    number,
  ];
  return 3 * r * r + 6 * g * g + blue * blue;
}
