/**
 * A conversation: turns of a person and a model over a chat that the service keeps. Only what is new is sent; calls are looked
 * at while an answer comes and run after it; whatever ends a turn, nothing that was said is lost and no call stays unanswered.
 */
import { CodedError, toCoded } from '../base/errors.ts';
import type { Message, StreamEvent, Tool as WireTool, ToolSet, WireStopReason } from '../ai/wire.ts';
import type { Layer, Rule } from '../permissions/policy.ts';
import { Assembly, callsOf, textOf } from './blocks.ts';
import { Calls, type CallPorts } from './calls.ts';
import type { CallView, ConversationEvent, ConversationState, TurnEnd, TurnReason } from './events.ts';
import { resultMessage, withOutcomes } from './results.ts';
import { decide, grantsOf, type Mode, type Verdict } from './review.ts';
import { argumentsOf, repair, REQUEST, type ChatService } from './service.ts';
import type { ToolBox } from './tool.ts';

/** What a conversation is made with. */
export interface ConversationOptions {
  readonly service: ChatService;
  /** Resource name of the chat, which need not be there yet. */
  readonly chat: string;
  readonly model: string;
  readonly effort?: string;
  readonly maxTokens?: number;
  readonly tools: ToolBox;
  /** Tools that a model asks for before it calls them. Sets that the chat has used once must be among them. */
  readonly toolSets?: () => readonly ToolSet[];
  /** Rules, the person's own first. */
  readonly layers: readonly Layer[];
  readonly mode: Mode;
  /** Answers of the model in one turn. */
  readonly maxIterations: number;
  readonly hasReviewer: boolean;
  readonly hooks?: Pick<CallPorts, 'before' | 'after'>;
  /** A UUID for a request, so that it counts once. */
  readonly newRequestId: () => string;
  readonly emit: (event: ConversationEvent) => void;
}

/** Words that wait while a turn runs: more of them is no conversation. */
const INTERJECTIONS_MAX = 100;

const REASONS: Partial<Record<WireStopReason, TurnReason>> = {
  STOP_REASON_MAX_TOKENS: 'cut',
  STOP_REASON_REFUSAL: 'refused',
  STOP_REASON_PAUSE_TURN: 'paused',
};

