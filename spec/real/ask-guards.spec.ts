/** `mux ask` with what stands around a turn: the prompt, hooks, the project's settings, and agents that it starts. */
// spec-timeout: 300
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { events, ModelServer } from '../support/ai/model-server.ts';
import type { Anything } from '../support/ai/foreign-client.ts';
import { MuxHome } from '../support/mux.ts';

const test = suite('ask with hooks and agents');
let homes: MuxHome[] = [];
let server: ModelServer;
test.before.each(async () => void (server = await new ModelServer().start()));
test.after.each(async () => {
  for (const home of homes) await home.end();
  homes = [];
  await server.end();
});

function homeOf(more = '', files: Readonly<Record<string, string>> = {}): MuxHome {
  const config = `ai:
  default_model: gpt-test
  providers:
    openai: { base_url: "${server.url}/v1", api_key_command: "echo key", models: [gpt-test] }
${more}`;
  const home = new MuxHome({ config, files: { 'note.txt': 'one\n', ...files } });
  homes.push(home);
  return home;
}

function calls(name: string, args: object): { pieces: string[] } {
  const call = {
    index: 0,
    id: 'call0',
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
  const delta = { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] };
  return { pieces: [events(delta, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })] };
}

function says(content: string): { pieces: string[] } {
  const delta = { choices: [{ index: 0, delta: { content }, finish_reason: null }] };
  return { pieces: [events(delta, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })] };
}

const messagesOf = (at: number): Anything[] => (server.requests.at(at)!.body as Anything).messages;
const READ = { paths: ['note.txt'] };

test('hooks add to a turn, block a call with a reason, and are told how it ended', async () => {
  const home = homeOf(`hooks:
- { event: before_turn, command: 'echo "{\\"context\\":\\"on call: ada\\"}"' }
- { event: before_tool, match: read_files, command: "echo not today >&2; exit 2" }
- { event: after_turn, command: "cat >../ended" }
`);
  server.answers(calls('read_files', READ), says('I could not'));
  assert.is(await home.ok('ask', 'how long is it?'), 'I could not\n');
  const [system, question, added, , result] = messagesOf(-1);
  assert.match(system.content, /# Rules/);
  assert.is(question.content, 'how long is it?');
  assert.match(added.content, /on call: ada/);
  assert.match(result.content, /blocked by a hook: not today/);
  const ended = JSON.parse(readFileSync(join(home.dir, 'ended'), 'utf8')) as Anything;
  assert.equal([ended.event, ended.reason, ended.text], ['after_turn', 'done', 'I could not']);
  assert.match(ended.chat, /\/chats\//);
});

test('a hook that blocks a turn ends it before anything is sent', async () => {
  const home = homeOf('hooks: [{ event: before_turn, command: "echo after lunch >&2; exit 2" }]\n');
  const { status, stderr } = await home.cli('ask', 'go');
  assert.equal([status, stderr], [4, 'mux: ask: blocked by a hook: after lunch\n']);
  assert.is(server.requests.length, 0);
});

test('rules of the project hold, and its hooks wait for trust', async () => {
  const settings = `permissions: [{ tool: read_files, mode: deny }]
hooks: [{ event: before_turn, command: "touch ../ran" }]
`;
  const home = homeOf('', { '.mux.yaml': settings });
  server.answers(calls('read_files', READ), says('no'), says('again'));
  const { stderr } = await home.cli('ask', 'read it');
  assert.match(stderr, /not trusted, so only its rules count/);
  assert.match(messagesOf(-1).at(-1).content, /denied by project rule 1/);
  assert.not(existsSync(join(home.dir, 'ran')));
  await home.ok('trust', '-y');
  await home.ok('ask', 'again');
  assert.ok(existsSync(join(home.dir, 'ran')));
});

test('an agent that is started works in a chat of its own, with the rules of its starter, and its words come back', async () => {
  const home = homeOf('permissions: [{ tool: exec_shell, mode: deny }]\n');
  const tasks = [{ title: 'count', query: 'count the lines' }];
  server.answers(
    calls('agent', { tasks }),
    calls('exec_shell', { command: 'wc -l note.txt' }),
    says('one line'),
    says('it has one'),
  );
  assert.is(await home.ok('ask', '--mode', 'auto', 'how long?'), 'it has one\n');
  const [system, query] = messagesOf(1);
  assert.match(system.content, /# Your task\n\nAnother agent/);
  assert.is(query.content, 'count the lines');
  assert.match(messagesOf(2).at(-1).content, /denied by user rule 1/);
  assert.match(messagesOf(3).at(-1).content, /==> count\none line/);
  const { chats } = (await home.cli('--json', 'chats', 'list')).json();
  assert.is(chats.length, 2);
  assert.ok(chats.some((chat: Anything) => chat.title === 'count'));
});

test.run();
