/** Chunks of chat completions, as servers really send them, become events. Nothing of a chunk is sure. */
import type { ImagePart, ProviderEvent, StopReason, TokenUsage } from '../provider.ts';
import { NO_USAGE, Places } from './answers.ts';
import { CallParts, type CallDelta } from './openai-calls.ts';

/** Where DeepSeek, vLLM and others put thoughts; OpenRouter and newer vLLM say `reasoning`. */
export const THOUGHT_FIELD = 'reasoning_content';

const STOPS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  eos: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_call',
  function_call: 'tool_call',
  content_filter: 'refusal',
};

/** Of the library's type only what all have; Mistral sends content as a list. */
export interface Chunk {
  readonly choices?: readonly Choice[] | null;
  readonly usage?: GivenUsage | null;
  /** Of vLLM: `error`, with `message` beside it. */
  readonly object?: string;
  readonly message?: string;
  readonly code?: unknown;
}

interface Choice {
  readonly delta?: Delta | null;
  readonly finish_reason?: string | null;
}

interface Delta {
  readonly content?: string | readonly ContentPart[] | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly CallDelta[] | null;
  /** What calls were before there could be several. */
  readonly function_call?: CallDelta['function'];
  /** Pictures, of OpenRouter. */
  readonly images?: readonly { readonly image_url?: { readonly url?: string } }[] | null;
}

interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string | readonly ContentPart[];
}

interface GivenUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  readonly prompt_cache_hit_tokens?: number;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null;
    readonly cache_write_tokens?: number | null;
  } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

/**
 * @param end tells whether the stream ended by its own word: then a reason that never came is no cut
 * @throws {Error} for errors in the middle, as the library throws them
 */
export async function* eventsOf(
  stream: AsyncIterable<Chunk | null>,
  end: { readonly isDone: boolean },
): AsyncGenerator<ProviderEvent> {
  const places = new Places();
  const calls = new CallParts(places);
  let reason: StopReason | undefined;
  for await (const chunk of stream) {
    if (chunk?.object === 'error') throw Object.assign(new Error(chunk.message), { error: chunk });
    const choice = Array.isArray(chunk?.choices) ? (chunk.choices[0] as Choice | null) : undefined;
    const delta = choice?.delta ?? {};
    yield* saidIn(delta, places);
    for (const one of callsIn(delta)) yield* calls.take(one);
    if (choice?.finish_reason === 'error') throw new Error('the provider failed in the middle');
    if (choice?.finish_reason) reason = STOPS[choice.finish_reason] ?? 'end_turn';
    if (delta.refusal) reason = 'refusal';
    if (chunk?.usage) yield { type: 'usage', usage: usageOf(chunk.usage) };
  }
  if (end.isDone) reason ??= 'end_turn';
  if (!reason) return;
  yield* calls.complete();
  // Some say `stop` though they call.
  yield { type: 'stop', reason: reason === 'end_turn' && calls.count > 0 ? 'tool_call' : reason };
}

function* saidIn(delta: Delta, places: Places): Generator<ProviderEvent> {
  const { content, refusal, reasoning_content: own, reasoning, images } = delta;
  const parts: readonly ContentPart[] = Array.isArray(content) ? (content as readonly ContentPart[]) : [];
  const thought =
    textOf(own) || textOf(reasoning) || parts.map(({ thinking }) => thinkingOf(thinking)).join('');
  if (thought) {
    const index = places.of('thought');
    yield { type: 'thought', index, text: thought };
    if (textOf(own) && places.isNew) yield { type: 'extra', index, extra: { [THOUGHT_FIELD]: true } };
  }
  const text = textOf(content) || parts.map(part => textOf(part.text)).join('') || textOf(refusal);
  if (text) yield { type: 'text', index: places.of('text'), text };
  for (const { image_url } of Array.isArray(images) ? images : []) {
    const image = imageOf(image_url?.url);
    if (image) yield { type: 'image', index: places.fresh(), image };
  }
}

function callsIn({ tool_calls: calls, function_call: call }: Delta): readonly CallDelta[] {
  if (Array.isArray(calls)) return calls.filter(Boolean) as readonly CallDelta[];
  return call ? [{ index: 0, function: call }] : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function thinkingOf(thinking: ContentPart['thinking']): string {
  return Array.isArray(thinking)
    ? (thinking as readonly ContentPart[]).map(({ text }) => textOf(text)).join('')
    : textOf(thinking);
}

function imageOf(url: string | undefined): ImagePart | undefined {
  if (!url) return undefined;
  const [, mediaType, data] = /^data:([\w.+/-]+);base64,(.*)$/s.exec(url) ?? [];
  if (!data) return { type: 'image', source: { url }, mediaType: 'image/*' };
  return { type: 'image', source: { data: Buffer.from(data, 'base64') }, mediaType: mediaType! };
}

/**
 * OpenAI counts what came from its cache and what was thought in the whole; ours do not overlap. xAI counts thoughts beside
 * the rest, which its sum tells.
 */
function usageOf(given: GivenUsage): TokenUsage {
  const { prompt_tokens: prompt = 0, completion_tokens: completion = 0, total_tokens: total } = given;
  const { cached_tokens: cached, cache_write_tokens: written } = given.prompt_tokens_details ?? {};
  const cacheRead = Math.min(prompt, cached ?? given.prompt_cache_hit_tokens ?? 0);
  const cacheWrite = Math.min(prompt - cacheRead, written ?? 0);
  const outputReasoning = given.completion_tokens_details?.reasoning_tokens ?? 0;
  const isBeside = outputReasoning > 0 && total === prompt + completion + outputReasoning;
  return {
    ...NO_USAGE,
    input: prompt - cacheRead - cacheWrite,
    output: isBeside ? completion : Math.max(0, completion - outputReasoning),
    outputReasoning: isBeside ? outputReasoning : Math.min(outputReasoning, completion),
    cacheRead,
    cacheWrite,
  };
}
