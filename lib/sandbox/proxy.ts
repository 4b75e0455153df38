/**
 * The way out of a sandbox to listed hosts: a proxy by HTTP (RFC 9110 §9.3.6 CONNECT, §7.2 absolute targets) on a socket
 * that only the sandbox is shown.
 */
import { createServer, connect, type Server, type Socket } from 'node:net';
import type { Network } from '../config/leaf.ts';
import { isHostAllowed, splitPort } from './hosts.ts';

/** The head of a request: of those that are refused no more is read. As much as Node's own server takes. */
const MAX_HEAD = 16 * 1024;
/** Whoever has not said what it wants by then, ms, is not going to. */
const HEAD_MS = 30_000;
/** Connections at a time: a browser or a package manager opens tens. */
const MAX_CONNECTIONS = 256;
/** Headers between a program and its proxy (RFC 9110 §7.6.1, and what names the same). */
const HOP = /^(?:proxy-[\w-]+|connection|keep-alive|te|trailer|upgrade):/i;

export interface ProxyPorts {
  readonly network: Network;
  /** Tells of what was refused. */
  readonly refused: (host: string) => void;
}

/** Listens on `socket`; resolves once it does. Rejects with the system's error. */
export function startProxy(socket: string, ports: ProxyPorts): Promise<Server> {
  const server = createServer(client => serve(client, ports));
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(socket, () => done(server));
  });
}

function serve(client: Socket, ports: ProxyPorts): void {
  let head = Buffer.alloc(0);
  // Whoever goes away in the middle is no fault of ours.
  client.on('error', () => client.destroy());
  client.setTimeout(HEAD_MS, () => client.destroy());
  const read = (piece: Buffer): void => {
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0 && head.length <= MAX_HEAD) return;
    client.off('data', read);
    client.pause();
    if (end < 0 || end > MAX_HEAD) return answer(client, '431 Request Header Fields Too Large');
    begin(client, head.toString('latin1', 0, end), head.subarray(end + 4), ports);
  };
  client.on('data', read);
}

/** Where a request goes, and what is sent there before everything else; undefined where it is none that we know. */
function target(head: string): { host: string; port: number; first: string } | undefined {
  const [line = '', ...headers] = head.split('\r\n');
  const [method = '', uri = '', version = ''] = line.split(' ');
  if (!/^HTTP\/1\.[01]$/.test(version) || /[\r\n]/.test(line)) return undefined;
  if (method === 'CONNECT') {
    const { host, port } = splitPort(uri);
    return host === '' || !port || port > 65_535 ? undefined : { host, port, first: '' };
  }
  const match = /^http:\/\/([^/?#@]+)((?:[/?][^#]*)?)(?:#.*)?$/i.exec(uri);
  if (!match) return undefined;
  const { host, port = 80 } = splitPort(match[1]!);
  if (host === '' || port < 1 || port > 65_535) return undefined;
  const path = match[2]!.startsWith('/') ? match[2]! : `/${match[2]!}`;
  // One request for each connection: the next one may be for another host. The host asked for is the one looked at.
  const kept = headers.filter(header => !HOP.test(header) && !/^host:/i.test(header));
  return {
    host,
    port,
    first: [`${method} ${path} ${version}`, `Host: ${match[1]!}`, ...kept, 'Connection: close', '', ''].join(
      '\r\n',
    ),
  };
}

function begin(client: Socket, head: string, rest: Buffer, { network, refused }: ProxyPorts): void {
  const to = target(head);
  if (!to) return answer(client, '400 Bad Request');
  if (!isHostAllowed(network, to.host, to.port)) {
    refused(`${to.host}:${to.port}`);
    return answer(client, '403 Forbidden', `mux: the sandbox does not allow ${to.host}:${to.port}\n`);
  }
  const server = connect({ host: to.host.replace(/^\[|\]$/g, ''), port: to.port });
  const end = (): void => {
    client.destroy();
    server.destroy();
  };
  server.once('connect', () => {
    client.setTimeout(0);
    if (to.first === '') client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    else server.write(to.first, 'latin1');
    if (rest.length > 0) server.write(rest);
    client.pipe(server);
    server.pipe(client);
    server.on('error', end);
    client.on('error', end);
    client.on('close', () => server.destroy());
  });
  server.once('error', () =>
    server.connecting || client.bytesWritten === 0 ? answer(client, '502 Bad Gateway') : end(),
  );
  client.once('close', () => server.destroy());
}

function answer(client: Socket, status: string, body = ''): void {
  client.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
