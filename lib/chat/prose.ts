/**
 * Words of models as lines: Markdown, of which nothing gets lost, also while it still grows.
 */
import type { StyledLine } from '../base/styled.ts';
import { plain } from '../base/styled.ts';
import { codeLines } from '../markdown/code.ts';
import { renderMarkdown } from '../markdown/render.ts';

/**
 * Characters that are rendered as one piece: what a parser does with more is slow at worst. Longer texts are cut where blocks
 * end.
 */
const PIECE_MAX = 16_384;

/** Markdown as lines of at most `width` cells. What a rendering would leave out is shown as it was written. */
export function proseLines(text: string, width: number): StyledLine[] {
  const lines: StyledLine[] = [];
  for (const piece of pieces(text)) add(lines, pieceLines(piece, width));
  return lines;
}

/** A text that grows: what is whole is rendered once. One for each text and width. */
export class GrowingProse {
  readonly width: number;
  #done = '';
  #lines: StyledLine[] = [];

  constructor(width: number) {
    this.width = width;
  }

  /** The lines of the text, which begins with what it was before. */
  lines(text: string): readonly StyledLine[] {
    if (!text.startsWith(this.#done)) {
      this.#done = '';
      this.#lines = [];
    }
    const rest = text.slice(this.#done.length);
    const cut = lastBoundary(rest);
    if (cut > 0) {
      add(this.#lines, proseLines(rest.slice(0, cut), this.width));
      this.#done = text.slice(0, this.#done.length + cut);
    }
    const open = rest.slice(Math.max(0, cut));
    if (open.trim() === '') return this.#lines;
    const lines = [...this.#lines];
    add(lines, proseLines(open, this.width));
    return lines;
  }
}

function add(lines: StyledLine[], more: readonly StyledLine[]): void {
  if (more.length === 0) return;
  if (lines.length > 0) lines.push([]);
  for (const line of more) lines.push(line);
}

function pieceLines(piece: string, width: number): StyledLine[] {
  if (piece.trim() === '') return [];
  const lines = renderMarkdown(piece, width);
  return isWhole(piece, lines) ? lines : codeLines(piece, '', Math.max(1, width));
}

/** What the rendering says in another way: entities, numbers of lists, languages of fences, marks of tasks. */
const SAID_OTHERWISE =
  /&#?\w{1,10};|^[ \t>*+-]*\d{1,9}[.)](?=\s)|^[ \t>]*(?:`{3,}|~{3,})[^\n]*|\[[xX ]\](?=\s)/gm;

/** Whether each letter and digit of the text is in the lines, counted. */
function isWhole(text: string, lines: readonly StyledLine[]): boolean {
  const counts = new Map<string, number>();
  for (const letter of text.replace(SAID_OTHERWISE, ' ').match(/[\p{L}\p{N}]/gu) ?? [])
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  for (const line of lines)
    for (const letter of plain(line).match(/[\p{L}\p{N}]/gu) ?? []) {
      const left = counts.get(letter);
      if (left === 1) counts.delete(letter);
      else if (left !== undefined) counts.set(letter, left - 1);
    }
  return counts.size === 0;
}

/** The text in pieces of at most PIECE_MAX characters or one block. */
function pieces(text: string): string[] {
  if (text.length <= PIECE_MAX) return [text];
  const found: string[] = [];
  let start = 0;
  let end = 0;
  for (const boundary of [...boundaries(text), text.length]) {
    if (boundary - start > PIECE_MAX && end > start) {
      found.push(text.slice(start, end));
      start = end;
    }
    end = boundary;
  }
  found.push(text.slice(start));
  return found.flatMap(piece => (piece.length > PIECE_MAX ? hardPieces(piece) : [piece]));
}

/** A block that is too long by itself, cut at line ends, else within a line. */
function hardPieces(block: string): string[] {
  const found: string[] = [];
  let rest = block;
  while (rest.length > PIECE_MAX) {
    const line = rest.lastIndexOf('\n', PIECE_MAX);
    let at = line > 0 ? line + 1 : PIECE_MAX;
    // Not within a character.
    if (/[\ud800-\udbff]/.test(rest[at - 1]!)) at--;
    found.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...found, rest];
}

function lastBoundary(text: string): number {
  let last = 0;
  for (const at of boundaries(text)) last = at;
  return last;
}

/** A line that may belong to what stood before an empty line: indented, or of a list or a quotation. */
const CONTINUES = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])/;

/** The beginning of such a line, of which the rest has not come. */
const MAY_CONTINUE = /^(?:[-+*]|\d{1,9}[.)]?)$/;

/** Places where a block begins that nothing before it has to do with, in characters. */
function* boundaries(text: string): Iterable<number> {
  let fence: string | undefined;
  let at = 0;
  let isAfterBlank = false;
  for (const line of text.split('\n')) {
    const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];
    const isLast = at + line.length >= text.length;
    if (
      fence === undefined &&
      isAfterBlank &&
      line.trim() !== '' &&
      !CONTINUES.test(line) &&
      !(isLast && MAY_CONTINUE.test(line))
    )
      yield at;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    isAfterBlank = line.trim() === '';
    at += line.length + 1;
  }
}
