/**
 * What runs outlives what watches it: the server may be killed at any moment, and nothing that a program says is lost.
 *
 * MUX_FAULTS is how often the server is killed (5, or more for a soak).
 */
// spec-timeout: 600
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { muxPaths } from '../../lib/config/paths.ts';
import { logRange, readLogBetween } from '../../lib/pty/log/log-reader.ts';
import { readRunEvents } from '../../lib/pty/log/run-events.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import { sameMajor } from '../../lib/wire/envelope.ts';
import { parseHostRequest, type HostReport, type HostRequest } from '../../lib/wire/host-messages.ts';
import { Peer } from '../../lib/wire/peer.ts';
import { prefix } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import { screenRows } from '../support/screen-dump.ts';
import { until } from '../support/until.ts';

const test = suite('what runs outlives what watches it');
const homes: MuxHome[] = [];
test.after(async () => {
  for (const home of homes) await home.end();
});

const FAULTS = Number(process.env['MUX_FAULTS'] ?? 5);
/** Seed of the moments at which the server is killed: another one each run, told where it fails. */
const SEED = Number(process.env['MUX_SEED'] ?? process.pid);

/**
 * Prints numbered lines until a file is there, and notes every signal that reaches it. Some lines are long, coloured
 * and wide, so that pieces of sequences are on the way at any moment.
 */
const COUNTER = `#!/bin/bash
for s in HUP INT TERM PIPE CONT WINCH; do trap "echo $s >>$1.signals" $s; done
i=0
while [ ! -e "$1.stop" ]; do
  printf -v fill '%*s' $((i % 120)) ''
  printf 'line %d \\033[3%dm%s\\033[0m 宽 🧑‍🚀 end\\n' $i $((i % 8)) "\${fill// /x}"
  i=$((i + 1))
  # Some hundred lines a second: the moments matter, not the load.
  read -t 0.003 _
done
echo $i >"$1.count"
read _
`;

/** A small generator of moments: chance that can be had again. */
function moments(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function folderOf(home: MuxHome, session: string): string {
  return join(home.dir, 'data/default/logs', session);
}

function logOf(home: MuxHome, session: string): Buffer {
  const folder = folderOf(home, session);
  assert.is(logRange(folder).start, 0, 'the whole log is there');
  return Buffer.concat([...readLogBetween(folder, 0, Infinity, 1e6)].map(piece => piece.bytes));
}

test(`SIGKILL of the server ${FAULTS} times at any moment loses no byte and no program`, async () => {
  const home = new MuxHome({ files: { counter: COUNTER } });
  homes.push(home);
  const { mux } = await startMux({ home });
  const names = ['one', 'two', 'three', 'four'];
  for (const name of names)
    await home.ok('new', name, '--background', 'bash', join(home.work, 'counter'), join(home.work, name));
  mux.type('echo still the same shell, $((6 * 7))\r');
  await mux.waitFor('the shell', 'same shell, 42');
  const before = (await home.cli('--json', 'list')).json().sessions;
  const next = moments(SEED);
  for (let fault = 0; fault < FAULTS; fault++) {
    const pid = await home.serverPid();
    await new Promise(resolve => setTimeout(resolve, next() * 300));
    process.kill(pid, 'SIGKILL');
    await until(
      'the next server',
      async () => {
        const status = await home.cli('--json', 'server', 'status');
        return status.status === 0 && status.json().server_pid !== pid && status.json().clients === 1;
      },
      {
        deadlineMs: 60_000,
        describe: () => `seed ${SEED}, fault ${fault}\n${mux.screen().join('\n')}\n${home.log()}`,
      },
    );
  }
  mux.type('echo and after it, $((6 * 9))\r');
  await mux.waitFor('keys arrive', 'and after it, 54');
  await mux.waitFor('what was there before', 'same shell, 42');
  for (const name of names) writeFileSync(join(home.work, `${name}.stop`), '');
  await until('they stop', () => names.every(name => existsSync(join(home.work, `${name}.count`))));
  const after = (await home.cli('--json', 'list')).json().sessions;
  const facts = (list: { id: string; name: string; pid: number; command: string[] }[]): unknown =>
    list.map(({ id, name, pid, command }) => ({ id, name, pid, command }));
  assert.equal(facts(after), facts(before), `seed ${SEED}`);
  for (const session of after as { id: string; name: string }[]) {
    if (!names.includes(session.name)) continue;
    const count = Number(readFileSync(join(home.work, `${session.name}.count`), 'utf8'));
    const log = logOf(home, session.id);
    const lines = log.toString().match(/^line \d+ /gm)!;
    assert.equal(
      lines,
      Array.from({ length: count }, (_, i) => `line ${i} `),
      `seed ${SEED}, ${session.name}`,
    );
    assert.not(existsSync(join(home.work, `${session.name}.signals`)), `${session.name} noticed`);
    await sameScreen(home, session.id, log);
  }
  mux.type(prefix('d'));
  await mux.ended();
});

/** That the server shows what a terminal of its size shows that has read the log. */
async function sameScreen(home: MuxHome, session: string, log: Buffer): Promise<void> {
  const [start] = readRunEvents(folderOf(home, session));
  assert.is(start?.type, 'start');
  const emulator = new Emulator({ ...(start as { cols: number; rows: number }), historyLines: 10_000 });
  emulator.write(log);
  const wanted = screenRows(emulator).map(row => row.trimEnd());
  const shown = (await home.ok('capture-pane', '-p', '-t', session)).split('\n').map(row => row.trimEnd());
  assert.equal(shown.slice(0, wanted.length), wanted);
}

test('SIGKILL of what holds the terminals: logs are whole, sessions are told as lost, and can be resumed', async () => {
  const home = new MuxHome();
  homes.push(home);
  const { mux } = await startMux({ home });
  await home.ok('new', 'worker', '--background', 'bash', '-c', 'echo before the end; exec sleep 1000');
  const [{ id }] = (await home.cli('--json', 'list'))
    .json()
    .sessions.filter((one: { name: string }) => one.name === 'worker');
  await until('its output', () => logOf(home, id).includes('before the end'));
  const status = (await home.cli('--json', 'server', 'status')).json();
  process.kill(status.host_pid, 'SIGKILL');
  await mux.waitFor('the pane tells it', /lost|killed|signal 1/);
  const lost = (await home.cli('--json', 'show', 'worker')).json();
  assert.is(lost.pid, null);
  assert.is(lost.status, 'failed');
  assert.is(logOf(home, id).toString(), 'before the end\r\n');
  await home.ok('resume', 'worker');
  const again = (await home.cli('--json', 'show', 'worker')).json();
  assert.ok(again.pid > 0);
  await until('it runs again', () => logOf(home, id).toString() === 'before the end\r\n'.repeat(2));
  assert.is((await home.cli('--json', 'server', 'status')).json().server_pid, status.server_pid);
  mux.type(prefix('d'));
  await mux.ended();
});

test('a full disk is told, and the program goes on', async () => {
  const home = new MuxHome();
  homes.push(home);
  const data = join(home.dir, 'data');
  mkdirSync(data, { mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'none', data], { stdio: 'ignore' });
  } catch {
    console.log('skipped: no file system can be mounted here');
    return;
  }
  try {
    const { mux } = await startMux({ home });
    mux.type('seq 1 700000 | tail -c 4500000; echo it went on\r');
    await mux.waitFor('the program', /^it went on/m);
    // On the screen another message may have taken its place: the state cannot be saved either.
    const log = join(home.dir, 'state/default/server.log');
    await until('a word about it', () => /not kept: no space left/.test(readFileSync(log, 'utf8')));
    mux.type('echo still here\r');
    await mux.waitFor('keys', /^still here/m);
    await home.end();
  } finally {
    execFileSync('umount', ['-l', data]);
  }
});

