/**
 * OSC strings that ask for, set and reset a pane's colours: 4 and 5, 10 to 19, and 104, 105, 110 to 119 (ctlseqs).
 */
import { colorPlace, parseColor } from './colors.ts';
import type { ColorPlace, PaneColors } from './colors.ts';
import { colorSpec } from './palette.ts';

/** What a colour string acts on. */
export interface ColorPort {
  reply(text: string): void;
  readonly colors: PaneColors;
}

/** One OSC about colours. */
export interface ColorOsc {
  readonly ident: number;
  handle(data: string, port: ColorPort): void;
}

/** Most colours one OSC may name: the whole palette. */
const MAX_COLORS = 256;

/** `?` is answered under `name`, anything else is a colour to be set; what is none is ignored. */
function askOrSet(name: string, place: ColorPlace, spec: string, { colors, reply }: ColorPort): void {
  if (spec === '?') return reply(`\x1b]${name};${colorSpec(colors.get(place))}\x1b\\`);
  const color = parseColor(spec);
  if (color !== undefined) colors.set(place, color);
}

/** A number of up to three digits, else -1. */
const entry = (text: string | undefined): number => (/^\d{1,3}$/.test(text ?? '') ? Number(text) : -1);

/** OSC 4, 5: pairs of entry and colour. */
function entries(ident: 4 | 5): ColorOsc {
  const kind = ident === 4 ? 'indexed' : 'special';
  return {
    ident,
    handle(data, port) {
      const parts = data.split(';', MAX_COLORS * 2);
      for (let i = 0; i + 1 < parts.length; i += 2) {
        const n = entry(parts[i]);
        const place = colorPlace(kind, n);
        if (place) askOrSet(`${ident};${n}`, place, parts[i + 1]!, port);
      }
    },
  };
}

/** OSC 10 to 19: each further colour is for the next number. */
function dynamic(ident: number): ColorOsc {
  return {
    ident,
    handle(data, port) {
      data.split(';', 10).forEach((spec, i) => {
        const place = colorPlace('dynamic', ident + i);
        if (place) askOrSet(String(ident + i), place, spec, port);
      });
    },
  };
}

/** OSC 104, 105: the entries named, or all. */
function resetEntries(ident: 104 | 105): ColorOsc {
  const kind = ident === 104 ? 'indexed' : 'special';
  return {
    ident,
    handle(data, { colors }) {
      if (data === '') return colors.resetAll(kind);
      for (const part of data.split(';', MAX_COLORS)) {
        const place = colorPlace(kind, entry(part));
        if (place) colors.reset(place);
      }
    },
  };
}

function resetDynamic(n: number): ColorOsc {
  return { ident: 100 + n, handle: (_data, { colors }) => colors.reset(colorPlace('dynamic', n)!) };
}

const DYNAMIC_NUMBERS = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19];

/** Every OSC about colours. */
export const COLOR_OSCS: readonly ColorOsc[] = [
  entries(4),
  entries(5),
  resetEntries(104),
  resetEntries(105),
  ...DYNAMIC_NUMBERS.map(dynamic),
  ...DYNAMIC_NUMBERS.map(resetDynamic),
];
