/**
 * How copy mode's matches and selection look, by theme and by what the terminal can show.
 */
import { groundSlot, StyleTable, textSlot, type ColorDepth, type StyleWords } from '../../chrome/slots.ts';
import type { Theme } from '../../config/theme.ts';
import type { Highlight } from '../../frame/compose.ts';
import type { Lit, LitStretch } from '../../mode/copy/view.ts';

const NOTHING: readonly Highlight[] = [];

export class LitStyles {
  readonly #styles: Readonly<Record<Lit, StyleWords>>;

  constructor(theme: Theme, colors: ColorDepth) {
    const table = new StyleTable(theme, colors);
    this.#styles = {
      selection: table.words(textSlot({}), groundSlot('selection')),
      match: table.words(textSlot({ role: 'warn', underline: true }), groundSlot('bg')),
      current: table.words(textSlot({ role: 'warn', inverse: true, bold: true }), groundSlot('bg')),
    };
  }

  /** Stretches as the frame takes them. */
  highlights(lit: readonly LitStretch[] | undefined): readonly Highlight[] {
    if (lit === undefined || lit.length === 0) return NOTHING;
    return lit.map(({ y, x0, x1, as }) => ({ y, x0, x1, style: this.#styles[as] }));
  }
}
