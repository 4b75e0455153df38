/** `mux mcp list` as a program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineHost } from '../support/engine-host.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { PACKAGES } from '../support/mcp-rig.ts';
import { until } from '../support/until.ts';

const test = suite('mux mcp');
let homes: MuxHome[] = [];
test.after.each(async () => {
  for (const home of homes) await home.end();
  homes = [];
});
const homeOf = (config: string, files: Record<string, string> = {}): MuxHome => {
  const home = new MuxHome({ config, files });
  homes.push(home);
  return home;
};
const node = JSON.stringify(process.execPath);
const server = (name: string, ...args: readonly string[]): string =>
  `  - { name: ${name}, command: ${node}, args: ${JSON.stringify(args)} }\n`;

test('lists servers with their tools, and says why one is not there', async () => {
  const home = homeOf(
    `mcp_servers:\n${server('all', PACKAGES.everything)}${server('odd', PACKAGES.hostile, 'names')}  - { name: none, command: /nowhere }\n`,
  );
  const { mcp_servers: states } = (await home.cli('--json', 'mcp', 'list')).json();
  assert.equal(
    states.map((one: { name: string; status: string; error: string }) => [one.name, one.status, one.error]),
    [
      ['all', 'ready', ''],
      ['odd', 'ready', ''],
      ['none', 'failed', '/nowhere cannot be started: no such file'],
    ],
  );
  assert.ok(states[0].tools.includes('mcp__all__echo'));
  const lines = (await home.ok('mcp', 'list')).split('\n');
  assert.match(lines[0]!, /^all\tstdio\tready\t\d+\t\d+\t\d+\t$/);
  assert.is(lines[2], 'none\tstdio\tfailed\t0\t0\t0\t/nowhere cannot be started: no such file');
});

test('nothing set, nothing listed; other words are told', async () => {
  const home = homeOf('');
  assert.is(await home.ok('mcp', 'list'), '');
  assert.equal((await home.cli('--json', 'mcp', 'list')).json(), { mcp_servers: [] });
  for (const words of [['mcp'], ['mcp', 'start'], ['mcp', 'list', 'x']])
    assert.is((await home.cli(...words)).status, 2);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`ends what it started where it is ended itself (${signal})`, async () => {
    const home = homeOf('', { pids: '' });
    const file = join(home.work, 'pids');
    const config = `mcp_servers:\n${server('group', PACKAGES.hostile, 'group', file)}${server('mute', PACKAGES.hostile, 'mute', file)}`;
    const again = homeOf(config);
    const child = spawn(process.execPath, [LAUNCHER, 'mcp', 'list'], {
      env: again.env,
      cwd: home.work,
      stdio: 'ignore',
    });
    const pids = await until('all run', () => {
      const found = readFileSync(file, 'utf8').trim().split('\n').map(Number);
      return found.length === 3 ? found : undefined;
    });
    const ended = once(child, 'exit');
    child.kill(signal);
    const [status] = await ended;
    assert.is(status, 130);
    await until('all are gone', () => !pids.some(isThere));
  });

test('mux tools has what MCP servers and hosts of the graph have, and says what is missing', async () => {
  const host = await engineHost();
  const set = (engine: string): string =>
    JSON.stringify({ engine_service: engine, tool_sets: [{ service_full_name: 'spec.library.v1.Library' }] });
  const home = homeOf(
    `mcp_servers:\n${server('h', PACKAGES.hostile, 'all')}grpc_clients:\n  - { name: books, base_url: "${host.address}", api_key_command: "echo secret", api_key_header: x-key }\n`,
    { '.sgpt.json': '{}', '.sgpt/library.toolset': set('books'), '.sgpt/lost.toolset': set('nobody') },
  );
  try {
    const listed = await home.cli('--json', 'tools', 'list');
    const names = (listed.json().tools as { name: string }[]).map(({ name }) => name);
    for (const name of ['read_files', 'Library_GetBook', 'Library_Discover', 'mcp__h__echo'])
      assert.ok(names.includes(name), `${name} among ${names.join()}`);
    assert.match(listed.stderr, /mux: tool set \/\/lost: nobody is no name in grpc_clients/);
    const got = await home.cli('tools', 'call', 'Library_GetBook', '{"name":"books/1"}');
    assert.is(got.stdout, '{"name":"books/1"}\n', got.stderr);
    assert.is(host.calls.at(-1)!.metadata['x-key'], 'secret');
    const changing = await home.cli('tools', 'call', 'Library_EchoBook', '{"title":"t"}');
    assert.is(changing.status, 4);
    assert.is((await home.cli('tools', 'call', 'mcp__h__echo', '{"text":"x"}')).status, 4);
    assert.is((await home.cli('tools', 'call', 'mcp__h__none', '{}')).status, 3);
  } finally {
    host.close();
  }
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test.run();
