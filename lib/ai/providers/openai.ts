/** Chat completions as OpenAI has them and many others serve them, by OpenAI's library. */
import type OpenAI from 'openai';
import type { ImagePart, ProviderMessage, ProviderRequest } from '../provider.ts';
import type { ProviderSettings } from '../settings.ts';
import { answerFetch } from './answer-fetch.ts';
import type { VendorWire } from './attempts.ts';
import type { Keys } from './keys.ts';
import { eventsOf, THOUGHT_FIELD, type Chunk } from './openai-events.ts';

type Params = OpenAI.ChatCompletionCreateParamsStreaming;
type Sent = OpenAI.ChatCompletionMessageParam;

/** The library wants a key; servers that need none take any. */
const NO_KEY = 'none';

/** The vendor's own address: without it the library takes one from the environment of whoever started it. */
const OFFICIAL = 'https://api.openai.com/v1';

/** Throws whatever the library throws. */
export function openaiWire(settings: ProviderSettings, keys: Keys): VendorWire {
  const { name, baseUrl, isOfficial } = settings;
  const refused = new Set<Optional>();
  return {
    name,
    key: () => keys.get(settings),
    async *open(request, key, line) {
      const { OpenAI: Sdk } = await import('openai');
      const tail = new Tail();
      const client = new Sdk({
        apiKey: key || NO_KEY,
        baseURL: baseUrl || OFFICIAL,
        maxRetries: 0,
        // It would write what it cannot read to the terminal.
        logLevel: 'off',
        fetch: answerFetch(name, { line, streamed, seen: piece => tail.take(piece) }),
        // Whose account it is concerns the vendor alone.
        ...(isOfficial ? {} : { organization: null, project: null }),
      });
      for (;;)
        try {
          const body = paramsOf(request, settings, refused);
          const stream = await client.chat.completions.create(body, { signal: line.signal });
          yield* eventsOf(stream as AsyncIterable<Chunk>, tail);
          return;
        } catch (error) {
          // Once for each: a server that does not know it says so before it answers.
          const field = refusedField(error);
          if (!field || refused.has(field)) throw error;
          refused.add(field);
        }
    },
  };
}

/** What a request goes without where a server does not know it. */
type Optional = 'stream_options' | 'max_completion_tokens' | 'max_tokens' | 'reasoning_effort';
const OPTIONAL: readonly Optional[] = [
  'stream_options',
  'max_completion_tokens',
  'reasoning_effort',
  'max_tokens',
];

function refusedField(error: unknown): Optional | undefined {
  const { status, message = '', param } = error as { status?: number; message?: string; param?: string };
  if (status !== 400 && status !== 422) return undefined;
  const isUnknown = /unsupported|not supported|unknown|unrecognized|unexpected|extra|not permitted/i.test(
    message,
  );
  if (!isUnknown) return undefined;
  // The one that is refused stands before the one that should be there instead.
  const named = OPTIONAL.filter(one => message.includes(one));
  const [first] = named.sort((a, b) => message.search(wordOf(a)) - message.search(wordOf(b)));
  return OPTIONAL.find(one => one === param) ?? first;
}

function wordOf(field: Optional): RegExp {
  return new RegExp(`\\b${field}\\b`);
}

/** The end of a stream's text: whether it ended by its own word. */
class Tail {
  #text = '';

  take(piece: Uint8Array): void {
    // The word, and what may stand behind it.
    const text = Buffer.from(piece.subarray(-64)).toString('latin1');
    this.#text = (this.#text + text).slice(-64);
  }

  get isDone(): boolean {
    return /\[DONE\]\s*$/.test(this.#text);
  }
}

/** The stream that a whole answer would have been. What is none is passed on, to be refused. */
function streamed(whole: string): string {
  const event = (data: string): string => `data: ${data}\n\n`;
  let given: { choices?: readonly { message?: object; finish_reason?: string }[]; usage?: object };
  try {
    given = JSON.parse(whole) as typeof given;
  } catch {
    // SyntaxError: the library meets it again.
    return event(whole.replaceAll(/\s+/g, ' '));
  }
  if (!Array.isArray(given.choices)) return event(JSON.stringify(given));
  const choices = given.choices.map(({ message, finish_reason }) => ({ delta: message, finish_reason }));
  return event(JSON.stringify({ ...given, choices })) + event('[DONE]');
}

function paramsOf(
  request: ProviderRequest,
  { isOfficial }: ProviderSettings,
  refused: ReadonlySet<Optional>,
): Params {
  const { model, system, messages, tools, maxTokens, temperature, effort } = request;
  // Others do not know the newer name.
  const isNew = refused.has('max_tokens') || (isOfficial && !refused.has('max_completion_tokens'));
  return {
    model: model.providerModelId,
    stream: true,
    ...(refused.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
    messages: [
      ...(system ? [{ role: 'system', content: system } as const] : []),
      ...messages.flatMap(message => messagesOf(message, isOfficial)),
    ],
    ...(isNew ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function' as const,
            function: { name, description, parameters: schema as Record<string, unknown> },
          })),
          tool_choice: toolChoice(request),
        }
      : {}),
    ...(temperature === undefined || !model.temperature ? {} : { temperature }),
    ...(effort && effort !== 'default' && model.reasoning && !refused.has('reasoning_effort')
      ? { reasoning_effort: effort === 'max' || effort === 'xhigh' ? ('high' as const) : effort }
      : {}),
  };
}

function toolChoice({ toolChoice: choice }: ProviderRequest): OpenAI.ChatCompletionToolChoiceOption {
  return typeof choice === 'object' ? { type: 'function', function: { name: choice.tool } } : choice;
}

function messagesOf(message: ProviderMessage, isOfficial: boolean): Sent[] {
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
  // Servers that think in this field want it back beside calls; the others never sent it.
  const thoughts = message.parts.map(part =>
    part.type === 'thought' && part.extra?.[THOUGHT_FIELD] === true ? part.text : '',
  );
  const thought = isOfficial || tool_calls.length === 0 ? '' : thoughts.join('');
  return [
    {
      role: 'assistant',
      content: text || null,
      ...(tool_calls.length > 0 ? { tool_calls } : {}),
      ...(thought ? { [THOUGHT_FIELD]: thought } : {}),
    },
  ];
}

function imageOf({ source, mediaType }: ImagePart): OpenAI.ChatCompletionContentPartImage {
  const url =
    'url' in source ? source.url : `data:${mediaType};base64,${Buffer.from(source.data).toString('base64')}`;
  return { type: 'image_url', image_url: { url } };
}
