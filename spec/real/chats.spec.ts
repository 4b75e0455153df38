/** `mux chats` on a terminal, pictures as files, and answers drawn as they come. */
// spec-long
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Anything } from '../support/ai/foreign-client.ts';
import { events, ModelServer } from '../support/ai/model-server.ts';
import { hasPrograms, MuxHome } from '../support/mux.ts';

const test = suite('chats');
let home: MuxHome;
let server: ModelServer;
test.before.each(async () => {
  server = await new ModelServer().start();
  const config = `ai:
  default_model: gpt-test
  providers: { openai: { base_url: "${server.url}/v1", api_key_command: "echo k", models: [gpt-test] } }
`;
  home = new MuxHome({ config });
});
test.after.each(async () => {
  await home.end();
  await server.end();
});

const says = (...pieces: readonly string[]): { pieces: string[] } => ({
  pieces: [
    ...pieces.map(content => events({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    events({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  ],
});
const LONG = `# Title\n\n${Array.from({ length: 60 }, (_, n) => `- item **${n}** \x1b[31m漢字`).join('\n')}\n`;

test('an answer is drawn on a terminal, is whole in its history, and acts on nothing', async () => {
  server.answers(says(...LONG.match(/[^]{1,7}/g)!));
  const mux = home.start({ args: ['ask', 'x'], rows: 20 });
  assert.is(await mux.ended(), 0);
  assert.match(mux.text(), /• item 59 \^\[\[31m漢字/);
  const { emulator } = mux;
  const rows = emulator.historySize + 20;
  assert.ok(rows >= 62 && rows < 70, `every line once: ${rows} rows`);
});

test('without colours, and in a pipe, it is the text that was written', async () => {
  const text = 'a **b**\n\n- c';
  server.answers(says(text), says(text), says(text));
  assert.is(await home.ok('ask', 'x'), `${text}\n`);
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    const mux = home.start({ args: ['ask', 'x'], env });
    assert.is(await mux.ended(), 0);
    assert.match(mux.text(), /^a \*\*b\*\*\n\n- c\n/);
  }
});

test('an answer that is cut off is shown as far as it came, and the error stands below it', async () => {
  server.answers({
    pieces: [events({ choices: [{ index: 0, delta: { content: '**half** of' }, finish_reason: null }] })],
    ending: 'cut',
  });
  const mux = home.start({ args: ['ask', 'x'] });
  assert.is(await mux.ended(), 1);
  assert.match(mux.text(), /^half of\nmux: openai: /);
});

test('a chat that is longer than the screen is paged, a short one is printed', async () => {
  if (!hasPrograms('less')) return;
  server.answers(says('short'), says(LONG));
  await home.ok('ask', '--chat', 'a', 'x');
  const short = home.start({ args: ['chats', 'show', 'a'] });
  assert.is(await short.ended(), 0);
  assert.match(short.text(), /user \w+\n\nx\n\nassistant \w+\n\nshort/);
  await home.ok('ask', '--chat', 'b', 'x');
  const long = home.start({ args: ['chats', 'show', 'b'] });
  await long.waitFor('the pager', /:$/);
  assert.not.match(long.text(), /\x1b|ESC/);
  assert.match(long.text(), /• item 1 \^\[\[31m漢字/);
  long.type('q');
  assert.is(await long.ended(), 0);
});

test('a message is pinned by its id, and freed again', async () => {
  server.answers(says('yes'));
  await home.ok('ask', '--chat', 'a', 'keep this');
  const { messages } = (await home.cli('--json', 'chats', 'show', 'a')).json() as Anything;
  const first = messages.find((message: Anything) => message.role === 'user');
  const id = first.name.split('/').at(-1) as string;
  assert.is(await home.ok('chats', 'pin', 'a', '--message', id.slice(0, 6)), `${id} is pinned\n`);
  assert.match(await home.ok('chats', 'show', 'a'), new RegExp(`^## user ${id} \\(pinned\\)$`, 'm'));
  assert.is(await home.ok('chats', 'pin', 'a', '--message', first.name), `${id} is no longer pinned\n`);
  const none = await home.cli('chats', 'pin', 'a', '--message', 'zz');
  assert.is(none.status, 3);
  assert.match(none.stderr, /zz: no such message \('mux chats show a' tells their ids\)/);
});

test('pictures are files, and their names are told', async () => {
  const bytes = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');
  writeFileSync(join(home.work, 'p.png'), bytes);
  server.answers(says('a picture'));
  await home.ok('ask', '--chat', 'a', '-f', 'p.png', 'what is it');
  const shown = await home.ok('chats', 'show', 'a');
  const [, path = ''] = /\(a picture, image\/png: (\/\S+\.png)\)/.exec(shown) ?? [];
  assert.equal(readFileSync(path), bytes);
  const { messages } = (await home.cli('--json', 'chats', 'show', 'a')).json() as Anything;
  const asked = messages.find((message: Anything) => message.role === 'user');
  assert.is(asked.blocks[1].image.path, path);
});

test.run();
