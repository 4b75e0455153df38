/** Ollama's own chat, by its library. */
import type { ChatRequest, Message as Sent, Tool } from 'ollama';
import type { JsonObject, ProviderEvent, ProviderMessage, ProviderRequest, StopReason } from '../provider.ts';
import type { ProviderSettings } from '../settings.ts';
import { answerFetch, NO_USAGE, Places } from './answers.ts';
import type { VendorWire } from './attempts.ts';
import type { Keys } from './keys.ts';

const STOPS: Readonly<Record<string, StopReason>> = { stop: 'end_turn', length: 'max_tokens' };

export function ollamaWire(settings: ProviderSettings, keys: Keys): VendorWire {
  const { name, baseUrl } = settings;
  return {
    name,
    key: () => keys.get(settings),
    async *open(request, key, signal) {
      const { Ollama } = await import('ollama');
      const headers = key ? { headers: { authorization: `Bearer ${key}` } } : {};
      const get = answerFetch(name);
      const client = new Ollama({
        host: baseUrl,
        fetch: (input, init) => get(input, { ...init, signal: eitherSignal(init?.signal, signal) }),
        ...headers,
      });
      const stream = await client.chat({ ...paramsOf(request), stream: true });
      yield* eventsOf(stream as AsyncIterable<Chunk>);
    },
  };
}

/** The library makes a signal of its own, and ours ends the request too. */
function eitherSignal(own: AbortSignal | null | undefined, signal: AbortSignal): AbortSignal {
  return own ? AbortSignal.any([own, signal]) : signal;
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
      ...(temperature === undefined ? {} : { temperature }),
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
    ...(effort && model.reasoning ? { think: effort === 'default' ? true : thinkOf(effort) } : {}),
  };
}

function thinkOf(effort: string): 'low' | 'medium' | 'high' {
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
      part.type === 'image' && 'data' in part.source ? [part.source.data] : [],
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
    readonly tool_calls?: readonly {
      readonly function: { readonly name: string; readonly arguments?: object };
    }[];
  };
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
}

async function* eventsOf(stream: AsyncIterable<Chunk>): AsyncGenerator<ProviderEvent> {
  const places = new Places();
  let calls = 0;
  for await (const {
    message,
    done,
    done_reason: reason,
    prompt_eval_count: input,
    eval_count: output,
  } of stream) {
    if (message?.thinking) yield { type: 'thought', index: places.of('thought'), text: message.thinking };
    if (message?.content) yield { type: 'text', index: places.of('text'), text: message.content };
    for (const { function: given } of message?.tool_calls ?? []) {
      const index = places.fresh();
      const call = { type: 'tool_call', id: `call_${index}`, name: given.name } as const;
      yield { type: 'call', index, call: { ...call, arguments: (given.arguments ?? {}) as JsonObject } };
      calls++;
    }
    if (!done) continue;
    yield { type: 'usage', usage: { ...NO_USAGE, input: input ?? 0, output: output ?? 0 } };
    yield { type: 'stop', reason: calls > 0 ? 'tool_call' : (STOPS[reason ?? 'stop'] ?? 'end_turn') };
  }
}
