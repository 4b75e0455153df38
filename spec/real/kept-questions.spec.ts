/** Questions whose service goes away: none is lost, and none is kept twice. */
// spec-long
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Anything } from '../support/ai/foreign-client.ts';
import { events, ModelServer } from '../support/ai/model-server.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('kept questions');
let there: MuxHome;
let here: MuxHome;
let server: ModelServer;
let service: ChildProcess | undefined;
let address: string;
test.before.each(async () => {
  server = await new ModelServer().start();
  there = new MuxHome({
    config: `ai: { providers: { openai: { base_url: "${server.url}/v1", api_key_command: "echo k", models: [gpt-test] } } }\n`,
  });
  address = `unix:${join(there.dir, 'far.sock')}`;
  const config = `ai: { service: far, default_model: providers/openai/models/gpt-test }
grpc_clients: [{ name: far, base_url: "${address}" }]
`;
  here = new MuxHome({ config });
});
test.after.each(async () => {
  service?.kill('SIGKILL');
  await here.end();
  await there.end();
  await server.end();
});

const chunk = (content: string): string =>
  events({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const done = events({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

async function begin(): Promise<void> {
  const words = ['ai', 'serve', '--listen', address];
  service = spawn(process.execPath, [LAUNCHER, ...words], {
    env: there.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  service.stdout!.on('data', (piece: Buffer) => (told += piece.toString()));
  await until('the service listens', () => told.includes(address));
}

async function texts(): Promise<string[]> {
  const { messages } = (await here.cli('--json', 'chats', 'show', 'c')).json() as Anything;
  return messages
    .filter((message: Anything) => message.role !== 'system')
    .map((message: Anything) => message.blocks[0].text);
}

/** Files of questions that wait. */
function kept(): string[] {
  const names = readdirSync(here.dir, { recursive: true, encoding: 'utf8' });
  return names.filter(name => name.includes('queue/') && name.endsWith('.json'));
}

test('what is asked while the service is away is sent before the next question', async () => {
  const picture = Buffer.from('\x89PNG\r\n\x1a\n\x00\xff', 'latin1');
  writeFileSync(join(here.work, 'p.png'), picture);
  for (const question of ['first', 'second']) {
    const away = await here.cli('ask', '--chat', 'c', '-f', 'p.png', question);
    assert.is(away.status, 1);
    assert.match(
      away.stderr,
      /cannot be reached.*the question is kept, and sent before the next one in this chat\)\n$/,
    );
  }
  assert.is(kept().length, 2);
  await begin();
  server.answers(
    { pieces: [chunk('one'), done] },
    { status: 400, pieces: ['{"error":{"message":"no"}}'] },
    { pieces: [chunk('three'), done] },
  );
  const asked = await here.cli('ask', '--chat', 'c', 'third');
  assert.is(asked.stdout, 'three\n');
  assert.match(
    asked.stderr,
    /kept was sent first, and its answer is in the chat\n.*kept was sent first, and failed/,
  );
  assert.equal(await texts(), ['p.png:', 'first', 'one', 'p.png:', 'second', 'third', 'three']);
  assert.equal(kept(), []);
  const told = JSON.stringify(server.requests[0]!.body);
  assert.ok(told.includes(picture.toString('base64')), 'the picture came as it was');
});

test('a question whose service is killed in the middle is asked again, and stands in the chat once', async () => {
  await begin();
  server.answers({ pieces: [chunk('half')], ending: 'silence' });
  const asked = here.cli('ask', '--chat', 'c', 'question');
  await until('the model is asked', () => server.requests.length === 1);
  await until('it is kept', () => kept().length === 1);
  service!.kill('SIGKILL');
  assert.match((await asked).stderr, /the question is kept/);
  await begin();
  server.answers({ pieces: [chunk('whole'), done] }, { pieces: [chunk('next'), done] });
  assert.is(await here.ok('ask', '--chat', 'c', 'and then'), 'next\n');
  assert.equal(await texts(), ['question', 'whole', 'and then', 'next']);
});

test('what another program is just asking is left to it', async () => {
  await begin();
  server.answers({ pieces: [chunk('slow')], ending: 'silence' }, { pieces: [chunk('quick'), done] });
  const slow = here.cli('ask', '--chat', 'c', 'slowly');
  await until('the model is asked', () => server.requests.length === 1);
  assert.is(await here.ok('ask', '--chat', 'c', 'quickly'), 'quick\n');
  assert.is(server.requests.length, 2);
  server.cutAll();
  assert.is((await slow).status, 1);
  assert.equal(kept(), []);
});

test.run();
