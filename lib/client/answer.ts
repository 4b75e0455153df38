/**
 * The answers to the questions that the server asks a terminal. Who leaves before they have come would find them typed
 * at the shell's prompt.
 */

/** The end of every question, DA1 (ctlseqs), which all terminals answer: what was asked before it is answered then. */
const QUESTION = '\x1b[c';
const ANSWER = /(?:\x1b\[|\x9b)\?[\d;]*c/;
/** Bytes kept of what came before, so that an answer is found that comes in pieces; DA1 has below 64. */
const KEPT = 64;
/** Longest wait, from the question on: the way to a terminal across the world and back, and no nuisance. */
const ANSWER_MS = 500;

/** Follows both directions until every question is answered. */
export class Answer {
  #askedAt: number | undefined;
  /** Questions without an answer yet. */
  #open = 0;
  #tail = '';
  #come: (() => void) | undefined;

  /** Bytes on their way to the terminal. */
  sent(bytes: Uint8Array): void {
    if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(QUESTION)) return;
    this.#askedAt = Date.now();
    this.#open++;
  }

  /** Bytes that came from it. */
  received(bytes: Uint8Array): void {
    if (this.#open === 0) return;
    // What was looked through is forgotten, but for the beginning of an answer.
    this.#tail += Buffer.from(bytes).toString('latin1');
    for (let found = ANSWER.exec(this.#tail); found && this.#open > 0; found = ANSWER.exec(this.#tail)) {
      this.#open--;
      this.#tail = this.#tail.slice(found.index + found[0].length);
    }
    this.#tail = this.#tail.slice(-KEPT);
    if (this.#open > 0) return;
    this.#askedAt = undefined;
    this.#tail = '';
    this.#come?.();
  }

  /** Whether an answer may still come. */
  get isPending(): boolean {
    return this.#left > 0;
  }

  /** Resolves once nothing is to come any more, or it is too late to wait. The terminal must still be read. */
  async settled(): Promise<void> {
    const left = this.#left;
    if (left <= 0) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, left);
      this.#come = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  get #left(): number {
    return (this.#askedAt ?? -Infinity) + ANSWER_MS - Date.now();
  }
}
