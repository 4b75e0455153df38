/** Chat completions as OpenAI has them and many others serve them, by OpenAI's library. */
import type OpenAI from 'openai';
import type {
  ImagePart,
  ProviderEvent,
  ProviderMessage,
  ProviderRequest,
  StopReason,
  TokenUsage,
} from '../provider.ts';
import type { ProviderSettings } from '../settings.ts';
import { answerFetch, NO_USAGE, Places } from './answers.ts';
import type { VendorWire } from './attempts.ts';
import type { Keys } from './keys.ts';
import { CallParts, type CallDelta } from './openai-calls.ts';

type Params = OpenAI.ChatCompletionCreateParamsStreaming;
type Sent = OpenAI.ChatCompletionMessageParam;

const STOPS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_call',
  function_call: 'tool_call',
  content_filter: 'refusal',
};
/** The library wants a key; servers that need none take any. */
const NO_KEY = 'none';

export function openaiWire(settings: ProviderSettings, keys: Keys): VendorWire {
  const { name, baseUrl } = settings;
  return {
    name,
    key: () => keys.get(settings),
    async *open(request, key, signal) {
      const { OpenAI: Sdk } = await import('openai');
      const client = new Sdk({
        apiKey: key || NO_KEY,
        maxRetries: 0,
        fetch: answerFetch(name),
        ...(baseUrl ? { baseURL: baseUrl } : {}),
      });
      const stream = await client.chat.completions.create(paramsOf(request, settings), { signal });
      yield* eventsOf(stream as AsyncIterable<Chunk>);
    },
  };
}

function paramsOf(request: ProviderRequest, { isOfficial }: ProviderSettings): Params {
  const { model, system, messages, tools, maxTokens, temperature, effort } = request;
  return {
    model: model.providerModelId,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      ...(system ? [{ role: 'system', content: system } as const] : []),
      ...messages.flatMap(messagesOf),
    ],
    // Others do not know the newer name.
    ...(isOfficial ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function' as const,
            function: { name, description, parameters: schema as Record<string, unknown> },
          })),
          tool_choice: toolChoice(request),
        }
      : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(effort && effort !== 'default' && model.reasoning
      ? { reasoning_effort: effort === 'max' || effort === 'xhigh' ? ('high' as const) : effort }
      : {}),
  };
}

function toolChoice({ toolChoice: choice }: ProviderRequest): OpenAI.ChatCompletionToolChoiceOption {
  return typeof choice === 'object' ? { type: 'function', function: { name: choice.tool } } : choice;
}

function messagesOf(message: ProviderMessage): Sent[] {
  if (message.role === 'tool') {
    const results = message.parts.map(({ callId, content, failed }): Sent => {
      // There is no place for a failure but the text.
      return { role: 'tool', tool_call_id: callId, content: failed ? `Error: ${content}` : content };
    });
    const images = message.parts.flatMap(part => part.images ?? []);
    return images.length === 0 ? results : [...results, { role: 'user', content: images.map(imageOf) }];
  }
  if (message.role === 'user') {
    const isText = message.parts.every(part => part.type === 'text');
    if (isText)
      return [
        { role: 'user', content: message.parts.map(part => (part as { text: string }).text).join('\n\n') },
      ];
    const content = message.parts.map(part =>
      part.type === 'text' ? { type: 'text' as const, text: part.text } : imageOf(part),
    );
    return [{ role: 'user', content }];
  }
  const text = message.parts.map(part => (part.type === 'text' ? part.text : '')).join('');
  const tool_calls = message.parts.flatMap(part =>
    part.type === 'tool_call'
      ? [
          {
            id: part.id,
            type: 'function' as const,
            function: { name: part.name, arguments: JSON.stringify(part.arguments) },
          },
        ]
      : [],
  );
  if (text === '' && tool_calls.length === 0) return [];
  return [{ role: 'assistant', content: text || null, ...(tool_calls.length > 0 ? { tool_calls } : {}) }];
}

function imageOf({ source, mediaType }: ImagePart): OpenAI.ChatCompletionContentPartImage {
  const url =
    'url' in source ? source.url : `data:${mediaType};base64,${Buffer.from(source.data).toString('base64')}`;
  return { type: 'image_url', image_url: { url } };
}

/** A chunk as servers really send it: of the library's type only what all have. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null;
      readonly refusal?: string | null;
      /** Thoughts: DeepSeek, vLLM and others; OpenRouter. */
      readonly reasoning_content?: string | null;
      readonly reasoning?: string | null;
      readonly tool_calls?: readonly CallDelta[] | null;
    } | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: GivenUsage | null;
}

interface GivenUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

async function* eventsOf(stream: AsyncIterable<Chunk>): AsyncGenerator<ProviderEvent> {
  const places = new Places();
  const calls = new CallParts(places);
  let reason: StopReason | undefined;
  for await (const { choices = [], usage } of stream) {
    const [choice] = choices;
    const { content, refusal, reasoning_content, reasoning, tool_calls } = choice?.delta ?? {};
    const thought = reasoning_content ?? reasoning;
    if (thought) yield { type: 'thought', index: places.of('thought'), text: thought };
    const text = content ?? refusal;
    if (text) yield { type: 'text', index: places.of('text'), text };
    for (const delta of tool_calls ?? []) yield* calls.take(delta);
    if (choice?.finish_reason) reason = STOPS[choice.finish_reason] ?? 'end_turn';
    if (refusal) reason = 'refusal';
    if (usage) yield { type: 'usage', usage: usageOf(usage) };
  }
  yield* calls.complete();
  // Some say `stop` though they call.
  if (reason === 'end_turn' && calls.count > 0) reason = 'tool_call';
  if (reason) yield { type: 'stop', reason };
}

/** OpenAI counts what came from its cache and what was thought in the whole; ours do not overlap. */
function usageOf(given: GivenUsage): TokenUsage {
  const cacheRead = given.prompt_tokens_details?.cached_tokens ?? 0;
  const outputReasoning = given.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    ...NO_USAGE,
    input: Math.max(0, (given.prompt_tokens ?? 0) - cacheRead),
    output: Math.max(0, (given.completion_tokens ?? 0) - outputReasoning),
    outputReasoning,
    cacheRead,
  };
}
