/**
 * Which colours programs are told that they have: those of the terminal used last, or the theme's while nobody is there.
 */
import type { Theme } from '../../config/theme.ts';
import type { SessionRecord } from '../../model/types.ts';
import { DEFAULT_PALETTE } from '../../term/palette.ts';
import type { Palette } from '../../term/palette.ts';
import type { AttachedClient } from '../client/client.ts';

/** The colours that a theme stands for: its own text and background where it has some, else light on dark. */
export function themePalette({ roles }: Theme): Palette {
  const fg = roles.fg.fg;
  const bg = roles.bg.bg;
  if (fg === 'default' || bg === 'default') return DEFAULT_PALETTE;
  return { ...DEFAULT_PALETTE, foreground: fg.rgb, background: bg.rgb, cursor: fg.rgb };
}

/** Keeps the colours of all panes in step with who is attached. */
export class PanePalette {
  readonly #theme: () => Theme;
  readonly #sessions: () => readonly SessionRecord[];
  #current: Palette;

  constructor(theme: () => Theme, sessions: () => readonly SessionRecord[]) {
    this.#theme = theme;
    this.#sessions = sessions;
    this.#current = themePalette(theme());
  }

  /** What a program that starts now is told. */
  get current(): Palette {
    return this.#current;
  }

  /** Somebody attached, left or was used, or a terminal or the theme has other colours. */
  follow(latest: AttachedClient | undefined): void {
    const theme = themePalette(this.#theme());
    this.#current = latest ? latest.colors.palette(theme) : theme;
    // While nobody is there nobody looks: programs are told of light and dark when somebody does.
    const isSeen = latest !== undefined;
    for (const { terminal } of this.#sessions()) terminal?.setPalette(this.#current, isSeen);
  }
}
