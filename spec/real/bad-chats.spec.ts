/** Databases of chats that cannot be used: what is told, and that neither they nor the question are lost. */
// spec-long
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHATS } from '../../lib/ai/store/schema.ts';
import { openDatabase, type Opened } from '../../lib/sqlite/open.ts';
import type { Anything } from '../support/ai/foreign-client.ts';
import { events, ModelServer } from '../support/ai/model-server.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('bad databases of chats');
let home: MuxHome;
let server: ModelServer;
let path: string;
const ANSWER = {
  pieces: [
    events({ choices: [{ index: 0, delta: { content: 'yes' }, finish_reason: null }] }),
    events({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  ],
};
test.before.each(async () => {
  server = await new ModelServer().start();
  const config = `ai:
  default_model: gpt-test
  providers: { openai: { base_url: "${server.url}/v1", api_key_command: "echo k", models: [gpt-test] } }
`;
  home = new MuxHome({ config });
  server.answers(ANSWER);
  await home.ok('ask', '--chat', 'c', 'before');
  path = join(home.dir, 'data/default/chats.sqlite');
});
test.after.each(async () => {
  await home.end();
  await server.end();
});

function open(): Opened['db'] {
  return openDatabase({ path, schema: CHATS, now: () => 0 }).db;
}

async function texts(): Promise<string[]> {
  const { messages } = (await home.cli('--json', 'chats', 'show', 'c')).json() as Anything;
  return messages
    .filter((message: Anything) => message.role !== 'system')
    .map((message: Anything) => message.blocks[0].text);
}

test('one of a newer mux is refused and stays as it is', async () => {
  const db = open();
  db.exec('PRAGMA user_version = 99');
  db.close();
  const before = readFileSync(path);
  const { status, stderr } = await home.cli('ask', '--chat', 'c', 'x');
  assert.is(status, 4);
  assert.match(stderr, /a newer mux wrote it in form 99.*use that mux/);
  assert.equal(readFileSync(path), before);
});

test('one that is damaged is kept beside an empty one, and told', async () => {
  writeFileSync(path, 'no database at all, '.repeat(1000));
  server.answers(ANSWER);
  const { status, stdout, stderr } = await home.cli('ask', '--chat', 'c', 'x');
  assert.equal([status, stdout], [0, 'yes\n']);
  const kept = readdirSync(dirname(path)).find(name => name.includes('.corrupt-'))!;
  assert.match(stderr, /an empty one has taken its place/);
  assert.match(readFileSync(join(dirname(path), kept), 'utf8'), /^no database at all/);
});

test('one that another program holds is waited for, and a question that could not be put is kept', async () => {
  const db = open();
  db.exec('BEGIN IMMEDIATE');
  const asked = home.cli('ask', '--chat', 'c', 'held');
  const { status, stderr } = await asked;
  assert.is(status, 1);
  assert.match(stderr, /another program holds .*chats\.sqlite.*the question is kept/);
  db.exec('COMMIT');
  db.close();
  server.answers(ANSWER, ANSWER);
  await home.ok('ask', '--chat', 'c', 'after');
  assert.equal(await texts(), ['before', 'yes', 'held', 'yes', 'after', 'yes']);
});

test('without room on the disk the question is refused or kept, and all of before is there', async () => {
  writeFileSync(join(home.work, 'long.txt'), 'a long line of text\n'.repeat(20_000));
  const words = ['ask', '--chat', 'c', '-f', 'long.txt', 'large'];
  // Files may grow to 100 blocks of 1 KiB; that the signal is ignored leaves the error of the write.
  const script = `trap '' XFSZ; ulimit -f 100; exec "$@"`;
  const all = ['-c', script, 'bash', process.execPath, LAUNCHER, ...words];
  const stderr = await new Promise<string>(resolve => {
    const options = { env: home.env, cwd: home.work };
    execFile('bash', all, options, (_, __, told) => resolve(told)).stdin?.end();
  });
  assert.match(stderr, /^mux: .*(?:could not be kept|no space|disk)/);
  assert.is(server.requests.length, 1, 'the model was not asked');
  assert.equal((await texts()).slice(0, 2), ['before', 'yes']);
  await until('nothing runs', () => home.pids().length === 0);
});

test.run();
