import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Exit, PtyProcess, SessionSpawnSpec } from '../../lib/pty/host.ts';
import { logRange, readLogBetween } from '../../lib/pty/log/log-reader.ts';
import { lastRun, readRunEvents } from '../../lib/pty/log/run-events.ts';
import type { RemotePtyHost, RunningPty } from '../../lib/pty/remote-host.ts';
import { CREDIT } from '../../lib/pty/hosted-pty.ts';
import { encodeMessage } from '../../lib/wire/envelope.ts';
import { CHANNEL, encodeFrame } from '../../lib/wire/framing.ts';
import {
  encodePtyBytes,
  HOST_PROTOCOL_VERSION,
  parseHostReport,
  parsePtyBytes,
  type HostReport,
  type HostRequest,
} from '../../lib/wire/host-messages.ts';
import { Peer } from '../../lib/wire/peer.ts';
import { HostProcess } from '../support/host-process.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const test = suite('the pty host');

const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' };

function spec(session: string, line: string): SessionSpawnSpec {
  const size = { cols: 80, rows: 24 };
  return { argv: ['sh', '-c', line], cwd: '/', env, size, session, logLimit: 64 * 1024 * 1024 };
}

/** Everything a program says from now on. */
function listen(program: PtyProcess): { text: () => string; exit: () => Exit | undefined } {
  const chunks: Uint8Array[] = [];
  let exit: Exit | undefined;
  program.onData(bytes => chunks.push(Buffer.from(bytes)));
  program.onExit(e => (exit = e));
  return { text: () => Buffer.concat(chunks).toString(), exit: () => exit };
}

async function withHost(run: (host: HostProcess) => Promise<void>): Promise<void> {
  const host = await HostProcess.start(join(tempDir({}), 'host'));
  try {
    await run(host);
  } finally {
    await host.end();
  }
}

/** Connects once the host has noticed that the server before is gone. */
async function reopen(host: HostProcess): Promise<{ server: RemotePtyHost; running: readonly RunningPty[] }> {
  return until('the host takes the next server', async () => {
    const server = host.connect();
    return server.open().then(
      running => ({ server, running }),
      () => undefined,
    );
  });
}

