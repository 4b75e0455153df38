/** `mux ask`, `chats`, `models` and `ai serve` as programs, against model servers on loopback. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { status } from '@grpc/grpc-js';
import { ForeignClient, type Anything } from '../support/ai/foreign-client.ts';
import { events, ModelServer } from '../support/ai/model-server.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

/** How often the service is killed: 5, or more for a soak. */
const FAULTS = Number(process.env['MUX_FAULTS'] ?? 5);
const KEY = 'sk-verySecretKeyOfMine';
const test = suite('ask');
const mock = new LLMock({ port: 0, chunkSize: 4, logLevel: 'silent' });
let homes: MuxHome[] = [];
let children: ChildProcess[] = [];
test.before(async () => void (await mock.start()));
test.after(() => mock.stop());
test.after.each(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  for (const home of homes) await home.end();
  homes = [];
});

mock.onMessage('hello', { content: 'Hi there' });
mock.onMessage('again', { content: 'Once more' });

function homeOf(url: string, files: Record<string, string> = {}): MuxHome {
  const config = `ai:
  default_model: gpt-test
  providers:
    openai: { base_url: "${url}/v1", api_key_command: "echo ${KEY}", models: [gpt-test] }
    anthropic: { base_url: "${url}" }
`;
  const home = new MuxHome({ config, files });
  homes.push(home);
  return home;
}

