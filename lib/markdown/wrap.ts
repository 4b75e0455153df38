/**
 * Styled text broken into lines of at most so many cells. A grapheme cluster is never cut.
 */
import type { Run, StyledLine } from '../base/styled.ts';
import { cellWidth, graphemes } from '../base/text.ts';

/** How a stretch of text looks: a Run without its text. */
export type Style = Omit<Run, 'text'>;

/** One grapheme cluster. */
interface Piece {
  readonly text: string;
  readonly cells: number;
  readonly style: Style;
}

/** Stands for a cluster that is wider than the whole line. */
const TOO_WIDE = '?';

/**
 * `runs` as lines of at most `width` cells (at least 1), broken at spaces and beside wide characters, else where it
 * must be. `\n` in a run breaks the line. With `hard` spaces are kept and lines are only broken where they are full.
 */
export function wrap(runs: readonly Run[], width: number, hard = false): StyledLine[] {
  return splitLines(piecesOf(runs, width)).flatMap(pieces =>
    hard ? fill(pieces, width) : flow(pieces, width),
  );
}

/** `runs` on one line of exactly or at most `width` cells: cut with an ellipsis where they are wider. */
export function clip(runs: readonly Run[], width: number): StyledLine {
  const pieces = piecesOf(runs, width).map(piece =>
    piece.text === '\n' ? { ...piece, text: ' ', cells: 1 } : piece,
  );
  if (cellsOf(pieces) <= width) return join(pieces);
  const kept: Piece[] = [];
  let cells = 1;
  for (const piece of pieces) {
    if (cells + piece.cells > width) break;
    kept.push(piece);
    cells += piece.cells;
  }
  return join([...kept, { text: '…', cells: 1, style: kept.at(-1)?.style ?? {} }]);
}

/** Cells of a line. */
export function lineWidth(line: StyledLine): number {
  return cellWidth(line.map(run => run.text).join(''));
}

/** The clusters of all runs together, since a mark at the start of a run joins what stands before it. */
function piecesOf(runs: readonly Run[], width: number): Piece[] {
  const pieces: Piece[] = [];
  let index = 0;
  let left = runs[0]?.text.length ?? 0;
  for (const text of graphemes(runs.map(run => run.text).join(''))) {
    while (left <= 0 && index < runs.length - 1) left += runs[++index]!.text.length;
    left -= text.length;
    const { text: _text, ...style } = runs[index]!;
    const cells = text === '\n' ? 0 : cellWidth(text);
    pieces.push(cells > width ? { text: TOO_WIDE, cells: 1, style } : { text, cells, style });
  }
  return pieces;
}

function splitLines(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.text === '\n') lines.push([]);
    else lines.at(-1)!.push(piece);
  }
  return lines;
}

/** Lines that are full, spaces and all. */
function fill(pieces: readonly Piece[], width: number): StyledLine[] {
  const lines: Piece[][] = [[]];
  let cells = 0;
  for (const piece of pieces) {
    if (cells + piece.cells > width) {
      lines.push([]);
      cells = 0;
    }
    lines.at(-1)!.push(piece);
    cells += piece.cells;
  }
  return lines.map(join);
}

/** Lines broken between words. Spaces at a break are dropped, others kept. */
function flow(pieces: readonly Piece[], width: number): StyledLine[] {
  const lines: StyledLine[] = [];
  let line: Piece[] = [];
  let cells = 0;
  const flush = (): void => {
    while (line.at(-1)?.text === ' ') line.pop();
    lines.push(join(line));
    line = [];
    cells = 0;
  };
  for (const word of words(pieces)) {
    const wordCells = cellsOf(word);
    if (cells + wordCells > width && cells > 0) flush();
    if (word[0]!.text === ' ' && cells === 0 && lines.length > 0) continue;
    for (const piece of word) {
      if (cells + piece.cells > width) flush();
      line.push(piece);
      cells += piece.cells;
    }
  }
  if (line.length > 0 || lines.length === 0) flush();
  return lines;
}

/** Words, single spaces, and wide clusters: East Asian text has no spaces to break at (UAX #14, class ID). */
function words(pieces: readonly Piece[]): Piece[][] {
  const list: Piece[][] = [];
  let open = false;
  for (const piece of pieces) {
    const alone = piece.text === ' ' || piece.cells > 1;
    if (open && !alone) list.at(-1)!.push(piece);
    else list.push([piece]);
    open = !alone;
  }
  return list;
}

function cellsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.cells, 0);
}

/** Neighbours of one style as one run. */
function join(pieces: readonly Piece[]): StyledLine {
  const runs: { text: string; style: Style; key: string }[] = [];
  for (const { text, style } of pieces) {
    const key = JSON.stringify(style);
    const last = runs.at(-1);
    if (last?.key === key) last.text += text;
    else runs.push({ text, style, key });
  }
  return runs.map(({ text, style }) => ({ text, ...style }));
}
