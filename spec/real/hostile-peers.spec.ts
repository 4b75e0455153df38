/**
 * Peers that mean harm, on the sockets of a real server: many, deep, twice the same, of another user, and hooks with junk.
 */
// spec-timeout: 240
// spec-long
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeFrame } from '../../lib/wire/framing.ts';
import { hasPrograms, LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('hostile peers');
const home = new MuxHome({ config: 'agents: { robot: { command: cat, ai: true } }\n' });
test.after(() => home.end());

const SOCKETS = ['run/default.sock', 'run/default.in/s'].map(path => join(home.dir, path));
const open = (path: string): Socket => {
  const socket = createConnection(path);
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
};
const control = (text: string): Buffer => encodeFrame(0, Buffer.from(text));
const HANDSHAKE = control(
  JSON.stringify({
    type: 'handshake',
    payload: {
      version: '1.0',
      client_id: 'x',
      size: [80, 24],
      cwd: '/',
      term: 'x',
      colorterm: '',
      features: [],
    },
  }),
);

/** It answers others, in time, and it is the one that it was. */
async function isWell(pid: number): Promise<void> {
  assert.is(await home.serverPid(), pid);
  assert.match(await home.ok('list'), /robot/);
}

let pid = 0;
test('a server with an agent is there', async () => {
  await home.ok('new', 'robot', '--agent', 'robot', '--background');
  pid = await home.serverPid();
});

test('a thousand connections that say nothing keep nobody waiting', async () => {
  const all = Array.from({ length: 1000 }, (_, n) => open(SOCKETS[n % SOCKETS.length]!));
  await until('some are connected', () => all.some(socket => !socket.connecting));
  await isWell(pid);
  for (const socket of all) socket.destroy();
  await isWell(pid);
});

test('deep, huge and repeated JSON costs the connection, or is answered', async () => {
  const deep = (n: number): string =>
    '{"type":"command","payload":' + '{"a":'.repeat(n) + '1' + '}'.repeat(n) + '}';
  const texts = [
    deep(100_000),
    '['.repeat(1_000_000),
    `{"type":"command","id":1,"payload":{"argv":["${'x'.repeat(3_000_000)}"]}}`,
    `{"type":"command","payload":{"argv":${JSON.stringify(Array.from({ length: 300_000 }, () => 'x'))}}}`,
    '{"type":"command","type":"ack","payload":{}}',
    '{"__proto__":{"type":"command"},"payload":{}}',
  ];
  const all = texts.flatMap(text =>
    SOCKETS.map(path => {
      const socket = open(path);
      socket.write(HANDSHAKE);
      // The same id twice, without a token and with a wrong one.
      for (const token of ['', ',"token":"wrong"'])
        socket.write(
          control(
            `{"type":"command","id":7,"payload":{"argv":["list"],"cwd":"/","json":"off","pane":"","session":"","terminal":false,"columns":0,"env":{}}${token}}`,
          ),
        );
      socket.write(control(text));
      return socket;
    }),
  );
  await isWell(pid);
  for (const socket of all) socket.destroy();
});

test('random frames, whole and torn', async () => {
  let seed = 7;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) >>> 8;
  for (let round = 0; round < 200; round++) {
    const socket = open(SOCKETS[round % 2]!);
    if (round % 3 > 0) socket.write(HANDSHAKE);
    const bytes = Buffer.from(Array.from({ length: next() % 2000 }, () => next() & 0xff));
    socket.write(round % 2 ? encodeFrame(next() % 2 ? 0 : 1, bytes) : bytes);
    if (round % 5 === 0) socket.destroy();
    else setImmediate(() => socket.end());
  }
  await isWell(pid);
});

test('another user does not get as far as a connection', async () => {
  if (process.getuid?.() !== 0) return console.log('skipped: only root can be somebody else');
  if (!hasPrograms('setpriv')) return;
  // The folder above is of mkdtemp, 0700; what is looked at are mux's own.
  chmodSync(home.dir, 0o755);
  const script = `
    const { createConnection } = require('node:net');
    const { readFileSync } = require('node:fs');
    for (const file of ${JSON.stringify(['state/default/person.token', 'state/default/state.json'].map(f => join(home.dir, f)))})
      try { readFileSync(file); console.log('read ' + file); } catch {}
    for (const path of ${JSON.stringify(SOCKETS)})
      createConnection(path).on('connect', () => { console.log('connected'); process.exit(); }).on('error', e => console.log(e.code));
  `;
  const argv = ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, '-e', script];
  const { stdout, stderr } = spawnSync('setpriv', argv, { encoding: 'utf8', env: {}, cwd: '/' });
  chmodSync(home.dir, 0o700);
  assert.equal(stdout.trim().split('\n'), ['EACCES', 'EACCES'], stderr);
});

test('hooks with junk on stdin end with 0, and so do hundreds at once', async () => {
  const { id } = (await home.cli('show', 'robot', '--json')).json() as { id: string };
  const env = {
    ...home.env,
    MUX_SESSION: id,
    MUX_TOKEN: await home.tokenOf('robot'),
    MUX_AGENT: 'robot',
    MUX_SOCKET: SOCKETS[0]!,
  };
  const hook = (input: string | undefined): Promise<number | null> =>
    new Promise(done => {
      const child = spawn(process.execPath, [LAUNCHER, 'hook', 'claude', 'PreToolUse'], {
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.stdin.on('error', () => undefined);
      child.on('exit', done);
      if (input === undefined) {
        // A hundred megabytes, for as long as somebody reads.
        const piece = Buffer.alloc(1024 * 1024, 0x78);
        const more = (n: number): void =>
          void (n < 100 && child.stdin.write(piece, error => (error ? undefined : more(n + 1))));
        more(0);
      } else child.stdin.end(input);
    });
  for (const input of [
    '',
    'null',
    '\0\xff\0',
    '{"a":'.repeat(50_000),
    '[]',
    '{"tool_name":{"deep":[]},"tool_input":7}',
    undefined,
  ])
    assert.is(await hook(input), 0);
  // Of 300, some at a time: what a machine takes at once is its own matter.
  for (let round = 0; round < 10; round++)
    assert.ok(
      (await Promise.all(Array.from({ length: 30 }, () => hook('{"tool_name":"x"}')))).every(
        exit => exit === 0,
      ),
    );
  await isWell(pid);
});

test.run();
