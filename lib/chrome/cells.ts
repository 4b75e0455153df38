/**
 * Rows of blessed's cells, `[attribute, character]`, read back as packed cells.
 */
import { CELL_WORDS, CONTENT, type CellLine } from '../term/cell.ts';
import type { StyleTable } from './slots.ts';
import { isRightHalf, paneIndex, type StandIns } from './stand-ins.ts';

/** A cell of blessed's: flags << 18 | text colour << 9 | ground colour, and one UTF-16 unit. */
export type RawCell = readonly [attribute: number, char: string];

/** Part of a row filled with one pane's sentinel. */
export interface SentinelRun {
  readonly x: number;
  readonly width: number;
  readonly pane: number;
}

/** A row as it was read: its cells, and where panes show through. */
export interface ReadRow {
  readonly line: CellLine;
  readonly sentinels: readonly SentinelRun[];
}

const ONE_CELL = 1 << CONTENT.widthShift;
const SPACE = 0x20 | ONE_CELL;
const COLOR_SLOT_MASK = 0x1ff;

/** A line of chrome: no extended attributes, never wrapped. */
class ChromeLine implements CellLine {
  readonly words: Uint32Array;
  readonly clusters: Record<number, string> = {};
  readonly wrapped = false;

  constructor(cols: number) {
    this.words = new Uint32Array(cols * CELL_WORDS);
  }

  extended(): undefined {
    return undefined;
  }
}

/** Reads rows for one theme and one screen. */
export class RowReader {
  readonly #styles: StyleTable;
  readonly #standIns: StandIns;

  constructor(styles: StyleTable, standIns: StandIns) {
    this.#styles = styles;
    this.#standIns = standIns;
  }

  /** The row as packed cells; cells of panes are blank and listed as runs. */
  read(row: readonly RawCell[]): ReadRow {
    const line = new ChromeLine(row.length);
    const sentinels: { x: number; width: number; pane: number }[] = [];
    let open: { x: number; width: number; pane: number } | undefined;
    for (let x = 0; x < row.length; x++) {
      const [attribute, char] = row[x]!;
      const code = char.charCodeAt(0);
      const pane = paneIndex(code);
      if (pane < 0) {
        open = undefined;
        x += this.#readCell(line, row, x, attribute, code);
        continue;
      }
      line.words[x * CELL_WORDS] = ONE_CELL;
      if (open?.pane === pane) open.width++;
      else sentinels.push((open = { x, width: 1, pane }));
    }
    return { line, sentinels };
  }

  /** Writes the cell at `x`; returns how many cells after it are written, too. */
  #readCell(line: ChromeLine, row: readonly RawCell[], x: number, attribute: number, code: number): number {
    const style = this.#styles.words((attribute >> 9) & COLOR_SLOT_MASK, attribute & COLOR_SLOT_MASK);
    const at = x * CELL_WORDS;
    line.words[at + 1] = style.fg;
    line.words[at + 2] = style.bg;
    const cluster = this.#standIns.decode(code);
    if (cluster === undefined) {
      line.words[at] = isRightHalf(code) ? SPACE : code | ONE_CELL;
      return 0;
    }
    const next = row[x + 1];
    // A box painted over one half of a wide cluster: the other half alone shows nothing.
    if (cluster.width === 2 && !(next && isRightHalf(next[1].charCodeAt(0)))) {
      line.words[at] = SPACE;
      return 0;
    }
    this.#writeCluster(line, x, cluster.text, cluster.width);
    if (cluster.width < 2) return 0;
    line.words[at + CELL_WORDS + 1] = style.fg;
    line.words[at + CELL_WORDS + 2] = style.bg;
    return 1;
  }

  #writeCluster(line: ChromeLine, x: number, text: string, width: number): void {
    const code = text.codePointAt(0)!;
    const isSingle = text.length === (code > 0xffff ? 2 : 1);
    if (!isSingle) line.clusters[x] = text;
    line.words[x * CELL_WORDS] = (isSingle ? code : CONTENT.isCluster) | (width << CONTENT.widthShift);
  }
}

/** Whether two rows look the same, so that the older one can be kept. */
export function isSameLine(a: CellLine, b: CellLine): boolean {
  if (a.words.length !== b.words.length) return false;
  for (let i = 0; i < a.words.length; i++) if (a.words[i] !== b.words[i]) return false;
  for (const key in a.clusters) if (a.clusters[key] !== b.clusters[key]) return false;
  for (const key in b.clusters) if (a.clusters[key] !== b.clusters[key]) return false;
  return true;
}
