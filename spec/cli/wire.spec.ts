/**
 * Peers that break the protocol, on the real socket: each loses its own connection, and another client that is
 * attached all the time goes on as if nothing had been.
 */
// Some hundred programs are started, each of which takes long where many others run.
// spec-timeout: 400
import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeFrame, FrameDecoder, MAX_PAYLOAD } from '../../lib/wire/framing.ts';
import { until } from '../support/until.ts';
import { isRunning, Mux } from './mux.ts';

const test = suite('peers that break the protocol');
const mux = new Mux();

interface Received {
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

/** A client that may send anything. */
class RawClient {
  readonly socket: Socket;
  readonly messages: Received[] = [];
  bytes = '';
  isClosed = false;

  constructor() {
    this.socket = createConnection(join(mux.home, 'run/default.sock'));
    const decoder = new FrameDecoder();
    this.socket.on('data', chunk => {
      for (const { channel, payload } of decoder.push(chunk)) {
        if (channel === 1) {
          this.bytes += payload.toString('utf8');
          this.send('ack', {});
        } else this.messages.push(JSON.parse(payload.toString('utf8')) as Received);
      }
    });
    // EPIPE, ECONNRESET: the server has let go, which is what most of these wait for.
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
  }

  send(type: string, payload: object, more: object = {}): void {
    this.socket.write(encodeFrame(0, Buffer.from(JSON.stringify({ type, payload, ...more }))));
  }

  handshake(changes: object = {}): void {
    this.send('handshake', { ...HANDSHAKE, client_id: `raw-${clients++}`, ...changes });
  }

  attach(changes: object = {}): void {
    this.send('attach', { ...ATTACH, ...changes }, { token: personToken() });
  }

  command(...argv: string[]): void {
    this.send('command', { ...COMMAND, argv }, { id: 7, token: personToken() });
  }

  async receive(type: string): Promise<Received> {
    return until(`${type} is received`, () => this.messages.find(m => m.type === type));
  }

