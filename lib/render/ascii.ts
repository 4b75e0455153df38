/**
 * Stand-ins for terminals that only take ASCII. One cell each, so that nothing moves. The marks of mux's own states must
 * all differ here: ● ◆ ○ ◌ ■ ✕ (chrome/glyphs.ts).
 */

/** Strings of characters by the ASCII character that stands for them. */
const STAND_INS: readonly (readonly [string, string])[] = [
  ['-', '─━═╌╍┄┅┈┉‐‑‒–—―╴╶╸╺−○◯'],
  ['|', '│┃║╎╏┆┇┊┋╵╷╹╻▏▕¦'],
  ['+', '┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋╔╗╚╝╠╣╦╩╬╭╮╯╰✚'],
  ['#', '█▇▆▅▄▃▂▉▊▋▌▐▓▒░▀■▪'],
  ['*', '●•★✱✻✽✶✳∙◉⏺'],
  ['~', '◌'],
  ['o', '◦'],
  ['>', '▶▸►→❯›»⏵⏎'],
  ['<', '◀◂◄←❮‹«'],
  ['^', '▲▴↑⌃'],
  ['v', '▼▾↓⌄✓✔'],
  ['x', '✗✘×✕✖'],
  ['!', '◆⚠¡'],
  ['.', '·…⋯'],
  ["'", '‘’´'],
  ['"', '“”„'],
  [' ', '\u00a0'],
  ['@', '⎇'],
];

const BY_CODEPOINT: ReadonlyMap<number, number> = new Map(
  STAND_INS.flatMap(([ascii, text]) =>
    Array.from(text, character => [character.codePointAt(0)!, ascii.charCodeAt(0)] as const),
  ),
);

/** The ASCII code that stands for a code point; `?` for most. */
export function asciiFor(codepoint: number): number {
  if (codepoint >= 0x20 && codepoint < 0x7f) return codepoint;
  return BY_CODEPOINT.get(codepoint) ?? 0x3f;
}
