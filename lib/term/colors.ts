/**
 * A pane's colours: those of the person's terminal, under what the program has set for itself (OSC 4, 5, 10 to 19, and
 * 104, 105, 110 to 119 to have it back). Source: ctlseqs "Operating System Commands"; XParseColor(3) for names of colours.
 */
import { loadChoice, saveChoice } from './checkpoint/attributes.ts';
import { malformed, type ByteReader, type ByteWriter, type Kept } from './checkpoint/bytes.ts';
import { isDark, paletteColor } from './palette.ts';
import type { Palette } from './palette.ts';

/** What a program has set, for whoever draws the pane. */
export interface ColorOverrides {
  /** 0xRRGGBB in place of the default text colour. */
  readonly foreground: number | undefined;
  readonly background: number | undefined;
  /** Of the cursor. */
  readonly cursor: number | undefined;
  /** By palette index. */
  readonly indexed: ReadonlyMap<number, number>;
}

/** Dynamic colours by OSC number, and which of the person's colours stands in until a program sets one. */
const DYNAMIC: Readonly<Record<number, 'foreground' | 'background' | 'cursor'>> = {
  10: 'foreground',
  11: 'background',
  12: 'cursor',
  // Pointer, Tektronix and selection: not drawn, but remembered, since programs read back what they set.
  13: 'foreground',
  14: 'background',
  15: 'foreground',
  16: 'background',
  17: 'foreground',
  18: 'cursor',
  19: 'background',
};
const FOREGROUND = 10;
const BACKGROUND = 11;
const CURSOR = 12;
/** Special colours (OSC 5): bold, underline, blink, reverse, italic. */
const SPECIAL_COUNT = 5;
const KINDS = ['indexed', 'special', 'dynamic'] as const;
const TOLD = [false, true] as const;

/** A colour's place: an entry of the palette, a special colour, or a dynamic one by its OSC number. */
export type ColorPlace = `${'indexed' | 'special' | 'dynamic'} ${number}`;

/** The place of entry `n` of a kind; undefined where there is none. */
export function colorPlace(kind: 'indexed' | 'special' | 'dynamic', n: number): ColorPlace | undefined {
  const isThere =
    kind === 'dynamic' ? DYNAMIC[n] !== undefined : n >= 0 && n < (kind === 'indexed' ? 256 : SPECIAL_COUNT);
  return isThere ? `${kind} ${n}` : undefined;
}

/** One pane's colours. */
export class PaneColors implements Kept {
  #outer: Palette;
  readonly #own = new Map<ColorPlace, number>();
  #overrides: ColorOverrides | undefined;
  /** DECSCNM. */
  #isReversed = false;
  /** What a program that wants to be told of light and dark (DECSET 2031) knows; undefined without one. */
  #toldDark: boolean | undefined;

  constructor(outer: Palette) {
    this.#outer = outer;
  }

  /** What the program has set, undefined where it has set nothing that is drawn. A new object after every change. */
  get overrides(): ColorOverrides | undefined {
    return this.#overrides;
  }

