/**
 * The colours of a client's terminal: asked for at attach, and again when the terminal says that they have changed.
 * Sources: ctlseqs (OSC 4, 10, 11, 12), Contour's "Dark and Light Mode detection" (mode 2031, DSR 997).
 */
import { parseColor } from '../../term/colors.ts';
import type { Palette } from '../../term/palette.ts';

const ANSI_COUNT = 16;
const DYNAMIC = { 10: 'foreground', 11: 'background', 12: 'cursor' } as const;

/** Asks for text, background and cursor colour and the sixteen of the palette. */
export const COLOR_QUERY = [
  ...Object.keys(DYNAMIC).map(n => `\x1b]${n};?\x1b\\`),
  ...Array.from({ length: ANSI_COUNT }, (_, i) => `\x1b]4;${i};?\x1b\\`),
  '\x1b[c',
].join('');
/** Asks, and wants to be told when light turns to dark or back. */
export const COLOR_WATCH = `\x1b[?2031h${COLOR_QUERY}`;

const DYNAMIC_REPLY = /^\x1b\](1[012]);([^\x07\x1b]{1,64})(?:\x07|\x1b\\)$/;
const INDEXED_REPLY = /^\x1b\]4;(\d{1,2});([^\x07\x1b]{1,64})(?:\x07|\x1b\\)$/;
const SCHEME_CHANGED = /^\x1b\[\?997;[12]n$/;

/** What one client's terminal has told of its colours. */
export class ClientColors {
  #known: Partial<Palette> = {};
  readonly #ansi = new Map<number, number>();

  /**
   * Takes an answer of the terminal.
   * @returns `changed`: a colour is another one now; `ask`: colours have changed and are to be asked for; else undefined
   */
  take(raw: Uint8Array): 'changed' | 'ask' | undefined {
    const text = Buffer.from(raw).toString('latin1');
    if (SCHEME_CHANGED.test(text)) return 'ask';
    const dynamic = DYNAMIC_REPLY.exec(text);
    const indexed = dynamic ? null : INDEXED_REPLY.exec(text);
    const color = parseColor((dynamic ?? indexed)?.[2] ?? '');
    if (color === undefined) return undefined;
    if (dynamic) {
      const name = DYNAMIC[Number(dynamic[1]) as keyof typeof DYNAMIC];
      if (this.#known[name] === color) return undefined;
      this.#known = { ...this.#known, [name]: color };
      return 'changed';
    }
    const index = Number(indexed![1]);
    if (index >= ANSI_COUNT || this.#ansi.get(index) === color) return undefined;
    this.#ansi.set(index, color);
    return 'changed';
  }

  /** The terminal's colours; where it has told nothing, those of `otherwise`. */
  palette(otherwise: Palette): Palette {
    const ansi = otherwise.ansi.map((color, i) => this.#ansi.get(i) ?? color);
    return { ...otherwise, ...this.#known, ansi };
  }
}
