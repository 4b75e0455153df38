/**
 * What the model has not been told yet, and telling it: one request at a time, of which nothing is lost however it ends, and
 * nothing is said twice.
 */
import { CodedError } from '../base/errors.ts';
import type { GenerateRequest, Message, StreamEvent, WireStopReason } from '../ai/wire.ts';
import { Assembly } from './blocks.ts';
import type { Calls } from './calls.ts';
import type { ConversationEvent } from './events.ts';
import { offerOf, referencedSets } from './offer.ts';
import { resultMessage } from './results.ts';
import { argumentsOf, repair, REQUEST, type ChatService } from './service.ts';
import type { ToolBox } from './tool.ts';

/** A request that can be sent again: its id is in it. */
export type SentRequest = GenerateRequest & { readonly request_id: string };

/** Where requests are kept while they are on their way. */
export interface Outbox {
  /** Throws CodedError: then it is not sent. */
  add(request: SentRequest): void;
  remove(request: SentRequest): void;
  /** Whether an error means that the service may not have it. */
  isAway(error: unknown): boolean;
}

/** What requests are made with. */
export interface RequestOptions {
  readonly service: ChatService;
  /** Resource name of the chat, which need not be there yet. */
  readonly chat: string;
  /** Asked for each request, in the wire's words; '' leaves it to the model. */
  readonly effort?: () => string;
  readonly maxTokens?: number;
  readonly tools: ToolBox;
  /** A UUID for a request, so that it counts once. */
  readonly newRequestId: () => string;
  /** Keeps a request with words of the person until the service has it, whatever becomes of this process. */
  readonly outbox?: Outbox;
  readonly emit: (event: ConversationEvent) => void;
}

/** What an answer came to. */
export interface Answered {
  readonly message: Message;
  readonly stop: WireStopReason | undefined;
}

export class Requests {
  readonly #options: RequestOptions;
  /** What a turn that failed was about, results. */
  #pending: Message[] = [];
  /** Results in which tools were found. */
  readonly #discoveries: Message[] = [];
  /** A request whose end nobody has seen, and what was sent with it. */
  #uncertain: { readonly request: SentRequest; readonly sent: readonly Message[] } | undefined;

  constructor(options: RequestOptions) {
    this.#options = options;
  }

  /** What goes with the next request. */
  get pending(): readonly Message[] {
    return this.#pending;
  }

  push(...messages: readonly Message[]): void {
    this.#pending.push(...messages);
    this.recall(messages);
  }

  /** Tells what the chat has had: sets of tools that it has found things in are offered for as long as it lives. */
  recall(messages: readonly Message[]): void {
    this.#discoveries.push(...messages.filter(message => referencedSets([message]).length > 0));
  }

  /** Takes back what would be said; results stay: calls must be answered. */
  takeBack(): readonly Message[] {
    const taken = this.#pending.filter(({ role }) => role !== 'ROLE_TOOL');
    this.#pending = this.#pending.filter(({ role }) => role === 'ROLE_TOOL');
    return taken;
  }

  /** An answer that nobody waited for any more may be part of the chat: then what it was to is not said again. */
  async settle(): Promise<void> {
    const { service, chat, outbox } = this.#options;
    if (!this.#uncertain) return;
    const { request, sent } = this.#uncertain;
    if (await service.wasKept(chat, request.request_id)) {
      this.#pending = this.#pending.filter(message => !sent.includes(message));
      await repair(service, chat);
    }
    outbox?.remove(request);
    this.#uncertain = undefined;
  }

  /**
   * One answer to what is pending; undefined where the model called what is not there: then it is to be told so. What was sent
   * is pending again where it fails.
   */
  async ask(model: string, calls: Calls, signal: AbortSignal): Promise<Answered | undefined> {
    const { service, outbox, emit } = this.#options;
    const sent = this.#pending;
    const request = this.#request(model, sent);
    if (sent.some(({ role }) => role === 'ROLE_USER')) outbox?.add(request);
    this.#pending = [];
    emit({ type: 'sent', messages: sent });
    const assembly = new Assembly();
    try {
      const answered = await this.#stream(request, assembly, calls, signal);
      outbox?.remove(request);
      return answered;
    } catch (error) {
      calls.abandon();
      this.#pending.unshift(...sent);
      this.#uncertain = { request, sent };
      if (!outbox?.isAway(error)) outbox?.remove(request);
      const known = signal.aborted ? undefined : service.recoverable(error);
      if (!known) throw error;
      this.#uncertain = undefined;
      const said = assembly.blocks.filter(({ text }) => text !== undefined);
      await this.#keep(sent, { role: 'ROLE_ASSISTANT', blocks: [...said, { tool_call: known.call }] });
      this.#pending.push(resultMessage([known.result]));
      return undefined;
    }
  }

  #request(model: string, messages: readonly Message[]): SentRequest {
    const { chat, effort, maxTokens, tools, newRequestId } = this.#options;
    const id = newRequestId();
    const hard = effort?.() ?? '';
    return {
      parent: chat,
      model,
      messages: messages.map(message => ({ ...message, labels: { ...message.labels, [REQUEST]: id } })),
      labels: { [REQUEST]: id },
      ...offerOf(
        tools.list().map(({ wire }) => wire),
        this.#discoveries,
      ),
      configuration: {
        stream_partial_tool_calls: true,
        ...(hard === '' ? {} : { reasoning_effort: hard }),
        ...(maxTokens ? { max_tokens: maxTokens } : {}),
      },
      request_id: id,
    };
  }

  async #stream(
    request: SentRequest,
    assembly: Assembly,
    calls: Calls,
    signal: AbortSignal,
  ): Promise<Answered> {
    const { service, emit } = this.#options;
    let message: Message | undefined;
    let stop: WireStopReason | undefined;
    for await (const event of service.generate(request, signal)) {
      this.#take(event, assembly, calls);
      message = event.generated_message ?? message;
      stop = event.stop_reason ?? stop;
    }
    signal.throwIfAborted();
    if (!message) throw new CodedError('failed', 'the service ended an answer without keeping it');
    // Of a service that streams none.
    if (calls.views.length === 0)
      for (const [at, block] of (message.blocks ?? []).entries())
        if (block.tool_call) calls.add(block.index ?? at, block.tool_call, argumentsOf(block.tool_call));
    emit({ type: 'answer', message, stop });
    return { message, stop };
  }

  #take({ block, model_usage: usage }: StreamEvent, assembly: Assembly, calls: Calls): void {
    const { emit } = this.#options;
    if (usage) emit({ type: 'usage', usage });
    if (!block) return;
    assembly.take(block);
    const { index = 0, text, thought, tool_call: call, partial_tool_call: partial } = block;
    if (text !== undefined) emit({ type: 'text', index, text });
    if (thought !== undefined) emit({ type: 'thought', index, text: thought });
    if (call) calls.add(index, call, argumentsOf(call));
    else if (partial)
      emit({
        type: 'call',
        call: {
          id: partial.id || `call-${index}`,
          name: partial.name ?? '',
          args: argumentsOf(partial),
          state: 'writing',
        },
      });
  }

  /** The service has kept neither an answer that failed nor what it was to: the model is to see both, and what was wrong. */
  async #keep(sent: readonly Message[], answer: Message): Promise<void> {
    const { service, chat } = this.#options;
    for (const message of sent) {
      await service.createMessage(chat, message);
      this.#pending.shift();
    }
    await service.createMessage(chat, answer);
  }
}
