/** What the engine asks of AiService: a chat's answers, and the chat itself. */
import type { GenerateRequest, Message, StreamEvent, ToolCall, ToolResult } from '../ai/wire.ts';
import { fromStruct } from '../ai/values.ts';
import { resultMessage, resultOf, NEVER_RAN } from './results.ts';
import { callsOf } from './blocks.ts';
import type { Arguments } from './tool.ts';

/** A service, whichever it is. Everything rejects with CodedError. */
export interface ChatService {
  /** Events of an answer; leaving the loop or aborting cancels it. */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<StreamEvent>;
  /** Keeps the blocks of a message. */
  updateBlocks(message: Message): Promise<void>;
  /** Keeps a message that no model is asked about. */
  createMessage(chat: string, message: Message): Promise<void>;
  /** The newest messages that models are told of, the newest first; none where there is no chat yet. */
  newest(chat: string, count: number): Promise<readonly Message[]>;
  /**
   * Whether the answer to a request is part of the chat, though nobody has seen its end; waits until that is settled. What was
   * sent, and the answer, have the label `REQUEST` with the request's id. Rejects where it cannot be told.
   */
  wasKept(chat: string, requestId: string): Promise<boolean>;
  /** A failure that a model can learn from: its call of a tool that is not there, and what is to be said to it. */
  recoverable(error: unknown): { readonly call: ToolCall; readonly result: ToolResult } | undefined;
}

/** Label of messages: by it what became of a request is known again. */
export const REQUEST = 'mux/request';

/** Arguments of a call, out of the wire's form. */
export function argumentsOf({ arguments: given }: ToolCall): Arguments {
  return fromStruct(given);
}

/** Messages that are looked through for calls without results: an answer and what came after it. */
const LOOK_BACK = 30;

/**
 * Answers the calls of a chat's last answer that nobody has answered, as after a crash: with what they came to, where that
 * was kept, else as never run. Resolves with how many there were.
 */
export async function repair(service: ChatService, chat: string): Promise<number> {
  const newest = await service.newest(chat, LOOK_BACK);
  return answerOrphans(service, chat, newest);
}

/** The same, of messages that are known, the newest first. */
export async function answerOrphans(
  service: ChatService,
  chat: string,
  newest: readonly Message[],
): Promise<number> {
  const at = newest.findIndex(({ role }) => role === 'ROLE_ASSISTANT');
  const answer = newest[at];
  if (!answer) return 0;
  const later = newest.slice(0, at).flatMap(({ blocks = [] }) => blocks);
  const answered = new Set(later.map(({ tool_result: result }) => result?.tool_call_id));
  const orphans = callsOf(answer.blocks ?? []).filter(({ id }) => !answered.has(id));
  if (orphans.length === 0) return 0;
  const results = orphans.map(call => call.result ?? resultOf(call, NEVER_RAN));
  await service.createMessage(chat, resultMessage(results));
  return orphans.length;
}