/** A host that says it speaks `version`, and has nothing to run. */
async function hostOf(home: MuxHome, version: string): Promise<{ asked: () => boolean; close: () => void }> {
  const { hostSocket } = muxPaths(home.env, 'default');
  mkdirSync(dirname(hostSocket), { recursive: true, mode: 0o700 });
  let asked = false;
  const sockets: Socket[] = [];
  const server = createServer(socket => {
    sockets.push(socket);
    const peer = new Peer<HostRequest, HostReport>(socket, parseHostRequest);
    peer.onMessage(message => {
      if (message.type === 'spawn') {
        const failure = { pty: message.payload.pty, code: 'failed', message: 'it runs nothing', hint: '' };
        peer.send({ type: 'spawn_failed', payload: failure });
      }
      if (message.type === 'shutdown') socket.destroy();
      if (message.type !== 'hello') return;
      asked = true;
      if (sameMajor(version, message.payload.version))
        peer.send({ type: 'welcome', payload: { version, pid: process.pid, ptys: [] } });
      else peer.send({ type: 'refused', payload: { reason: `it speaks protocol ${version}` } });
    });
  });
  await new Promise<void>(resolve => server.listen(hostSocket, resolve));
  return {
    asked: () => asked,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a host of another minor version is taken over; one of another major is refused and not touched', async () => {
  const home = new MuxHome();
  homes.push(home);
  const minor = await hostOf(home, '1.99');
  const none = await home.cli('new', 'one', '--background', 'true');
  assert.match(none.stderr, /it runs nothing/);
  assert.ok(minor.asked());
  // A server without sessions ends.
  await until('it is gone', () => home.pids().length === 0);
  minor.close();
  const major = await hostOf(home, '2.0');
  const refused = await home.cli('new', 'one', '--background', 'true');
  assert.is(refused.status, 1);
  assert.match(refused.stderr, /pty host: it speaks protocol 2\.0 .*mux server restart --force/);
  assert.ok(major.asked());
  major.close();
});

test.run();
