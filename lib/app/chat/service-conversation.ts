/** A conversation without tools, straight over AiService: words go, words come. */
import type { AiClient } from '../../ai/client.ts';
import type { Message } from '../../ai/wire.ts';
import { CodedError, toCoded } from '../../base/errors.ts';
import type {
  Conversation,
  ConversationEvent,
  ConversationState,
  TurnEnd,
  Verdict,
} from '../../chat/conversation.ts';

/** Words that wait while an answer comes: more of them is no conversation. */
const INTERJECTIONS_MAX = 100;

export interface ServiceOptions {
  readonly client: AiClient;
  /** Resource name of the chat, which need not be there yet. */
  readonly chat: string;
  readonly model: string;
  readonly newRequestId: () => string;
  readonly emit: (event: ConversationEvent) => void;
}

const REASONS: Readonly<Record<string, TurnEnd['reason']>> = {
  STOP_REASON_MAX_TOKENS: 'cut',
  STOP_REASON_REFUSAL: 'refused',
  STOP_REASON_PAUSE_TURN: 'paused',
};

export class ServiceConversation implements Conversation {
  readonly #options: ServiceOptions;
  #turn: AbortController | undefined;
  #interjections: readonly Message[] = [];
  model: string;
  effort = '';
  /** The answer that what is sent next goes on from; '' for the last one. */
  resumeFrom = '';

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.model = options.model;
  }

  get state(): ConversationState {
    return this.#turn ? 'streaming' : 'idle';
  }

  get interjections(): readonly Message[] {
    return this.#interjections;
  }

  send(...messages: readonly Message[]): Promise<void> | undefined {
    if (!this.#turn) return this.#run(messages);
    if (this.#interjections.length + messages.length > INTERJECTIONS_MAX)
      throw new CodedError('refused', 'too much waits to be said', 'wait until the model has answered');
    this.#interjections = [...this.#interjections, ...messages];
    return undefined;
  }

  cancel(): void {
    this.#turn?.abort();
  }

  takeBack(): readonly Message[] {
    const waiting = this.#interjections;
    this.#interjections = [];
    return waiting;
  }

  answer(id: string, _verdict: Verdict): void {
    throw new CodedError('not_found', `call ${id}: it does not wait for a verdict`);
  }

  async #run(first: readonly Message[]): Promise<void> {
    const turn = new AbortController();
    this.#turn = turn;
    this.#options.emit({ type: 'state', state: 'streaming' });
    const end = await this.#turnEnd(first, turn.signal);
    this.#turn = undefined;
    this.#options.emit({ type: 'state', state: 'idle' });
    this.#options.emit({ type: 'end', end });
  }

  async #turnEnd(first: readonly Message[], signal: AbortSignal): Promise<TurnEnd> {
    let next = first;
    try {
      for (;;) {
        const reason = await this.#ask(next, signal);
        next = this.takeBack();
        if (next.length === 0) return { reason };
      }
    } catch (error) {
      if (signal.aborted) return { reason: 'cancelled' };
      const { message, hint } = toCoded(error);
      return { reason: 'failed', error: { message, hint } };
    }
  }

  async #ask(messages: readonly Message[], signal: AbortSignal): Promise<TurnEnd['reason']> {
    const { client, chat, newRequestId, emit } = this.#options;
    emit({ type: 'sent', messages });
    const request = {
      parent: chat,
      model: this.model,
      messages,
      request_id: newRequestId(),
      ...(this.resumeFrom === '' ? {} : { previous_message: this.resumeFrom }),
      configuration:
        this.effort === '' ? {} : { reasoning_effort: `REASONING_EFFORT_${this.effort.toUpperCase()}` },
    };
    this.resumeFrom = '';
    let stop = '';
    for await (const {
      block,
      stop_reason: reason,
      generated_message: message,
      model_usage: usage,
    } of client.generate(request, signal)) {
      const index = block?.index ?? 0;
      if (block?.text !== undefined) emit({ type: 'text', index, text: block.text });
      if (block?.thought !== undefined) emit({ type: 'thought', index, text: block.thought });
      if (usage) emit({ type: 'usage', usage });
      if (reason) stop = reason;
      if (message) emit({ type: 'answer', message });
    }
    signal.throwIfAborted();
    return REASONS[stop] ?? 'done';
  }
}
