/** What the engine tells whoever shows a conversation. Everything in it that comes from models and tools is hostile text. */
import type { Message, ModelUsage, WireStopReason } from '../ai/wire.ts';
import type { CodedError } from '../base/errors.ts';
import type { Decision } from '../permissions/policy.ts';
import type { Arguments, Outcome, Preview } from './tool.ts';

/**
 * Derived from what there is, never kept: a verdict that is waited for comes first, then calls that run, then an answer that
 * comes.
 */
export type ConversationState = 'idle' | 'streaming' | 'running' | 'waiting';

/**
 * `writing`: its arguments come; `complete`: it is looked at; `waiting`: for a verdict; `allowed`: for its turn; then
 * `running` and `done`.
 */
export type CallState = 'writing' | 'complete' | 'waiting' | 'allowed' | 'running' | 'done';

/** A call as it is now. */
export interface CallView {
  /** As the model gave it, or one of ours where it gave none. */
  readonly id: string;
  readonly name: string;
  /** Best guess at what they will be while they come. */
  readonly args: Arguments;
  readonly state: CallState;
  readonly preview?: Preview;
  readonly decision?: Decision;
  readonly outcome?: Outcome;
}

/**
 * How a turn ended. `cut`: the model may write no more at once; `refused`: it declined; `limit`: it has called tools as often as
 * it may in one turn.
 */
export type TurnReason = 'done' | 'cancelled' | 'failed' | 'cut' | 'refused' | 'paused' | 'limit';

export interface TurnEnd {
  readonly reason: TurnReason;
  /** What failed. */
  readonly error?: CodedError;
  /** Words of the last answer. */
  readonly text: string;
  /** The last answer as it is kept; absent where there is none. */
  readonly message?: Message;
  /** Calls that needed a verdict and had nobody to give it. */
  readonly unanswered: number;
}

export type ConversationEvent =
  | { readonly type: 'state'; readonly state: ConversationState }
  /** What goes to the model now: the words of the person, results, what was kept from before. */
  | { readonly type: 'sent'; readonly messages: readonly Message[] }
  | { readonly type: 'text' | 'thought'; readonly index: number; readonly text: string }
  | { readonly type: 'call'; readonly call: CallView }
  /** Output of a call while it runs. */
  | { readonly type: 'progress'; readonly id: string; readonly text: string }
  /** Of this answer so far: takes the place of what was told before. */
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  /** An answer is whole and kept; why it ended, where the service tells. */
  | { readonly type: 'answer'; readonly message: Message; readonly stop: WireStopReason | undefined }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'end'; readonly end: TurnEnd };
