/**
 * Fenced code blocks (CommonMark §4.5), line by line.
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Tells which lines of a markdown text belong to a fenced code block. */
export class CodeFence {
  #mark = '';
  #openedAt = 0;
  #noted = 0;

  /** Feeds the next line (`number` one-based); true for a line of a fenced block, its fences included. */
  feed(line: string, number: number): boolean {
    const match = FENCE.exec(line);
    if (this.#mark !== '') {
      if (match && closes(match[1]!, match[2]!, this.#mark)) this.#mark = '';
      return true;
    }
    // An info string with a backtick in it makes the line inline code, not a fence.
    if (!match || (match[1]!.startsWith('`') && match[2]!.includes('`'))) return false;
    this.#mark = match[1]!;
    this.#openedAt = number;
    this.#noted = 0;
    return true;
  }

  /** Counts something seen inside the block that is open now. */
  note(): void {
    this.#noted++;
  }

  /** How often `note` was called in the block that is open now, or was last. */
  get noted(): number {
    return this.#noted;
  }

  /** The line where the block that is open now starts, 0 if none is. */
  get openedAt(): number {
    return this.#mark === '' ? 0 : this.#openedAt;
  }
}

/** A closing fence: same character, at least as long, nothing after it. */
function closes(mark: string, rest: string, opening: string): boolean {
  return mark[0] === opening[0] && mark.length >= opening.length && rest.trim() === '';
}