  /** Whether the background is dark: what DSR 996 tells. */
  get isDark(): boolean {
    return isDark(this.#outer);
  }

  get(place: ColorPlace): number {
    const own = this.#own.get(place);
    if (own !== undefined) return own;
    const [kind, n] = place.split(' ') as [string, string];
    if (kind === 'indexed') return paletteColor(this.#outer, Number(n)) ?? this.#outer.foreground;
    return this.#outer[DYNAMIC[Number(n)] ?? 'foreground'];
  }

  set(place: ColorPlace, color: number): void {
    this.#own.set(place, color);
    this.#changed();
  }

  /** Gives a colour back to the person. */
  reset(place: ColorPlace): void {
    if (this.#own.delete(place)) this.#changed();
  }

  /** Gives back every palette entry (OSC 104), every special colour (105), or everything (RIS). */
  resetAll(kind?: 'indexed' | 'special'): void {
    for (const place of Array.from(this.#own.keys()))
      if (kind === undefined || place.startsWith(kind)) this.#own.delete(place);
    this.#changed();
  }

  /** The person's terminal has other colours. */
  setOuter(palette: Palette): void {
    this.#outer = palette;
    if (this.#isReversed) this.#changed();
  }

  /** DECSCNM: text and background have changed places, or are as usual again. */
  setReversed(isReversed: boolean): void {
    if (isReversed === this.#isReversed) return;
    this.#isReversed = isReversed;
    this.#changed();
  }

  /** DECSET 2031: from now on the program is told when light turns to dark or back, or no more. */
  watchScheme(isOn: boolean): void {
    this.#toldDark = isOn ? (this.#toldDark ?? this.isDark) : undefined;
  }

  get watchesScheme(): boolean {
    return this.#toldDark !== undefined;
  }

  /** Whether light has turned to dark or back since the program was told; it counts as told then. */
  takeSchemeChange(): boolean {
    if (this.#toldDark === undefined || this.#toldDark === this.isDark) return false;
    this.#toldDark = this.isDark;
    return true;
  }

  save(to: ByteWriter): void {
    to.count(this.#own.size);
    for (const [place, color] of this.#own) {
      const [kind, n] = place.split(' ') as [(typeof KINDS)[number], string];
      saveChoice(to, KINDS, kind);
      to.count(Number(n));
      to.word(color);
    }
    saveChoice(to, TOLD, this.#toldDark);
  }

  load(from: ByteReader): void {
    for (let n = from.count(256 + SPECIAL_COUNT + Object.keys(DYNAMIC).length); n > 0; n--) {
      const place = colorPlace(loadChoice(from, KINDS) ?? 'special', from.count());
      if (!place) throw malformed('a colour that is none');
      this.#own.set(place, from.word() & 0xffffff);
    }
    this.#toldDark = loadChoice(from, TOLD);
    this.#changed();
  }

  #changed(): void {
    const indexed = new Map<number, number>();
    for (const [place, color] of this.#own)
      if (place.startsWith('indexed')) indexed.set(Number(place.slice('indexed '.length)), color);
    const cursor = this.#own.get(`dynamic ${CURSOR}`);
    // What is reversed has to be written out: each of the two is the other's.
    const isReversed = this.#isReversed;
    const own = (number: typeof FOREGROUND | typeof BACKGROUND): number | undefined =>
      isReversed ? this.get(`dynamic ${number}`) : this.#own.get(`dynamic ${number}`);
    const foreground = own(isReversed ? BACKGROUND : FOREGROUND);
    const background = own(isReversed ? FOREGROUND : BACKGROUND);
    const isPlain =
      indexed.size === 0 && foreground === undefined && background === undefined && cursor === undefined;
    this.#overrides = isPlain ? undefined : { foreground, background, cursor, indexed };
  }
}

/** Colour names that programs set colours by; XParseColor has hundreds, of which these are the terminals' own. */
const NAMES: Readonly<Record<string, number>> = {
  black: 0x000000,
  red: 0xff0000,
  green: 0x00ff00,
  yellow: 0xffff00,
  blue: 0x0000ff,
  magenta: 0xff00ff,
  cyan: 0x00ffff,
  white: 0xffffff,
  gray: 0xbebebe,
  grey: 0xbebebe,
  orange: 0xffa500,
};

/** A channel of one to four hexadecimal digits as a byte; `scaled`: all digits set is full brightness. */
function channel(digits: string, scaled: boolean): number {
  const value = Number.parseInt(digits, 16);
  if (scaled) return Math.round((value * 255) / (16 ** digits.length - 1));
  return digits.length === 1 ? value << 4 : value >> (4 * (digits.length - 2));
}

const join = ([r = 0, g = 0, b = 0]: readonly number[]): number => (r << 16) | (g << 8) | b;

/** A colour as XParseColor reads it (`rgb:…`, `rgbi:…`, `#…`, a name) as 0xRRGGBB; undefined if it is none. */
export function parseColor(spec: string): number | undefined {
  const text = spec.trim().toLowerCase();
  const rgb = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/.exec(text);
  if (rgb) return join(rgb.slice(1).map(digits => channel(digits, true)));
  const hex = /^#((?:[0-9a-f]{3}){1,4})$/.exec(text)?.[1];
  if (hex !== undefined) {
    const size = hex.length / 3;
    return join([0, 1, 2].map(i => channel(hex.slice(i * size, (i + 1) * size), false)));
  }
  const intensity = /^rgbi:([0-9.]{1,9})\/([0-9.]{1,9})\/([0-9.]{1,9})$/.exec(text)?.slice(1).map(Number);
  if (intensity?.every(value => value >= 0 && value <= 1))
    return join(intensity.map(value => Math.round(value * 255)));
  return Object.hasOwn(NAMES, text) ? NAMES[text] : undefined;
}
