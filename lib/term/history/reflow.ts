/**
 * How a logical line is wrapped: pure arithmetic on cells, after xterm.js's own rules, so that a line looks the same
 * above the screen as on it.
 */

/** A row of a logical line as it was stored. */
export interface Piece {
  /** Cells stored. */
  readonly cells: number;
  /** Cells that are part of the line: all of a row that goes on in the next, up to the last text of the last one. */
  readonly length: number;
  /** Width it was stored at. */
  readonly cols: number;
  readonly hasWide: boolean;
}

/**
 * Where each row ends, in cells from the start of the line, when wrapped at `cols`. At least one row; a wide character
 * that would be cut goes to the next row.
 * @param isWide whether a wide character begins at that cell
 */
export function lineRows(
  pieces: readonly Piece[],
  cols: number,
  isWide: (cell: number) => boolean,
): number[] {
  const total = pieces.reduce((sum, { length }) => sum + length, 0);
  const ends: number[] = [];
  if (pieces.every(piece => piece.cols === cols)) {
    let end = 0;
    for (const piece of pieces) ends.push((end += piece.length));
    return ends;
  }
  for (let at = 0; total - at > cols;) {
    at += isWide(at + cols - 1) ? cols - 1 : cols;
    ends.push(at);
  }
  ends.push(total);
  return ends;
}
