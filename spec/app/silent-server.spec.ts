import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endSilentServer, listenerOf } from '../../lib/app/silent-server.ts';

const test = suite('a server that does not answer');
const folder = mkdtempSync(join(tmpdir(), 'mux-silent-'));
const socket = join(folder, 'a b.sock');
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A program that listens, once it does. */
function listener(): Promise<ChildProcess> {
  const code = "require('node:net').createServer().listen(process.argv[1], () => console.log('there'))";
  const child = spawn(process.execPath, ['-e', code, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise(resolve => child.stdout!.once('data', () => resolve(child)));
}

test('it is found by its socket and ended, also where it is stopped and others are connected', async () => {
  const child = await listener();
  const connected = connect(socket);
  connected.on('error', () => undefined);
  await new Promise(resolve => connected.once('connect', resolve));
  child.kill('SIGSTOP');
  assert.is(listenerOf(socket), child.pid);
  const ended = new Promise(resolve => child.once('exit', (_, signal) => resolve(signal)));
  await endSilentServer(socket);
  assert.is(await ended, 'SIGKILL');
  connected.destroy();
});

test('nobody is ended where nobody listens', async () => {
  assert.is(listenerOf(join(folder, 'none.sock')), undefined);
  const error = await endSilentServer(join(folder, 'none.sock')).catch(String);
  assert.match(String(error), /cannot be told/);
});

test.run();
