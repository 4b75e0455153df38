/** Providers: real vendors' libraries against loopback servers, good and bad. */
import { LLMock } from '@copilotkit/aimock';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProviderFailure, type FailureKind } from '../../lib/ai/failure.ts';
import type { Model } from '../../lib/ai/model.ts';
import type { ProviderEvent, ProviderRequest } from '../../lib/ai/provider.ts';
import { providerSource } from '../../lib/ai/providers/providers.ts';
import { modelRegistry } from '../../lib/ai/registry/registry.ts';
import { systemClock } from '../../lib/base/clock.ts';
import { providersWith } from '../support/ai/settings.ts';
import { until } from '../support/until.ts';
import { events, ModelServer, type BadAnswer } from '../support/ai/model-server.ts';

const KEY = 'sk-ant-aVerySecretKey';

function settings(url: string, prefer_local = false): Parameters<typeof providerSource>[0]['ai'] {
  const providers = {
    anthropic: { base_url: url },
    openai: { base_url: `${url}/v1`, models: ['gpt-test'] },
    ollama: { base_url: url, models: ['llama3'] },
  };
  return { prefer_local, providers: providersWith(providers), models: [] };
}

function modelOf(url: string, name: string): Model {
  return modelRegistry({ ai: settings(url), isReady: () => true }).find(name);
}

function request(
  url: string,
  model: string,
  text: string,
  more: Partial<ProviderRequest> = {},
): ProviderRequest {
  const messages = [{ role: 'user', parts: [{ type: 'text', text }] }] as const;
  return {
    model: modelOf(url, model),
    system: '',
    messages,
    tools: [],
    toolChoice: 'auto',
    maxTokens: 4000,
    ...more,
  };
}

const ENV = { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY };

function generate(
  url: string,
  asked: ProviderRequest,
  {
    env = ENV,
    signal = new AbortController().signal,
  }: { env?: Record<string, string>; signal?: AbortSignal } = {},
): AsyncIterable<ProviderEvent> {
  const source = providerSource({ ai: settings(url), env, clock: systemClock, random: () => 0 });
  return source(asked.model).generate(asked, signal);
}

async function all(stream: AsyncIterable<ProviderEvent>): Promise<ProviderEvent[]> {
  const found: ProviderEvent[] = [];
  for await (const event of stream) found.push(event);
  return found;
}

const textOf = (found: readonly ProviderEvent[]): string =>
  found.map(event => (event.type === 'text' ? event.text : '')).join('');
const callsOf = (found: readonly ProviderEvent[]) =>
  found.flatMap(event => (event.type === 'call' ? [[event.call.name, event.call.arguments] as const] : []));
const stopOf = (found: readonly ProviderEvent[]): string | undefined =>
  found.find(event => event.type === 'stop')?.reason;

async function failure(stream: AsyncIterable<ProviderEvent>): Promise<ProviderFailure> {
  try {
    await all(stream);
  } catch (error) {
    assert.instance(error, ProviderFailure);
    return error as ProviderFailure;
  }
  throw new Error('it did not fail');
}

const test = suite('providers');
const mock = new LLMock({ port: 0, chunkSize: 3, logLevel: 'silent' });
let server: ModelServer;
test.before(async () => void (await mock.start()));
test.after(() => mock.stop());
test.before.each(async () => void (server = await new ModelServer().start()));
test.after.each(() => server.end());

mock.onMessage('weather', { toolCalls: [{ name: 'weather', arguments: '{"city":"Bern","days":[1,2]}' }] });
mock.onMessage('hello', { content: 'Grüezi mitenand 👋' });
const TOOL = {
  name: 'weather',
  description: 'tells it',
  schema: { type: 'object', properties: { city: { type: 'string' } } },
} as const;