/** What an answer came to. */
interface Answered {
  readonly message: Message;
  readonly stop: WireStopReason | undefined;
}

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #grants: Rule[] = [];
  /** What the model has not been told yet: what a turn that failed was about, results. */
  #pending: Message[] = [];
  #interjections: Message[] = [];
  /** A request whose end nobody has seen, and what was sent with it. */
  #uncertain: { readonly id: string; readonly sent: readonly Message[] } | undefined;
  #turn: AbortController | undefined;
  #calls: Calls | undefined;
  #told: ConversationState = 'idle';
  /** Can be changed between and during turns: what is decided later goes by it. */
  mode: Mode;
  model: string;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.mode = options.mode;
    this.model = options.model;
  }

  get state(): ConversationState {
    if (!this.#turn) return 'idle';
    if (this.#calls && this.#calls.waiting.length > 0) return 'waiting';
    return this.#calls?.isRunning ? 'running' : 'streaming';
  }

  /** What is sent with the next turn, beside what is said then. */
  get pending(): readonly Message[] {
    return this.#pending;
  }

  /** Said during this turn, and not yet sent. */
  get interjections(): readonly Message[] {
    return this.#interjections;
  }

  /** Calls of the last answer. */
  get calls(): readonly CallView[] {
    return this.#calls?.views ?? [];
  }

  /** Mends what a crash has left of the chat. Throws CodedError. */
  async open(): Promise<void> {
    const { service, chat, emit } = this.#options;
    const orphans = await repair(service, chat);
    if (orphans > 0)
      emit({
        type: 'notice',
        text: `${orphans} ${orphans === 1 ? 'call was' : 'calls were'} cut off the last time`,
      });
  }

  /**
   * Sends words, or while a turn runs keeps them for its next request. Resolves when the turn is over, never rejects.
   * Throws CodedError `refused` where too many wait.
   */
  send(...messages: readonly Message[]): Promise<TurnEnd> | undefined {
    if (this.#turn) {
      if (this.#interjections.length + messages.length > INTERJECTIONS_MAX)
        throw new CodedError('refused', 'too much waits to be said', 'wait until the model has answered');
      this.#interjections.push(...messages);
      return undefined;
    }
    this.#pending.push(...messages);
    return this.#run();
  }

  /** Ends the turn wherever it is. What was said is sent with the next one. */
  cancel(): void {
    this.#turn?.abort();
  }

  /** Takes back what waits to be said; the newest last. */
  takeBack(): readonly Message[] {
    const waiting = this.#interjections;
    this.#interjections = [];
    return waiting;
  }

  /** Forgets what a failed turn was about, as when it is said anew. Results stay: calls must be answered. */
  dropPending(): readonly Message[] {
    const dropped = this.#pending.filter(({ role }) => role !== 'ROLE_TOOL');
    this.#pending = this.#pending.filter(({ role }) => role === 'ROLE_TOOL');
    return dropped;
  }

  /** A verdict on a call that waits. Throws CodedError. */
  answer(id: string, verdict: Verdict): void {
    if (!this.#calls) throw new CodedError('not_found', `call ${id}: it does not wait for a verdict`);
    this.#calls.answer(id, verdict);
  }

  async #run(): Promise<TurnEnd> {
    const turn = new AbortController();
    this.#turn = turn;
    this.#tellState();
    let unanswered = 0;
    let last: Message | undefined;
    const end = (reason: TurnReason, error?: CodedError): TurnEnd => ({
      reason,
      ...(error && { error }),
      text: textOf(last?.blocks ?? []),
      ...(last && { message: last }),
      unanswered,
    });
    const over = (async (): Promise<TurnEnd> => {
      await this.#settle();
      for (let round = 0; round < this.#options.maxIterations; round++) {
        this.#pending.push(...this.takeBack());
        const answer = await this.#ask(turn.signal);
        if (!answer) continue;
        const { message, stop } = answer;
        last = message;
        if (callsOf(message.blocks ?? []).length > 0) {
          await this.#act(message, turn.signal);
          unanswered += this.#calls?.unanswered ?? 0;
          if (turn.signal.aborted) return end('cancelled');
        } else if (this.#interjections.length === 0)
          return end(REASONS[stop ?? 'STOP_REASON_UNSPECIFIED'] ?? 'done');
      }
      return end('limit');
    })();
    const result = await over.catch((error: unknown) =>
      turn.signal.aborted ? end('cancelled') : end('failed', toCoded(error)),
    );
    this.#pending.push(...this.takeBack());
    this.#turn = undefined;
    this.#tellState();
    this.#options.emit({ type: 'end', end: result });
    return result;
  }

  /**
   * One answer; undefined where the model called what is not there: then it is to be told so. What is sent is pending again
   * where it fails.
   */
  async #ask(signal: AbortSignal): Promise<Answered | undefined> {
    const { service, emit } = this.#options;
    const sent = this.#pending;
    this.#pending = [];
    emit({ type: 'sent', messages: sent });
    const calls = new Calls(this.#callPorts(), signal);
    this.#calls = calls;
    const assembly = new Assembly();
    const id = this.#options.newRequestId();
    try {
      return await this.#stream({ messages: sent, id }, assembly, calls, signal);
    } catch (error) {
      calls.abandon();
      this.#pending.unshift(...sent);
      this.#uncertain = { id, sent };
      const known = signal.aborted ? undefined : service.recoverable(error);
      if (!known) throw error;
      this.#calls = undefined;
      this.#uncertain = undefined;
      const said = assembly.blocks.filter(({ text }) => text !== undefined);
      await this.#keep(sent, { role: 'ROLE_ASSISTANT', blocks: [...said, { tool_call: known.call }] });
      this.#pending.push(resultMessage([known.result]));
      return undefined;
    }
  }

  /** An answer that nobody waited for any more may be part of the chat: then what it was to is not said again. */
  async #settle(): Promise<void> {
    const { service, chat } = this.#options;
    if (!this.#uncertain) return;
    const { id, sent } = this.#uncertain;
    if (await service.wasKept(chat, id)) {
      this.#pending = this.#pending.filter(message => !sent.includes(message));
      await repair(service, chat);
    }
    this.#uncertain = undefined;
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

  async #stream(
    { messages, id }: { readonly messages: readonly Message[]; readonly id: string },
    assembly: Assembly,
    calls: Calls,
    signal: AbortSignal,
  ): Promise<Answered> {
    const { service, chat, emit, effort, maxTokens, tools, toolSets } = this.#options;
    const request = {
      parent: chat,
      model: this.model,
      messages: messages.map(message => ({ ...message, labels: { ...message.labels, [REQUEST]: id } })),
      labels: { [REQUEST]: id },
      tools: tools.list().map(({ wire }): WireTool => wire),
      tool_sets: toolSets?.() ?? [],
      configuration: {
        stream_partial_tool_calls: true,
        ...(effort ? { reasoning_effort: effort } : {}),
        ...(maxTokens ? { max_tokens: maxTokens } : {}),
      },
      request_id: id,
    };
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
    emit({ type: 'answer', message });
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

  /** Runs the calls of an answer, keeps what they came to, and has it sent next: whatever happens, all of them. */
  async #act(message: Message, signal: AbortSignal): Promise<void> {
    const { service, emit } = this.#options;
    const calls = this.#calls!;
    await calls.run();
    calls.abandon();
    const { blocks, results } = withOutcomes(message.blocks ?? [], (index, call) => calls.endOf(index, call));
    this.#pending.push(resultMessage(results));
    this.#tellState();
    // Not under the signal of the turn: a crash after this finds what the calls came to.
    await service.updateBlocks({ ...message, blocks }).catch((error: unknown) =>
      emit({
        type: 'notice',
        text: `what the calls came to is not kept beside them: ${toCoded(error).message}`,
      }),
    );
    signal.throwIfAborted();
  }

  #callPorts(): CallPorts {
    const { tools, hasReviewer, hooks = {}, layers, emit } = this.#options;
    return {
      ...hooks,
      tools,
      hasReviewer,
      decide: (tool, preview) =>
        decide(tool, preview, this.mode, [
          ...layers,
          { name: 'session', rules: this.#grants, mayAllow: true },
        ]),
      onlyPlans: () => this.mode === 'plan',
      grant: (tool, preview) => void this.#grants.push(...grantsOf(tool, preview)),
      changed: call => {
        emit({ type: 'call', call });
        this.#tellState();
      },
      progress: (id, text) => emit({ type: 'progress', id, text }),
    };
  }

  #tellState(): void {
    const { state } = this;
    if (state === this.#told) return;
    this.#told = state;
    this.#options.emit({ type: 'state', state });
  }
}
