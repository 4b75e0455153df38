/** `mux ask` with tools: what runs, what is asked about, and what a script gets, with real files and a real shell. */
// spec-timeout: 400
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { events, ModelServer } from '../support/ai/model-server.ts';
import type { Anything } from '../support/ai/foreign-client.ts';
import { MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('ask with tools');
let homes: MuxHome[] = [];
let server: ModelServer;
test.before.each(async () => void (server = await new ModelServer().start()));
test.after.each(async () => {
  for (const home of homes) await home.end();
  homes = [];
  await server.end();
});

function homeOf(more = ''): MuxHome {
  const config = `ai:
  default_model: gpt-test
  providers:
    openai: { base_url: "${server.url}/v1", api_key_command: "echo key", models: [gpt-test] }
${more}`;
  const home = new MuxHome({ config });
  homes.push(home);
  writeFileSync(join(home.work, 'note.txt'), 'one\ntwo\n');
  return home;
}

type Wanted = readonly [name: string, args: object];

/** The model calls these, all in one answer. */
function calls(...wanted: readonly Wanted[]): { pieces: string[] } {
  const tool_calls = wanted.map(([name, args], index) => ({
    index,
    id: `call${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const delta = { choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] };
  return { pieces: [events(delta, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })] };
}

function says(content: string): { pieces: string[] } {
  const delta = { choices: [{ index: 0, delta: { content }, finish_reason: null }] };
  return { pieces: [events(delta, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })] };
}

/** Results that the model was told with its last request, in order. */
function results(): string[] {
  const { messages } = server.requests.at(-1)!.body as Anything;
  return messages
    .filter((one: Anything) => one.role === 'tool')
    .map((one: Anything) => one.content as string);
}

const EDIT: Wanted = ['replace', { path: 'note.txt', patches: [{ search: 'two', replace: 'TWO' }] }];
const made = (home: MuxHome): string => join(home.work, 'made');

test('what only reads runs by itself, and its result goes back', async () => {
  const home = homeOf();
  server.answers(
    calls(['read_files', { paths: ['note.txt'] }], ['exec_shell', { command: 'wc -l < note.txt' }]),
    says('two lines'),
  );
  assert.is(await home.ok('ask', 'how long is it?'), 'two lines\n');
  const [file, count] = results();
  assert.match(file!, /one\n.*two/s);
  assert.match(count!, /2/);
});

test('without a terminal what needs a yes is not run, the model is told, and the status is 4', async () => {
  const home = homeOf();
  server.answers(calls(EDIT, ['exec_shell', { command: 'touch made' }]), says('I may not'));
  const { status, stdout, stderr } = await home.cli('ask', 'change it');
  assert.equal([status, stdout], [4, 'I may not\n']);
  assert.match(stderr, /2 calls needed a yes, and there was nobody to give it/);
  assert.is(readFileSync(join(home.work, 'note.txt'), 'utf8'), 'one\ntwo\n');
  assert.not(existsSync(made(home)));
  assert.match(results()[0]!, /needs a person's yes/);
});

test('auto runs writes, rules of the person hold, and JSON tells what was done', async () => {
  const home = homeOf('permissions:\n  - { tool: exec_shell, argv: [touch], mode: deny }\n');
  server.answers(
    calls(EDIT, ['exec_shell', { command: 'touch made' }], ['exec_shell', { command: 'rm -rf note.txt' }]),
    says('done'),
  );
  const { status, stdout } = await home.cli('ask', '--mode', 'auto', '--output', 'json', 'change it');
  assert.is(status, 4, 'what cannot be undone is never run unasked');
  const answer = JSON.parse(stdout) as Anything;
  assert.is(answer.text, 'done');
  assert.equal(
    answer.tool_calls.map((one: Anything) => [one.name, one.is_error]),
    [
      ['replace', false],
      ['exec_shell', true],
      ['exec_shell', true],
    ],
  );
  assert.match(answer.tool_calls[1].content, /denied by user rule 1/);
  assert.is(readFileSync(join(home.work, 'note.txt'), 'utf8'), 'one\nTWO\n');
  assert.not(existsSync(made(home)));
});

test('plan changes nothing; named tools are all that are offered', async () => {
  const home = homeOf();
  server.answers(calls(EDIT), says('I would change a word'));
  await home.ok('ask', '--mode', 'plan', '--tool', 'replace', '--tool', 'read_files', 'change it');
  assert.is(readFileSync(join(home.work, 'note.txt'), 'utf8'), 'one\ntwo\n');
  const { tools } = server.requests[0]!.body as Anything;
  assert.equal(tools.map((tool: Anything) => tool.function.name).sort(), ['read_files', 'replace']);
});

test('on a terminal a call is shown with its diff, and a line is the verdict', async () => {
  const home = homeOf();
  server.answers(
    calls(EDIT, ['exec_shell', { command: 'touch made' }]),
    calls(['exec_shell', { command: 'rm -rf note.txt' }]),
    says('all done'),
  );
  const ask = home.start({ args: ['ask', 'change it'] });
  await ask.waitFor('the diff', /-two[^]*\+TWO[^]*run it\?/);
  ask.type('y\r');
  await ask.waitFor('the command', /touch made[^]*run it\?/);
  ask.type('n not now\r');
  await ask.waitFor('what cannot be undone', /type YES/);
  ask.type('y\r');
  await ask.waitFor('the question again', /type YES[^]*type YES/);
  ask.type('YES\r');
  await ask.waitFor('the answer', /all done/);
  assert.is(await ask.ended(), 0);
  assert.not(existsSync(join(home.work, 'note.txt')));
  assert.not(existsSync(made(home)));
  assert.ok(results().some(one => one.includes('rejected by the person: not now')));
});

test('with -i each line is a question of one chat', async () => {
  const home = homeOf();
  server.answers(
    says('first answer'),
    calls(['exec_shell', { command: 'touch made' }]),
    says('second answer'),
  );
  const ask = home.start({ args: ['ask', '-i'] });
  await ask.waitFor('the prompt', /^>/m);
  ask.type('one\r');
  await ask.waitFor('its answer', /first answer[^]*^>$/m);
  ask.type('two\r');
  await ask.waitFor('the call', /touch made[^]*run it\?/);
  ask.type('y\r');
  await ask.waitFor('its answer', /second answer[^]*^>$/m);
  assert.ok(existsSync(made(home)));
  ask.type('\x04');
  assert.is(await ask.ended(), 0);
  const { messages } = server.requests.at(-1)!.body as Anything;
  assert.equal(
    messages.filter((one: Anything) => one.role === 'user').map((one: Anything) => one.content),
    ['one', 'two'],
  );
});

test('killed while a tool runs, the chat goes on with the call answered', async () => {
  const home = homeOf('permissions:\n  - { tool: exec_shell, argv: [sh, slow.sh], mode: allow }\n');
  writeFileSync(join(home.work, 'slow.sh'), 'touch made\nexec sleep 1000\n');
  server.answers(calls(['exec_shell', { command: 'sh slow.sh' }]), says('back'));
  const ask = home.start({ args: ['ask', '--mode', 'auto', 'go'] });
  await until('it runs', () => existsSync(made(home)), { describe: () => ask.describe() });
  process.kill(ask.pid, 'SIGKILL');
  await ask.ended();
  const { chats } = (await home.cli('--json', 'chats', 'list')).json() as Anything;
  assert.is(await home.ok('ask', '--chat', chats[0].name, 'what happened?'), 'back\n');
  assert.match(results()[0]!, /never ran|interrupted/);
});

test('an answer that never stops calling is stopped', async () => {
  const home = homeOf();
  for (let i = 0; i < 3; i++) server.answers(calls(['list_dir', { path: '.' }]));
  const { status, stderr } = await home.cli('ask', '--max-turns', '3', 'loop');
  assert.is(status, 1);
  assert.match(stderr, /not done after 3 answers/);
  assert.is((await home.cli('ask', '--mode', 'wild', 'x')).status, 2);
  assert.is((await home.cli('ask', '--max-turns', '0', 'x')).status, 2);
  assert.is((await home.cli('ask', '--tool', '//none', 'x')).status, 3);
});

test.run();