for (const model of ['haiku', 'gpt-test', 'llama3']) {
  test(`${model}: text and tool calls stream from a server that others wrote`, async () => {
    const text = await all(generate(mock.url, request(mock.url, model, 'hello')));
    assert.is(textOf(text), 'Grüezi mitenand 👋');
    assert.is(stopOf(text), 'end_turn');
    assert.ok(text.filter(event => event.type === 'text').length > 2, 'it came in pieces');
    const called = await all(generate(mock.url, request(mock.url, model, 'weather', { tools: [TOOL] })));
    assert.equal(callsOf(called), [['weather', { city: 'Bern', days: [1, 2] }]]);
    assert.is(stopOf(called), 'tool_call');
  });
}

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (more: object): object => chunk({ tool_calls: [more] });
const END = events(chunk({}, 'tool_calls'));

/** Tool calls as servers are known to send them; each comes to the same two calls. */
const VARIANTS: Readonly<Record<string, readonly object[]>> = {
  'as OpenAI does': [
    call({ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '' } }),
    call({ index: 0, function: { arguments: '{"x":' } }),
    call({ index: 0, function: { arguments: '1}' } }),
    call({ index: 1, id: 'b', function: { name: 'two', arguments: '{}' } }),
  ],
  'without an index': [
    call({ id: 'a', function: { name: 'one', arguments: '{"x":' } }),
    call({ function: { arguments: '1}' } }),
    call({ id: 'b', function: { name: 'two', arguments: '{}' } }),
  ],
  'all with index 0': [
    call({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x":1}' } }),
    call({ index: 0, id: 'b', function: { name: 'two', arguments: '{}' } }),
  ],
  'with id and name every time': [
    call({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } }),
    call({ index: 0, id: 'a', function: { name: 'one', arguments: ':1}' } }),
    call({ index: 1, id: 'b', function: { name: 'two', arguments: '{}' } }),
  ],
  'with a name in pieces and empty names after it': [
    call({ index: 0, id: 'a', function: { name: 'on', arguments: '' } }),
    call({ index: 0, function: { name: 'e' } }),
    call({ index: 0, function: { name: '', arguments: '{"x":1}' } }),
    call({ index: 1, id: 'b', function: { name: 'two', arguments: null } }),
  ],
  'with arguments as objects and both in one chunk': [
    chunk({
      tool_calls: [
        { index: 0, id: 'a', function: { name: 'one', arguments: { x: 1 } } },
        { index: 1, id: 'b', function: { name: 'two', arguments: {} } },
      ],
    }),
  ],
  'without any id': [
    call({ index: 0, function: { name: 'one', arguments: '{"x":1}' } }),
    call({ index: 1, function: { name: 'two', arguments: '' } }),
  ],
};

for (const [how, deltas] of Object.entries(VARIANTS)) {
  test(`calls sent ${how} come to the same`, async () => {
    server.answers({ pieces: [events(...deltas), END, 'data: [DONE]\n\n'] });
    const found = await all(generate(server.url, request(server.url, 'gpt-test', 'x', { tools: [TOOL] })));
    assert.equal(callsOf(found), [
      ['one', { x: 1 }],
      ['two', {}],
    ]);
    const ids = found.flatMap(event => (event.type === 'call' ? [event.call.id] : []));
    assert.is(new Set(ids).size, 2);
    assert.ok(ids.every(Boolean));
  });
}