  async closed(): Promise<void> {
    await until('the connection is closed', () => this.isClosed);
  }
}

/** As the command line reads it. */
function personToken(): string {
  return readFileSync(join(mux.home, 'state/default/person.token'), 'utf8').trim();
}

let clients = 0;
const HANDSHAKE = {
  version: '1.0',
  size: [80, 24],
  cwd: '/',
  term: 'xterm-256color',
  colorterm: '',
  features: ['utf8'],
};
const ATTACH = {
  tty: '/dev/raw',
  pid: 1,
  target: '',
  read_only: false,
  exclusive: false,
  term_program: '',
  env: {},
};
const COMMAND = { cwd: '/', json: 'off', pane: '', session: '', terminal: false, columns: 0, env: {} };

const header = (channel: number, length: number): Buffer => {
  const bytes = Buffer.alloc(5);
  bytes[0] = channel;
  bytes.writeUInt32BE(length, 1);
  return bytes;
};
const control = (text: string): Buffer => encodeFrame(0, Buffer.from(text));

/** The client that must not notice. */
let witness: RawClient;
let pid = 0;

/** What it types arrives, and what changes is drawn for it. */
async function witnessIsWell(): Promise<void> {
  assert.not.ok(witness.isClosed, 'the attached client has lost its connection');
  const word = `well${clients++}`;
  witness.bytes = '';
  witness.messages.length = 0;
  witness.socket.write(encodeFrame(1, Buffer.from(`${word}\r`)));
  await until(`${word} is in the pane`, () => {
    if (witness.messages.some(({ payload }) => String(payload.text).includes(word))) return true;
    witness.command('capture-pane', '-p');
    return false;
  });
  await until('the change is drawn', () => witness.bytes.length > 0);
  assert.ok(isRunning(pid));
}

test('a client is attached', async () => {
  await mux.ok('--detach', '--', 'cat');
  pid = Number((await mux.json('server', 'status')).server_pid);
  witness = new RawClient();
  witness.handshake();
  witness.attach();
  await witnessIsWell();
  const { clients: listed } = (await mux.json('clients')) as { clients: Record<string, unknown>[] };
  assert.equal(
    listed.map(({ idle_seconds, id, ...rest }) => [typeof idle_seconds, typeof id, rest]),
    [['number', 'string', { tty: '/dev/raw', cols: 80, rows: 24, read_only: false }]],
  );
});

/** What is sent → after a handshake or instead of one. Each must cost the connection. */
const FATAL: readonly (readonly [string, boolean, Buffer])[] = [
  ['garbage', false, Buffer.from('GET / HTTP/1.1\r\nHost: mux\r\n\r\n')],
  ['zeroes', false, Buffer.alloc(4096)],
  ['a frame on a channel that is not known', true, Buffer.concat([header(9, 2), Buffer.from('{}')])],
  ['a frame that announces too much', true, header(0, MAX_PAYLOAD + 1)],
  ['a frame of terminal bytes that announces too much', true, header(1, 0xffffffff)],
  ['a control frame that is no JSON', true, control('not json')],
  ['a control frame that is no object', true, control('[]')],
  ['a message without a payload', true, control('{"type":"ack"}')],
  ['a message of a type that is not known', true, control('{"type":"reboot","payload":{}}')],
  ['a type from the prototype', true, control('{"type":"constructor","payload":{}}')],
  ['a message of the other direction', true, control('{"type":"result","payload":{"exit":0}}')],
  [
    'a command whose words are no strings',
    true,
    control(JSON.stringify({ type: 'command', payload: { ...COMMAND, argv: [1, null] } })),
  ],
  ['a size that is no size', true, control('{"type":"resize","payload":{"cols":-1,"rows":1e9}}')],
  [
    'an attachment with a wrong environment',
    true,
    control(JSON.stringify({ type: 'attach', payload: { ...ATTACH, env: { A: 1 } } })),
  ],
  ['a message before the handshake', false, control('{"type":"ack","payload":{}}')],
  [
    'a command before the handshake',
    false,
    control(JSON.stringify({ type: 'command', payload: { ...COMMAND, argv: ['kill-server', '-y'] } })),
  ],
  [
    'a second handshake',
    true,
    control(JSON.stringify({ type: 'handshake', payload: { ...HANDSHAKE, client_id: 'again' } })),
  ],
  ['JSON nested without end', true, control('['.repeat(1_000_000))],
];

for (const [name, isGreeted, bytes] of FATAL) {
  test(`${name} ends the connection`, async () => {
    const peer = new RawClient();
    if (isGreeted) {
      peer.handshake();
      await peer.receive('handshake_ok');
    }
    peer.socket.write(bytes);
    await peer.closed();
    await witnessIsWell();
  });
}

test('another major version is refused with both versions', async () => {
  const peer = new RawClient();
  peer.handshake({ version: '2.0' });
  const { payload } = await peer.receive('handshake_err');
  assert.is(payload.code, 'protocol_mismatch');
  assert.match(String(payload.reason), /it speaks protocol 1\.\d+, this program 2\.0/);
  await peer.closed();
});

test('another minor version is served', async () => {
  const peer = new RawClient();
  peer.handshake({ version: '1.9', later: true });
  await peer.receive('handshake_ok');
  peer.socket.destroy();
});

test('half a frame and the end of it', async () => {
  for (const bytes of [
    Buffer.from([0]),
    header(0, 100),
    Buffer.concat([header(1, 1000), Buffer.from('half')]),
  ]) {
    const peer = new RawClient();
    peer.handshake();
    await peer.receive('handshake_ok');
    peer.socket.end(bytes);
    await peer.closed();
  }
  await witnessIsWell();
});

test('many small messages are all taken', async () => {
  const peer = new RawClient();
  peer.handshake();
  const ack = control('{"type":"ack","payload":{}}');
  peer.socket.write(Buffer.concat(Array.from({ length: Math.ceil((1024 * 1024) / ack.length) }, () => ack)));
  peer.command('display-message', '-p', 'still here');
  const { payload } = await peer.receive('output');
  assert.is(payload.text, 'still here\n');
  peer.socket.destroy();
  await witnessIsWell();
});

test('a handshake byte by byte is understood', async () => {
  const peer = new RawClient();
  peer.socket.setNoDelay(true);
  for (const byte of control(
    JSON.stringify({ type: 'handshake', payload: { ...HANDSHAKE, client_id: 'slow' } }),
  ))
    peer.socket.write(Buffer.from([byte]));
  await peer.receive('handshake_ok');
  peer.socket.destroy();
});

test('a connection that says nothing is closed in time and keeps nobody waiting', async () => {
  const silent = Array.from({ length: 20 }, () => new RawClient());
  await witnessIsWell();
  assert.match(await mux.ok('list', '-F', '#{session_name}'), /^cat\n$/);
  await until('all are closed', () => silent.every(peer => peer.isClosed), { deadlineMs: 30_000 });
  await witnessIsWell();
});

test('a client that never reads costs nobody else anything', async () => {
  const deaf = new RawClient();
  deaf.handshake();
  deaf.attach();
  await deaf.receive('handshake_ok');
  deaf.socket.pause();
  for (let i = 0; i < 20; i++) await witnessIsWell();
  deaf.socket.destroy();
  await witnessIsWell();
});

test('who attaches twice is refused', async () => {
  const peer = new RawClient();
  peer.handshake();
  peer.attach();
  peer.attach();
  await peer.closed();
  await until('it is forgotten', async () => ((await mux.json('clients')).clients as object[]).length === 1);
  await witnessIsWell();
});

test('a command on an attached connection is answered', async () => {
  const peer = new RawClient();
  peer.handshake();
  peer.attach();
  peer.command('display-message', '-p', 'both');
  const { payload } = await peer.receive('output');
  assert.is(payload.text, 'both\n');
  assert.is((await peer.receive('result')).payload.exit, 0);
  peer.socket.destroy();
  await witnessIsWell();
});

test('sizes beyond all bounds are borne', async () => {
  for (const size of [
    [0, 0],
    [1, 1],
    [65_535, 1],
  ]) {
    const peer = new RawClient();
    peer.handshake({ size });
    peer.attach({ read_only: true });
    peer.send('resize', { cols: 1, rows: 65_535 });
    peer.command('display-message', '-p', 'drawn');
    await peer.receive('result');
    peer.socket.destroy();
  }
  await witnessIsWell();
});

test('two clients of the same id do not take from each other', async () => {
  const one = new RawClient();
  const two = new RawClient();
  for (const peer of [one, two]) {
    peer.handshake({ client_id: 'same' });
    peer.attach();
    await peer.receive('handshake_ok');
  }
  await until('both are there', async () => ((await mux.json('clients')).clients as object[]).length === 3);
  one.socket.destroy();
  await until('one is there', async () => ((await mux.json('clients')).clients as object[]).length === 2);
  assert.not.ok(two.isClosed);
  two.socket.destroy();
});

test('a client that leaves gets its answer, and nothing is drawn after it', async () => {
  const peer = new RawClient();
  peer.handshake();
  peer.attach();
  await until('something is drawn', () => peer.bytes.length > 0);
  peer.send('leave', {});
  assert.equal((await peer.receive('detached')).payload, { message: '', exit: 0 });
  const drawn = peer.bytes.length;
  await witnessIsWell();
  assert.is(peer.bytes.length, drawn);
  await peer.closed();
});

test('a read-only client types and changes nothing', async () => {
  const peer = new RawClient();
  peer.handshake();
  peer.attach({ read_only: true });
  await until('it is there', async () =>
    ((await mux.json('clients')).clients as Record<string, unknown>[]).some(
      client => client.read_only === true,
    ),
  );
  peer.socket.write(encodeFrame(1, Buffer.from('intruder\r\x02c')));
  peer.command('display-message', '-p', 'read');
  await peer.receive('result');
  await witnessIsWell();
  assert.not.match(await mux.ok('capture-pane', '-p'), /intruder/);
  assert.is((await mux.ok('list-windows')).split('\n').length, 2);
  peer.socket.destroy();
});

test('an exclusive client sends the others away, and detach lets all go', async () => {
  const peer = new RawClient();
  peer.handshake();
  peer.attach({ exclusive: true });
  assert.match(String((await witness.receive('detached')).payload.message), /another terminal has attached/);
  await witness.closed();
  await until('one is there', async () => ((await mux.json('clients')).clients as object[]).length === 1);
  await mux.ok('detach', '--all');
  assert.equal((await peer.receive('detached')).payload, { message: '[detached]', exit: 0 });
  await peer.closed();
  assert.ok(isRunning(pid));
});

test('an attachment to a session that is not there is refused with a reason', async () => {
  const peer = new RawClient();
  peer.handshake();
  peer.attach({ target: 'nobody' });
  assert.equal((await peer.receive('detached')).payload, {
    message: 'mux: session nobody: no such session',
    exit: 3,
  });
  await peer.closed();
});

test('the server ends when it is asked to', async () => {
  await mux.stop();
  assert.not.ok(isRunning(pid));
});

test.run();
