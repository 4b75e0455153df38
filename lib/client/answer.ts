/**
 * The answer to the question that the server asks a terminal when it takes it over. Who leaves before it has come
 * would find it typed at the shell's prompt.
 */

/** The end of the question, DA1 (ctlseqs): it is in the first bytes for the terminal, or none is asked. */
const QUESTION = '\x1b[c';
const ANSWER = /(?:\x1b\[|\x9b)\?[\d;]*c/;
/** Bytes kept of what came before, so that an answer is found that comes in pieces; DA1 has below 64. */
const KEPT = 64;
/** Longest wait, from the question on: the way to a terminal across the world and back, and no nuisance. */
const ANSWER_MS = 500;

/** Follows both directions until the question is answered. */
export class Answer {
  #askedAt: number | undefined;
  #isFirst = true;
  #tail = '';
  #come: (() => void) | undefined;

  /** Bytes on their way to the terminal. */
  sent(bytes: Uint8Array): void {
    if (this.#isFirst && Buffer.from(bytes).includes(QUESTION)) this.#askedAt = Date.now();
    this.#isFirst = false;
  }

  /** Bytes that came from it. */
  received(bytes: Uint8Array): void {
    if (this.#askedAt === undefined) return;
    this.#tail = (this.#tail + Buffer.from(bytes.subarray(-KEPT)).toString('latin1')).slice(-2 * KEPT);
    if (!ANSWER.test(this.#tail)) return;
    this.#askedAt = undefined;
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
