/**
 * Brackets and their partners, and characters looked for in a line.
 */
import type { Point } from '../../base/geometry.ts';
import type { TextReader } from './reader.ts';
import type { Jump } from './state.ts';

const OPENING = '{[(';
const CLOSING = '}])';

/** Cells looked at for a partner: a screen's history of prose has none, and a key must not take long. */
const MAX_CELLS = 1_000_000;

/** The partner of the bracket at a place: down for an opening one, up for a closing one. */
function partner(reader: TextReader, from: Point): Point | undefined {
  const bracket = reader.cell(from);
  const isOpening = OPENING.includes(bracket);
  const other = isOpening ? CLOSING[OPENING.indexOf(bracket)] : OPENING[CLOSING.indexOf(bracket)];
  let depth = 0;
  let at: Point | undefined = from;
  for (let n = 0; at && n < MAX_CELLS; n++) {
    const cell = reader.cell(at);
    if (cell === bracket) depth++;
    else if (cell === other && --depth === 0) return at;
    at = isOpening ? reader.next(at) : reader.previous(at);
  }
  return undefined;
}

function isBracket(cell: string, set: string): boolean {
  return cell !== '' && set.includes(cell);
}

/** The first bracket from a place to the end of its line. */
function bracketAhead(reader: TextReader, from: Point): Point | undefined {
  const last = reader.lineEnd(from.y);
  for (let at: Point | undefined = from; at && at.y <= last; at = reader.next(at))
    if (isBracket(reader.cell(at), OPENING + CLOSING)) return at;
  return undefined;
}

/** Partner of the bracket here, or (vi) of the next in the line; emacs: of the opening one here or next. */
export function nextBracket(reader: TextReader, from: Point, isVi: boolean): Point | undefined {
  if (isVi) {
    const bracket = bracketAhead(reader, from);
    return bracket && partner(reader, bracket);
  }
  const next = reader.next(from);
  const opening = [from, next].find(at => at && isBracket(reader.cell(at), OPENING));
  return opening && partner(reader, opening);
}

/** The opening partner of the closing bracket here; emacs: or just before. */
export function previousBracket(reader: TextReader, from: Point, isVi: boolean): Point | undefined {
  const before = isVi ? undefined : reader.previous(from);
  const closing = [from, before].find(at => at && isBracket(reader.cell(at), CLOSING));
  return closing && partner(reader, closing);
}

/** Where a character is next in the line of a place, or a cell before it. */
export function jumpTo(
  reader: TextReader,
  from: Point,
  { character, direction, isTill }: Jump,
): Point | undefined {
  const step = (at: Point): Point | undefined => (direction > 0 ? reader.next(at) : reader.previous(at));
  const back = (at: Point): Point | undefined => (direction > 0 ? reader.previous(at) : reader.next(at));
  const first = reader.lineStart(from.y);
  const last = reader.lineEnd(from.y);
  let at = step(from);
  // Repeated, a jump that stops before its character must not find the same one.
  if (isTill && at) at = step(at);
  for (; at && at.y >= first && at.y <= last; at = step(at))
    if (reader.cell(at) === character) return isTill ? back(at) : at;
  return undefined;
}
