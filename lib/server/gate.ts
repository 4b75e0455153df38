/**
 * A second way into the server, for sessions in sandboxes: a socket in a folder of its own, which can be shown to them
 * without the other sockets beside the first. A folder and not a file, since the next server makes the socket anew.
 */
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';

/** Where it is, by the server's own socket: as long as that, so that it fits wherever that does (unix(7)). */
export function gateOf(socket: string): { readonly folder: string; readonly socket: string } {
  const folder = socket.replace(/\.sock$/, '') + '.in';
  return { folder, socket: `${folder}/s` };
}

/** Listens for as long as the server does. Only that may call it which holds the server's own socket. */
export function openGate(
  socket: string,
  serve: (socket: Socket) => void,
  trouble: (error: Error) => void,
): Server {
  const gate = gateOf(socket);
  const server = createServer(serve);
  server.on('error', trouble);
  try {
    mkdirSync(dirname(gate.socket), { recursive: true, mode: 0o700 });
    // What a dead server has left: a living one would hold the other socket.
    rmSync(gate.socket, { force: true });
  } catch (error) {
    trouble(error as Error);
    return server;
  }
  const before = process.umask(0o177);
  server.listen(gate.socket, () => {
    try {
      chmodSync(gate.socket, 0o600);
    } catch (error) {
      trouble(error as Error);
    }
  });
  process.umask(before);
  return server;
}
