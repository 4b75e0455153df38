/** What providers, and what stands between, answer instead of an answer. */
import { LLMock } from '@copilotkit/aimock';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProviderFailure, type FailureKind } from '../../../lib/ai/failure.ts';
import { events, ModelServer, type BadAnswer } from '../../support/ai/model-server.ts';
import { collect, errorOf, SECRET, stream } from '../../support/ai/raw-provider.ts';

const MODELS = ['haiku', 'gpt-test', 'llama3'] as const;
type Name = (typeof MODELS)[number];

const test = suite('bad answers');
let server: ModelServer;
let printed: unknown[][] = [];
const own = { log: console.log, warn: console.warn, error: console.error };
test.before.each(async () => {
  server = await new ModelServer().start();
  printed = [];
  const keep = (...words: unknown[]): void => void printed.push(words);
  Object.assign(console, { log: keep, warn: keep, error: keep });
});
test.after.each(async () => {
  Object.assign(console, own);
  await server.end();
  assert.equal(printed, [], 'nothing is written to the terminal');
});

async function fails(
  model: Name,
  kind: FailureKind,
  ...answers: readonly BadAnswer[]
): Promise<ProviderFailure> {
  server.answers(...answers);
  const failed = await errorOf(stream(server.url, model));
  assert.is(failed.kind, kind, `${model}: ${failed.kind}: ${failed.message}`);
  assert.not.match(`${failed.message} ${failed.hint} ${failed.stack}`, SECRET);
  assert.not.match(failed.message, /\n|<|undefined|object Object/);
  return failed;
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json' };
const PAGE = '<!doctype html><html><title>Sign in</title></html>';
const again = (answer: BadAnswer): BadAnswer[] => [answer, answer, answer, answer];

for (const model of MODELS) {
  test(`${model}: a page is told as such, whatever it says that it is`, async () => {
    for (const headers of [
      html,
      { 'content-type': 'text/event-stream' },
      json,
      { 'content-type': 'text/plain' },
    ])
      await fails(model, 'not_an_answer', { headers, pieces: ['\n ', PAGE] });
    const gone = await fails(model, 'overloaded', ...again({ status: 502, headers: html, pieces: [PAGE] }));
    assert.match(gone.message, '502');
    await fails(model, 'forbidden', { status: 403, headers: html, pieces: [PAGE] });
  });

  test(`${model}: nothing, nothing but comments, and what is of no kind are no answers`, async () => {
    for (const pieces of [
      [],
      ['\n'],
      [': hello\n\n\n\n'],
      ['data: [DONE]\n\n'],
      ['hello\n'],
      ['event: x\ndata: {\n\n'],
    ])
      await fails(model, 'not_an_answer', { pieces });
    await fails(model, 'not_an_answer', { headers: json, pieces: ['{"hello":'] });
  });

  test(`${model}: an error in a good answer is told in its own words`, async () => {
    const body = JSON.stringify({
      type: 'error',
      error: { type: 'api_error', message: 'the graphics card is warm' },
    });
    for (const pieces of [[body], [`${body}\n`]]) {
      const failed = await fails(model, 'overloaded', ...again({ headers: json, pieces }));
      assert.match(failed.message, 'the graphics card is warm');
    }
  });

  test(`${model}: an answer that does not end is given up`, async () => {
    const big = Buffer.alloc(1024 * 1024, 'x');
    const failed = await fails(model, 'not_an_answer', { pieces: Array.from({ length: 20 }, () => big) });
    assert.match(failed.message, 'does not end');
  });

  test(`${model}: whatever JSON comes, it fails as a provider fails`, async () => {
    const type = fc.constantFrom(
      'message_start',
      'content_block_start',
      'content_block_delta',
      'message_delta',
    );
    const key = fc.constantFrom(
      'type',
      'index',
      'delta',
      'choices',
      'message',
      'content_block',
      'usage',
      'tool_calls',
    );
    const { any } = fc.letrec<{ any: unknown }>(tie => ({
      any: fc.oneof(
        { maxDepth: 4 },
        type,
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(key, tie('any')),
        fc.array(tie('any')),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(type, any), { maxLength: 6 }), async rows => {
        const text = rows.map(([name, one]) =>
          model === 'llama3'
            ? `${JSON.stringify(one)}\n`
            : `event: ${name}\ndata: ${JSON.stringify(typeof one === 'object' ? { ...one, type: name } : one)}\n\n`,
        );
        const answer = { pieces: [text.join('')] };
        server.answers(...again(answer));
        const error = await collect(stream(server.url, model)).catch((thrown: unknown) => thrown);
        if (!Array.isArray(error)) assert.instance(error, ProviderFailure);
      }),
      { numRuns: 60 },
    );
  });
}

/** Refusals as their vendors word them. */
const REFUSALS: readonly [Name, number, object | string, FailureKind][] = [
  [
    'haiku',
    401,
    { error: { type: 'authentication_error', message: `invalid x-api-key ${SECRET}` } },
    'key_refused',
  ],
  [
    'haiku',
    400,
    {
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    'context_too_long',
  ],
  [
    'haiku',
    400,
    { error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API' } },
    'quota',
  ],
  ['haiku', 404, { error: { type: 'not_found_error', message: 'model: claude-x' } }, 'model_unknown'],
  ['haiku', 403, { error: { type: 'permission_error', message: 'no' } }, 'forbidden'],
  [
    'haiku',
    413,
    { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    'context_too_long',
  ],
  ['gpt-test', 400, { error: { message: 'Zu lang', code: 'context_length_exceeded' } }, 'context_too_long'],
  [
    'gpt-test',
    429,
    { error: { message: 'Nein', type: 'insufficient_quota', code: 'insufficient_quota' } },
    'quota',
  ],
  [
    'gpt-test',
    404,
    {
      error: {
        message: 'The model `x` does not exist or you do not have access to it.',
        code: 'model_not_found',
      },
    },
    'model_unknown',
  ],
  [
    'gpt-test',
    400,
    { error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } },
    'key_refused',
  ],
  ['gpt-test', 400, { error: { message: "Invalid 'messages[0].role'" } }, 'bad_request'],
  ['gpt-test', 422, { detail: [{ msg: 'field required' }] }, 'bad_request'],
  ['llama3', 404, { error: "model 'llama3' not found" }, 'model_unknown'],
  ['llama3', 400, { error: '"llama3" does not support tools' }, 'bad_request'],
  ['llama3', 401, 'unauthorized', 'key_refused'],
];

for (const [model, status, body, kind] of REFUSALS)
  test(`${model}: ${status} ${JSON.stringify(body).slice(0, 60).replace(SECRET, 'KEY')} is ${kind}`, async () => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    await fails(model, kind, { status, headers: json, pieces: [text] });
    assert.is(server.requests.length, 1, 'nobody asks twice for what is refused');
  });

/** Errors in the middle of answers that have begun. */
const MIDDLES: readonly [Name, string, FailureKind][] = [
  ['gpt-test', 'data: {"object":"error","message":"KV cache is full","code":500}\n\n', 'overloaded'],
  [
    'gpt-test',
    'data: {"error":{"code":429,"message":"slow"},"choices":[{"delta":{},"finish_reason":"error"}]}\n\n',
    'rate_limit',
  ],
  ['gpt-test', 'data: {"error":"boom"}\n\n', 'not_an_answer'],
  ['gpt-test', 'data: {"choices":[{"delta":{},"finish_reason":"error"}]}\n\n', 'not_an_answer'],
  ['gpt-test', 'data: {"choices":[{"delta":{"content":"hal\n\n', 'not_an_answer'],
  [
    'haiku',
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    'overloaded',
  ],
  ['llama3', '{"error":"model runner has unexpectedly stopped"}\n', 'not_an_answer'],
];
const BEGINNINGS: Readonly<Record<Name, string>> = {
  haiku:
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ha"}}\n\n',
  'gpt-test': events({ choices: [{ delta: { content: 'ha' } }] }),
  llama3: '{"message":{"content":"ha"},"done":false}\n',
};

for (const [model, middle, kind] of MIDDLES)
  test(`${model}: ${middle.slice(0, 50).trim()} in the middle is ${kind}, and is not asked again`, async () => {
    await fails(model, kind, { pieces: [BEGINNINGS[model], middle] });
    assert.is(server.requests.length, 1);
  });

test('a server that does not stream is understood', async () => {
  const message = {
    role: 'assistant',
    content: 'hello',
    tool_calls: [{ id: 'a', function: { name: 'one', arguments: '{}' } }],
  };
  const whole = {
    choices: [{ message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  };
  server.answers({ headers: json, pieces: [JSON.stringify(whole, null, 2)] });
  const found = await collect(stream(server.url, 'gpt-test'));
  assert.equal(
    found.map(({ type }) => type),
    ['text', 'partial_call', 'usage', 'call', 'stop'],
  );
  const content = [{ type: 'text', text: 'hello' }];
  const usage = { input_tokens: 3, output_tokens: 2 };
  server.answers({
    headers: json,
    pieces: [JSON.stringify({ type: 'message', content, usage, stop_reason: 'end_turn' })],
  });
  const other = await collect(stream(server.url, 'haiku'));
  assert.ok(other.some(event => event.type === 'text' && event.text === 'hello'));
});

test('a server that does not know a field is asked without it, from then on', async () => {
  const refusal = (message: string): BadAnswer => ({
    status: 400,
    headers: json,
    pieces: [JSON.stringify({ error: { message } })],
  });
  const ok = { pieces: [events({ choices: [{ delta: { content: 'yes' }, finish_reason: 'stop' }] })] };
  server.answers(
    refusal('stream_options: Extra inputs are not permitted'),
    refusal(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    ok,
  );
  await collect(stream(server.url, 'gpt-test'));
  const bodies = server.requests.map(({ body }) => body as Record<string, unknown>);
  assert.equal(
    bodies.map(body => ['stream_options' in body, 'max_tokens' in body, 'max_completion_tokens' in body]),
    [
      [true, true, false],
      [false, true, false],
      [false, false, true],
    ],
  );
});

test('a server made to be bad by others never brings anything but an answer or a failure', async () => {
  for (const chaos of [{ dropRate: 1 }, { malformedRate: 1 }, { disconnectRate: 1 }]) {
    const mock = new LLMock({ port: 0, chunkSize: 3, logLevel: 'silent', chaos });
    mock.onMessage('x', { content: 'hello' });
    await mock.start();
    for (const model of MODELS) {
      const failed = await errorOf(stream(mock.url, model));
      assert.not.match(failed.message, SECRET);
    }
    await mock.stop();
  }
});

test.run();
