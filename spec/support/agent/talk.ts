/** A conversation over a real service, with a model that says what it is told to. */
import { randomUUID } from 'node:crypto';
import { connectAi, type AiClient } from '../../../lib/ai/client.ts';
import type { ProviderEvent } from '../../../lib/ai/provider.ts';
import type { Message } from '../../../lib/ai/wire.ts';
import { Conversation, type ConversationOptions } from '../../../lib/agent/conversation.ts';
import type { CallView, ConversationEvent, TurnEnd } from '../../../lib/agent/events.ts';
import { chatService } from '../../../lib/app/ai/chat-service.ts';
import { until } from '../until.ts';
import { CONTRACT } from '../ai/foreign-client.ts';
import { ABLE, usage, type Step } from '../ai/scripted.ts';
import { ServiceHome } from '../ai/service.ts';
import { SpecTools } from './spec-tools.ts';

let chats = 0;

/** A call as a provider gives it, at a block. */
export function call(index: number, name: string, args: object, id = `c${index}`): ProviderEvent {
  return { type: 'call', index, call: { id, name, arguments: args } } as ProviderEvent;
}

export const STOP: ProviderEvent = { type: 'stop', reason: 'tool_call' };

/** The words of a person. */
export function said(text: string): Message {
  return { role: 'ROLE_USER', blocks: [{ text }] };
}

export class Talk {
  readonly home: ServiceHome;
  readonly client: AiClient;
  readonly tools = new SpecTools();
  readonly events: ConversationEvent[] = [];
  readonly conversation: Conversation;
  readonly chat = `organizations/o/users/u/chats/c${++chats}`;

  constructor(home: ServiceHome, options: Partial<ConversationOptions> = {}) {
    this.home = home;
    this.client = connectAi({ contract: CONTRACT, baseUrl: home.address });
    this.conversation = this.again(options);
  }

  /** Another one over the same chat, as after a restart. */
  again(options: Partial<ConversationOptions> = {}): Conversation {
    return new Conversation({
      service: chatService(this.client, CONTRACT),
      chat: this.chat,
      model: ABLE.name,
      tools: this.tools,
      layers: [],
      mode: 'manual',
      maxIterations: 25,
      hasReviewer: true,
      newRequestId: randomUUID,
      emit: event => this.events.push(event),
      ...options,
    });
  }

  close(): void {
    this.client.close();
  }

  /** What the model does next, each list an answer. */
  scripts(...answers: readonly (readonly Step[])[]): this {
    for (const steps of answers) this.home.provider.script(...steps);
    return this;
  }

  /** Says words, and waits for the end of the turn. */
  say(text: string): Promise<TurnEnd> {
    return this.conversation.send(said(text))!;
  }

  /** A call in a state. */
  async call(id: string, state: CallView['state']): Promise<CallView> {
    return until(
      `call ${id} is ${state}`,
      () => this.conversation.calls.find(one => one.id === id && one.state === state),
      { describe: () => JSON.stringify(this.conversation.calls) },
    );
  }

  /** What the model was told with its last request: role and words, results as `= name: words`. */
  told(): string[] {
    const { messages } = this.home.provider.requests.at(-1)!;
    return messages.flatMap(message =>
      message.parts.map(part => {
        if (part.type === 'text') return `${message.role}: ${part.text}`;
        if (part.type === 'tool_call') return `${message.role} calls ${part.name}`;
        if (part.type === 'tool_result')
          return `= ${part.toolName}${part.failed ? ' failed' : ''}: ${part.content}`;
        return part.type;
      }),
    );
  }

  /** The chat as it is kept. */
  async kept(): Promise<readonly Message[]> {
    const { messages } = await this.home.call('ListMessages', { parent: this.chat, page_size: 1000 });
    return messages as Message[];
  }
}

/** An answer in words alone. */
export function words(text: string): Step[] {
  return [
    { type: 'text', index: 0, text },
    { type: 'usage', usage: usage(10, 5) },
    { type: 'stop', reason: 'end_turn' },
  ];
}
