/**
 * Styles as small numbers. blessed keeps nine bits of colour for text and nine for its ground; we number our styles
 * into them and look the real colours up when cells are read back.
 *
 * Text slot: role × 16 + attribute bits (0–255, NO_ROLE for text in its ground's own style). Ground slot: role.
 */
import { ROLES, type Role, type Run } from '../base/styled.ts';
import type { Theme, ThemeColor, ThemeStyle } from '../config/theme.ts';
import { BG, COLOR, FG } from '../term/cell.ts';

const ROLE_INDEX = Object.fromEntries(ROLES.map((role, i) => [role, i])) as Readonly<Record<Role, number>>;
/** One past the last role. */
const NO_ROLE = ROLES.length;
const BITS = { bold: 1, italic: 2, underline: 4, inverse: 8 } as const;

/** The two colour words of a cell (term/cell.ts). */
export interface StyleWords {
  readonly fg: number;
  readonly bg: number;
}

/** Slot of a run of text, 0–255. */
export function textSlot(run: Omit<Run, 'text'>): number {
  return (
    (run.role === undefined ? NO_ROLE : ROLE_INDEX[run.role]) * 16 +
    (run.bold ? BITS.bold : 0) +
    (run.italic ? BITS.italic : 0) +
    (run.underline ? BITS.underline : 0) +
    (run.inverse ? BITS.inverse : 0)
  );
}

/** Slot of a ground, 0–14. */
export function groundSlot(role: Role): number {
  return ROLE_INDEX[role];
}

/** Colours of a terminal; without any, what is left of a style are its attributes. */
export type ColorDepth = 'truecolor' | 256 | 16 | 0;

/** Looks up what a pair of slots means in a theme. Remembers at most 256 × 15 answers. */
export class StyleTable {
  readonly #theme: Theme;
  readonly #colors: ColorDepth;
  readonly #known = new Map<number, StyleWords>();

  constructor(theme: Theme, colors: ColorDepth) {
    this.#theme = theme;
    this.#colors = colors;
  }

  /** Colour words of a cell with these slots. */
  words(text: number, ground: number): StyleWords {
    const key = text * 16 + ground;
    let words = this.#known.get(key);
    if (words === undefined) {
      words = this.#resolve(text, ROLES[ground] ?? 'bg');
      this.#known.set(key, words);
    }
    return words;
  }

  #resolve(text: number, ground: Role): StyleWords {
    const roles = this.#theme.roles;
    const under = ground === 'selection' ? visibleSelection(roles.selection) : roles[ground];
    const plain = ground === 'bg' ? roles.fg : under;
    const over = roles[ROLES[text >> 4] ?? ground] ?? plain;
    const style =
      text >> 4 === NO_ROLE || ground === 'bg' ? over : overGround(over, under, ground === 'selection');
    const own = text >> 4 === NO_ROLE ? plain : style;
    const has = (name: keyof typeof BITS): boolean =>
      own[name] || (ground !== 'bg' && under[name]) || (text & BITS[name]) !== 0;
    return {
      fg:
        this.#color(own.fg, ground === 'bg' ? roles.fg.fg : under.fg, roles.fg.fg) |
        (has('bold') ? FG.bold : 0) |
        (has('underline') ? FG.underline : 0) |
        (has('inverse') ? FG.inverse : 0),
      bg:
        this.#color(own.bg, under.bg, roles.bg.bg) | (has('italic') ? BG.italic : 0) | (own.dim ? BG.dim : 0),
    };
  }

  /** The first colour that is not `default`, as a word: the palette entry the theme chose where 24 bits are too many. */
  #color(...choices: readonly ThemeColor[]): number {
    const chosen = choices.find(choice => choice !== 'default');
    if (chosen === undefined) return COLOR.default;
    if (this.#colors === 'truecolor') return COLOR.rgb | (chosen.rgb & COLOR.rgbMask);
    if (this.#colors === 256 && chosen.c256 >= 16) return COLOR.p256 | chosen.c256;
    return COLOR.p16 | (this.#colors === 256 ? chosen.c256 : chosen.c16);
  }
}

/** A selection that a theme left without any sign is shown inverse. */
function visibleSelection(style: ThemeStyle): ThemeStyle {
  return style.bg === 'default' && !style.inverse ? { ...style, inverse: true } : style;
}

/** Text on an inverse ground, or on a selection with a text colour, takes its colour: it must stay readable. */
function overGround(over: ThemeStyle, ground: ThemeStyle, isSelection: boolean): ThemeStyle {
  const takes = ground.inverse || (isSelection && ground.fg !== 'default');
  return takes ? { ...over, fg: ground.fg, bg: ground.bg, dim: false } : { ...over, bg: ground.bg };
}
