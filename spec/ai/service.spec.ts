/**
 * AiService over real gRPC, held to what its clients depend on; the same over a Unix socket and over TCP with a token.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { status } from '@grpc/grpc-js';
import { ProviderFailure } from '../../lib/ai/failure.ts';
import type { Anything } from '../support/ai/foreign-client.ts';
import { ServiceHome } from '../support/ai/service.ts';
import { until } from '../support/until.ts';
import { ABLE, OLD, PLAIN, TITLER, usage } from '../support/ai/scripted.ts';

const USER = 'organizations/o/users/u';
const CHAT = `${USER}/chats/c`;
const KINDS = {
  'a Unix socket': {},
  'TCP with a token': { address: '127.0.0.1:0', token: 'secret' },
} as const;

const user = (text: string): Anything => ({ role: 'ROLE_USER', blocks: [{ text }] });
const texts = (message: Anything): string =>
  message.blocks.map((block: Anything) => block.text ?? '').join('');
const ask = (text: string, more: object = {}): object => ({
  parent: CHAT,
  model: PLAIN.name,
  messages: [user(text)],
  ...more,
});

for (const [kind, options] of Object.entries(KINDS)) {
  const test = suite(`AiService over ${kind}`);
  let home: ServiceHome;
  test.before.each(async () => void (home = await new ServiceHome().start(options)));
  test.after.each(() => home.end());

  test('a chat is made, got, changed by mask, deleted and brought back', async () => {
    const made = await home.call('CreateChat', {
      parent: USER,
      chat_id: 'c',
      chat: { title: 'one', labels: { a: 'b' } },
    });
    assert.is(made.name, CHAT);
    assert.ok(made.create_time && made.etag);
    assert.is((await home.fails('CreateChat', { parent: USER, chat_id: 'c' })).code, status.ALREADY_EXISTS);
    const update = {
      chat: { name: CHAT, title: 'two', labels: { x: 'y' } },
      update_mask: { paths: ['title'] },
    };
    const changed = await home.call('UpdateChat', update);
    assert.equal({ title: changed.title, labels: changed.labels }, { title: 'two', labels: { a: 'b' } });
    assert.is.not(changed.etag, made.etag);
    const stale = { chat: { ...update.chat, etag: made.etag }, update_mask: { paths: ['title'] } };
    assert.is((await home.fails('UpdateChat', stale)).code, status.ABORTED);
    const wrong = { chat: { name: CHAT }, update_mask: { paths: ['create_time'] } };
    assert.is(home.violations(await home.fails('UpdateChat', wrong))[0]!.field, 'update_mask');
    assert.ok((await home.call('DeleteChat', { name: CHAT })).delete_time);
    assert.is((await home.fails('DeleteChat', { name: CHAT })).code, status.NOT_FOUND);
    await home.call('DeleteChat', { name: CHAT, allow_missing: true });
    assert.equal((await home.call('ListChats', { parent: USER })).chats, []);
    assert.is((await home.call('ListChats', { parent: USER, show_deleted: true })).chats.length, 1);
    assert.not((await home.call('UndeleteChat', { name: CHAT })).delete_time);
    assert.is((await home.call('GetChat', { name: CHAT })).title, 'two');
    assert.is((await home.fails('GetChat', { name: `${USER}/chats/none` })).code, status.NOT_FOUND);
  });

  test('every field that is wrong is named', async () => {
    const request = {
      parent: 'nobody',
      chat_id: 'Not An Id',
      chat: { title: 'x'.repeat(513), labels: { 'ok/k': 'Upper' } },
      request_id: 'no uuid',
    };
    const error = await home.fails('CreateChat', request);
    assert.is(error.code, status.INVALID_ARGUMENT);
    assert.equal(
      home.violations(error).map(({ field }) => field),
      ['parent', 'chat_id', 'chat.title', 'chat.labels.ok/k', 'request_id'],
    );
  });

  test('chats are listed in pages, by filters and in orders, and a token holds for its list alone', async () => {
    for (let i = 0; i < 7; i++) {
      const labels = i % 2 === 0 ? { 'sgpt.com/favorite': 'true' } : {};
      await home.call('CreateChat', { parent: USER, chat_id: `c${i}`, chat: { title: `t${6 - i}`, labels } });
    }
    await home.call('CreateChat', { parent: 'organizations/o/users/other', chat_id: 'x' });
    const titles = async (more: object): Promise<string[]> => {
      const found: string[] = [];
      for (let page_token = ''; ;) {
        const page = await home.call('ListChats', { parent: USER, page_size: 2, page_token, ...more });
        found.push(...page.chats.map((chat: Anything) => chat.title));
        page_token = page.next_page_token;
        if (!page_token) return found;
      }
    };
    assert.equal(await titles({ order_by: 'title' }), ['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
    assert.equal(await titles({ order_by: 'title desc', filter: 'labels."sgpt.com/favorite" = "true"' }), [
      't6',
      't4',
      't2',
      't0',
    ]);
    assert.equal(await titles({ filter: 'title = "t1" OR title = "t5"', order_by: 'title' }), ['t1', 't5']);
    assert.equal(
      await titles({ filter: 'NOT labels:sgpt.com/favorite AND title != "t1"', order_by: 'title' }),
      ['t3', 't5'],
    );
    const first = await home.call('ListChats', { parent: USER, page_size: 2 });
    const other = { parent: USER, page_size: 2, filter: 'title:t', page_token: first.next_page_token };
    assert.is((await home.fails('ListChats', other)).code, status.INVALID_ARGUMENT);
    for (const filter of ['title =', '(title:a', 'nothing = 1', 'price > x'])
      assert.is(home.violations(await home.fails('ListChats', { parent: USER, filter }))[0]!.field, 'filter');
  });

  test('a message comes back as it was given, field by field', async () => {
    const given = {
      role: 'ROLE_ASSISTANT',
      labels: { k: 'v' },
      annotations: { 'x.com/y': 'any Text' },
      model: PLAIN.name,
      blocks: [
        {
          index: 0,
          thought: 'hm',
          signature: 'sig',
          extra_fields: { fields: { a: { listValue: { values: [{ numberValue: 1.5 }] } } } },
        },
        {
          index: 1,
          tool_call: {
            id: 'i',
            name: 'n',
            arguments: { fields: { p: { stringValue: 'q' } } },
            annotations: { h: 'shell' },
          },
        },
        {
          index: 2,
          image: { data: Buffer.from([1, 2, 3]), media_type: 'image/png', quality: 'IMAGE_QUALITY_HIGH' },
        },
      ],
    };
    const made = await home.call('CreateMessage', { parent: CHAT, message: given, message_id: 'm' });
    const got = await home.call('GetMessage', { name: `${CHAT}/messages/m` });
    assert.equal(got, made);
    assert.is(got.blocks[0].extra_fields.fields.a.listValue.values[0].numberValue, 1.5);
    assert.is(got.blocks[0].signature, 'sig');
    assert.equal(got.blocks[1].tool_call.annotations, { h: 'shell' });
    assert.equal([...got.blocks[2].image.data], [1, 2, 3]);
    assert.equal(got.annotations, given.annotations);
    const partial = { role: 'ROLE_ASSISTANT', blocks: [{ partial_tool_call: { id: 'x' } }] };
    const error = await home.fails('CreateMessage', { parent: CHAT, message: partial });
    assert.is(home.violations(error)[0]!.field, 'message.blocks[0].partial_tool_call');
  });

  test('an answer streams as deltas, with usage and times, and ends with the message that is kept', async () => {
    home.provider.script(
      { type: 'thought', index: 0, text: 'let ' },
      { type: 'thought', index: 0, text: 'me' },
      { type: 'signature', index: 0, signature: 's1' },
      { type: 'usage', usage: usage(1_000_000, 0) },
      { type: 'text', index: 1, text: 'he' },
      { type: 'text', index: 1, text: 'llo' },
      { type: 'usage', usage: usage(1_000_000, 500_000) },
      { type: 'stop', reason: 'end_turn' },
    );
    const events = await home.stream(ask('hi', { model: ABLE.name, labels: { by: 'me' } }));
    assert.equal(
      events.map(event => event.content),
      [
        'generation_metrics',
        'block',
        'block',
        'block',
        'model_usage',
        'block',
        'block',
        'model_usage',
        'stop_reason',
        'generation_metrics',
        'generated_message',
      ],
    );
    const { generated_message: message } = events.at(-1);
    assert.is(message.blocks[0].thought, 'let me');
    assert.is(message.blocks[0].signature, 's1');
    assert.is(message.blocks[1].text, 'hello');
    assert.equal(message.labels, { by: 'me' });
    assert.is(message.model_usage.input_token.quantity, 1_000_000);
    assert.is(message.price, 2);
    assert.is((await home.call('GetChat', { name: CHAT })).price, 2);
    assert.is(events[8].stop_reason, 'STOP_REASON_END_TURN');
    assert.equal(await home.call('GetMessage', { name: message.name }), message);
  });

  test('the history is the service: a missing chat is made, prompts and earlier turns are told', async () => {
    const system = { role: 'ROLE_SYSTEM', blocks: [{ text: 'be brief' }] };
    home.provider.says('one').says('two');
    await home.stream({ ...ask('a'), messages: [system, user('a')] });
    const answer = await home.call('GenerateMessage', ask('b'));
    assert.is(texts(answer.generated_message), 'two');
    const [, second] = home.provider.requests;
    assert.is(second!.system, 'be brief');
    assert.equal(
      second!.messages.map(({ role, parts }) => [role, (parts[0] as Anything).text]),
      [
        ['user', 'a'],
        ['assistant', 'one'],
        ['user', 'b'],
      ],
    );
    const { messages } = await home.call('ListMessages', { parent: CHAT });
    assert.equal(messages.map(texts), ['be brief', 'a', 'one', 'b', 'two']);
  });

  test('what failed is kept with a status and told to no model', async () => {
    home.provider.script(
      { type: 'text', index: 0, text: 'half' },
      new ProviderFailure('quota', 'scripted: no money'),
    );
    const error = await home.stream(ask('lost')).catch((thrown: unknown) => thrown as Anything);
    assert.is(error.code, status.RESOURCE_EXHAUSTED);
    assert.match(error.details, /no money/);
    const { messages } = await home.call('ListMessages', { parent: CHAT });
    assert.equal(
      messages.map((message: Anything) => [texts(message), message.status?.code]),
      [
        ['lost', status.RESOURCE_EXHAUSTED],
        ['half', status.RESOURCE_EXHAUSTED],
      ],
    );
    home.provider.says('ok');
    await home.stream(ask('again'));
    assert.is(home.provider.requests[1]!.messages.length, 1);
  });

  test('a fork leaves behind what came after the answer it starts from', async () => {
    home.provider.says('one').says('two').says('three');
    const [first] = (await home.stream(ask('a'))).slice(-1);
    await home.stream(ask('b'));
    const previous_message = first.generated_message.name;
    await home.stream(ask('c', { previous_message }));
    assert.equal(
      home.provider.requests[2]!.messages.map(({ parts }) => (parts[0] as Anything).text),
      ['a', 'one', 'c'],
    );
    const { messages } = await home.call('ListMessages', { parent: CHAT });
    const left = messages.filter((message: Anything) => message.labels?.['ai.malonaz.com/superseded']);
    assert.equal(left.map(texts), ['b', 'two']);
    const error = await home.fails('GenerateMessage', ask('d', { previous_message: left[1].name }));
    assert.is(home.violations(error)[0]!.field, 'previous_message');
  });

  test("a tool's annotations are on its calls, and a tool that was not offered ends the stream with a result to send", async () => {
    const tool = { name: 'shell', description: 'runs', annotations: { 'sgpt.com/tool-handler-id': 'shell' } };
    const call = { type: 'tool_call', id: 'c1', name: 'shell', arguments: { cmd: 'ls' } } as const;
    home.provider.script(
      { type: 'partial_call', index: 0, id: 'c1', name: 'shell', argumentsText: '{"cmd":"l' },
      { type: 'call', index: 0, call },
      { type: 'stop', reason: 'tool_call' },
    );
    const configuration = { stream_partial_tool_calls: true };
    const events = await home.stream(ask('run', { model: ABLE.name, tools: [tool], configuration }));
    const [partial, whole] = events.filter(event => event.block).map(event => event.block);
    assert.is(partial.partial_tool_call.partial, true);
    assert.is(partial.partial_tool_call.arguments.fields.cmd.stringValue, 'l');
    assert.equal(whole.tool_call.annotations, tool.annotations);
    home.provider.script({ type: 'call', index: 0, call: { ...call, id: 'c2', name: 'other' } });
    const result = {
      role: 'ROLE_TOOL',
      blocks: [{ tool_result: { tool_name: 'shell', tool_call_id: 'c1', content: 'x' } }],
    };
    const next = { ...ask('', { model: ABLE.name, tools: [tool] }), messages: [result] };
    const error = await home.stream(next).catch((thrown: unknown) => thrown as Anything);
    assert.is(error.code, status.INTERNAL);
    const { tool_call_block, tool_result_block } = home.detail(error, 'recoverable');
    assert.is(tool_call_block.tool_call.name, 'other');
    assert.is(tool_result_block.tool_result.tool_call_id, 'c2');
    assert.match(tool_result_block.tool_result.error.message, /no such tool/);
  });

  test('tools of a set are found in the stream, stay found, and their set must go on being sent', async () => {
    const prefix = 'ai-engine.malonaz.com/';
    const names = ['T_Get', 'T_List'];
    const set = {
      name: 'desk.T',
      discovery_tool: { name: 'T_Discover', description: 'finds' },
      tools: names.map(name => ({ name, description: name })),
    };
    const find = {
      type: 'tool_call',
      id: 'd',
      name: 'T_Discover',
      arguments: { tools: ['T_Get', 'T_No'] },
    } as const;
    home.provider.script({ type: 'call', index: 0, call: find }, { type: 'stop', reason: 'tool_call' });
    const more = { model: ABLE.name, tool_sets: [set] };
    const [event] = (await home.stream(ask('find', more))).filter(one => one.block);
    const { result } = event.block.tool_call;
    assert.equal(
      home.provider.requests[0]!.tools.map(({ name }) => name),
      ['T_Discover'],
    );
    assert.is(result.annotations[`${prefix}discovered-tools`], 'T_Get');
    assert.is(
      result.structured_content.structValue.fields.tool_names.listValue.values[0].stringValue,
      'T_Get',
    );
    const message = { role: 'ROLE_TOOL', blocks: [{ tool_result: result }] };
    const get = { type: 'tool_call', id: 'g', name: 'T_Get', arguments: {} } as const;
    home.provider.script({ type: 'call', index: 0, call: get }, { type: 'stop', reason: 'tool_call' });
    const events = await home.stream({ ...ask('', more), messages: [message] });
    assert.is(events.find(one => one.block).block.tool_call.name, 'T_Get');
    const error = await home.fails('GenerateMessage', ask('no set', { model: ABLE.name }));
    assert.is(home.violations(error)[0]!.field, 'tool_sets');
  });

  test('what a model cannot do is refused before it is asked', async () => {
    const cases: readonly [object, string][] = [
      [{ configuration: { reasoning_effort: 'REASONING_EFFORT_LOW' } }, 'configuration.reasoning_effort'],
      [{ configuration: { temperature: 0.5 } }, 'configuration.temperature'],
      [{ configuration: { max_tokens: 101 } }, 'configuration.max_tokens'],
      [{ tools: [{ name: 'a' }] }, 'tools'],
      [{ messages: [{ role: 'ROLE_ASSISTANT', blocks: [{ text: 'x' }] }] }, 'messages[0].role'],
    ];
    for (const [more, field] of cases)
      assert.is(home.violations(await home.fails('GenerateMessage', ask('x', more)))[0]!.field, field);
    assert.is(
      (await home.fails('GenerateMessage', ask('x', { model: OLD.name }))).code,
      status.FAILED_PRECONDITION,
    );
    assert.is(
      (await home.fails('GenerateMessage', ask('x', { model: 'providers/a/models/b' }))).code,
      status.NOT_FOUND,
    );
    assert.is(home.provider.requests.length, 0);
    assert.is((await home.fails('GetChat', { name: CHAT })).code, status.NOT_FOUND, 'nothing was kept');
  });

  test('the same request again does nothing again', async () => {
    const request_id = 'b0b1a2c3-0000-4000-8000-000000000001';
    const first = await home.call('CreateChat', { parent: USER, request_id, chat: { title: 't' } });
    assert.equal(await home.call('CreateChat', { parent: USER, request_id, chat: { title: 't' } }), first);
    assert.is((await home.call('ListChats', { parent: USER })).chats.length, 1);
    home.provider.says('once');
    const once = await home.call('GenerateMessage', ask('x', { request_id }));
    const twice = await home.call('GenerateMessage', ask('x', { request_id }));
    assert.equal(twice.generated_message, once.generated_message);
    assert.is((await home.fails('GenerateMessage', ask('y', { request_id }))).code, status.INVALID_ARGUMENT);
    const dry = { parent: USER, chat_id: 'dry', validate_only: true };
    assert.is((await home.call('CreateChat', dry)).name, `${USER}/chats/dry`);
    assert.is((await home.fails('GetChat', { name: `${USER}/chats/dry` })).code, status.NOT_FOUND);
  });

  test('a client that goes away ends the generation, and its input is kept with a status', async () => {
    let isAborted = false;
    home.provider.script({ type: 'text', index: 0, text: 'ha' }, signal => {
      return new Promise(resolve => signal.addEventListener('abort', () => resolve((isAborted = true))));
    });
    const error = await home
      .stream(ask('stop'), (event, cancel) => event.block && cancel())
      .catch((thrown: unknown) => thrown as Anything);
    assert.is(error.code, status.CANCELLED);
    for (;;) {
      const { messages } = await home.call('ListMessages', { parent: CHAT });
      if (messages.length === 2 && messages.every((message: Anything) => message.status)) break;
    }
    assert.ok(isAborted);
  });

  test('models are listed and got, and a read mask takes the rest away', async () => {
    const { models } = await home.call('ListModels', { parent: 'providers/-' });
    assert.equal(
      models.map((model: Anything) => model.name),
      [ABLE.name, OLD.name, PLAIN.name, TITLER.name],
    );
    const headers = { 'x-read-mask-strict': 'name,ttt.tool_call' };
    const masked = await home.call('ListModels', { parent: 'providers/-', page_size: 1 }, headers);
    assert.equal(masked.models, [{ name: ABLE.name, ttt: { tool_call: true } }]);
    assert.ok(masked.next_page_token);
    assert.is((await home.call('GetModel', { name: PLAIN.name })).ttt.context_token_limit, 1000);
    assert.is((await home.fails('GetModel', { name: 'providers/x/models/y' })).code, status.NOT_FOUND);
  });

  test('a chat gets its title once, after a first turn that went well, in no chat that is seen', async () => {
    const text = '"Of  boats and 👩‍👩‍👧 and more words than eight words can hold."\nAnd more';
    home.titles.says(text).says('another');
    home.provider.script(new ProviderFailure('quota', 'no money')).says('one').says('two');
    await home.stream(ask('lost')).catch(() => undefined);
    await home.stream(ask('a'));
    await until('it has a title', async () => (await home.call('GetChat', { name: CHAT })).title);
    assert.is((await home.call('GetChat', { name: CHAT })).title, 'Of boats and 👩‍👩‍👧 and more words than');
    await home.stream(ask('b'));
    await home.stop();
    assert.is(home.titles.requests.length, 1);
    await home.start(options);
    assert.is((await home.call('ListChats', { parent: USER, show_deleted: true })).chats.length, 1);
  });

  test('words of messages are found, and deleted messages are not', async () => {
    await home.call('CreateMessage', { parent: CHAT, message: user('the quick brown fox'), message_id: 'm' });
    await home.call('CreateMessage', { parent: `${USER}/chats/d`, message: user('a slow dog') });
    const found = await home.call('ListChats', { parent: USER, filter: 'quick fox' });
    assert.equal(
      found.chats.map((chat: Anything) => chat.name),
      [CHAT],
    );
    await home.call('DeleteMessage', { name: `${CHAT}/messages/m` });
    assert.equal((await home.call('ListChats', { parent: USER, filter: 'quick' })).chats, []);
    await home.call('UndeleteMessage', { name: `${CHAT}/messages/m` });
    assert.is(
      (await home.call('BatchGetMessages', { parent: CHAT, names: [`${CHAT}/messages/m`] })).messages.length,
      1,
    );
  });

  test('what is not built answers UNIMPLEMENTED', async () => {
    const error: Anything = await home.unknown('TextToSpeech');
    assert.is(error.code, status.UNIMPLEMENTED);
  });

  test.run();
}
