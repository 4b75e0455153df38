import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tryConnectQuick } from '../../lib/client/quick-socket.ts';
import { until } from '../support/until.ts';

const test = suite('quick socket');
const dir = mkdtempSync(join(tmpdir(), 'mux-quick-'));
test.after(() => rmSync(dir, { recursive: true, force: true }));

/** A server that calls `served` for each connection; the result ends it. */
function serve(path: string, served: (socket: Socket) => void): Promise<() => void> {
  const server = createServer(served);
  return new Promise(resolve => server.listen(path, () => resolve(() => void server.close())));
}

test('all bytes come, in order and each piece its own, also those before anybody listened', async () => {
  const path = join(dir, 'all');
  let peer: Socket | undefined;
  const end = await serve(path, socket => {
    peer = socket;
    socket.write('before ');
  });
  const quick = (await tryConnectQuick(path))!;
  const pieces: Buffer[] = [];
  let isClosed = false;
  await until('connected', () => peer);
  quick.on('close', () => (isClosed = true));
  quick.on('data', chunk => void pieces.push(chunk));
  const rest = 'x'.repeat(300_000);
  peer!.write('after ');
  await until('the first piece', () => Buffer.concat(pieces).includes('after '));
  peer!.end(rest);
  await until('the end', () => isClosed);
  assert.ok(Buffer.concat(pieces).toString() === 'before after ' + rest);
  end();
});

test('where nobody listens there is no connection', async () => {
  assert.is(await tryConnectQuick(join(dir, 'nobody')), undefined);
});

test.run();
