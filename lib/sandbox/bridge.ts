/**
 * From a port inside a sandbox, whose network is its own, to the proxy's socket outside.
 */
import { createServer, connect, type Server } from 'node:net';

/** As many as the proxy takes. */
const MAX_CONNECTIONS = 256;

/** Listens on `port` of the loopback; resolves once it does. Rejects with the system's error. */
export function startBridge(socket: string, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, client => {
    const proxy = connect({ path: socket, allowHalfOpen: true });
    const end = (): void => {
      client.destroy();
      proxy.destroy();
    };
    client.on('error', end);
    proxy.on('error', end);
    client.pipe(proxy);
    proxy.pipe(client);
  });
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => done(server));
  });
}
