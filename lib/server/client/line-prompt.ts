/**
 * The command prompt on a client's bottom row.
 */
import type { PromptRequest } from '../../cmd/spec.ts';
import { graphemes } from '../../base/text.ts';
import { editLine, lineEditor, remember, type LineEditor, type LineEvent } from '../../mode/line-editor.ts';

/** What came of an event of a prompt. */
export interface LineOutcome {
  readonly isOpen: boolean;
  readonly run: string | undefined;
}

const STILL_OPEN: LineOutcome = { isOpen: true, run: undefined };

export class LinePrompt {
  readonly #options: PromptRequest;
  readonly #history: string[];
  readonly #complete: (before: string) => {
    readonly candidates: readonly string[];
    readonly replace: number;
  };
  #state: LineEditor;

  /** @param history lines of earlier prompts; what is entered is added */
  constructor(
    options: PromptRequest,
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

  /** What came of an event: whether it is still open, and a command line to run. */
  event(event: LineEvent): LineOutcome {
    const before = this.#state.text;
    const { state, intents } = editLine(this.#state, event);
    this.#state = state;
    for (const intent of intents) {
      if (intent.type === 'cancel') return this.#incremental('~', before, false);
      if (intent.type === 'complete') this.event({ type: 'candidates', ...this.#complete(intent.before) });
      if (intent.type === 'accept') {
        if (intent.text.trim() !== '')
          this.#history.splice(0, this.#history.length, ...remember(this.#history, intent.text));
        if (this.#options.isIncremental) return this.#incremental('!', intent.text, false);
        return { isOpen: false, run: intent.text.trim() === '' ? undefined : this.#command(intent.text) };
      }
    }
    if (this.#options.isOneKey && state.text !== '')
      return { isOpen: false, run: this.#command(graphemes(state.text)[0]!) };
    return state.text === before ? STILL_OPEN : this.#incremental('=', state.text, true);
  }

  #incremental(sign: string, text: string, isOpen: boolean): LineOutcome {
    return { isOpen, run: this.#options.isIncremental ? this.#command(sign + text) : undefined };
  }

  #command(text: string): string {
    return this.#options.template.replace(/%%%?/g, sign =>
      sign === '%%' ? text : text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
    );
  }
}
