/**
 * What the chat program knows of a conversation: events that it shows, and what a person can do. Who carries it on does not
 * matter here.
 */
import type { Message, ModelUsage } from '../ai/wire.ts';

/** What a conversation does now; `waiting` is for a verdict of the person. */
export type ConversationState = 'idle' | 'streaming' | 'running' | 'waiting';

/** `writing`: its arguments still come; `waiting`: for a verdict; `allowed`: for its turn. */
export type CallState = 'writing' | 'complete' | 'waiting' | 'allowed' | 'running' | 'done';

/** A call of a tool as it is now. All texts are hostile. */
export interface CallView {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly state: CallState;
  readonly preview?: {
    /** One line. */
    readonly header: string;
    /** Markdown. */
    readonly body?: string;
    /** Unified. */
    readonly diff?: string;
    /** Why it will fail as things are. */
    readonly trouble?: string;
  };
  readonly decision?: {
    readonly opinions: readonly { readonly why: string }[];
    /** It cannot be undone: the word YES has to be typed. */
    readonly wantsWord?: boolean;
  };
  readonly outcome?: { readonly content: string; readonly isError: boolean; readonly shown?: string };
}

/** How a turn ended. */
export interface TurnEnd {
  readonly reason: 'done' | 'cancelled' | 'failed' | 'cut' | 'refused' | 'paused' | 'limit';
  readonly error?: { readonly message: string; readonly hint?: string | undefined };
}

/** What is told of a conversation, in order. */
export type ConversationEvent =
  | { readonly type: 'state'; readonly state: ConversationState }
  /** What goes to the model now. */
  | { readonly type: 'sent'; readonly messages: readonly Message[] }
  | { readonly type: 'text' | 'thought'; readonly index: number; readonly text: string }
  | { readonly type: 'call'; readonly call: CallView }
  /** Output of a call while it runs. */
  | { readonly type: 'progress'; readonly id: string; readonly text: string }
  /** Of this answer so far. */
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  /** An answer is whole and kept. */
  | { readonly type: 'answer'; readonly message: Message }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'end'; readonly end: TurnEnd };

/** What a person says to a call. */
export type Verdict =
  | { readonly type: 'accept'; readonly word?: string }
  | { readonly type: 'accept-all' }
  | { readonly type: 'always' }
  | { readonly type: 'reject'; readonly reason: string }
  /** It is to run with these arguments. */
  | { readonly type: 'edit'; readonly args: Readonly<Record<string, unknown>> };

/** The word that lets run what cannot be undone. */
export const WORD = 'YES';

/** A conversation that goes on. */
export interface Conversation {
  /** Takes effect with the next request. */
  model: string;
  readonly state: ConversationState;
  /** Said during a turn and not yet sent. */
  readonly interjections: readonly Message[];
  /** Sends words; during a turn they wait for its next request. Throws CodedError where too many wait. */
  send(...messages: readonly Message[]): unknown;
  /** Ends the turn, wherever it is. */
  cancel(): void;
  /** Takes back what waits to be said. */
  takeBack(): readonly Message[];
  /** A verdict on a call that waits. Throws CodedError. */
  answer(id: string, verdict: Verdict): void;
}
