/** What vendors are sent. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProviderMessage, ProviderRequest } from '../../../lib/ai/provider.ts';
import { Keys } from '../../../lib/ai/providers/keys.ts';
import { ModelServer } from '../../support/ai/model-server.ts';
import { errorOf, SECRET, stream } from '../../support/ai/raw-provider.ts';

const test = suite('requests');
let server: ModelServer;
test.before.each(async () => void (server = await new ModelServer().start()));
test.after.each(() => server.end());

// oxlint-disable-next-line typescript/no-explicit-any -- a request's JSON
async function sent(model: string, more: Partial<ProviderRequest>): Promise<any> {
  server.answers({ pieces: [] });
  await errorOf(stream(server.url, model, more));
  return server.requests.at(-1)!.body;
}

const TOOL = { name: 'one', description: 'd', schema: { type: 'object' } } as const;

test('Anthropic: new models think as they like, old ones within a budget, and who must call a tool not at all', async () => {
  const adaptive = await sent('opus', { effort: 'xhigh', temperature: 1 });
  assert.equal(adaptive.thinking, { type: 'adaptive', display: 'summarized' });
  assert.equal(adaptive.output_config, { effort: 'xhigh' });
  assert.is(adaptive.temperature, undefined);
  assert.equal((await sent('sonnet', { effort: 'xhigh' })).output_config, { effort: 'high' });
  assert.equal((await sent('haiku', { effort: 'max' })).thinking, { type: 'enabled', budget_tokens: 2000 });
  assert.is((await sent('haiku', { effort: 'low', maxTokens: 2000 })).thinking, undefined);
  for (const toolChoice of ['required', { tool: 'one' }] as const)
    assert.is((await sent('haiku', { effort: 'low', tools: [TOOL], toolChoice })).thinking, undefined);
});

test('Anthropic: calls of other models go with ids that are allowed, and their turn goes on without thoughts', async () => {
  const result = {
    type: 'tool_result',
    callId: 'functions.one:0',
    toolName: 'one',
    content: 'ok',
    failed: false,
  } as const;
  const messages: readonly ProviderMessage[] = [
    { role: 'user', parts: [{ type: 'text', text: 'x' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'functions.one:0', name: 'one', arguments: {} }] },
    { role: 'tool', parts: [result] },
  ];
  const body = await sent('haiku', { messages, effort: 'high' });
  assert.is(body.thinking, undefined);
  assert.is(body.messages[1].content[0].id, 'functions_one_0');
  assert.is(body.messages[2].content[0].tool_use_id, 'functions_one_0');
});

test('pictures go to each in its own form', async () => {
  const picture = { type: 'image', source: { data: Buffer.from('png') }, mediaType: 'image/png' } as const;
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'x' }, picture] }] as const;
  const data = Buffer.from('png').toString('base64');
  const anthropic = await sent('haiku', { messages });
  assert.equal(anthropic.messages[0].content[1].source, { type: 'base64', data, media_type: 'image/png' });
  const openai = await sent('gpt-test', { messages });
  assert.equal(openai.messages[0].content[1].image_url, { url: `data:image/png;base64,${data}` });
  assert.equal((await sent('llama3', { messages })).messages[0].images, [data]);
});

test('thoughts go back beside calls to the servers that think in that field, and to no other', async () => {
  const call = { type: 'tool_call', id: 'a', name: 'one', arguments: {} } as const;
  const thought = { type: 'thought', text: 'hm' } as const;
  for (const [extra, expected] of [
    [{ extra: { reasoning_content: true } }, 'hm'],
    [{}, undefined],
  ] as const) {
    const parts = [{ ...thought, ...extra }, call];
    const body = await sent('gpt-test', { messages: [{ role: 'assistant', parts }] });
    assert.is(body.messages[0].reasoning_content, expected);
  }
});

test('Ollama is told how much fits in, or it forgets the beginning', async () => {
  const { options } = await sent('llama3', { temperature: 0.5, maxTokens: 77 });
  assert.equal(options, { num_ctx: 32_768, num_predict: 77, temperature: 0.5 });
});

const ENTRY = {
  name: 'p',
  kind: 'openai',
  keyVariable: 'P_KEY',
  keyCommand: '',
  baseUrl: '',
  isOfficial: true,
  models: [],
} as const;

async function refusal(keys: Keys, more: object): Promise<string> {
  const error = await keys.get({ ...ENTRY, ...more }).then(
    key => new Error(`got ${key}`),
    (thrown: Error & { hint?: string }) => thrown,
  );
  const text = `${error.message} (${(error as { hint?: string }).hint})`;
  assert.not.match(`${text} ${error.stack}`, SECRET);
  return text;
}

test('keys come from a variable or a command; what is no key is told without a sign of it', async () => {
  const keys = new Keys({ P_KEY: ` ${SECRET}\n`, BAD: `${SECRET}\u0007 x` });
  assert.is(await keys.get(ENTRY), SECRET);
  const command = { keyVariable: '', keyCommand: `printf '%s\\n' ${SECRET}` };
  assert.is(await keys.get({ ...ENTRY, name: 'q', ...command }), SECRET);
  assert.match(await refusal(keys, { keyVariable: 'NONE' }), /^p: its key is missing \(set NONE\)$/);
  assert.match(await refusal(keys, { keyVariable: 'BAD' }), /^p: what stands in BAD is no key/);
  for (const keyCommand of [
    `echo ${SECRET}; exit 3`,
    `echo ${SECRET} >&2; exit 1`,
    `echo ${SECRET} and more`,
    'cat',
  ])
    assert.match(await refusal(keys, { keyVariable: '', keyCommand }), /the command for its key/);
});

test.run();
