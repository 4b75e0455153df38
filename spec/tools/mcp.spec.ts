/** The MCP client against servers that people use, over the streams of real processes. */
import { join } from 'node:path';
import { realpathSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ElicitationAnswer } from '../../lib/tools/mcp/types.ts';
import { tempDir } from '../support/temp.ts';
import { call, endHttp, mcp, PACKAGES, type Rig } from '../support/mcp-rig.ts';

const test = suite('MCP servers that people use');
const rigs: Rig[] = [];
const open = async (...options: Parameters<typeof mcp>): Promise<Rig> => {
  const rig = mcp(...options);
  rigs.push(rig);
  await rig.servers.start();
  return rig;
};
test.after.each(async () => {
  for (const rig of rigs.splice(0)) await rig.servers.close();
  endHttp();
});

const everything = { name: 'every thing', command: process.execPath, args: [PACKAGES.everything] };

test('tools, resources and prompts of server-everything are there, and can be called', async () => {
  const rig = await open([everything]);
  const [state] = rig.servers.states();
  assert.is(state!.error, '');
  assert.is(state!.status, 'ready');
  assert.ok(state!.tools.includes('mcp__every_thing__echo'));
  assert.ok(state!.tools.includes('mcp__every_thing__read_resource'));
  assert.ok(state!.tools.includes('mcp__every_thing__get_prompt'));
  assert.ok(state!.resources.length > 0 && state!.prompts.length > 0);
  const echo = rig.tool('mcp__every_thing__echo');
  assert.is(echo.isReadOnly, false);
  assert.equal(Object.keys(echo.wire.json_schema!.properties!), ['message']);
  const outcome = await call(echo, { message: 'hello' });
  assert.is(outcome.isError, false);
  assert.match(outcome.content, /hello/);
});

test('numbers, structured answers and pictures come through', async () => {
  const rig = await open([everything]);
  assert.match((await call(rig.tool('mcp__every_thing__get-sum'), { a: 2, b: 40 })).content, /42/);
  const structured = await call(rig.tool('mcp__every_thing__get-structured-content'), {
    location: 'Chicago',
  });
  assert.ok(structured.structured?.structValue?.fields?.temperature, JSON.stringify(structured));
  assert.match(
    (await call(rig.tool('mcp__every_thing__get-tiny-image'), {})).content,
    /\[picture image\/png, \d+ bytes\]/,
  );
});

test('arguments that the server does not take are an answer for the model', async () => {
  const rig = await open([everything]);
  const outcome = await call(rig.tool('mcp__every_thing__get-sum'), { a: 'x', b: 1 });
  assert.is(outcome.isError, true);
  assert.match(outcome.content, /number/);
});

test('resources are read and prompts are filled in', async () => {
  const rig = await open([everything]);
  const [state] = rig.servers.states();
  const uri = state!.resources.find(one => !one.includes('{'))!;
  const read = await call(rig.tool('mcp__every_thing__read_resource'), { uri });
  assert.is(read.isError, false);
  assert.ok(read.content.includes(uri));
  assert.ok(rig.servers.prompts().some(({ prompt }) => prompt.name === 'simple-prompt'));
  const text = await rig.servers.prompt('every thing', 'simple-prompt', {}, new AbortController().signal);
  assert.match(text, /prompt/);
  const asked = await call(rig.tool('mcp__every_thing__get_prompt'), { name: 'simple-prompt' });
  assert.is(asked.content, text);
});

test('a long call tells its progress', async () => {
  const rig = await open([everything]);
  const told: string[] = [];
  const tool = rig.tool('mcp__every_thing__trigger-long-running-operation');
  const outcome = await call(tool, { duration: 1, steps: 4 }, { progress: text => told.push(text) });
  assert.is(outcome.isError, false);
  assert.ok(told.length >= 2, told.join());
  assert.match(told[0]!, /1 of 4/);
});

test('a long call that is cancelled is over at once, and the server serves on', async () => {
  const rig = await open([everything]);
  const stop = new AbortController();
  const tool = rig.tool('mcp__every_thing__trigger-long-running-operation');
  const progress = (): void => stop.abort();
  const outcome = await call(tool, { duration: 60, steps: 60 }, { signal: stop.signal, progress });
  assert.is(outcome.isError, true);
  assert.match(outcome.content, /cancelled/);
  assert.match((await call(rig.tool('mcp__every_thing__echo'), { message: 'on' })).content, /on/);
});

test('a question of a server reaches the person, and its answer the server', async () => {
  const asked: string[] = [];
  const rig = await open([everything], {
    port: {
      elicit: async ({ server, message, schema }): Promise<ElicitationAnswer> => {
        asked.push(`${server}: ${message} ${Object.keys(schema.properties as object).length > 0}`);
        return { action: 'decline' };
      },
    },
  });
  const outcome = await call(rig.tool('mcp__every_thing__trigger-elicitation-request'), {});
  assert.is(asked.length, 1);
  assert.match(asked[0]!, /^every thing: .* true$/s);
  assert.match(outcome.content, /declin/i);
});

test('without anybody to ask, a server is not told that it may', async () => {
  const rig = await open([everything]);
  assert.not.ok(rig.servers.states()[0]!.tools.includes('mcp__every_thing__trigger-elicitation-request'));
});

test('files of server-filesystem are read and written where it may, and nowhere else', async () => {
  const dir = realpathSync(tempDir({ 'a.txt': 'the text of a' }));
  const rig = await open([{ name: 'files', command: process.execPath, args: [PACKAGES.filesystem, dir] }]);
  const read = rig.tool('mcp__files__read_text_file');
  assert.match((await call(read, { path: join(dir, 'a.txt') })).content, /the text of a/);
  assert.is((await call(read, { path: '/etc/passwd' })).isError, true);
  const preview = await read.preview({ path: join(dir, 'a.txt') }, rig.context());
  assert.equal(preview.subject, { kind: 'words', words: [`path=${dir}/a.txt`], tier: 'write' });
  assert.is(preview.header, 'files: read_text_file');
  const lacking = await read.preview({}, rig.context()).catch((error: Error) => error.message);
  assert.is(lacking, 'mcp__files__read_text_file: path: missing');
});

test('a server over streamable HTTP serves as a local one does', async () => {
  const rig = await open([], {});
  const port = await rig.serveHttp();
  const remote = await open([{ name: 'far', url: `http://127.0.0.1:${port}/mcp` }]);
  assert.is(remote.servers.states()[0]!.error, '');
  assert.match(
    (await call(remote.tool('mcp__far__echo'), { message: 'over the net' })).content,
    /over the net/,
  );
});

test('nothing runs before it is needed, and nothing runs after', async () => {
  const rig = mcp([everything]);
  rigs.push(rig);
  assert.is(rig.servers.states()[0]!.status, 'idle');
  assert.equal(rig.tools(), []);
  await rig.servers.close();
  assert.is(rig.servers.states()[0]!.status, 'closed');
  await rig.servers.start();
  assert.is(rig.servers.states()[0]!.status, 'closed');
});

test.run();
