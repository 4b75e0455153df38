/**
 * The prompt on a client's bottom row: one question after another, each with a line to edit, and lines of earlier
 * answers behind the arrow keys.
 */
import { graphemes } from '../../base/text.ts';
import type { PromptRequest } from '../../cmd/spec.ts';
import { editLine, lineEditor, remember, type LineEditor, type LineEvent } from '../../mode/line-editor.ts';

/** What completes the word before the caret. */
export type Completer = (before: string) => {
  readonly candidates: readonly string[];
  readonly replace: number;
};

export class LinePrompt {
  readonly #request: PromptRequest;
  readonly #history: string[];
  readonly #complete: Completer;
  readonly #answers: string[] = [];
  #state: LineEditor;

  /** @param history earlier answers of this kind, oldest first; what is entered is added */
  constructor(request: PromptRequest, history: string[], complete: Completer) {
    this.#request = request;
    this.#history = history;
    this.#complete = complete;
    this.#state = this.#question(0);
  }

  /** A key by its name is the whole answer: no key is looked up in a table. */
  get takesKey(): boolean {
    return this.#request.answer === 'key';
  }

  /** What is shown while it is open. */
  get view(): { readonly label: string; readonly text: string; readonly caret: number } {
    const { label } = this.#request.questions[this.#answers.length]!;
    return { label, text: this.#state.text, caret: this.#state.caret };
  }

  /** What came of an event: still open, closed, or an answer to every question. */
  event(event: LineEvent): 'open' | 'closed' | readonly string[] {
    const { state, intents } = editLine(this.#state, event);
    this.#state = state;
    const { answer } = this.#request;
    // Several characters at once are a paste.
    if (answer === 'character' && state.text !== '') return this.#answered(graphemes(state.text)[0]!);
    if (answer === 'key' && state.text !== '') return this.#answered(state.text);
    for (const intent of intents) {
      if (intent.type === 'cancel') return 'closed';
      if (intent.type === 'complete') this.#completeWord(intent.before);
      if (intent.type === 'accept') return this.#entered(intent.text);
    }
    return 'open';
  }

  #completeWord(before: string): void {
    if (this.#request.history === 'command') this.event({ type: 'candidates', ...this.#complete(before) });
  }

  #entered(text: string): ReturnType<LinePrompt['event']> {
    const isBlank = text.trim() === '';
    // Whoever follows what is typed knows what nothing means: a search goes on with the pattern before.
    if (isBlank && !this.#request.changed) return 'closed';
    if (!isBlank) this.#history.splice(0, this.#history.length, ...remember(this.#history, text));
    return this.#answered(text);
  }

  #answered(text: string): ReturnType<LinePrompt['event']> {
    this.#answers.push(text);
    if (this.#answers.length === this.#request.questions.length) return this.#answers;
    this.#state = this.#question(this.#answers.length);
    return 'open';
  }

  #question(n: number): LineEditor {
    return lineEditor(this.#request.questions[n]!.initial, this.#history);
  }
}
