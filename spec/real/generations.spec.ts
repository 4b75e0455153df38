/**
 * Servers, hosts and programs that are confused with their successors, or taken for dead while they are not.
 */
// spec-timeout: 300
import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { muxPaths } from '../../lib/config/paths.ts';
import { encodeMessage } from '../../lib/wire/envelope.ts';
import { CHANNEL, encodeFrame } from '../../lib/wire/framing.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('generations');
const homes: MuxHome[] = [];
test.after(async () => {
  for (const home of homes) await home.end();
});

interface Facts {
  readonly server_pid: number;
  readonly host_pid: number;
}

async function running(): Promise<{
  home: MuxHome;
  facts: () => Promise<Facts>;
  pid: () => Promise<number>;
}> {
  const home = new MuxHome({ config: 'lifecycle: { kill_grace: 300ms }\n' });
  homes.push(home);
  await home.ok('new', 'one', '--background', 'cat');
  const facts = async (): Promise<Facts> => (await home.cli('--json', 'server', 'status')).json() as Facts;
  const pid = async (): Promise<number> => (await home.cli('--json', 'show', 'one')).json().pid as number;
  return { home, facts, pid };
}

/** Sockets that a process has open, as the kernel names them. */
function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder)
    .map(fd => {
      try {
        return readlinkSync(join(folder, fd));
      } catch {
        // Closed meanwhile.
        return '';
      }
    })
    .filter(target => target.startsWith('socket:'));
}

test('restarts at the same moment leave one server, with every program, behind a socket that answers', async () => {
  const { home, facts, pid } = await running();
  const [before, program] = [await facts(), await pid()];
  const results = await Promise.all([1, 2, 3].map(() => home.cli('server', 'restart')));
  assert.ok(
    results.some(({ status }) => status === 0),
    results.map(({ stderr }) => stderr).join('\n'),
  );
  const after = await facts();
  assert.is.not(after.server_pid, before.server_pid);
  assert.is(after.host_pid, before.host_pid);
  assert.is(await pid(), program);
  const { socket } = muxPaths(home.env, 'default');
  assert.ok(statSync(socket).isSocket());
});

test('after a restart nothing is left that could answer for the server before', async () => {
  const { home, facts, pid } = await running();
  const before = await facts();
  assert.equal(socketsOf(await pid()), [], 'a program has no socket of who started it');
  await home.ok('server', 'restart');
  await until('the server before is gone', () => !home.pids().includes(before.server_pid));
  assert.is.not((await facts()).server_pid, before.server_pid);
});

test('a helper of another version is refused, and the server goes on', async () => {
  const { home, facts } = await running();
  const before = await facts();
  const { socket: path } = muxPaths(home.env, 'default');
  for (const version of ['0.1', '99.0']) {
    const socket = createConnection(path);
    let isClosed = false;
    socket.on('close', () => (isClosed = true));
    socket.on('error', () => undefined);
    socket.resume();
    const hello = { type: 'hello', payload: { version } };
    socket.write(encodeFrame(CHANNEL.control, encodeMessage(hello)));
    await until('it is sent away', () => isClosed);
  }
  assert.is((await facts()).server_pid, before.server_pid);
});

test('a hook whose server is gone starts none, and is in nobody’s way', async () => {
  const home = new MuxHome();
  homes.push(home);
  const env = { ...home.env, MUX_SESSION: 'gone', MUX_SERVER: 'default' };
  const result = spawnSync(process.execPath, [LAUNCHER, 'hook', 'claude', 'Stop'], { env, input: '{}' });
  assert.equal([result.status, String(result.stdout), String(result.stderr)], [0, '', '']);
  assert.equal(home.pids(), []);
});

test('a program that does not end in a delete keeps its session, with its pid, until it has ended', async () => {
  const { home, facts, pid } = await running();
  const [program, { host_pid: host }] = [await pid(), await facts()];
  // Whoever would hand on the signals stands still: as dead to them as a program that waits for a disk.
  process.kill(host, 'SIGSTOP');
  try {
    const refused = await home.cli('delete', 'one');
    assert.match(refused.stderr, /does not end, even when it is killed/);
    assert.is(await pid(), program);
  } finally {
    process.kill(host, 'SIGCONT');
  }
  await until('it has ended', async () => (await pid()) === null);
  await home.ok('delete', 'one');
  assert.not.match(await home.ok('list'), /one/);
});

test.run();
