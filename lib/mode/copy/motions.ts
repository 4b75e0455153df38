/**
 * Motions of copy mode by the names of tmux. Each gives a place; where it lies, the cursor goes and the view follows.
 */
import type { Point } from '../../base/geometry.ts';
import { previousBracket, nextBracket } from './brackets.ts';
import type { CopyContext } from './context.ts';
import type { CopyState } from './state.ts';
import { nextWord, nextWordEnd, previousWord } from './words.ts';

/** A place for the cursor; undefined where there is none to go to. */
export type Motion = (state: CopyState, context: CopyContext) => Point | undefined;

const at = (state: CopyState): Point => state.cursor;

/** First character that is not blank of the line that row `y` belongs to. */
function indentation({ reader }: CopyContext, y: number): Point {
  const last = reader.lineEnd(y);
  let to: Point = { x: 0, y: reader.lineStart(y) };
  while (reader.cell(to).trim() === '') {
    const next = reader.next(to);
    if (!next || next.y > last) break;
    to = next;
  }
  return to;
}

function endOfLine({ reader }: CopyContext, y: number): Point {
  const last = reader.lineEnd(y);
  return { x: reader.row(last).length, y: last };
}

/** The blank row below the next block of text, or the last row. */
function nextParagraph({ reader }: CopyContext, { y }: Point): Point {
  let row = y;
  while (row < reader.last && reader.row(row).length === 0) row++;
  while (row < reader.last && reader.row(row).length > 0) row++;
  return { x: reader.row(row).length, y: row };
}

function previousParagraph({ reader }: CopyContext, { y }: Point): Point {
  let row = y;
  while (row > reader.first && reader.row(row).length === 0) row--;
  while (row > reader.first && reader.row(row).length > 0) row--;
  return { x: 0, y: row };
}

/** The next row in a direction on which a shell's prompt starts (OSC 133 A). */
function prompt({ reader }: CopyContext, from: number, step: 1 | -1): Point | undefined {
  for (let y = from + step; y >= reader.first && y <= reader.last; y += step)
    if (reader.view.line(y)?.isPrompt) return { x: 0, y };
  return undefined;
}

const row = (part: (rows: number) => number): Motion => {
  return (state, { reader }) => ({ x: 0, y: state.top + part(reader.view.rows) });
};

/** Motions that do not depend on where the view is, but for the rows of the pane. */
export const MOTIONS: Readonly<Record<string, Motion>> = {
  'cursor-left': (s, c) => c.reader.previous(at(s)),
  'cursor-right': (s, c) =>
    s.isRectangle && s.selection ? { x: c.reader.after(at(s)), y: at(s).y } : c.reader.next(at(s)),
  'start-of-line': (s, c) => ({ x: 0, y: c.reader.lineStart(at(s).y) }),
  'end-of-line': (s, c) => endOfLine(c, at(s).y),
  'back-to-indentation': (s, c) => indentation(c, at(s).y),
  'top-line': row(() => 0),
  'middle-line': row(rows => Math.floor((rows - 1) / 2)),
  'bottom-line': row(rows => rows - 1),
  'next-word': (s, c) => nextWord(c.reader, at(s), c.separators),
  'next-word-end': (s, c) => nextWordEnd(c.reader, at(s), c.separators, c.isVi),
  'previous-word': (s, c) => previousWord(c.reader, at(s), c.separators),
  'next-space': (s, c) => nextWord(c.reader, at(s), ''),
  'next-space-end': (s, c) => nextWordEnd(c.reader, at(s), '', c.isVi),
  'previous-space': (s, c) => previousWord(c.reader, at(s), ''),
  'next-paragraph': (s, c) => nextParagraph(c, at(s)),
  'previous-paragraph': (s, c) => previousParagraph(c, at(s)),
  'next-matching-bracket': (s, c) => nextBracket(c.reader, at(s), c.isVi),
  'previous-matching-bracket': (s, c) => previousBracket(c.reader, at(s), c.isVi),
  'next-prompt': (s, c) => prompt(c, at(s).y, 1),
  'previous-prompt': (s, c) => prompt(c, at(s).y, -1),
  'jump-to-mark': s => s.mark,
};
