/** Anthropic's Messages, by its own library. */
import type Anthropic from '@anthropic-ai/sdk';
import type { Effort, ImagePart, ProviderMessage, ProviderRequest } from '../provider.ts';
import type { ProviderSettings } from '../settings.ts';
import { answerFetch } from './answer-fetch.ts';
import { eventsOf, streamed } from './anthropic-events.ts';
import type { VendorWire } from './attempts.ts';
import type { Keys } from './keys.ts';

type Params = Anthropic.MessageCreateParamsStreaming;
type Content = Anthropic.ContentBlockParam;

/** From this version on models decide themselves how long they think; older ones are given a budget. */
const ADAPTIVE = 4.06;
/** From this version on there is an effort between high and max. */
const XHIGH = 4.07;
/** Tokens of thought by effort, for models with a budget (of `budget_tokens`). */
const BUDGETS: Readonly<Record<Effort, number>> = {
  default: 8_000,
  low: 2_000,
  medium: 8_000,
  high: 16_000,
  xhigh: 32_000,
  max: 48_000,
};
/** The least that is allowed. */
const BUDGET_MIN = 1024;
const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/** The vendor's own address: without it the library takes one from the environment of whoever started it. */
const OFFICIAL = 'https://api.anthropic.com';

/** Throws whatever the library throws. */
export function anthropicWire(settings: ProviderSettings, keys: Keys): VendorWire {
  const { name, baseUrl } = settings;
  return {
    name,
    key: () => keys.get(settings),
    async *open(request, key, line) {
      const { Anthropic: Sdk } = await import('@anthropic-ai/sdk');
      const client = new Sdk({
        apiKey: key,
        authToken: null,
        baseURL: (baseUrl || OFFICIAL).replace(/\/v1\/?$/, ''),
        maxRetries: 0,
        // It would write what it cannot read to the terminal.
        logLevel: 'off',
        fetch: answerFetch(name, { line, streamed }),
      });
      yield* eventsOf(await client.messages.create(paramsOf(request), { signal: line.signal }));
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
    ...(temperature !== undefined && model.temperature && !thinking
      ? { temperature: Math.min(1, temperature) }
      : {}),
    ...(thinking as object),
  };
}

function thinkingOf({
  model,
  effort,
  maxTokens,
  messages,
  toolChoice: choice,
}: ProviderRequest): object | undefined {
  // Who has to call a tool may not think before it.
  const isForced = typeof choice === 'object' || choice === 'required';
  if (effort === undefined || !model.reasoning || isForced) return undefined;
  const version = versionOf(model.providerModelId);
  if (version >= ADAPTIVE) {
    const own = effort === 'xhigh' && version < XHIGH ? 'high' : effort;
    return {
      // Newer models keep their thoughts to themselves unless they are asked.
      thinking: { type: 'adaptive', display: 'summarized' },
      ...(own === 'default' ? {} : { output_config: { effort: own } }),
    };
  }
  const budget = Math.min(BUDGETS[effort], Math.floor(maxTokens / 2));
  if (budget < BUDGET_MIN || isUnprovenTurn(messages)) return undefined;
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/**
 * `claude-opus-4-8` is 4.08, `claude-3-5-haiku-…` 3.05, `claude-sonnet-5` 5; one without a number is new. Others' models
 * behind this wire know the older way.
 */
function versionOf(id: string): number {
  if (!id.includes('claude-')) return 0;
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(id) ?? [];
  return major === undefined ? Infinity : Number(major) + Number(minor) / 100;
}

/** Whether results are sent for calls that another model made: a turn that has begun without thoughts goes on so. */
function isUnprovenTurn(messages: readonly ProviderMessage[]): boolean {
  if (messages.at(-1)?.role !== 'tool') return false;
  const [first] = messages.findLast(({ role }) => role === 'assistant')?.parts ?? [];
  return !(first?.type === 'thought' && (first.signature || first.extra?.redacted_thinking));
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
        tool_use_id: idOf(callId),
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

/** Ids of calls that other vendors' models made have signs that are refused here. */
function idOf(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}

type AssistantPart = Extract<ProviderMessage, { role: 'assistant' }>['parts'][number];

function assistantPart(part: AssistantPart): Content[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'tool_call')
    return [{ type: 'tool_use', id: idOf(part.id), name: part.name, input: part.arguments }];
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
    // Thoughts take no mark.
    at === all.length - 1 && block.type !== 'thinking' && block.type !== 'redacted_thinking'
      ? ({ ...block, ...CACHED } as Content)
      : block,
  );
  return [...full.slice(0, -1), { ...last, content }];
}
