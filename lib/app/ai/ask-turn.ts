/** A turn of a conversation as `ask` shows it: text on stdout, what tools do and verdicts on stderr. */
import type { Conversation } from '../../agent/conversation.ts';
import type { CallView, ConversationEvent, TurnEnd } from '../../agent/events.ts';
import { revealed } from '../../base/visible.ts';
import type { Output } from './ask-output.ts';
import { TerminalVerdicts } from './ask-verdicts.ts';

/** How turns are shown. */
export interface TurnScreen {
  /** One for each answer; it gets what calls of those before it came to. */
  readonly output: (before: readonly object[]) => Output;
  /** Whether what tools do is told on stderr. */
  readonly tells: boolean;
  /** Asks a person for a line; absent: there is nobody. */
  readonly ask?: (question: string) => Promise<string>;
}

export class AskTurns {
  readonly #screen: TurnScreen;
  readonly #verdicts: TerminalVerdicts | undefined;
  readonly #begun = new Set<string>();
  #output: Output | undefined;
  readonly #done: object[] = [];

  constructor(screen: TurnScreen, conversation: () => Conversation) {
    this.#screen = screen;
    this.#verdicts = screen.ask && new TerminalVerdicts(conversation, screen.ask);
  }

  /** What shows the last answer; undefined where none has begun. */
  get output(): Output | undefined {
    return this.#output;
  }

  /** Takes an event. */
  take(event: ConversationEvent): void {
    switch (event.type) {
      case 'sent':
        this.#begin();
        break;
      case 'text':
      case 'thought':
        this.#output?.event({ block: { index: event.index, [event.type]: event.text } });
        break;
      case 'usage':
        this.#output?.event({ model_usage: event.usage });
        break;
      case 'answer':
        this.#whole(event);
        break;
      case 'call':
        this.#call(event.call);
        break;
      case 'notice':
        console.error(`mux: ${revealed(event.text)}`);
        break;
    }
  }

  #begin(): void {
    this.#verdicts?.hold(true);
    this.#begun.clear();
    this.#done.push(...(this.#output?.calls ?? []));
    this.#output = this.#screen.output(this.#done);
  }

  #whole({ message, stop }: Extract<ConversationEvent, { type: 'answer' }>): void {
    if (stop) this.#output?.event({ stop_reason: stop });
    this.#output?.event({ generated_message: message });
    if ((message.blocks ?? []).some(({ tool_call: call }) => call)) this.#output?.stop();
    this.#verdicts?.hold(false);
  }

  #call(call: CallView): void {
    if (call.state === 'writing') return;
    this.#verdicts?.look();
    this.#output?.call?.(call);
    if (!this.#screen.tells) return;
    if (call.state === 'running' && !this.#begun.has(call.id)) {
      this.#begun.add(call.id);
      console.error(`▶ ${revealed(`${call.name}: ${call.preview?.header ?? ''}`)}`);
    } else if (call.state === 'done' && call.outcome?.isError)
      console.error(`✗ ${revealed(`${call.name}: ${call.outcome.content.split('\n')[0]!.slice(0, 300)}`)}`);
  }
}

/** Whether work ended because nobody could give a verdict that was needed. */
export function wasRefused({ reason, unanswered }: TurnEnd): boolean {
  return unanswered > 0 && (reason === 'done' || reason === 'limit');
}
