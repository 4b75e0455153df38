/** The events of Anthropic's Messages stream become ours. */
import type Anthropic from '@anthropic-ai/sdk';
import type { ProviderEvent, StopReason, TokenUsage } from '../provider.ts';
import { completeCall, freshCallId, isWorthTelling, NO_USAGE } from './answers.ts';

type Raw = Anthropic.RawMessageStreamEvent;
type Start = Anthropic.RawContentBlockStartEvent;
type Delta = Anthropic.RawContentBlockDeltaEvent;

const STOPS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_call',
  pause_turn: 'pause',
  refusal: 'refusal',
};

interface Call {
  readonly id: string;
  readonly name: string;
  text: string;
  told: number;
}

/** Calls that are coming, by the place of their block. */
type Calls = Map<number, Call>;

/** Events of kinds that are not known are passed over: new ones come without notice. */
export async function* eventsOf(stream: AsyncIterable<Raw>): AsyncGenerator<ProviderEvent> {
  const calls: Calls = new Map();
  let usage = NO_USAGE;
  for await (const event of stream) {
    if (event.type === 'message_start') {
      usage = usageOf(usage, event.message?.usage);
      yield { type: 'usage', usage };
    } else if (event.type === 'content_block_start') yield* begun(event, calls);
    else if (event.type === 'content_block_delta') yield* grown(event, calls);
    else if (event.type === 'content_block_stop') {
      const call = calls.get(event.index);
      calls.delete(event.index);
      if (call) yield { type: 'call', index: event.index, call: completeCall(call.id, call.name, call.text) };
    } else if (event.type === 'message_delta') {
      usage = usageOf(usage, event.usage);
      yield { type: 'usage', usage };
      const reason = event.delta?.stop_reason;
      if (reason) yield { type: 'stop', reason: STOPS[reason] ?? 'end_turn' };
    }
  }
}

function* begun({ index, content_block: block }: Start, calls: Calls): Generator<ProviderEvent> {
  if (block.type === 'text' && block.text) yield { type: 'text', index, text: block.text };
  else if (block.type === 'thinking') {
    if (block.thinking) yield { type: 'thought', index, text: block.thinking };
    if (block.signature) yield* proof(index, block.signature);
  } else if (block.type === 'redacted_thinking') {
    yield { type: 'thought', index, text: '' };
    yield { type: 'extra', index, extra: { redacted_thinking: block.data } };
  } else if (block.type === 'tool_use') {
    const given = Object.keys((block.input as object | null) ?? {}).length > 0;
    const call = { id: block.id || freshCallId(), name: block.name, told: 0 };
    calls.set(index, { ...call, text: given ? JSON.stringify(block.input) : '' });
    yield { type: 'partial_call', index, id: call.id, name: call.name, argumentsText: '' };
  }
}

function* grown({ index, delta }: Delta, calls: Calls): Generator<ProviderEvent> {
  if (delta.type === 'text_delta') yield { type: 'text', index, text: delta.text };
  else if (delta.type === 'thinking_delta') yield { type: 'thought', index, text: delta.thinking };
  else if (delta.type === 'signature_delta') yield* proof(index, delta.signature);
  else if (delta.type === 'input_json_delta') {
    const call = calls.get(index);
    if (!call) return;
    call.text += delta.partial_json;
    if (!isWorthTelling(call.told, call.text.length)) return;
    call.told = call.text.length;
    yield { type: 'partial_call', index, id: call.id, name: call.name, argumentsText: call.text };
  }
}

/** A thought that is not shown has a proof all the same. */
function* proof(index: number, signature: string): Generator<ProviderEvent> {
  yield { type: 'thought', index, text: '' };
  yield { type: 'signature', index, signature };
}

/** The stream that an answer in one piece would have been; what is an error, or none, is passed on as an error. */
export function streamed(whole: string): string {
  const event = (one: { readonly type: string }): string =>
    `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`;
  let message: Anthropic.Message;
  try {
    message = JSON.parse(whole) as Anthropic.Message;
  } catch {
    // SyntaxError: the library meets it again.
    return `event: message_start\ndata: ${whole.replaceAll(/\s+/g, ' ')}\n\n`;
  }
  if (!Array.isArray(message.content)) return event({ ...message, type: 'error' });
  const { content, usage, stop_reason } = message;
  const blocks = content.flatMap((content_block, index) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_stop', index },
  ]);
  const start = { type: 'message_start', message: { usage } };
  const end = { type: 'message_delta', delta: { stop_reason }, usage };
  return [start, ...blocks, end].map(event).join('');
}

interface GivenUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
}

/** Each count is of all so far; what is not told again stays. Thinking is counted in the output. */
function usageOf(before: TokenUsage, given: GivenUsage | null | undefined): TokenUsage {
  const all = given?.output_tokens ?? before.output + before.outputReasoning;
  const outputReasoning = Math.min(
    all,
    given?.output_tokens_details?.thinking_tokens ?? before.outputReasoning,
  );
  return {
    ...before,
    input: given?.input_tokens ?? before.input,
    output: all - outputReasoning,
    outputReasoning,
    cacheRead: given?.cache_read_input_tokens ?? before.cacheRead,
    cacheWrite: given?.cache_creation_input_tokens ?? before.cacheWrite,
  };
}
