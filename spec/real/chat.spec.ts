/** `mux chat` as a program: a real terminal, the embedded service, a model server on loopback. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Anything } from '../support/ai/foreign-client.ts';
import { events, ModelServer, type BadAnswer } from '../support/ai/model-server.ts';
import { MuxHome } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { until } from '../support/until.ts';

const test = suite('chat program');
let homes: MuxHome[] = [];
let servers: ModelServer[] = [];
test.after.each(async () => {
  for (const home of homes) await home.end();
  for (const server of servers) await server.end();
  homes = [];
  servers = [];
});

const chunk = (delta: object): object => ({ choices: [{ index: 0, delta, finish_reason: null }] });
const stop = (reason: string): string =>
  events({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
const says = (text: string): BadAnswer => ({ pieces: [events(chunk({ content: text })), stop('stop')] });
const calls = (name: string, args: object): BadAnswer => {
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
  return { pieces: [events(chunk({ tool_calls: [call] })), stop('tool_calls')] };
};

async function begin(
  answers: readonly BadAnswer[],
  files: Record<string, string> = {},
): Promise<{ readonly home: MuxHome; readonly server: ModelServer }> {
  const server = await new ModelServer().start();
  servers.push(server);
  server.answers(...answers);
  const config = `ai:
  default_model: gpt-test
  providers:
    openai: { base_url: "${server.url}/v1", api_key_command: "echo k", models: [gpt-test] }
  models:
    - { name: providers/openai/models/gpt-test, alias: gpt-test, context_token_limit: 8000, tool_call: true }
`;
  const home = new MuxHome({ config, files });
  homes.push(home);
  return { home, server };
}

/** What tells one terminal from the next: chats are found again by it. */
const ENV = { MUX_CHAT: 'here' };

async function opened(home: MuxHome, ...args: readonly string[]): Promise<OuterTerminal> {
  const terminal = home.start({ args: ['chat', ...args], env: ENV });
  await terminal.waitFor('the program is there', 'Enter send');
  return terminal;
}

const written = (home: MuxHome): string => {
  const dir = join(home.dir, 'state/default/chats');
  if (!existsSync(dir)) return '';
  return readdirSync(dir)
    .filter(name => name.startsWith('draft-') && !name.includes('.new'))
    .map(name => readFileSync(join(dir, name), 'utf8'))
    .join();
};

test('from the first key to an edit on the disk that was looked at', async () => {
  const edit = { path: 'notes.txt', patches: [{ search: 'second', replace: 'better' }] };
  const { home, server } = await begin([calls('replace', edit), says('It is **done**.')], {
    'notes.txt': 'first\nsecond\nthird\n',
  });
  const terminal = await opened(home);
  terminal.type('mend the notes\r');
  await terminal.waitFor('the change is shown', /- second[^]*\+ better[^]*replace wants to run/);
  assert.is(readFileSync(join(home.work, 'notes.txt'), 'utf8'), 'first\nsecond\nthird\n');
  terminal.type('y');
  await terminal.waitFor('the answer after it', 'It is done.');
  assert.is(readFileSync(join(home.work, 'notes.txt'), 'utf8'), 'first\nbetter\nthird\n');
  const { messages } = server.requests[1]!.body as Anything;
  assert.is(messages.at(-1).role, 'tool');
  terminal.type('\x11');
  assert.is(await terminal.ended(), 0);
  assert.match(terminal.stty(), / icanon /);
  assert.not.ok(terminal.modes.alternateScreen);
});

test('another command runs in place of the one the model wanted, and the model is told', async () => {
  const { home, server } = await begin([calls('exec_shell', { command: 'touch model.txt' }), says('fine')]);
  const terminal = await opened(home);
  terminal.type('go\r');
  await terminal.waitFor('it is asked', 'exec_shell wants to run');
  terminal.type('e');
  await terminal.waitFor('the command can be changed', 'run instead >');
  terminal.type('\x15touch mine.txt\r');
  await terminal.waitFor('the answer after it', 'fine');
  const describe = (): string => `${terminal.describe()}\n${JSON.stringify(server.requests[1]?.body)}`;
  await until('it has run', () => existsSync(join(home.work, 'mine.txt')), { describe });
  assert.not.ok(existsSync(join(home.work, 'model.txt')));
  const { messages } = server.requests[1]!.body as Anything;
  assert.match(messages.at(-1).content, /the person ran it with other arguments.*mine\.txt/);
});

test('an answer is stopped, and the chat goes on', async () => {
  const { home } = await begin([
    { pieces: [events(chunk({ content: 'It begins' }))], ending: 'silence' },
    says('Second answer'),
  ]);
  const terminal = await opened(home);
  terminal.type('hello\r');
  await terminal.waitFor('the answer begins', 'It begins');
  terminal.type('\x03');
  await terminal.waitFor('it is stopped', '· cancelled');
  terminal.type('again\r');
  await terminal.waitFor('the next one comes', 'Second answer');
});

test('what was written and what waited to be said outlive a killed process', async () => {
  const { home } = await begin([
    says('First answer'),
    { pieces: [events(chunk({ content: 'It begins' }))], ending: 'silence' },
  ]);
  const terminal = await opened(home);
  terminal.type('the question\r');
  await terminal.waitFor('the answer', 'First answer');
  terminal.type('the next one\r');
  await terminal.waitFor('the answer begins', 'It begins');
  terminal.type('say this too\r');
  await terminal.waitFor('it waits', '1 to be said next');
  terminal.type('half a sen');
  await until(
    'the draft is kept',
    () => written(home).includes('half a sen') && written(home).includes('"say this too"'),
  );
  terminal.kill('SIGKILL');
  const again = await opened(home, '--resume');
  await again.waitFor('the chat is back', /the question[^]*First answer/);
  await again.waitFor('what waited and what was written stand in the input', /say this too[^]*half a sen/);
});

test('a window that is closed loses nothing either', async () => {
  const { home } = await begin([]);
  const terminal = await opened(home);
  terminal.type('never sent');
  await terminal.waitFor('it is written', 'never sent');
  terminal.close();
  await until('the draft is kept', () => written(home).includes('never sent'));
  const again = await opened(home, '--resume');
  await again.waitFor('it is there', 'never sent');
});

test('chats run beside each other in tabs, and come back as they were', async () => {
  const { home } = await begin([says('Answer one'), says('Answer two')]);
  const terminal = await opened(home);
  terminal.type('question one\r');
  await terminal.waitFor('the first answer', 'Answer one');
  terminal.type('\x14');
  await terminal.waitFor('a new tab', /1 question one.*│ 2 new chat/);
  terminal.type('question two\r');
  await terminal.waitFor('the second answer', 'Answer two');
  await terminal.waitFor('both have titles', /1 question one.*│ 2 question two/);
  terminal.type('\x11');
  assert.is(await terminal.ended(), 0);
  const again = await opened(home, '--resume');
  await again.waitFor('both are there', /1 question one.*│ 2 question two/);
});

test('without a terminal it says what answers there', async () => {
  const { home } = await begin([]);
  const result = await home.cli('chat');
  assert.is(result.status, 2);
  assert.match(result.stderr, /no terminal.*mux ask/s);
});

test.run();
