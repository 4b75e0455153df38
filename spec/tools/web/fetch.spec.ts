import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readToolMethods } from '../../../lib/tools/contract.ts';
import { isPublic } from '../../../lib/tools/web/addresses.ts';
import { fetchTool } from '../../../lib/tools/web/fetch-tool.ts';
import { htmlText } from '../../../lib/tools/web/html-text.ts';
import { call, callContext } from '../support.ts';

const test = suite('pages of the web');
const methods = readToolMethods();
const servers: Server[] = [];
test.after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Only the machine itself is let through, where the pages of the spec are. */
const local = fetchTool(methods, { mayConnect: address => address === '127.0.0.1' });
const fetched = async (url: string): Promise<string> => (await call(local, { url })).outcome.content;

test('addresses of this machine, of private networks and of links are not public', () => {
  for (const address of [
    '127.0.0.1',
    '127.9.9.9',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'nonsense',
    '',
  ])
    assert.not(isPublic(address), address);
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
    assert.ok(isPublic(address), address);
});

test('nothing private is reached, however it is written', async () => {
  const tool = fetchTool(methods);
  const port = new URL(await serve((_, answer) => answer.end('secret'))).port;
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://0:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
  ]) {
    const { outcome } = await call(tool, { url });
    assert.ok(
      outcome.isError && outcome.content.includes('not an address of the public web'),
      `${url}: ${outcome.content}`,
    );
  }
});

test('a page that leads to a private address is not followed', async () => {
  const url = await serve((_, answer) => answer.writeHead(302, { location: 'http://10.0.0.1/' }).end());
  assert.ok((await fetched(url)).includes('10.0.0.1 is not an address of the public web'));
});

test('redirects are followed, but not in circles', async () => {
  const url = await serve((request, answer) => {
    if (request.url === '/a') answer.writeHead(301, { location: '/b' }).end();
    else if (request.url === '/b') answer.writeHead(200, { 'content-type': 'text/plain' }).end('here');
    else answer.writeHead(302, { location: '/round' }).end();
  });
  assert.is(await fetched(`${url}/a`), `${url}/b (status 200)\n\nhere`);
  assert.ok((await fetched(`${url}/round`)).includes('leads on more than 5 times'));
});

test('a page is text without its tags, and what is no text is told', async () => {
  const url = await serve((request, answer) => {
    const type = request.url === '/img' ? 'image/png' : 'text/html; charset=iso-8859-1';
    answer.writeHead(200, { 'content-type': type });
    answer.end(
      Buffer.from(
        '<html><head><title>t</title></head><body><h1>Caf\xe9</h1><script>evil()</script><p>a &amp; b</p>',
        'latin1',
      ),
    );
  });
  assert.is(await fetched(url), `${url}/ (status 200)\n\nCafé\n\na & b`);
  assert.ok((await fetched(`${url}/img`)).includes('it is no text, but image/png'));
});

test('a page without end is cut, and errors of the server are failures', async () => {
  const url = await serve((request, answer) => {
    if (request.url === '/no') return void answer.writeHead(404, { 'content-type': 'text/plain' }).end('no');
    answer.writeHead(200, { 'content-type': 'text/plain' });
    const send = (): void => {
      while (answer.write('x'.repeat(65536)));
      answer.once('drain', send);
    };
    send();
  });
  assert.ok((await fetched(url)).startsWith(`${url}/ (status 200, cut)`));
  assert.ok((await call(local, { url: `${url}/no` })).outcome.isError);
});

test('what is no address of a page is told before anything is sent', async () => {
  for (const url of [
    'file:///etc/passwd',
    'ftp://x.y',
    'x',
    'http://me:secret@x.y/',
    `http://x.y/${'a'.repeat(3000)}`,
  ]) {
    let told = '';
    await local.preview({ url }, callContext()).catch((error: Error) => (told = error.message));
    assert.ok(told.startsWith('fetch_url: argument url: '), url);
  }
});

test('tags that never end take no long time', () => {
  const start = process.cpuUsage();
  for (const text of ['<', '<!--', '<script>', '<a '.repeat(2), '&#', '<p><script></script>'])
    htmlText(text.repeat(Math.floor(1_000_000 / text.length)));
  assert.ok(process.cpuUsage(start).user < 3_000_000);
  assert.is(
    htmlText('a &lt;b&gt; &#233; &#xe9; &#1114112; &bogus; <!-- x --> c'),
    'a <b> é é &#1114112; &bogus; c',
  );
});

test.run();
