/** Tools of gRPC hosts: found by reflection, called without code of theirs, and harmless whatever the host does. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Tool } from '../../lib/agent/tool.ts';
import { readContract } from '../../lib/ai/contract.ts';
import { CodedError } from '../../lib/base/errors.ts';
import type { Logger } from '../../lib/base/log.ts';
import { Engines, type WantedSet } from '../../lib/tools/engines/engines.ts';
import { serviceRequests } from '../../lib/tools/engines/request.ts';
import { compiled, engineHost, type EngineHost, type Lie } from '../support/engine-host.ts';
import { call } from '../support/mcp-rig.ts';
import { until } from '../support/until.ts';

const test = suite('Tools of gRPC hosts');
const nullLogger: Logger = { log: () => undefined };
const opened: { close(): void }[] = [];
const files = compiled();
const contract = readContract();
const SERVICE = 'spec.library.v1.Library';

interface Rig {
  readonly engines: Engines;
  readonly host: EngineHost;
  tools(): readonly Tool[];
  tool(name: string): Tool;
}

const wanted = (request: object = {}, engine = 'here', selector = '//library'): WantedSet => ({
  selector,
  engine,
  requests: serviceRequests(JSON.stringify({ tool_sets: [{ service_full_name: SERVICE, ...request }] })),
});

async function open(lie?: Lie, sets: readonly WantedSet[] = [wanted()]): Promise<Rig> {
  const host = await engineHost(lie, files);
  const engines = new Engines({
    address: async name => {
      if (name === 'nowhere') throw new CodedError('invalid_config', 'nowhere is no name in grpc_clients');
      const baseUrl = name === 'dead' ? 'http://127.0.0.1:9' : host.address;
      return { name, baseUrl, headers: { 'X-Api-Key': 'secret' } };
    },
    contract: () => contract,
    log: nullLogger,
  });
  opened.push({ close: () => engines.close() }, host);
  engines.want(sets);
  await engines.load(new AbortController().signal);
  const tools = (): readonly Tool[] => engines.sources().flatMap(source => source.list());
  const tool = (name: string): Tool => {
    const found = tools().find(({ wire }) => wire.name === name);
    if (!found) throw new Error(`no ${name}: ${JSON.stringify(engines.states())}`);
    return found;
  };
  return { engines, host, tools, tool };
}
test.after.each(() => {
  for (const one of opened.splice(0)) one.close();
});
const answerOf = async (tool: Tool, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const { content, isError } = await call(tool, args);
  assert.is(isError, false, content);
  return JSON.parse(content) as Record<string, unknown>;
};

const BOOK = {
  name: 'books/1',
  title: 'Größe 👍',
  pages: '9007199254740993',
  binding: 'BINDING_CLOTH',
  published: '1969-07-20T20:17:40.5Z',
  read_time: '5400.000000001s',
  copies: { here: 2, there: 0, '': 1 },
  ratings: [4.5, -0.25],
  cover: 'AP8=',
  extra: { a: [1, 'b', null, { c: true }] },
  mask: 'title,sequel.name',
  any: { '@type': 'type.googleapis.com/spec.library.v1.GetBookRequest', name: 'inner' },
  room: 'north',
  sequel: { name: 'books/2', sequel: { name: 'books/3' } },
  stock: '5',
  lent: false,
  bindings: ['BINDING_PAPER', 'BINDING_CLOTH'],
  floor: -3,
  code: '18446744073709551615',
  weight: 0.5,
  note: ['n', null],
};

for (const lie of [undefined, 'alpha', 'one-file'] as const)
  test(`methods are tools with the comments and schemas of their source (${lie ?? 'v1'})`, async () => {
    const rig = await open(lie);
    assert.equal(
      rig.tools().map(({ wire }) => wire.name),
      ['Library_Discover', 'Library_GetBook', 'Library_EchoBook', 'Library_ListBooks'],
    );
    const get = rig.tool('Library_GetBook');
    assert.is(get.wire.description, 'Finds a book.\nBy its name.');
    assert.equal(get.wire.json_schema, {
      type: 'object',
      properties: { name: { type: 'string', description: "The book's name." } },
    });
    assert.equal([get.isReadOnly, rig.tool('Library_EchoBook').isReadOnly], [true, false]);
    assert.equal(rig.engines.states()[0]!.problems, ['PutBooks: a stream of requests is no call of a tool']);
    const { subject, header } = await get.preview(
      { name: 'x' },
      { id: '', signal: new AbortController().signal, progress: () => undefined },
    );
    assert.equal(subject, { kind: 'words', words: ['name=x'], tier: 'read' });
    assert.is(header, 'here: Library/GetBook');
  });

test('every kind of field goes there and comes back', async () => {
  const rig = await open();
  assert.equal(await answerOf(rig.tool('Library_EchoBook'), BOOK), BOOK);
  assert.is(rig.host.calls.at(-1)!.metadata['x-api-key'], 'secret');
});

test('arguments that are no such message are told to the model, by their path', async () => {
  const rig = await open();
  const echo = rig.tool('Library_EchoBook');
  for (const [args, path] of [
    [{ pages: 'many' }, /pages/],
    [{ number: -1 }, /number.*range/],
    [{ floor: 2 ** 40 }, /floor.*range/],
    [{ published: 'yesterday' }, /published/],
    [{ binding: 'BINDING_GOLD' }, /binding/],
    [{ any: { '@type': 'x/none.Such' } }, /any.*none\.Such/],
    [{ copies: { a: 'b' } }, /copies\.a/],
    [{ room: 'a', number: 1 }, /only one of/],
  ] as const) {
    const why = await call(echo, args).then(
      () => 'taken',
      (error: CodedError) => `${error.code} ${error.message}`,
    );
    assert.match(why, path);
    assert.match(why, /^usage /);
  }
  assert.is(rig.host.calls.length, 0);
});

test('a stream is a list, and one that does not end is cut and cancelled', async () => {
  const rig = await open();
  const list = rig.tool('Library_ListBooks');
  assert.equal(await answerOf(list, { count: 3 }), [
    { name: 'books/1' },
    { name: 'books/2' },
    { name: 'books/3' },
  ] as never);
  assert.equal(await answerOf(list, { count: 0 }).catch(() => 'no JSON'), 'no JSON' as never);
  const { content, isError } = await call(list, { count: 0 });
  assert.is(isError, false);
  assert.match(content, /\(the stream was ended: it has more than 1000 messages\)$/);
  await until('the host is told', () => rig.host.ended.length >= 2);
});

test('a read mask goes into the header, and what was not asked for is left out', async () => {
  const rig = await open(undefined, [
    wanted({ schemaConfiguration: { withResponseReadMask: true, withTitle: 'What for.' } }),
  ]);
  const echo = rig.tool('Library_EchoBook');
  assert.ok(echo.wire.json_schema!.required!.includes('response_read_mask'));
  const args = { ...BOOK, response_read_mask: 'title, sequel.name', tool_call_title: 'Looks' };
  assert.equal(await answerOf(echo, args), { title: BOOK.title, sequel: { name: 'books/2' } });
  assert.is(rig.host.calls.at(-1)!.metadata['x-read-mask-strict'], 'title,sequel.name');
  const preview = await echo.preview(args, {
    id: '',
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  assert.is(preview.header, 'here: Library/EchoBook · Looks');
  const bad = await call(echo, { response_read_mask: 'a\r\nx: y' }).catch((error: Error) => error.message);
  assert.match(String(bad), /response_read_mask/);
});

test('a field mask hides the other fields, and prunes what a model sends of them', async () => {
  const rig = await open(undefined, [
    wanted({
      method_names: ['EchoBook'],
      method_name_to_schema_configuration: { EchoBook: { field_mask: 'title,sequel.name' } },
      discovered_method_names: ['EchoBook'],
    }),
  ]);
  assert.equal(
    rig.tools().map(({ wire }) => wire.name),
    ['Library_EchoBook'],
  );
  const echo = rig.tool('Library_EchoBook');
  assert.equal(Object.keys(echo.wire.json_schema!.properties!), ['title', 'sequel']);
  const args = { title: 't', name: 'n', sequel: { name: 's', title: 'u' } };
  assert.equal(await answerOf(echo, args), { title: 't', sequel: { name: 's' } });
});

test('discovery makes tools known, and its result says of which set', async () => {
  const rig = await open();
  const discover = rig.tool('Library_Discover');
  assert.match(discover.wire.description!, /- Library_GetBook: Finds a book\.$/m);
  const { annotations, content } = await call(discover, { tools: ['Library_GetBook', 'Library_Burn'] });
  assert.equal(annotations, {
    'ai-engine.malonaz.com/tool-set-name': SERVICE,
    'ai-engine.malonaz.com/discovered-tools': 'Library_GetBook',
  });
  assert.equal((JSON.parse(content) as { unknown_tool_names: string[] }).unknown_tool_names, [
    'Library_Burn',
  ]);
  assert.is((await call(discover, { tools: ['Library_Burn'] })).isError, true);
});

test('nothing is dialled before it is wanted', async () => {
  const rig = await open('hanging', []);
  assert.equal(rig.engines.states(), []);
  assert.is(rig.host.calls.length, 0);
});

test('a set that cannot be had is told of, and the others are there', async () => {
  const rig = await open(undefined, [
    wanted({}, 'dead', '//dead'),
    wanted({}, 'nowhere', '//nowhere'),
    wanted({ service_full_name: 'spec.library.v1.Nothing' }, 'here', '//nothing'),
    wanted({ method_names: ['GetBok'] }, 'here', '//slip'),
    wanted(),
  ]);
  const errors = rig.engines.states().map(({ error }) => error);
  assert.match(errors[0]!, /^dead: it cannot be reached: /);
  assert.is(errors[1], 'nowhere is no name in grpc_clients');
  assert.is(errors[2], 'here: no such symbol');
  assert.match(errors[3]!, /there is no method GetBok \(did you mean GetBook\?\)/);
  assert.is(errors[4], '');
  assert.equal(await answerOf(rig.tools().at(-3)!, { name: 'x' }), { name: 'x' });
});

for (const [lie, why] of [
  ['silent', /it does not tell what it serves/],
  ['no-files', /no such symbol/],
  ['junk', /descriptors that are none/],
  ['endless-files', /descriptors do not end/],
  ['many-messages', /descriptors do not end/],
] as const)
  test(`a host that lies about what it is has no tools (${lie})`, async () => {
    const rig = await open(lie);
    const [state] = rig.engines.states();
    assert.is(state!.status, 'failed');
    assert.match(state!.error, why);
    assert.equal(rig.tools(), []);
  });

test('a host that hangs keeps nobody who leaves', async () => {
  const rig = await open(undefined, []);
  const host = await engineHost('hanging', files);
  opened.push(host);
  const engines = new Engines({
    address: async name => ({ name, baseUrl: host.address, headers: {} }),
    contract: () => contract,
    log: nullLogger,
  });
  opened.push(engines);
  engines.want([wanted()]);
  const stop = new AbortController();
  const loading = engines.load(stop.signal).catch((error: Error) => error.name);
  setImmediate(() => stop.abort());
  assert.is(await loading, 'AbortError');
  assert.is(engines.states()[0]!.status, 'idle');
  assert.ok(rig);
});

for (const [lie, why] of [
  ['bad-answer', /the answer is no spec\.library\.v1\.Book/],
  ['gigantic-answer', /larger than max|exceed/i],
  ['failing', /^here: not /],
] as const)
  test(`a bad answer costs that call (${lie})`, async () => {
    const rig = await open(lie);
    const { content, isError } = await call(rig.tool('Library_GetBook'), { name: 'x' });
    assert.is(isError, true);
    assert.match(content, why);
    assert.not.match(content, /\u001b/);
    assert.is((await call(rig.tool('Library_ListBooks'), { count: 1 })).isError, false);
  });

test('a call that is cancelled ends here and there', async () => {
  const rig = await open('slow-answer');
  const stop = new AbortController();
  const running = call(rig.tool('Library_GetBook'), { name: 'x' }, { signal: stop.signal });
  await until('it came there', () => rig.host.calls.length === 1);
  stop.abort();
  assert.match((await running).content, /cancelled/);
  await until('the host is told', () => rig.host.ended.length === 1);
});

test('a host that goes in the middle of a call is marked, and serves again when it is back', async () => {
  const rig = await open('slow-answer');
  const running = call(rig.tool('Library_GetBook'), { name: 'x' });
  await until('it came there', () => rig.host.calls.length === 1);
  rig.host.close();
  assert.is((await running).isError, true);
  assert.is((await call(rig.tool('Library_GetBook'), { name: 'x' })).isError, true);
  assert.is(rig.engines.states()[0]!.status, 'gone');
  const again = await engineHost(undefined, files, { address: rig.host.address.replace('http://', '') });
  opened.push(again);
  await until('it serves', async () => !(await call(rig.tool('Library_GetBook'), { name: 'x' })).isError);
  assert.is(rig.engines.states()[0]!.status, 'ready');
});

test('a set whose file was edited is another set at once, and an unchanged one keeps its tools', async () => {
  const rig = await open(undefined, [wanted({ method_names: ['GetBook'] })]);
  const before = rig.engines.sources()[0]!.list();
  rig.engines.want([wanted({ method_names: ['GetBook'] })]);
  await rig.engines.load(new AbortController().signal);
  assert.is(rig.engines.sources()[0]!.list(), before);
  rig.engines.want([wanted({ method_names: ['EchoBook'] })]);
  await rig.engines.load(new AbortController().signal);
  assert.equal(
    rig.tools().map(({ wire }) => wire.name),
    ['Library_Discover', 'Library_EchoBook'],
  );
});

test('two engines with a service of one name do not get into each other', async () => {
  const rig = await open(undefined, [wanted(), wanted({}, 'there', '//there')]);
  const names = rig.tools().map(({ wire }) => wire.name);
  assert.is(new Set(names).size, names.length);
  const sets = new Set(
    rig.tools().map(({ wire }) => wire.annotations!['ai-engine.malonaz.com/tool-set-name']),
  );
  assert.is(sets.size, 2);
});

test('a set that comes later takes no name from one that is there, wherever it stands', async () => {
  const rig = await open(undefined, [wanted()]);
  const before = rig.engines.sources()[0]!.list();
  rig.engines.want([wanted({}, 'there', '//there'), wanted()]);
  await Promise.all([
    rig.engines.load(new AbortController().signal),
    rig.engines.load(new AbortController().signal),
  ]);
  const [there, library] = rig.engines.sources();
  assert.is(library!.list(), before);
  const names = [...there!.list(), ...before].map(({ wire }) => wire.name);
  assert.is(new Set(names).size, names.length);
  assert.is(names.length, 8);
});

test.run();
