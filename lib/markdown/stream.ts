/**
 * Markdown that is still being written: blocks that nothing to come will change, once each, and the one that still grows.
 * Nothing of the text is left out, however long it is. Pure; for untrusted text of any content.
 */
import type { StyledLine } from '../base/styled.ts';
import { boundLines, lastBlockStart } from './parse.ts';
import { renderMarkdown } from './render.ts';

/**
 * Characters of one block, after which it is taken to have ended and the rest to be another: below the longest line that
 * is parsed, and drawn again within some milliseconds.
 */
const BLOCK_MAX = 15_000;
/** Characters that are taken at once, so that a block is never much longer than that. */
const PIECE_MAX = 1024;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/;

export class MarkdownStream {
  /** Cells of a line. */
  width: number;
  /** What is not finished yet. */
  #source = '';
  /** A carriage return whose line feed may be on its way. */
  #held = '';
  #hasLines = false;
  /** The source goes on with a block whose beginning is finished already. */
  #isContinued = false;

  constructor(width: number) {
    this.width = width;
  }

  /** Takes what has come, and gives the lines that are finished by it. */
  add(text: string): StyledLine[] {
    const lines: StyledLine[] = [];
    for (let at = 0; at < text.length; at += PIECE_MAX) {
      for (const line of this.#take(text.slice(at, at + PIECE_MAX))) lines.push(line);
    }
    return lines;
  }

  /** The lines of the block that still grows, as it is now. */
  get running(): StyledLine[] {
    return this.#lines(this.#source);
  }

  /** Nothing comes any more: the last lines. */
  end(): StyledLine[] {
    const lines = this.#finish(this.#source + this.#held.replace('\r', '\n'));
    this.#source = '';
    this.#held = '';
    return lines;
  }

  #take(piece: string): StyledLine[] {
    const given = this.#held + piece;
    this.#held = given.endsWith('\r') ? '\r' : '';
    const text = given.slice(0, given.length - this.#held.length).replace(/\r\n?/g, '\n');
    this.#source += text;
    const end = this.#source.lastIndexOf('\n') + 1;
    const lines: StyledLine[] = [];
    if (end > 0 && text.includes('\n')) {
      const whole = boundLines(this.#source.slice(0, end));
      const start = lastBlockStart(whole);
      if (start > 0) lines.push(...this.#finish(whole.slice(0, start)));
      this.#source = whole.slice(start) + this.#source.slice(end);
    }
    while (this.#source.length > BLOCK_MAX) lines.push(...this.#split());
    return lines;
  }

  /** Finishes the beginning of a block that is too long; code stays code behind it. */
  #split(): StyledLine[] {
    const source = this.#source;
    const fence = FENCE.exec(source)?.[0] ?? '';
    const cut = cutAt(source, fence.length);
    const lines = this.#finish(source.slice(0, cut));
    this.#isContinued = true;
    this.#source = (fence.length < BLOCK_MAX / 2 ? fence : '') + source.slice(cut);
    return lines;
  }

  #finish(source: string): StyledLine[] {
    const lines = this.#lines(source);
    this.#hasLines ||= lines.length > 0;
    this.#isContinued = false;
    return lines;
  }

  #lines(source: string): StyledLine[] {
    const lines = renderMarkdown(source, this.width);
    return lines.length > 0 && this.#hasLines && !this.#isContinued ? [[], ...lines] : lines;
  }
}

/** Behind a line, else behind a word, else where it must be; behind `after` in any case. */
function cutAt(source: string, after: number): number {
  const least = Math.max(after, BLOCK_MAX / 2);
  for (const sign of ['\n', ' ']) {
    const at = source.lastIndexOf(sign, BLOCK_MAX) + 1;
    if (at > least) return at;
  }
  const isPair = (source.codePointAt(BLOCK_MAX - 1) ?? 0) > 0xffff;
  return isPair ? BLOCK_MAX - 1 : BLOCK_MAX;
}