const chunk = (content: string): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});
const done = events({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

test('a question is answered, and goes on in the chat of this terminal', async () => {
  const home = homeOf(mock.url);
  assert.is(await home.ok('ask', 'hello'), 'Hi there\n');
  const answer = JSON.parse(await home.ok('ask', '--continue', '--output', 'json', 'again')) as Anything;
  assert.is(answer.text, 'Once more');
  const { chats } = (await home.cli('--json', 'chats', 'list')).json() as Anything;
  assert.equal(
    chats.map((chat: Anything) => chat.name),
    [answer.chat],
  );
  const shown = (await home.cli('--json', 'chats', 'show', answer.chat)).json() as Anything;
  assert.equal(
    shown.messages.slice(1).map((message: Anything) => [message.role, message.blocks[0].text]),
    [
      ['user', 'hello'],
      ['assistant', 'Hi there'],
      ['user', 'again'],
      ['assistant', 'Once more'],
    ],
  );
  const lines = (await home.ok('ask', '--output', 'stream-json', 'hello')).trim().split('\n');
  const told = lines.map(line => JSON.parse(line) as Anything);
  assert.is(told.map(one => (one.type === 'text' ? one.text : '')).join(''), 'Hi there');
  assert.is(told.at(-1).type, 'done');
});

test('files and a role belong to the question, and the role is the first message of its chat alone', async () => {
  const server = await new ModelServer().start();
  const files = {
    '.sgpt.json': '{}',
    '.sgpt/brief.role.md': 'Be brief.\n',
    'note.txt': 'a ``` fence\n',
  };
  const home = homeOf(server.url, files);
  server.answers({ pieces: [events(chunk('ok')), done] }, { pieces: [events(chunk('ok')), done] });
  await home.ok('ask', '-r', '//brief', '-f', 'note.txt', 'what is this');
  await home.ok('ask', '--continue', '-r', '//brief', 'and now');
  const [first, second] = server.requests.map(({ body }) => (body as Anything).messages);
  assert.equal(
    first.map((message: Anything) => message.role),
    ['system', 'user', 'user'],
  );
  assert.match(first[0].content, /# Your role\n\nBe brief\.$/);
  assert.match(first[1].content, /note\.txt\n````\na ``` fence\n````$/);
  assert.is(second.filter((message: Anything) => message.role === 'system').length, 1);
  await server.end();
});

test('what cannot be answered is one line that says why, with its exit status', async () => {
  const home = homeOf(mock.url);
  const cases: readonly [string[], number, RegExp][] = [
    [
      ['ask', '-m', 'gtp-test', 'x'],
      3,
      /^mux: model gtp-test: there is no such model \(did you mean gpt-test\?\)\n$/,
    ],
    [['ask', '-m', 'haiku', 'x'], 4, /^mux: anthropic: its key is missing \(set ANTHROPIC_API_KEY\)\n$/],
    [['ask'], 2, /there is no question/],
    [['ask', '--chat', 'none', '-f', 'nothing.txt', 'x'], 3, /nothing\.txt/],
    [['chats', 'show', 'none'], 3, /no such chat/],
    [['ai', 'serve', '--listen', '0.0.0.0:0'], 4, /can be reached from elsewhere/],
    [['ai', 'serve', '--listen', 'nowhere'], 2, /is no address/],
  ];
  for (const [words, exit, says] of cases) {
    const { status: own, stderr, stdout } = await home.cli(...words);
    assert.equal({ exit: own, stdout }, { exit, stdout: '' }, words.join(' '));
    assert.match(stderr, says);
    assert.is(stderr.trim().split('\n').length, 1);
  }
});

test('no key is in a file, an answer or an error, whatever happens', async () => {
  const server = await new ModelServer().start();
  const home = homeOf(server.url);
  const bad = { status: 401, headers: { 'content-type': 'application/json' } };
  server.answers({ ...bad, pieces: [JSON.stringify({ error: { message: `Incorrect API key: ${KEY}` } })] });
  const { stderr, stdout, status: exit } = await home.cli('ask', 'x');
  assert.is(exit, 4);
  assert.is(server.requests[0]!.headers.authorization, `Bearer ${KEY}`);
  const texts = [
    stderr,
    stdout,
    ...filesBelow(join(home.dir, 'data')),
    ...filesBelow(join(home.dir, 'state')),
  ];
  assert.ok(texts.length > 3, 'there is something to search');
  for (const text of texts) assert.not.match(text, /verySecret/);
  await server.end();
});

test('a service that is killed in the middle of an answer leaves a chat that opens and goes on', async () => {
  const server = await new ModelServer().start();
  const home = homeOf(server.url);
  const parent = 'organizations/o/users/u/chats/c';
  const model = 'providers/openai/models/gpt-test';
  const address = `unix:${join(home.dir, 'own.sock')}`;
  for (let round = 0; round < FAULTS; round++) {
    const service = await serve(home, address);
    const client = new ForeignClient();
    client.connect(address);
    server.answers({ pieces: [events(chunk('half'))], ending: 'silence' });
    const messages = [{ role: 'ROLE_USER', blocks: [{ text: `question ${round}` }] }];
    const failed = client
      .stream({ parent, model, messages }, event => void (event.block && service.kill('SIGKILL')))
      .catch((error: unknown) => error as Anything);
    assert.is((await failed).code, status.UNAVAILABLE);
    client.disconnect();
  }
  const service = await serve(home, address);
  const client = new ForeignClient();
  client.connect(address);
  const { messages } = await client.call('ListMessages', { parent });
  assert.equal(
    messages.map((message: Anything) => [message.blocks[0].text, message.status?.code]),
    Array.from({ length: FAULTS }, (_, round) => [`question ${round}`, status.ABORTED]),
  );
  server.answers({ pieces: [events(chunk('whole')), done] });
  const sent = [{ role: 'ROLE_USER', blocks: [{ text: 'at last' }] }];
  const { generated_message } = await client.call('GenerateMessage', { parent, model, messages: sent });
  assert.is(generated_message.blocks[0].text, 'whole');
  assert.is((server.requests.at(-1)!.body as Anything).messages.length, 1);
  client.disconnect();
  const exit = once(service, 'exit');
  service.kill('SIGTERM');
  assert.equal(await exit, [0, null]);
  await server.end();
});

test('a service that the settings name is asked with its key, and one that is away is told with where it should be', async () => {
  const here = homeOf(mock.url);
  const address = `unix:${join(here.dir, 'far.sock')}`;
  const service = await serve(
    { ...here, env: { ...here.env, THEIRS: 'a-token' } },
    address,
    '--token-env',
    'THEIRS',
  );
  const config = `ai: { service: far, default_model: gpt-5 }
grpc_clients:
  - { name: far, base_url: "${address}", api_key_command: "echo a-token" }
`;
  const home = new MuxHome({ config });
  homes.push(home);
  const asked = await home.ok('ask', '-m', 'providers/openai/models/gpt-test', 'hello');
  assert.is(asked, 'Hi there\n');
  const { chats } = (await home.cli('--json', 'chats')).json() as Anything;
  assert.is(chats.length, 1, 'it is kept there');
  assert.equal(((await here.cli('--json', 'chats')).json() as Anything).chats, chats);
  const exit = once(service, 'exit');
  service.kill('SIGTERM');
  await exit;
  const { status: own, stderr } = await home.cli('ask', 'hello');
  assert.is(own, 1);
  assert.match(stderr, /^mux: AiService at unix:.*far\.sock: it cannot be reached: [^\n]+\n$/);
});

/** `mux ai serve` on a socket; resolves once it listens. */
async function serve(
  home: Pick<MuxHome, 'env' | 'work'>,
  address: string,
  ...more: readonly string[]
): Promise<ChildProcess> {
  const service = spawn(process.execPath, [LAUNCHER, 'ai', 'serve', '--listen', address, ...more], {
    env: home.env,
    cwd: home.work,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(service);
  let told = '';
  service.stdout!.on('data', (piece: Buffer) => (told += piece.toString()));
  await until('the service listens', () => told.includes(address));
  return service;
}

function filesBelow(dir: string): string[] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map(name => join(dir, name));
  return names.filter(name => statSync(name).isFile()).map(name => readFileSync(name, 'latin1'));
}

test.run();
