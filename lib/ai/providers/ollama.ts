/** Ollama's own chat: lines of JSON, read here, since its library writes what it cannot read to the terminal. */
import type { ChatRequest, Message as Sent, Tool } from 'ollama';
import type { JsonObject, ProviderEvent, ProviderMessage, ProviderRequest, StopReason } from '../provider.ts';
import type { ProviderSettings } from '../settings.ts';
import { answerFetch } from './answer-fetch.ts';
import { completeCall, freshCallId, NO_USAGE, Places } from './answers.ts';
import type { VendorWire } from './attempts.ts';
import type { Keys } from './keys.ts';
import { linesOf, refusal } from './ollama-lines.ts';

const STOPS: Readonly<Record<string, StopReason>> = { stop: 'end_turn', length: 'max_tokens' };

/** Throws errors in the form of vendors' libraries. */
export function ollamaWire(settings: ProviderSettings, keys: Keys): VendorWire {
  const { name, baseUrl } = settings;
  return {
    name,
    key: () => keys.get(settings),
    async *open(request, key, line) {
      const response = await answerFetch(name, { line })(`${baseUrl.replace(/\/+$/, '')}/api/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
        body: JSON.stringify({ ...paramsOf(request), stream: true }),
        signal: line.signal,
      });
      if (!response.ok) throw await refusal(response);
      if (response.body) yield* eventsOf(linesOf<Chunk>(response.body));
    },
  };
}

function paramsOf({
  model,
  system,
  messages,
  tools,
  maxTokens,
  temperature,
  effort,
}: ProviderRequest): ChatRequest {
  const sent: Sent[] = messages.flatMap(messagesOf);
  return {
    model: model.providerModelId,
    messages: system ? [{ role: 'system', content: system }, ...sent] : sent,
    // Without it a server takes 4,096 tokens and silently forgets what was before them.
    options: {
      num_ctx: model.contextTokenLimit,
      num_predict: maxTokens,
      ...(temperature === undefined || !model.temperature ? {} : { temperature }),
    },
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function',
            function: {
              name,
              description,
              parameters: schema as NonNullable<Tool['function']['parameters']>,
            },
          })),
        }
      : {}),
    ...(effort && model.reasoning ? { think: thinkOf(model.providerModelId, effort) } : {}),
  };
}

/** Of all models only gpt-oss thinks more or less; the others think, or do not. */
function thinkOf(id: string, effort: string): boolean | 'low' | 'medium' | 'high' {
  if (!/gpt-oss/.test(id) || effort === 'default') return true;
  return effort === 'low' || effort === 'medium' ? effort : 'high';
}

function messagesOf(message: ProviderMessage): Sent[] {
  if (message.role === 'tool')
    return message.parts.map(({ toolName, content, failed }) => {
      return { role: 'tool', tool_name: toolName, content: failed ? `Error: ${content}` : content };
    });
  const content = message.parts.map(part => (part.type === 'text' ? part.text : '')).join('');
  if (message.role === 'user') {
    const images = message.parts.flatMap(part =>
      part.type === 'image' && 'data' in part.source
        ? [Buffer.from(part.source.data).toString('base64')]
        : [],
    );
    return [{ role: 'user', content, ...(images.length > 0 ? { images } : {}) }];
  }
  const tool_calls = message.parts.flatMap(part =>
    part.type === 'tool_call' ? [{ function: { name: part.name, arguments: part.arguments as object } }] : [],
  );
  const thinking = message.parts.map(part => (part.type === 'thought' ? part.text : '')).join('');
  return [
    {
      role: 'assistant',
      content,
      ...(thinking ? { thinking } : {}),
      ...(tool_calls.length > 0 ? { tool_calls } : {}),
    },
  ];
}

interface Chunk {
  readonly message?: {
    readonly content?: string;
    readonly thinking?: string;
    readonly tool_calls?: readonly GivenCall[] | null;
  };
  /** In the middle of a good answer. */
  readonly error?: unknown;
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
}

interface GivenCall {
  readonly id?: string;
  readonly function: { readonly name: string; readonly arguments?: object | string | null };
}

async function* eventsOf(stream: AsyncIterable<Chunk>): AsyncGenerator<ProviderEvent> {
  const places = new Places();
  let calls = 0;
  for await (const { message, error, done, ...end } of stream) {
    if (error) throw Object.assign(new Error('it failed'), { error });
    if (message?.thinking) yield { type: 'thought', index: places.of('thought'), text: message.thinking };
    if (message?.content) yield { type: 'text', index: places.of('text'), text: message.content };
    for (const call of message?.tool_calls ?? []) {
      calls++;
      yield callEvent(call, places.fresh());
    }
    if (!done) continue;
    const usage = { ...NO_USAGE, input: end.prompt_eval_count ?? 0, output: end.eval_count ?? 0 };
    yield { type: 'usage', usage };
    const reason = STOPS[end.done_reason ?? 'stop'] ?? 'end_turn';
    yield { type: 'stop', reason: calls > 0 && reason === 'end_turn' ? 'tool_call' : reason };
  }
}

/** A call comes whole; what stands in front of Ollama may send its arguments as text. */
function callEvent(
  { id: own, function: { name, arguments: given } }: GivenCall,
  index: number,
): ProviderEvent {
  const id = own || freshCallId();
  if (typeof given === 'string') return { type: 'call', index, call: completeCall(id, name, given) };
  const call = { type: 'tool_call', id, name, arguments: (given ?? {}) as JsonObject } as const;
  return { type: 'call', index, call };
}
