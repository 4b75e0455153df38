/**
 * The server's socket: one server per name, a stale socket replaced, a living one never touched.
 */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import lockfile from 'proper-lockfile';
import { CodedError } from '../base/errors.ts';

/** A lock older than this belongs to a start that died; it is refreshed every half of it while held. */
const STALE_MS = 5000;
/** Tries for the lock, 50 ms apart: longer than a start takes, and than STALE_MS. */
const RETRIES = { retries: 160, factor: 1, minTimeout: 50, maxTimeout: 50 };

/** A socket that is listened on. */
export interface Listening {
  readonly server: Server;
  /** Takes who serves connections: those that have come already, and all later ones. */
  serve(serve: (socket: Socket) => void): void;
}

/** A listening server, or undefined where another one of this name is alive already. */
export async function listenOnce(path: string): Promise<Listening | undefined> {
  // The lock is held from the look at the old socket until the new one listens, so that of two starts at the same
  // moment the second finds the first alive.
  const release = await lockfile.lock(path, {
    realpath: false,
    stale: STALE_MS,
    retries: RETRIES,
    // Held up for so long that another start took the lock: whoever listens first wins, the other finds it alive.
    onCompromised: () => undefined,
  });
  try {
    if (await isAlive(path)) return undefined;
    removeStale(path);
    return await listen(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && (await isAlive(path))) return undefined;
    throw error;
  } finally {
    // A lock that was taken over is not ours to release.
    await release().catch(() => undefined);
  }
}

/** Whether somebody accepts connections there. Only a refusal or absence means no. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false);
      else
        reject(
          new CodedError('failed', `socket ${path}: ${error.code ?? error.message}`, undefined, {
            cause: error,
          }),
        );
    });
  });
}

/** Nobody listens there: a socket is a dead server's, anything else is not ours to remove. */
function removeStale(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSocket()) unlinkSync(path);
  else if (stats)
    throw new CodedError('failed', `socket ${path}: a file that is no socket is in the way`, 'move it away');
}

function listen(path: string): Promise<Listening> {
  const server = createServer();
  // From the first moment on: a connection that nobody takes would wait for its answer for ever.
  const serve = keepEarly(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The folder is 0700 already; the mode of the socket itself is what some systems check instead.
    const before = process.umask(0o177);
    server.listen(path, () => {
      server.off('error', reject);
      chmodSync(path, 0o600);
      resolve({ server, serve });
    });
    process.umask(before);
  });
}

/** Keeps connections that come before there is somebody to serve them; the result takes who does. */
function keepEarly(server: Server): Listening['serve'] {
  const kept: Socket[] = [];
  const keep = (socket: Socket): void => void kept.push(socket);
  server.on('connection', keep);
  return serve => {
    server.off('connection', keep);
    server.on('connection', serve);
    // One that has closed meanwhile would never be seen to close.
    for (const socket of kept) if (!socket.destroyed) serve(socket);
  };
}
