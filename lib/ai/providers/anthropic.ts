/** Anthropic's Messages, by its own library. */
import type Anthropic from '@anthropic-ai/sdk';
import type {
  Effort,
  ImagePart,
  ProviderEvent,
  ProviderMessage,
  ProviderRequest,
  StopReason,
  TokenUsage,
} from '../provider.ts';
import type { ProviderSettings } from '../settings.ts';
import { answerFetch, completeCall, NO_USAGE } from './answers.ts';
import type { VendorWire } from './attempts.ts';
import type { Keys } from './keys.ts';

type Params = Anthropic.MessageCreateParamsStreaming;
type Content = Anthropic.ContentBlockParam;

/** Models that decide themselves how long they think; older ones are given a budget. */
const ADAPTIVE = /claude-(?:[a-z]+-)?(?:4-[6-9]|[5-9])/;
/** Tokens of thought by effort, for models with a budget (1024 is the least that is allowed). */
const BUDGETS: Readonly<Record<Effort, number>> = {
  default: 8_000,
  low: 2_000,
  medium: 8_000,
  high: 16_000,
  xhigh: 32_000,
  max: 48_000,
};
const STOPS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_call',
  pause_turn: 'pause',
  refusal: 'refusal',
};
const CACHED = { cache_control: { type: 'ephemeral' } } as const;

export function anthropicWire(settings: ProviderSettings, keys: Keys): VendorWire {
  const { name, baseUrl } = settings;
  return {
    name,
    key: () => keys.get(settings),
    async *open(request, key, signal) {
      const { Anthropic: Sdk } = await import('@anthropic-ai/sdk');
      const client = new Sdk({
        apiKey: key,
        authToken: null,
        maxRetries: 0,
        fetch: answerFetch(name),
        ...(baseUrl ? { baseURL: baseUrl.replace(/\/v1\/?$/, '') } : {}),
      });
      const stream = await client.messages.create(paramsOf(request), { signal });
      yield* eventsOf(stream);
    },
  };
}

function paramsOf(request: ProviderRequest): Params {
  const { model, system, messages, tools, maxTokens, temperature } = request;
  const thinking = thinkingOf(request);
  return {
    model: model.providerModelId,
    max_tokens: maxTokens,
    stream: true,
    messages: withCacheMark(messages.map(messageOf)),
    ...(system ? { system: [{ type: 'text', text: system, ...CACHED }] } : {}),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, schema }, at) => ({
            name,
            description,
            input_schema: schema as unknown as Anthropic.Tool.InputSchema,
            // The prompt's beginning is the same in every turn: marked, it is read from the cache.
            ...(at === tools.length - 1 ? CACHED : {}),
          })),
          tool_choice: toolChoice(request),
        }
      : {}),
    // With thinking only its own temperature is allowed.
    ...(temperature !== undefined && !thinking ? { temperature: Math.min(1, temperature) } : {}),
    ...(thinking as object),
  };
}

function thinkingOf({ model, effort, maxTokens }: ProviderRequest): object | undefined {
  if (effort === undefined || !model.reasoning) return undefined;
  if (ADAPTIVE.test(model.providerModelId))
    return { thinking: { type: 'adaptive' }, ...(effort === 'default' ? {} : { output_config: { effort } }) };
  const budget = Math.min(BUDGETS[effort], Math.floor(maxTokens / 2));
  return budget < 1024 ? undefined : { thinking: { type: 'enabled', budget_tokens: budget } };
}

function toolChoice({ toolChoice: choice }: ProviderRequest): Anthropic.ToolChoice {
  if (typeof choice === 'object') return { type: 'tool', name: choice.tool };
  return { type: ({ auto: 'auto', none: 'none', required: 'any' } as const)[choice] };
}

/** A message of ours is a list of blocks, never a text alone. */
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: Content[];
}

function messageOf(message: ProviderMessage): Turn {
  if (message.role === 'tool')
    return {
      role: 'user',
      content: message.parts.map(({ callId, content, failed, images = [] }) => ({
        type: 'tool_result',
        tool_use_id: callId,
        is_error: failed,
        content: images.length === 0 ? content : [{ type: 'text', text: content }, ...images.map(imageOf)],
      })),
    };
  if (message.role === 'user')
    return {
      role: 'user',
      content: message.parts.flatMap((part): Content[] => {
        if (part.type === 'image') return [imageOf(part)];
        // An empty text is refused.
        return part.text === '' ? [] : [{ type: 'text', text: part.text }];
      }),
    };
  return { role: 'assistant', content: message.parts.flatMap(assistantPart) };
}

