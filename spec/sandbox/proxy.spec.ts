import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBridge } from '../../lib/sandbox/bridge.ts';
import { startProxy } from '../../lib/sandbox/proxy.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('proxy');
const servers: { close(): unknown }[] = [];
const refused: string[] = [];
const socket = join(tempDir(), 'p');
let port = 0;

test.before(async () => {
  const server: Server = createServer((request, response) =>
    response.end(`${request.url} for ${request.headers.host}`),
  );
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  servers.push(
    server,
    await startProxy(socket, {
      network: { allow: [`127.0.0.1:${port}`] },
      refused: host => refused.push(host),
    }),
  );
});
test.after(() => servers.forEach(server => server.close()));

/** What comes back for these bytes. */
function say(text: string, where: string | number = socket): Promise<string> {
  return new Promise(done => {
    const client = typeof where === 'string' ? connect(where) : connect(where, '127.0.0.1');
    let got = '';
    client.on('data', piece => (got += String(piece)));
    client.on('close', () => done(got));
    client.on('error', () => done(got));
    client.write(text);
  });
}

test('a listed host is reached by CONNECT and by a whole address, and told the host that was looked at', async () => {
  const tunnel = await say(
    `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  assert.match(tunnel, /^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*\/a for x/);
  const plain = await say(
    `GET http://127.0.0.1:${port}/b HTTP/1.1\r\nHost: other.example\r\nProxy-Authorization: x\r\n\r\n`,
  );
  assert.match(plain, new RegExp(`/b for 127\\.0\\.0\\.1:${port}`));
});

test('others are refused, by whatever way they are written, and it is told', async () => {
  for (const target of [
    'example.com:443',
    'localhost:22',
    '127.0.0.1:1',
    '0x7f000001:443',
    '[::ffff:127.0.0.1]:443',
  ])
    assert.match(await say(`CONNECT ${target} HTTP/1.1\r\n\r\n`), /^HTTP\/1\.1 403 /, target);
  assert.match(await say('GET http://example.com/ HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 403 /);
  assert.ok(refused.includes('example.com:443'));
});

test('what is no request is answered as one that is wrong', async () => {
  for (const text of [
    '\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'CONNECT x HTTP/1.1\r\n\r\n',
    'CONNECT x:99999 HTTP/1.1\r\n\r\n',
    'GET http://a@b/ HTTP/1.1\r\n\r\n',
    '\0\0\0\r\n\r\n',
    'CONNECT a:1 HTTP/2\r\n\r\n',
  ])
    assert.match(await say(text), /^HTTP\/1\.1 400 /, JSON.stringify(text));
  assert.match(await say('x'.repeat(100_000)), /^(HTTP\/1\.1 431 [\s\S]*)?$/);
});

test('the bridge carries bytes between a port and the socket', async () => {
  const bridge = await startBridge(socket, 0);
  servers.push(bridge);
  const { port: own } = bridge.address() as AddressInfo;
  assert.match(await say(`GET http://127.0.0.1:${port}/c HTTP/1.1\r\n\r\n`, own), /\/c for/);
});

test.run();