test('arguments that are no JSON are never taken for what they might have become: they stand beside the call', async () => {
  server.answers({
    pieces: [
      events(call({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x": "y", "z": [1, 2' } })),
      END,
    ],
  });
  const found = await all(generate(server.url, request(server.url, 'gpt-test', 'x')));
  const made = found.find(event => event.type === 'call')!.call;
  assert.equal(made.arguments, {});
  assert.is(made.extra?.invalid_arguments, '{"x": "y", "z": [1, 2');
});

test('an ugly stream is read: every byte alone, CR LF, comments, thoughts, usage behind the end, no [DONE]', async () => {
  const text = [
    ': keep-alive\r\n\r\n',
    events(chunk({ reasoning_content: 'hm ' }), chunk({ reasoning: 'so' }), chunk({ content: 'Grüezi 👋' })),
    ':\n\n',
    events(chunk({}, 'stop')),
    events({
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    }),
  ]
    .join('')
    .replaceAll('\n', '\r\n')
    .replaceAll('\r\r', '\r');
  server.answers({ pieces: [...Buffer.from(text)].map(byte => Buffer.from([byte])) });
  const found = await all(generate(server.url, request(server.url, 'gpt-test', 'x')));
  assert.is(textOf(found), 'Grüezi 👋');
  assert.is(found.map(event => (event.type === 'thought' ? event.text : '')).join(''), 'hm so');
  const { usage } = found.find(event => event.type === 'usage')!;
  assert.equal([usage.input, usage.cacheRead, usage.output, usage.outputReasoning], [6, 4, 5, 2]);
  assert.is(stopOf(found), 'end_turn');
});

const json = { 'content-type': 'application/json' };
const error = (message: string, more: object = {}): string => JSON.stringify({ error: { message, ...more } });

/** Answers, and what they are to a person. */
const BAD: readonly [string, BadAnswer, FailureKind][] = [
  ['a key that is refused', { status: 401, headers: json, pieces: [error(`bad key ${KEY}`)] }, 'key_refused'],
  [
    'no money',
    {
      status: 429,
      headers: json,
      pieces: [error('You exceeded your current quota', { code: 'insufficient_quota' })],
    },
    'quota',
  ],
  [
    'a context that is too long',
    { status: 400, headers: json, pieces: [error("This model's maximum context length is 10 tokens")] },
    'context_too_long',
  ],
  [
    'a model that is not there',
    { status: 404, headers: json, pieces: [error('The model `x` does not exist')] },
    'model_unknown',
  ],
  [
    'a web page',
    { headers: { 'content-type': 'text/html' }, pieces: ['<html>Sign in</html>'] },
    'not_an_answer',
  ],
  [
    'an error in the middle of a 200',
    { pieces: [events(chunk({ content: 'ha' })), `data: ${error('The server is overloaded')}\n\n`] },
    'overloaded',
  ],
  ['a connection that is cut', { pieces: [events(chunk({ content: 'ha' }))], ending: 'cut' }, 'cut_off'],
];

for (const [what, answer, kind] of BAD) {
  test(`${what} is told as such, in a line without the key`, async () => {
    server.answers(answer);
    const failed = await failure(generate(server.url, request(server.url, 'gpt-test', 'x')));
    assert.is(failed.kind, kind, failed.message);
    assert.not.match(`${failed.message} ${failed.hint}`, /aVerySecretKey|\n/);
  });
}

test('a provider that is busy is asked again, after the time it named, and not once it has begun to answer', async () => {
  const ok = { pieces: [events(chunk({ content: 'yes' }), chunk({}, 'stop'))] };
  server.answers(
    { status: 503 },
    { status: 429, headers: { ...json, 'retry-after': '0' }, pieces: [error('slow down')] },
    ok,
  );
  assert.is(textOf(await all(generate(server.url, request(server.url, 'gpt-test', 'x')))), 'yes');
  assert.is(server.requests.length, 3);
  server.answers({ pieces: [events(chunk({ content: 'ha' })), `data: ${error('overloaded')}\n\n`] });
  await failure(generate(server.url, request(server.url, 'gpt-test', 'x')));
  assert.is(server.requests.length, 4);
});

test('nobody who listens is a failure that says where', async () => {
  const gone = await new ModelServer().start();
  const { url } = gone;
  await gone.end();
  const failed = await failure(generate(url, request(url, 'gpt-test', 'x')));
  assert.is(failed.kind, 'unreachable');
  assert.match(failed.message, /^openai: .*ECONNREFUSED/);
});

test('a key that is missing names its variable and asks nobody', async () => {
  const failed = await failure(generate(server.url, request(server.url, 'haiku', 'x'), { env: {} }));
  assert.is(failed.kind, 'key_missing');
  assert.is(failed.hint, 'set ANTHROPIC_API_KEY');
  assert.is(server.requests.length, 0);
});

for (const model of ['haiku', 'gpt-test', 'llama3']) {
  test(`${model}: cancelling closes the connection`, async () => {
    server.answers({ ending: 'silence' });
    const stop = new AbortController();
    const failed = failure(generate(server.url, request(server.url, model, 'x'), { signal: stop.signal }));
    await until('the request is there', () => server.requests.length === 1);
    stop.abort();
    assert.is((await failed).kind, 'cancelled');
    await until('the server sees that its client is gone', () => server.closed === 1);
  });
}

const sse = (...objects: readonly { type: string }[]): string =>
  objects.map(one => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');

test('Anthropic: thoughts keep their proofs, also those that are hidden, and go back with them', async () => {
  const start = {
    type: 'message_start',
    message: { usage: { input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 1 } },
  };
  server.answers({
    pieces: [
      sse(
        start,
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } } as never,
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } } as never,
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'signature_delta', signature: 'proof' },
        } as never,
        { type: 'content_block_stop', index: 0 } as never,
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'redacted_thinking', data: 'dark' },
        } as never,
        { type: 'content_block_stop', index: 1 } as never,
        {
          type: 'content_block_start',
          index: 2,
          content_block: { type: 'tool_use', id: 't', name: 'weather', input: {} },
        } as never,
        {
          type: 'content_block_delta',
          index: 2,
          delta: { type: 'input_json_delta', partial_json: '{"city":"Bern"}' },
        } as never,
        { type: 'content_block_stop', index: 2 } as never,
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } } as never,
        { type: 'message_stop' },
      ),
    ],
  });
  const asked = request(server.url, 'haiku', 'x', {
    system: 'be brief',
    tools: [TOOL],
    effort: 'high',
    temperature: 1,
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'x' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'thought', text: 'a', signature: 's' },
          { type: 'thought', text: '', extra: { redacted_thinking: 'd' } },
          { type: 'thought', text: 'of another model' },
          { type: 'tool_call', id: 'i', name: 'weather', arguments: {} },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool_result', callId: 'i', toolName: 'weather', content: 'rain', failed: false }],
      },
    ],
  });
  const found = await all(generate(server.url, asked));
  assert.equal(
    found.filter(({ type }) => !['usage', 'partial_call', 'stop'].includes(type)).map(({ type }) => type),
    ['thought', 'thought', 'signature', 'thought', 'extra', 'call'],
  );
  const { usage } = found.findLast(event => event.type === 'usage')!;
  assert.equal([usage.input, usage.cacheRead, usage.output], [5, 3, 9]);
  // oxlint-disable-next-line typescript/no-explicit-any -- a request's JSON
  const body = server.requests[0]!.body as any;
  assert.equal(body.system[0].cache_control, { type: 'ephemeral' });
  assert.equal(body.tools[0].cache_control, { type: 'ephemeral' });
  assert.equal(body.thinking, { type: 'enabled', budget_tokens: 2000 });
  assert.is(body.temperature, undefined);
  assert.equal(
    body.messages[1].content.map((block: { type: string }) => block.type),
    ['thinking', 'redacted_thinking', 'tool_use'],
  );
  assert.equal(body.messages[2].content[0].cache_control, { type: 'ephemeral' });
  assert.is(server.requests[0]!.headers.authorization, `Bearer ${KEY}`);
});

test('names find models: aliases, ids, routes, whole names, and models of a server that was named', () => {
  const ai = settings('http://127.0.0.1:1');
  const find = (name: string, more: object = {}, ready = ['anthropic', 'openai']): string =>
    modelRegistry({ ai: { ...ai, ...more }, isReady: ({ name: own }) => ready.includes(own) }).find(name)
      .name;
  assert.is(find('opus'), 'providers/anthropic/models/claude-opus-4-8');
  assert.is(find('claude-haiku-4-5'), find('fast'));
  assert.is(find('fast', {}, ['openai']), 'providers/openai/models/gpt-5-mini');
  assert.is(find('fast', { prefer_local: true }), 'providers/ollama/models/llama3');
  assert.is(find('local'), 'providers/ollama/models/llama3');
  assert.is(find('ollama/qwen3:8b'), 'providers/ollama/models/qwen3:8b');
  const models = [{ name: 'providers/openai/models/own', alias: 'mine', context_token_limit: 7 }];
  assert.is(find('mine', { models }), 'providers/openai/models/own');
  assert.throws(
    () => find('opsu'),
    (thrown: { hint?: string }) => thrown.hint === 'did you mean opus?',
  );
});

test.run();
