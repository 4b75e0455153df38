/** MCP servers that break, flood, hang, lie and stay: each costs itself alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, hostile, mcp, type Rig } from '../support/mcp-rig.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const test = suite('MCP servers that mean harm, or do it');
const rigs: Rig[] = [];
const open = async (...options: Parameters<typeof mcp>): Promise<Rig> => {
  const rig = mcp(...options);
  rigs.push(rig);
  await rig.servers.start();
  return rig;
};
test.after.each(async () => {
  for (const rig of rigs.splice(0)) await rig.servers.close();
});

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has waited for is gone for everybody else.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
const pidsIn = (file: string): number[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => /^\d+$/.test(line))
    .map(Number);
/** Memory of this process that `work` needs at most, in bytes. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  await work();
  clearInterval(timer);
  return most - before;
}

test('a server that cannot be started is told of, and the others serve', async () => {
  const rig = await open([
    { name: 'gone', command: '/nowhere/server' },
    hostile('leaver', '', { name: 'leaver' }),
    hostile('good'),
    { name: 'unset', url: 'http://127.0.0.1:9/mcp', headers_env: { authorization: 'MUX_SPEC_NO_SUCH' } },
    { name: 'unheard', url: 'http://127.0.0.1:9/mcp' },
  ]);
  const errors = Object.fromEntries(rig.servers.states().map(({ name, error }) => [name, error]));
  assert.is(errors.gone, '/nowhere/server cannot be started: no such file');
  assert.is(errors.leaver, 'it ended with status 3');
  assert.is(errors.h, '');
  assert.is(errors.unset, 'MUX_SPEC_NO_SUCH is not set');
  assert.match(errors.unheard!, /^it cannot be reached: /);
  assert.equal(
    rig.tools().map(({ wire }) => wire.name),
    ['mcp__h__echo', 'mcp__h__sleep'],
  );
  assert.is((await call(rig.tool('mcp__h__echo'), { text: 'here' })).content, 'here');
});

test('a hint that a tool only reads is not believed', async () => {
  const rig = await open([hostile('good')]);
  const echo = rig.tool('mcp__h__echo');
  assert.is(echo.isReadOnly, false);
  const { subject } = await echo.preview({ text: 'x' }, rig.context());
  assert.is(subject.kind === 'words' && subject.tier, 'write');
});

test('what is printed beside messages harms nothing', async () => {
  const rig = await open([hostile('all')]);
  assert.is((await call(rig.tool('mcp__h__junk'), {})).content, 'after junk');
  assert.ok(rig.lines.some(line => line.includes('no message on its stdout: Loading…')));
});

for (const flood of ['flood', 'flood_notes', 'flood_line'])
  test(`a server that floods (${flood}) is ended, and the next call starts it again`, async () => {
    const rig = await open([hostile('all')]);
    let outcome: Awaited<ReturnType<typeof call>> | undefined;
    const grown = await growth(async () => (outcome = await call(rig.tool(`mcp__h__${flood}`), {})));
    assert.is(outcome!.isError, true);
    assert.match(outcome!.content, /it sent (more than|a message of more than) 16MiB/);
    assert.ok(grown < 200e6, `${Math.round(grown / 1e6)} MB`);
    assert.is(rig.servers.states()[0]!.status, 'failed');
    assert.is((await call(rig.tool('mcp__h__echo'), { text: 'again' })).content, 'again');
  });

test('diagnostics without end are read and left out', async () => {
  const rig = await open([hostile('all')]);
  assert.is((await call(rig.tool('mcp__h__flood_errors'), {})).content, 'still here');
  assert.ok(rig.lines.join('').length < 200_000);
});

test('a server whose diagnostics never end serves on, in bounded memory', async () => {
  const rig = await open([hostile('all')]);
  await call(rig.tool('mcp__h__flood_errors_on'), {});
  const grown = await growth(async () => {
    for (let at = 0; at < 200; at++)
      assert.is((await call(rig.tool('mcp__h__echo'), { text: String(at) })).content, String(at));
  });
  assert.ok(grown < 100e6, `${Math.round(grown / 1e6)} MB`);
  assert.ok(rig.lines.join('').length < 200_000);
});

test('a server that ends in the middle of a call costs that call, and is started again', async () => {
  const rig = await open([hostile('all')]);
  const outcome = await call(rig.tool('mcp__h__exit'), {});
  assert.equal([outcome.isError, outcome.content], [true, 'mcp h: it ended with status 7']);
  assert.is((await call(rig.tool('mcp__h__echo'), { text: 'again' })).content, 'again');
});

test('an answer that is given just before the end counts', async () => {
  const rig = await open([hostile('all')]);
  assert.is((await call(rig.tool('mcp__h__last_word'), {})).content, 'the last word');
});

test('a server that is killed in the middle of a call is told of', async () => {
  const file = join(tempDir({ pids: '' }), 'pids');
  const rig = await open([hostile('all', file)]);
  const running = call(rig.tool('mcp__h__sleep'), {});
  await until('it runs', () => /called/.test(readFileSync(file, 'utf8')));
  process.kill(pidsIn(file)[0]!, 'SIGKILL');
  assert.is((await running).content, 'mcp h: it was ended by SIGKILL');
});

test('a server that hangs costs that call its patience, and is exchanged', async () => {
  const file = join(tempDir({ pids: '' }), 'pids');
  const rig = await open([hostile('all', file, { timeout: 300 })]);
  const outcome = await call(rig.tool('mcp__h__sleep'), {});
  assert.match(outcome.content, /no sign of life/);
  assert.is(outcome.isError, true);
  const [first] = pidsIn(file);
  await until('it is gone', () => !isThere(first!));
  assert.is((await call(rig.tool('mcp__h__echo'), { text: 'again' })).content, 'again');
  assert.is(pidsIn(file).length, 2);
});

test('a call that is cancelled is over at once, though the server goes on, and the server is told', async () => {
  const file = join(tempDir({ pids: '' }), 'pids');
  const rig = await open([hostile('all', file)]);
  const stop = new AbortController();
  const running = call(rig.tool('mcp__h__sleep'), {}, { signal: stop.signal });
  await until('it runs', () => /called/.test(readFileSync(file, 'utf8')));
  stop.abort();
  assert.match((await running).content, /cancelled/);
  await until('it is told', () => /cancelled/.test(readFileSync(file, 'utf8')));
  assert.is((await call(rig.tool('mcp__h__echo'), { text: 'on' })).content, 'on');
  assert.is(pidsIn(file).length, 1);
});

test('a server that never says who it is keeps nobody from leaving', async () => {
  const rig = mcp([hostile('mute'), hostile('good', '', { name: 'good' })]);
  rigs.push(rig);
  const stop = new AbortController();
  const starting = rig.servers.start(stop.signal).catch((error: Error) => error.message);
  await until('the other is there', () => rig.servers.states()[1]!.status === 'ready');
  stop.abort();
  assert.is(await starting, 'mcp h: cancelled');
});

for (const mode of ['group', 'stubborn'])
  test(`a server ends with everything that it started (${mode})`, async () => {
    const file = join(tempDir({ pids: '' }), 'pids');
    const rig = await open([hostile(mode, file)]);
    const pids = await until('both run', () => (pidsIn(file).length === 2 ? pidsIn(file) : undefined));
    assert.ok(pids.every(isThere));
    await rig.servers.close();
    await until('both are gone', () => !pids.some(isThere));
  });

test('what a server leaves behind when it ends by itself is ended', async () => {
  const file = join(tempDir({ pids: '' }), 'pids');
  const rig = await open([hostile('group', file)]);
  const pids = await until('both run', () => (pidsIn(file).length === 2 ? pidsIn(file) : undefined));
  await call(rig.tool('mcp__h__exit'), {});
  await until('both are gone', () => !pids.some(isThere));
});

test('answers that are huge, deep, odd or wrong are outcomes', async () => {
  const rig = await open([hostile('all')]);
  const big = await call(rig.tool('mcp__h__big'), {});
  assert.ok(Buffer.byteLength(big.content) <= 64 * 1024);
  assert.match(big.content, /bytes left out/);
  const deep = await call(rig.tool('mcp__h__deep'), {});
  assert.is(deep.structured, undefined);
  const odd = await call(rig.tool('mcp__h__odd'), {});
  assert.is(odd.isError, false);
  assert.match(odd.content, /\[__proto__ that is not shown\]\n\[picture image\/png, 3 bytes\]/);
  assert.is((await call(rig.tool('mcp__h__fail'), {})).isError, true);
  assert.not.match((await call(rig.tool('mcp__h__fail'), {})).content, /\u001b/);
  assert.is((await call(rig.tool('mcp__h__echo'), { text: 'on' })).content, 'on');
});

test('an answer that is none is waited for no longer than any other', async () => {
  const rig = await open([hostile('all', '', { timeout: 300 })]);
  assert.is((await call(rig.tool('mcp__h__wrong'), {})).isError, true);
});

test('tools that are added are there without a new start', async () => {
  let changes = 0;
  const rig = await open([hostile('all')], { onChange: () => changes++ });
  const [source] = rig.servers.sources();
  const before = source!.list();
  assert.is(source!.list(), before);
  await call(rig.tool('mcp__h__change'), {});
  await until('the tool is there', () => rig.servers.states()[0]!.tools.includes('mcp__h__added'));
  assert.is.not(source!.list(), before);
  assert.ok(changes >= 2);
});

test('a tool that became another one since it was allowed is not run', async () => {
  const rig = await open([hostile('all')]);
  const echo = rig.tool('mcp__h__echo');
  const before = await echo.preview({ text: 'a' }, rig.context());
  await call(rig.tool('mcp__h__redefine'), {});
  await until('it is another', () => rig.tool('mcp__h__echo').wire.description === 'Sends it away');
  const after = await rig.tool('mcp__h__echo').run({ text: 'a' }, before, rig.context());
  assert.match(after.content, /changed what it is/);
});

test('a question is asked while a call runs, and its answer goes to the server', async () => {
  const rig = await open([hostile('all')], {
    port: { elicit: async ({ message }) => ({ action: 'accept', content: { one: `${message} this` } }) },
  });
  const outcome = await call(rig.tool('mcp__h__ask'), {});
  assert.is(outcome.content, '{"action":"accept","content":{"one":"Which one? this"}}');
});

test('a question that nobody answers ends with its call', async () => {
  const stop = new AbortController();
  const ended: boolean[] = [];
  const rig = await open([hostile('all')], {
    port: {
      elicit: (_, signal) => {
        setImmediate(() => stop.abort());
        return new Promise(() => signal.addEventListener('abort', () => ended.push(true)));
      },
    },
  });
  assert.match((await call(rig.tool('mcp__h__ask'), {}, { signal: stop.signal })).content, /cancelled/);
  await until('the question is over', () => ended.length === 1);
});

test('a server gets few variables, and those that are named', async () => {
  const env = { ...process.env, SECRET: 's', HANDED: 'h', MUX_TOKEN: 't' } as Record<string, string>;
  const rig = await open([hostile('all', '', { env: { SET: '1' }, env_vars: ['HANDED', 'UNSET'] })], { env });
  const { content } = await call(rig.tool('mcp__h__environment'), {});
  const names = content.split(' ');
  assert.ok(names.includes('SET') && names.includes('HANDED') && names.includes('PATH'));
  assert.not.ok(names.some(name => ['SECRET', 'MUX_TOKEN', 'UNSET', 'ANTHROPIC_API_KEY'].includes(name)));
});

test('names that models cannot say are changed, told, and never mixed up', async () => {
  const rig = await open([hostile('names')]);
  const [state] = rig.servers.states();
  const names = state!.tools;
  assert.is(new Set(names).size, names.length);
  assert.ok(
    names.every(name => /^mcp__h__[A-Za-z0-9_-]+$/.test(name) && name.length <= 64),
    names.join(),
  );
  assert.is(names[0], 'mcp__h__a_b');
  assert.ok(
    state!.problems.some(one => /^tool a_b is called mcp__h__a_b_[0-9a-f]{6}$/.test(one)),
    state!.problems.join('\n'),
  );
  assert.ok(state!.problems.includes('tool a_b stands twice; the first one counts'));
  const again = (await open([hostile('names')])).servers.states()[0]!.tools;
  assert.equal(again, names);
});

test('schemas of every kind become ones that can be sent', async () => {
  const rig = await open([hostile('schemas')]);
  for (const { wire } of rig.tools()) {
    assert.is(wire.json_schema!.type, 'object');
    assert.ok(JSON.stringify(wire.json_schema).length < 1_200_000, wire.name!);
  }
  const { properties } = rig.tool('mcp__h__ref').wire.json_schema!;
  assert.equal(properties!.a, { type: 'integer', description: 'One of: 1, 2.' });
  assert.equal(properties!.__proto__x, { type: 'string', default: '3' });
});

for (const mode of ['pages', 'endless', 'many', 'half'])
  test(`lists that do not end, or fail, end (${mode})`, async () => {
    const rig = await open([hostile(mode)]);
    const [state] = rig.servers.states();
    assert.is(state!.status, 'ready');
    assert.ok(state!.tools.length <= 256);
    assert.ok(state!.problems.length > 0 && state!.problems.length < 20);
  });

test('a list that is none is why a server is left out', async () => {
  const rig = await open([hostile('listless')]);
  assert.match(rig.servers.states()[0]!.error, /the answer has no list of tools/);
});

test.run();