/** A server that says what a spec makes it say. */
async function greet(host: HostProcess): Promise<{
  peer: Peer<HostReport, HostRequest>;
  socket: Socket;
  reports: () => readonly HostReport[];
  /** Output of the first program. */
  bytes: () => Buffer;
}> {
  const socket = createConnection(host.socket);
  const peer = new Peer<HostReport, HostRequest>(socket, parseHostReport);
  const reports: HostReport[] = [];
  let chunks: Uint8Array[] = [];
  peer.onMessage(report => reports.push(report));
  peer.onBytes(payload => {
    const output = parsePtyBytes(payload)!;
    if (output.pty === 1) chunks.push(output.bytes);
  });
  peer.send({ type: 'hello', payload: { version: HOST_PROTOCOL_VERSION } });
  await until('welcome', () => reports.some(({ type }) => type === 'welcome'));
  const bytes = (): Buffer => {
    const all = Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  return { peer, socket, reports: () => reports, bytes };
}

function logText(host: HostProcess, session: string): string {
  const pieces = [...readLogBetween(join(host.logs, session), 0, Infinity, 1e6)];
  return Buffer.concat(pieces.map(piece => piece.bytes)).toString();
}

test('a server that goes leaves its programs running, and the next one gets every byte from where it likes', () =>
  withHost(async host => {
    const first = host.connect();
    await first.open();
    const count = 'i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; read x; echo got $x';
    const early = listen(first.spawn(spec('counter', count)));
    await until('some of it', () => early.text().includes('line 10\r'));
    first.dispose();
    await until('the rest', () => logText(host, 'counter').includes('line 2999\r'));
    const { server, running } = await reopen(host);
    assert.equal(
      running.map(({ session, argv, start }) => ({ session, argv, start })),
      [{ session: 'counter', argv: ['sh', '-c', count], start: 0 }],
    );
    const { process: program } = running[0]!;
    assert.ok(program.pid > 0);
    const { text, exit } = listen(program);
    program.follow(0);
    await until('all of it', () => text().includes('line 2999\r'));
    program.write(Buffer.from('an answer\r'));
    await until('the end', exit);
    const expected = [
      ...Array.from({ length: 3000 }, (_, i) => `line ${i}`),
      'an answer',
      'got an answer',
      '',
    ];
    assert.is(text(), expected.join('\r\n'));
    assert.is(logText(host, 'counter'), text());
    server.dispose();
  }));

test('a program that ended while no server was there tells the next one how, after its last output', () =>
  withHost(async host => {
    const first = host.connect();
    await first.open();
    const program = first.spawn(spec('short', 'read x; echo bye; exit 7'));
    await program.started;
    first.dispose();
    const second = (await reopen(host)).running[0]!;
    second.process.write(Buffer.from('\r'));
    await until('its end', () => lastRun(readRunEvents(join(host.logs, 'short'))).at(-1)?.type === 'exit');
    const { text, exit } = listen(second.process);
    second.process.follow(second.start);
    await until('told', exit);
    assert.is(text(), '\r\nbye\r\n');
    assert.equal({ ...exit() }, { ...exit(), code: 7, signal: 0 });
  }));

test('a program is held back as long as its server takes nothing in, and loses nothing when it ends meanwhile', () =>
  withHost(async host => {
    const { peer, reports, bytes } = await greet(host);
    const program = { argv: ['seq', '1', '300000'], cwd: '/', env, size: [80, 24] as const, log_limit: 1e8 };
    peer.send({ type: 'spawn', payload: { pty: 1, session: 'flood', ...program } });
    await until('as much as is sent ahead', () => bytes().length > CREDIT);
    // Another program's way through the host shows that there is nothing more on the way.
    const other = { ...program, argv: ['true'], pty: 2, session: 'other' };
    peer.send({ type: 'spawn', payload: other });
    await until('the other one', () => reports().some(r => r.type === 'exit' && r.payload.pty === 2));
    const sent = bytes().length;
    assert.ok(sent < CREDIT + 256 * 1024, `${sent} bytes were sent ahead`);
    const ended = (): boolean => reports().some(r => r.type === 'exit' && r.payload.pty === 1);
    await until('all of it', () => {
      peer.send({ type: 'ack', payload: { pty: 1, offset: bytes().length } });
      return ended();
    });
    assert.is(bytes().length, 2_288_895);
    assert.ok(bytes().toString().endsWith('300000\r\n'));
    peer.dispose();
  }));

test('a host that is killed leaves whole logs; its programs are told as lost, and new ones get a new host', () =>
  withHost(async host => {
    const server = host.connect();
    await server.open();
    let lost = 0;
    server.onLost(() => lost++);
    const { text, exit } = listen(server.spawn(spec('victim', 'echo before; exec sleep 1000')));
    await until('output', () => text().includes('before'));
    host.kill();
    await until('told', exit);
    assert.is(exit()!.isLost, true);
    assert.is(lost, 1);
    assert.is(logText(host, 'victim'), 'before\r\n');
    assert.equal(
      readRunEvents(join(host.logs, 'victim')).map(({ type }) => type),
      ['start'],
    );
    assert.is(logRange(join(host.logs, 'victim')).end, 8);
  }));

test('a second server is refused while the first is there', () =>
  withHost(async host => {
    await host.connect().open();
    const error = await host
      .connect()
      .open()
      .then(
        () => undefined,
        (e: Error) => e,
      );
    assert.match(String(error), /another server is being served/);
  }));

test('a program that cannot be started is told with the reason, and a name that is no folder ends the connection', () =>
  withHost(async host => {
    const { peer, reports } = await greet(host);
    const program = { pty: 1, argv: ['true'], env, size: [80, 24] as const, log_limit: 1e8 };
    peer.send({ type: 'spawn', payload: { ...program, session: 'nowhere', cwd: '/no/such/place' } });
    const failed = await until('told', () => reports().find(r => r.type === 'spawn_failed'));
    assert.match(JSON.stringify(failed), /directory \/no\/such\/place: it does not exist/);
    peer.send({ type: 'spawn', payload: { ...program, session: '../../etc', cwd: '/' } });
    await until('the connection has ended', () => peer.isClosed);
  }));

test('a frame that cannot be obeyed loses none of those that came with it', () =>
  withHost(async host => {
    const { peer, reports, bytes, socket } = await greet(host);
    const { size, logLimit, ...rest } = spec('one', 'stty size; read x; stty size; read x');
    const spawn = { ...rest, pty: 1, size: [0, 0] as const, log_limit: logLimit };
    peer.send({ type: 'spawn', payload: spawn });
    // A terminal has a cell at least.
    await until('it runs', () => bytes().includes('1 1'));
    const frames: HostRequest[] = [
      { type: 'resize', payload: { pty: 1, size: [0, 0] } },
      { type: 'signal', payload: { pty: 1, name: 'NONE' } },
      { type: 'resize', payload: { pty: 1, size: [size.cols, size.rows] } },
    ];
    const chunk = frames.map(frame => encodeFrame(CHANNEL.control, encodeMessage(frame)));
    const input = encodePtyBytes({ pty: 1, offset: 0, bytes: Buffer.from('\r') });
    socket.write(Buffer.concat([...chunk, encodeFrame(CHANNEL.bytes, input)]));
    await until('the size and the input', () => bytes().includes('24 80'));
    assert.not(reports().some(({ type }) => type === 'exit'));
    peer.dispose();
  }));

test.run();
