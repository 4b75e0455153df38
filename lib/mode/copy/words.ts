/**
 * Motions by words. A word is a run of characters that are neither blanks nor separators, or of separators; with no
 * separators given it is all between blanks. Wrapped rows are one line.
 */
import type { Point } from '../../base/geometry.ts';
import type { TextReader } from './reader.ts';

type Kind = 'blank' | 'separator' | 'word';

function kindAt(reader: TextReader, at: Point, separators: string): Kind {
  const cell = reader.cell(at);
  if (cell.trim() === '') return 'blank';
  return separators.includes(cell) ? 'separator' : 'word';
}

/** Goes on with `step` while `holds`; the last place where the text ends. */
function walk(from: Point, step: (at: Point) => Point | undefined, holds: (at: Point) => boolean): Point {
  let at = from;
  while (holds(at)) {
    const next = step(at);
    if (!next) return at;
    at = next;
  }
  return at;
}

/** Start of the next word. */
export function nextWord(reader: TextReader, from: Point, separators: string): Point {
  const kind = kindAt(reader, from, separators);
  const next = (at: Point): Point | undefined => reader.next(at);
  const end = kind === 'blank' ? from : walk(from, next, at => kindAt(reader, at, separators) === kind);
  return walk(end, next, at => kindAt(reader, at, separators) === 'blank');
}

/** Last character of this word or the next (vi), or the place behind it (emacs). */
export function nextWordEnd(reader: TextReader, from: Point, separators: string, isVi: boolean): Point {
  const next = (at: Point): Point | undefined => reader.next(at);
  const isBlank = (at: Point): boolean => kindAt(reader, at, separators) === 'blank';
  const begin = isVi && !isBlank(from) ? (reader.next(from) ?? from) : from;
  const word = walk(begin, next, isBlank);
  const kind = kindAt(reader, word, separators);
  if (kind === 'blank') return word;
  const end = walk(word, next, at => kindAt(reader, at, separators) === kind);
  return isVi ? (reader.previous(end) ?? end) : end;
}

/** Start of this word, or of the one before where the cursor is at its start. */
export function previousWord(reader: TextReader, from: Point, separators: string): Point {
  const previous = (at: Point): Point | undefined => reader.previous(at);
  const before = reader.previous(from);
  if (!before) return from;
  const end = walk(before, previous, at => kindAt(reader, at, separators) === 'blank');
  return startOfRun(reader, end, separators);
}

/** First character of the run of one kind that `from` is in. */
function startOfRun(reader: TextReader, from: Point, separators: string): Point {
  const kind = kindAt(reader, from, separators);
  let at = from;
  for (let to = reader.previous(at); to && kindAt(reader, to, separators) === kind; to = reader.previous(at))
    at = to;
  return at;
}

/** First and last character of the word at a place, of the blanks between words, or of the separators. */
export function wordAt(reader: TextReader, at: Point, separators: string): { start: Point; end: Point } {
  const kind = kindAt(reader, at, separators);
  const { y } = at;
  const start = startOfRun(reader, at, separators);
  let end = at;
  for (let to = reader.next(end); to && kindAt(reader, to, separators) === kind; to = reader.next(end))
    end = to;
  if (kind !== 'blank') return { start, end };
  // Blanks go no further than their row.
  return {
    start: start.y < y ? { x: 0, y } : start,
    end: end.y > y ? { x: Math.max(at.x, reader.row(y).length - 1), y } : end,
  };
}

/** The text of the word at a place; '' on a blank. */
export function wordText(reader: TextReader, at: Point, separators: string): string {
  if (kindAt(reader, at, separators) === 'blank') return '';
  const { start, end } = wordAt(reader, at, separators);
  let text = '';
  for (let to: Point | undefined = start; to; to = reader.next(to)) {
    text += reader.cell(to);
    if (to.x === end.x && to.y === end.y) break;
  }
  return text;
}
