/**
 * The command prompt on a client's bottom row.
 */
import { editLine, lineEditor, remember, type LineEditor, type LineEvent } from '../../mode/line-editor.ts';

export interface PromptOptions {
  readonly label: string;
  readonly initial: string;
  /** Command text; `%%` is replaced by what is entered. */
  readonly template: string;
}

export class LinePrompt {
  readonly #options: PromptOptions;
  readonly #history: string[];
  readonly #complete: (before: string) => {
    readonly candidates: readonly string[];
    readonly replace: number;
  };
  #state: LineEditor;

  /** @param history lines of earlier prompts; what is entered is added */
  constructor(
    options: PromptOptions,
    history: string[],
    complete: (before: string) => { readonly candidates: readonly string[]; readonly replace: number },
  ) {
    this.#options = options;
    this.#history = history;
    this.#complete = complete;
    this.#state = lineEditor(options.initial, history);
  }

  get view(): { readonly label: string; readonly text: string; readonly caret: number } {
    return { label: this.#options.label, text: this.#state.text, caret: this.#state.caret };
  }

  /** What came of an event: still open, closed, or a command line to run. */
  event(event: LineEvent): 'open' | 'closed' | { readonly run: string } {
    const { state, intents } = editLine(this.#state, event);
    this.#state = state;
    for (const intent of intents) {
      if (intent.type === 'cancel') return 'closed';
      if (intent.type === 'complete') this.event({ type: 'candidates', ...this.#complete(intent.before) });
      if (intent.type === 'accept') {
        if (intent.text.trim() === '') return 'closed';
        this.#history.splice(0, this.#history.length, ...remember(this.#history, intent.text));
        return { run: this.#options.template.replaceAll('%%', () => intent.text) };
      }
    }
    return 'open';
  }
}
