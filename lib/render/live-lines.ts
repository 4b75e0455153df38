/**
 * Lines at the end of a terminal's output that change until they are finished. Only what differs is written again, in one
 * piece, so that nothing flickers; what has left the screen is never touched, so nothing wrong stays in the scrollback.
 * Sources: ECMA-48 8.3.22 (CUU), 8.3.39 (ED), 8.3.41 (EL); ctlseqs for DECAWM.
 */

/** Without wrapping a line that is wider than it was taken to be stays on its row. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
const TO_LINE_END = '\x1b[K';
const TO_SCREEN_END = '\x1b[J';
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
/** Stands for a row whose text is not known any more: equal to no line. */
const UNKNOWN = '\0';

export interface Screen {
  readonly cols: number;
  readonly rows: number;
}

export class LiveLines {
  readonly #isSynchronized: boolean;
  /** What stands there and may change; the cursor is at the end of its last line, or at the start of an empty one. */
  #shown: readonly string[] = [];

  /** @param isSynchronized the terminal knows DECSET 2026 */
  constructor(isSynchronized: boolean) {
    this.#isSynchronized = isSynchronized;
  }

  /**
   * What to write so that `finished` follows what was finished before, and `running` follows that, as much of its end as
   * `rows` have room for. Lines hold text and SGR and leave the last column free. '' where nothing changes.
   */
  draw(finished: readonly string[], running: readonly string[], rows: number): string {
    const tail = running.slice(-Math.max(1, rows - 1));
    const lines = [...finished, ...tail];
    const shown = this.#shown;
    let same = 0;
    while (same < shown.length && same < lines.length && shown[same] === lines[same]) same++;
    if (finished.length === 0 && same === shown.length && same === lines.length) return '';
    this.#shown = tail;
    // At least the last line is written, so that the cursor ends behind it.
    if (same === lines.length) same = Math.max(0, same - 1);
    const up = Math.max(0, shown.length - 1) - same;
    const start = up < 0 ? '\r\n' : `${up > 0 ? `\x1b[${up}A` : ''}\r`;
    const texts = lines.slice(same).map((line, at) => {
      if (same + at < finished.length) return `${line}${TO_LINE_END}\r\n`;
      const text = `${NO_WRAP}${line}${TO_LINE_END}${WRAP}`;
      return same + at === lines.length - 1 ? text : `${text}\r\n`;
    });
    const out = start + texts.join('') + TO_SCREEN_END;
    return this.#isSynchronized ? BEGIN + out + END : out;
  }

  /**
   * The window has another size. Rows that it may have broken or pushed away are left where they are, since nobody can say
   * where that is: what they show is drawn again below them. `widths` are the cells of what was drawn last, line by line.
   */
  resized({ cols, rows }: Screen, widths: readonly number[]): string {
    const isKept = this.#shown.length < rows && widths.every(width => width < cols);
    const left = !isKept && this.#shown.length > 0;
    this.#shown = isKept ? this.#shown.map(() => UNKNOWN) : [];
    return left ? '\r\n' : '';
  }
}
