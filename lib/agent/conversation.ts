/**
 * A conversation: turns of a person and a model over a chat that the service keeps. Only what is new is sent; calls are looked
 * at while an answer comes and run after it; whatever ends a turn, nothing that was said is lost and no call stays unanswered.
 */
import { CodedError, toCoded } from '../base/errors.ts';
import type { Message, WireStopReason } from '../ai/wire.ts';
import type { Layer, Rule } from '../permissions/policy.ts';
import { callsOf, textOf } from './blocks.ts';
import { Calls, type CallPorts } from './calls.ts';
import type { CallView, ConversationState, TurnEnd, TurnReason } from './events.ts';
import { Requests, type RequestOptions } from './requests.ts';
import { resultMessage, withOutcomes } from './results.ts';
import { decide, grantsOf, type Mode, type Verdict } from './review.ts';
import { answerOrphans } from './service.ts';

/** What a conversation is made with. */
export interface ConversationOptions extends RequestOptions {
  readonly model: string;
  /** Rules, the person's own first. */
  readonly layers: readonly Layer[];
  readonly mode: Mode;
  /** Answers of the model in one turn. */
  readonly maxIterations: number;
  /** Whether there is somebody who gives verdicts. */
  readonly hasReviewer: boolean;
  readonly hooks?: Pick<CallPorts, 'before' | 'after'>;
}

/** Words that wait while a turn runs: more of them is no conversation. */
const INTERJECTIONS_MAX = 100;

/** Messages in which discoveries of tools are looked for when a chat is opened: a page of the service's. */
const HISTORY_MAX = 1000;

const REASONS: Partial<Record<WireStopReason, TurnReason>> = {
  STOP_REASON_MAX_TOKENS: 'cut',
  STOP_REASON_REFUSAL: 'refused',
  STOP_REASON_PAUSE_TURN: 'paused',
};

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #requests: Requests;
  readonly #grants: Rule[] = [];
  #interjections: Message[] = [];
  #turn: AbortController | undefined;
  #calls: Calls | undefined;
  #told: ConversationState = 'idle';
  /** Can be changed between and during turns: what is decided later goes by it. */
  mode: Mode;
  /** Of the next request. */
  model: string;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#requests = new Requests(options);
    this.mode = options.mode;
    this.model = options.model;
  }

  get state(): ConversationState {
    if (!this.#turn) return 'idle';
    if (this.#calls && this.#calls.waiting.length > 0) return 'waiting';
    return this.#calls?.isRunning ? 'running' : 'streaming';
  }

  /** Rules that hold now: those that it began with, and what was always allowed since. */
  get layers(): readonly Layer[] {
    return [...this.#options.layers, { name: 'session', rules: [...this.#grants], mayAllow: true }];
  }

  /** What is sent with the next turn, beside what is said then. */
  get pending(): readonly Message[] {
    return this.#requests.pending;
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
    const newest = await service.newest(chat, HISTORY_MAX);
    this.#requests.recall(newest);
    const orphans = await answerOrphans(service, chat, newest);
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
    this.#requests.push(...messages);
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
    return this.#requests.takeBack();
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
      await this.#requests.settle();
      for (let round = 0; round < this.#options.maxIterations; round++) {
        this.#requests.push(...this.takeBack());
        this.#calls = new Calls(this.#callPorts(), turn.signal);
        const answer = await this.#requests.ask(this.model, this.#calls, turn.signal);
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
    this.#requests.push(...this.takeBack());
    this.#turn = undefined;
    this.#tellState();
    this.#options.emit({ type: 'end', end: result });
    return result;
  }

  /** Runs the calls of an answer, keeps what they came to, and has it sent next: whatever happens, all of them. */
  async #act(message: Message, signal: AbortSignal): Promise<void> {
    const { service, emit } = this.#options;
    const calls = this.#calls!;
    await calls.run();
    calls.abandon();
    const { blocks, results } = withOutcomes(message.blocks ?? [], (index, call) => calls.endOf(index, call));
    this.#requests.push(resultMessage(results));
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
    const { tools, hasReviewer, hooks = {}, emit } = this.#options;
    return {
      ...hooks,
      tools,
      hasReviewer,
      decide: (tool, preview) => decide(tool, preview, this.mode, this.layers),
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
