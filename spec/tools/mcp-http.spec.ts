/** Remote MCP servers that flood, hang, lie or send elsewhere. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, mcp, type Rig } from '../support/mcp-rig.ts';

const test = suite('Remote MCP servers that mean harm, or do it');
const rigs: Rig[] = [];
const servers: Server[] = [];
test.after.each(async () => {
  for (const rig of rigs.splice(0)) await rig.servers.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (id: unknown, response: ServerResponse, request: IncomingMessage) => void;
const PIECE = 'x'.repeat(65_536);

/** Writes as fast as it is taken, for ever. */
function flood(response: ServerResponse, piece: string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

/** What happens with `tools/call` of each tool. */
const CALLS: Readonly<Record<string, Answer>> = {
  echo: (id, response) => json(response, { id, result: { content: [{ type: 'text', text: 'here' }] } }),
  flood_json: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    flood(response, PIECE);
  },
  flood_stream: (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    flood(response, `data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n`.repeat(500));
  },
  flood_line: (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ');
    flood(response, PIECE);
  },
  hang: () => undefined,
  cut: (_, response) => void response.destroy(),
  page: (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  broken: (_, response) => void response.writeHead(500).end('no'),
  junk: (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc"'),
};

function json(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

async function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function served(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  request.on('data', chunk => (body += String(chunk)));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(body) as {
      id?: unknown;
      method: string;
      params?: { name?: string };
    };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize')
      return json(response, {
        id,
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        },
      });
    if (method === 'tools/list')
      return json(response, {
        id,
        result: { tools: Object.keys(CALLS).map(name => ({ name, inputSchema: { type: 'object' } })) },
      });
    CALLS[params?.name ?? '']!(id, response, request);
  });
}

async function open(url: string, more: object = {}, env: Record<string, string> = {}): Promise<Rig> {
  const rig = mcp([{ name: 'r', url, ...more }], { env });
  rigs.push(rig);
  await rig.servers.start();
  return rig;
}

for (const [tool, why] of [
  ['flood_json', /more than 16MiB|terminated/],
  ['flood_stream', /no sign of life|terminated|more than/],
  ['flood_line', /no sign of life|terminated|more than/],
  ['hang', /no sign of life/],
  ['cut', /cannot be reached|terminated|socket/],
  ['page', /content type/i],
  ['broken', /500|no/],
  ['junk', /JSON/],
] as const)
  test(`costs that call (${tool})`, async () => {
    const rig = await open(await listening(served), { timeout: 3000 });
    assert.is(rig.servers.states()[0]!.error, '');
    const before = process.memoryUsage.rss();
    const { content, isError } = await call(rig.tool(`mcp__r__${tool}`), {});
    assert.is(isError, true);
    assert.match(content, why);
    assert.ok(process.memoryUsage.rss() - before < 250e6);
    const after = await call(rig.tool('mcp__r__echo'), {});
    assert.is(after.content, 'here');
  });

test('a secret goes to the server that it is for, and to no other one that this one names', async () => {
  const seen: string[] = [];
  const other = await listening((request, response) => {
    seen.push(String(request.headers.authorization));
    served(request, response);
  });
  const url = await listening((_, response) => void response.writeHead(307, { location: other }).end());
  const rig = await open(url, { headers_env: { Authorization: 'TOKEN' } }, { TOKEN: 'Bearer secret' });
  assert.is(rig.servers.states()[0]!.status, 'failed');
  assert.equal(seen, []);
  const right = await listening((request, response) => {
    seen.push(String(request.headers.authorization));
    served(request, response);
  });
  await open(right, { headers_env: { Authorization: 'TOKEN' } }, { TOKEN: 'Bearer secret' });
  assert.ok(seen.length > 0 && seen.every(one => one === 'Bearer secret'));
});

test('a value that is no header is refused, and not told', async () => {
  const rig = await open(
    await listening(served),
    { headers_env: { Authorization: 'TOKEN' } },
    { TOKEN: 'se\ncret' },
  );
  const [state] = rig.servers.states();
  assert.is(state!.error, 'what stands in TOKEN is no header');
  assert.not.ok(JSON.stringify([state, rig.lines]).includes('cret'));
});

test('an address that is none is told', async () => {
  for (const url of ['file:///etc/passwd', 'no address', 'ftp://x'])
    assert.match((await open(url)).servers.states()[0]!.error, /it is no address of a server/);
});

test.run();
