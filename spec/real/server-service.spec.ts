/** AiService beside a server of mux: who uses it, how long it is there, and what happens where it is killed. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Anything } from '../support/ai/foreign-client.ts';
import { events, ModelServer } from '../support/ai/model-server.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('server service');
let home: MuxHome;
let server: ModelServer;
test.before.each(async () => {
  server = await new ModelServer().start();
  const config = `ai:
  default_model: gpt-test
  providers: { openai: { base_url: "${server.url}/v1", api_key_env: A_KEY, models: [gpt-test] } }
`;
  home = new MuxHome({ config });
});
test.after.each(async () => {
  await home.end();
  await server.end();
});

const chunk = (content: string): string =>
  events({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const done = events({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

function servicePid(): number | undefined {
  return home.pids().find(pid => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--attended');
    } catch {
      // ENOENT: it has ended.
      return false;
    }
  });
}

/** Starts a server and its service by a first question, and waits until it is there. */
async function begin(): Promise<number> {
  await startMux({ home, env: { A_KEY: 'one' } });
  server.answers({ pieces: [chunk('first'), done] });
  assert.is(await home.ok('ask', 'x'), 'first\n');
  const pid = await until('the service runs', servicePid);
  await until('it listens', async () => (await home.ask('ai-service')).includes('unix:'));
  return pid;
}

test('the first question is not held up, and those after it go to the service of the server', async () => {
  home = Object.assign(home, { env: { ...home.env, A_KEY: 'one' } });
  const pid = await begin();
  server.answers({ pieces: [chunk('half')], ending: 'silence' });
  const asked = home.cli('ask', '--chat', 'a', 'and now');
  await until('the model is asked', () => server.requests.length === 2);
  await until('the question is in the one database', async () => (await home.ok('chats')).includes('a\t'));
  process.kill(pid, 'SIGKILL');
  const { status, stderr } = await asked;
  assert.is(status, 1, 'it was the service that asked');
  assert.match(stderr, /AiService|connection|closed|dropped/i);
  const shown = (await home.cli('--json', 'chats', 'show', 'a')).json() as Anything;
  assert.equal(
    shown.messages
      .filter((message: Anything) => message.role !== 'system')
      .map((message: Anything) => message.blocks[0].text),
    ['and now'],
  );
  server.answers({ pieces: [chunk('again'), done] });
  assert.match(await home.ok('ask', '--chat', 'b', 'again'), /again\n$/);
});

test('one with other keys is answered by a service of its own', async () => {
  home = Object.assign(home, { env: { ...home.env, A_KEY: 'one' } });
  await begin();
  server.answers({ pieces: [chunk('ok'), done] });
  home = Object.assign(home, { env: { ...home.env, A_KEY: 'two' } });
  assert.is(await home.ok('ask', 'x'), 'ok\n');
  assert.is(server.requests.at(-1)!.headers.authorization, 'Bearer two');
});

test('it ends with its server, and not before what it answers is whole', async () => {
  home = Object.assign(home, { env: { ...home.env, A_KEY: 'one' } });
  const pid = await begin();
  server.answers({ pieces: [chunk('slow')], ending: 'silence' });
  const asked = home.cli('ask', 'x');
  await until('the model is asked', () => server.requests.length === 2);
  process.kill(await home.serverPid(), 'SIGKILL');
  home.forgetLine();
  assert.is(servicePid(), pid);
  server.cutAll();
  const { status, stdout } = await asked;
  assert.equal([status, stdout], [1, 'slow\n']);
  await until('the service has ended', () => servicePid() === undefined);
});

test.run();
