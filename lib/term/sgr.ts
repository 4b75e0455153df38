/**
 * A cell's attributes as SGR parameters (ctlseqs "Character Attributes (SGR)").
 */
import { BG, COLOR, FG, UNDERLINE } from './cell.ts';
import type { Extended } from './cell.ts';

/** Attributes to be written: the fg and bg words, and what is beyond them. */
export interface Attributes {
  readonly fg: number;
  readonly bg: number;
  readonly extended: Extended | undefined;
}

/** Which flag of which word is which parameter. */
const FLAGS: readonly (readonly [word: 'fg' | 'bg', bit: number, parameter: string])[] = [
  ['fg', FG.bold, '1'],
  ['bg', BG.dim, '2'],
  ['bg', BG.italic, '3'],
  ['fg', FG.blink, '5'],
  ['fg', FG.inverse, '7'],
  ['fg', FG.invisible, '8'],
  ['fg', FG.strikethrough, '9'],
  ['bg', BG.overline, '53'],
];

const rgb = (word: number, separator: string): string =>
  [(word >> 16) & 255, (word >> 8) & 255, word & 255].join(separator);

/** The parameter of a foreground (`base` 30) or background (40) colour; '' for the default. */
function color(word: number, base: 30 | 40): string {
  const index = word & COLOR.indexMask;
  const mode = word & COLOR.modeMask;
  if (mode === COLOR.rgb) return `${base + 8};2;${rgb(word, ';')}`;
  if (mode === COLOR.p256) return `${base + 8};5;${index}`;
  if (mode !== COLOR.p16) return '';
  return String(index < 8 ? base + index : base + 60 + index - 8);
}

/** The parameter that sets each thing that is not plain, by the thing; one parameter replaces another of its kind. */
function slots(attributes: Attributes): Map<string, string> {
  const { fg, bg, extended } = attributes;
  const found = new Map<string, string>();
  for (const [word, bit, parameter] of FLAGS) if (attributes[word] & bit) found.set(parameter, parameter);
  if (fg & FG.underline) {
    const style = extended?.underlineStyle ?? UNDERLINE.single;
    found.set('underline', style > UNDERLINE.single ? `4:${style}` : '4');
    const word = extended?.underlineColor ?? COLOR.default;
    const mode = word & COLOR.modeMask;
    if (mode === COLOR.rgb) found.set('underline color', `58:2::${rgb(word, ':')}`);
    else if (mode !== COLOR.default) found.set('underline color', `58:5:${word & COLOR.indexMask}`);
  }
  const foreground = color(fg, 30);
  const background = color(bg, 40);
  if (foreground !== '') found.set('foreground', foreground);
  if (background !== '') found.set('background', background);
  return found;
}

/** The parameters that lead from plain text to `attributes`; none for plain text. Colons only where SGR needs them. */
export function sgrParameters(attributes: Attributes): string[] {
  return [...slots(attributes).values()];
}

/** The fewest parameters that lead from one to the other: additions, or a reset (0) and everything. */
export function sgrBetween(from: Attributes, to: Attributes): string[] {
  const before = slots(from);
  const after = slots(to);
  if (![...before.keys()].every(slot => after.has(slot))) return ['0', ...after.values()];
  return [...after]
    .filter(([slot, parameter]) => before.get(slot) !== parameter)
    .map(([, parameter]) => parameter);
}