type AssistantPart = Extract<ProviderMessage, { role: 'assistant' }>['parts'][number];

function assistantPart(part: AssistantPart): Content[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'tool_call')
    return [{ type: 'tool_use', id: part.id, name: part.name, input: part.arguments }];
  if (part.type !== 'thought') return [];
  const redacted = part.extra?.redacted_thinking;
  if (typeof redacted === 'string') return [{ type: 'redacted_thinking', data: redacted }];
  // A thought that nothing proves, of another vendor's model, is refused.
  return part.signature ? [{ type: 'thinking', thinking: part.text, signature: part.signature }] : [];
}

function imageOf({ source, mediaType }: ImagePart): Anthropic.ImageBlockParam {
  if ('url' in source) return { type: 'image', source: { type: 'url', url: source.url } };
  const data = Buffer.from(source.data).toString('base64');
  return {
    type: 'image',
    source: { type: 'base64', data, media_type: mediaType as Anthropic.Base64ImageSource['media_type'] },
  };
}

/** Marks the end of the conversation so far: the next turn reads all of it from the cache. Empty messages go. */
function withCacheMark(messages: readonly Turn[]): Turn[] {
  const full = messages.filter(({ content }) => content.length > 0);
  const last = full.at(-1);
  if (!last) return full;
  const content = last.content.map((block, at, all): Content =>
    at === all.length - 1 && block.type !== 'thinking' && block.type !== 'redacted_thinking'
      ? ({ ...block, ...CACHED } as Content)
      : block,
  );
  return [...full.slice(0, -1), { ...last, content }];
}

async function* eventsOf(
  stream: AsyncIterable<Anthropic.RawMessageStreamEvent>,
): AsyncGenerator<ProviderEvent> {
  const calls = new Map<number, { id: string; name: string; text: string }>();
  let usage = NO_USAGE;
  for await (const event of stream) {
    if (event.type === 'message_start') {
      usage = usageOf(usage, event.message.usage);
      yield { type: 'usage', usage };
    } else if (event.type === 'content_block_start') {
      const { index, content_block: block } = event;
      if (block.type === 'tool_use') {
        const given = Object.keys((block.input as object | null) ?? {}).length > 0;
        calls.set(index, { id: block.id, name: block.name, text: given ? JSON.stringify(block.input) : '' });
        yield { type: 'partial_call', index, id: block.id, name: block.name, argumentsText: '' };
      } else if (block.type === 'redacted_thinking') {
        yield { type: 'thought', index, text: '' };
        yield { type: 'extra', index, extra: { redacted_thinking: block.data } };
      } else if (block.type === 'text' && block.text) yield { type: 'text', index, text: block.text };
      else if (block.type === 'thinking' && block.thinking)
        yield { type: 'thought', index, text: block.thinking };
    } else if (event.type === 'content_block_delta') {
      const { index, delta } = event;
      if (delta.type === 'text_delta') yield { type: 'text', index, text: delta.text };
      else if (delta.type === 'thinking_delta') yield { type: 'thought', index, text: delta.thinking };
      else if (delta.type === 'signature_delta') {
        // A thought that is not shown has a proof all the same.
        yield { type: 'thought', index, text: '' };
        yield { type: 'signature', index, signature: delta.signature };
      } else if (delta.type === 'input_json_delta') {
        const call = calls.get(index);
        if (!call) continue;
        call.text += delta.partial_json;
        yield { type: 'partial_call', index, id: call.id, name: call.name, argumentsText: call.text };
      }
    } else if (event.type === 'content_block_stop') {
      const call = calls.get(event.index);
      if (call) yield { type: 'call', index: event.index, call: completeCall(call.id, call.name, call.text) };
    } else if (event.type === 'message_delta') {
      usage = usageOf(usage, event.usage);
      yield { type: 'usage', usage };
      if (event.delta.stop_reason)
        yield { type: 'stop', reason: STOPS[event.delta.stop_reason] ?? 'end_turn' };
    }
  }
}

interface GivenUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** Each count is of all so far; what is not told again stays. */
function usageOf(before: TokenUsage, given: GivenUsage | null | undefined): TokenUsage {
  return {
    ...before,
    input: given?.input_tokens ?? before.input,
    output: given?.output_tokens ?? before.output,
    cacheRead: given?.cache_read_input_tokens ?? before.cacheRead,
    cacheWrite: given?.cache_creation_input_tokens ?? before.cacheWrite,
  };
}
