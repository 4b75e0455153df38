/** Engines beside AiService: discovery that outlives its process and its host, hosts that make tools themselves, our own reflection. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { offerOf } from '../../lib/agent/offer.ts';
import type { Message, ToolResult } from '../../lib/ai/wire.ts';
import type { Logger } from '../../lib/base/log.ts';
import { Engines, type WantedSet } from '../../lib/tools/engines/engines.ts';
import { serviceRequests } from '../../lib/tools/engines/request.ts';
import { CONTRACT, type Anything } from '../support/ai/foreign-client.ts';
import { ABLE } from '../support/ai/scripted.ts';
import { ServiceHome } from '../support/ai/service.ts';
import { compiled, engineHost, type HostOptions } from '../support/engine-host.ts';
import { call } from '../support/mcp-rig.ts';

const test = suite('Engines beside AiService');
const nullLogger: Logger = { log: () => undefined };
const files = compiled();
const LIBRARY = 'spec.library.v1.Library';
const CHAT = 'organizations/o/users/u/chats/c';
const ends: (() => unknown)[] = [];
test.after.each(async () => {
  for (const end of ends.splice(0)) await end();
});

async function load(baseUrl: string, sets: readonly WantedSet[]): Promise<Engines> {
  const engines = new Engines({
    address: async name => ({ name, baseUrl, headers: {} }),
    contract: () => CONTRACT,
    log: nullLogger,
  });
  ends.push(() => engines.close());
  engines.want(sets);
  await engines.load(new AbortController().signal);
  return engines;
}
const wanted = (service: string, more: object = {}): WantedSet => ({
  selector: '//x',
  engine: 'here',
  requests: serviceRequests(JSON.stringify({ tool_sets: [{ service_full_name: service, ...more }] })),
});
const toolsOf = (engines: Engines) => engines.sources().flatMap(source => source.list());
async function host(options: HostOptions = {}): Promise<string> {
  const one = await engineHost(undefined, files, options);
  ends.push(() => one.close());
  return one.address;
}

test('methods of AiService are tools by its own reflection, over a Unix socket', async () => {
  const home = await new ServiceHome().start();
  ends.push(() => home.end());
  const engines = await load(home.address, [wanted('malonaz.ai.ai_service.v1.AiService')]);
  assert.is(engines.states()[0]!.error, '');
  const tools = toolsOf(engines);
  const find = (name: string) => tools.find(({ wire }) => wire.name === name)!;
  const made = await call(find('AiService_CreateChat'), {
    parent: 'organizations/o/users/u',
    chat_id: 'c',
    chat: { title: 'One', labels: { a: 'b' } },
  });
  assert.is(made.isError, false, made.content);
  const chat = JSON.parse(made.content) as Record<string, unknown>;
  assert.equal([chat.name, chat.title, chat.labels], [CHAT, 'One', { a: 'b' }]);
  assert.match(String(chat.create_time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const lost = await call(find('AiService_GetChat'), { name: `${CHAT}2` });
  assert.is(lost.isError, true);
});

test('what was found in a chat is found when it is opened again, and a set that is gone loses no chat', async () => {
  const home = await new ServiceHome().start();
  ends.push(() => home.end());
  const address = await host();
  const engines = await load(address, [wanted(LIBRARY)]);
  const wires = toolsOf(engines).map(({ wire }) => wire);
  const ask = (messages: readonly object[], offer: object): Anything => ({
    parent: CHAT,
    model: ABLE.name,
    messages,
    ...offer,
  });
  home.provider.script(
    {
      type: 'call',
      index: 0,
      call: {
        type: 'tool_call',
        id: 'd',
        name: 'Library_Discover',
        arguments: { tools: ['Library_GetBook'] },
      },
    },
    { type: 'stop', reason: 'tool_call' },
  );
  const first = await home.stream(
    ask([{ role: 'ROLE_USER', blocks: [{ text: 'a book' }] }], offerOf(wires, [])),
  );
  assert.equal(
    home.provider.requests[0]!.tools.map(({ name }) => name),
    ['Library_Discover'],
  );
  const result = first.find(one => one.block).block.tool_call.result as ToolResult;
  const answer: Message = { role: 'ROLE_TOOL', blocks: [{ tool_result: result }] };

  // Another process, as after a resume: the same set by its content, and only the history.
  const again = await load(address, [wanted(LIBRARY)]);
  const get = {
    type: 'tool_call',
    id: 'g',
    name: 'Library_GetBook',
    arguments: { name: 'books/1' },
  } as const;
  home.provider.script({ type: 'call', index: 0, call: get }, { type: 'stop', reason: 'tool_call' });
  const wiresAgain = toolsOf(again).map(({ wire }) => wire);
  const second = await home.stream(ask([answer], offerOf(wiresAgain, [answer])));
  const { tool_call } = second.find(one => one.block).block;
  assert.is(tool_call.name, 'Library_GetBook');
  const tool = toolsOf(again).find(({ wire }) => wire.name === tool_call.name)!;
  assert.is((await call(tool, { name: 'books/1' })).content, '{"name":"books/1"}');

  // Switched off: the chat goes on.
  const result2 = {
    role: 'ROLE_TOOL',
    blocks: [{ tool_result: { tool_name: get.name, tool_call_id: 'g', content: 'x' } }],
  };
  const refused = await home.fails('GenerateMessage', ask([result2], { tools: [] }));
  assert.match(refused.details, /tool.set/i);
  home.provider.says('fine');
  const third = await home.stream(ask([result2], offerOf([], [answer])));
  assert.ok(third.some(one => one.block?.text === 'fine'));
});

test("a host's own AiEngine says how tools are told, and reflection what they do", async () => {
  let asked: Anything;
  const address = await host({
    engine: request => {
      asked = request;
      const annotations = {
        'ai-engine.malonaz.com/grpc-method': `${LIBRARY}.EchoBook`,
        'ai-engine.malonaz.com/no-side-effect': 'true',
      };
      return {
        name: 'another name',
        discovery_tool: { name: 'rm' },
        tools: [
          {
            name: 'Library_EchoBook',
            description: 'As the host says',
            json_schema: { type: 'object' },
            annotations,
          },
          { name: 'Library_Twice', annotations },
          {
            name: 'Other_Method',
            annotations: { 'ai-engine.malonaz.com/grpc-method': 'other.Service.Method' },
          },
          { name: 'exec_shell' },
        ],
      };
    },
  });
  const engines = await load(address, [
    wanted(LIBRARY, {
      method_names: ['EchoBook', 'GetBook'],
      schema_configuration: { with_max_depth: 3, field_mask: 'title' },
    }),
  ]);
  assert.equal(
    [asked.service_full_name, asked.method_names, asked.schema_configuration.field_mask.paths],
    [LIBRARY, ['EchoBook', 'GetBook'], ['title']],
  );
  const [discover, echo, ...more] = toolsOf(engines);
  assert.equal(more, []);
  assert.is(discover!.wire.name, 'Library_Discover');
  assert.equal([echo!.wire.name, echo!.wire.description], ['Library_EchoBook', 'As the host says']);
  assert.is(echo!.isReadOnly, false);
  assert.not.ok('ai-engine.malonaz.com/no-side-effect' in echo!.wire.annotations!);
  assert.is(echo!.wire.annotations!['ai-engine.malonaz.com/tool-set-name'], LIBRARY);
  assert.is(engines.states()[0]!.problems.length, 4);
  assert.is((await call(echo!, { title: 't' })).content, '{"title":"t"}');
});

test('where the AiEngine of a host fails, tools are made here', async () => {
  const address = await host({
    engine: () => {
      throw new Error('out of order');
    },
  });
  const engines = await load(address, [wanted(LIBRARY)]);
  assert.is(toolsOf(engines).length, 4);
  assert.match(engines.states()[0]!.problems.join('\n'), /out of order/);
});

test.run();
