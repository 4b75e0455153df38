/**
 * Finding the server of a name, and starting it where none runs.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { CodedError } from '../base/errors.ts';
import {
  isCompatible,
  MessageError,
  parseServerMessage,
  PROTOCOL_VERSION,
  type ClientMessage,
  type Handshake,
  type ServerMessage,
} from '../wire/messages.ts';
import { FramingError } from '../wire/framing.ts';
import { Peer } from '../wire/peer.ts';

/** Where a server lives and how it is started. */
export interface ServerPlace {
  readonly name: string;
  readonly socket: string;
  readonly log: string;
  /** Makes and checks the folders of socket and log. Throws CodedError where they cannot be used or trusted. */
  readonly prepare: () => Promise<void>;
  /** argv that runs the server in the foreground; it prints a line on stdout once it listens. */
  readonly command: readonly string[];
  /** MUX_HOME, absolute, where it is set. */
  readonly home: string | undefined;
}

export type ServerPeer = Peer<ServerMessage, ClientMessage>;

export interface Connection {
  readonly peer: ServerPeer;
  /** Whether this call started the server. */
  readonly started: boolean;
}

/** A server that ends while we connect is tried again: once gone it is replaced, and a new one does not end at once. */
const CONNECT_TRIES = 3;
/** A server that does not listen after this is not coming: 30 s covers a cold disk on a loaded machine. */
const START_DEADLINE_MS = 30_000;
/** A living server answers its handshake within a frame; this covers one that parses a flood. */
const HANDSHAKE_DEADLINE_MS = 10_000;

/**
 * Connects and shakes hands. Without a server: starts one if `start`, else throws CodedError `no_server`. A server of
 * another protocol is refused with `protocol_mismatch`.
 */
export async function connectServer(
  place: ServerPlace,
  handshake: Handshake,
  start: boolean,
): Promise<Connection> {
  await place.prepare();
  for (let left = CONNECT_TRIES; left > 0; left--) {
    let socket = await tryConnect(place.socket);
    let started = false;
    if (!socket) {
      if (!start)
        throw new CodedError('no_server', `server ${place.name}: none is running`, "start one with 'mux'");
      started = await startServer(place);
      socket = await tryConnect(place.socket);
      if (!socket) throw startFailure(place, 'it ended right after starting');
    }
    const peer = await shakeHands(socket, handshake);
    if (peer) return { peer, started };
  }
  throw new CodedError(
    'failed',
    `server ${place.name}: it closes every connection`,
    `its log is ${place.log}`,
  );
}

/** A connected socket, or undefined where nobody listens. Throws CodedError for any other failure. */
function tryConnect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else
        reject(
          new CodedError('failed', `socket ${path}: ${error.code ?? error.message}`, undefined, {
            cause: error,
          }),
        );
    });
  });
}

/** Logs of earlier servers beyond this are put aside: the last one is what a person looks for. */
const LOG_LIMIT_BYTES = 1024 * 1024;

/** Puts a log that has grown long aside, in place of the one put aside before. */
function makeRoom(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`);
}

/** Runs the server in the background and waits until it listens. False where another start was faster. */
async function startServer(place: ServerPlace): Promise<boolean> {
  let log: number;
  try {
    makeRoom(place.log);
    log = openSync(place.log, 'a', 0o600);
  } catch (error) {
    throw new CodedError(
      'failed',
      `log ${place.log}: ${(error as NodeJS.ErrnoException).code}`,
      'make its directory writable, or set MUX_HOME',
      { cause: error },
    );
  }
  const [program = '', ...args] = place.command;
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', log],
    // Not ours, which the server would keep from being unmounted and which may be gone already.
    cwd: '/',
    env: { ...process.env, ...(place.home === undefined ? {} : { MUX_HOME: place.home }) },
  });
  const stdout = child.stdout!;
  closeSync(log);
  const isOurs = await new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(startFailure(place, `it did not listen within ${START_DEADLINE_MS / 1000} s`)),
      START_DEADLINE_MS,
    );
    stdout.once('data', () => {
      clearTimeout(timer);
      resolve(true);
    });
    child.once('error', error => reject(startFailure(place, error.message)));
    child.once('exit', code => {
      clearTimeout(timer);
      // Status 0: another start was faster, and its server listens.
      if (code === 0) resolve(false);
      else reject(startFailure(place, lastLine(place.log) || `it ended with status ${code}`));
    });
  });
  child.removeAllListeners();
  stdout.destroy();
  child.unref();
  return isOurs;
}

function startFailure(place: ServerPlace, why: string): CodedError {
  return new CodedError('failed', `server ${place.name}: could not start: ${why}`, `its log is ${place.log}`);
}

/** The last thing a server wrote, control characters removed. */
function lastLine(path: string): string {
  try {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const line = lines.findLast(l => l.startsWith('mux: ')) ?? lines.at(-1) ?? '';
    return line
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .replace(/^mux: /, '')
      .slice(0, 300);
  } catch {
    // ENOENT: it did not come to writing a log; the caller then tells the status.
    return '';
  }
}

/** The peer once it has answered; undefined where the server ended instead. */
function shakeHands(socket: Socket, handshake: Handshake): Promise<ServerPeer | undefined> {
  const peer: ServerPeer = new Peer(socket, parseServerMessage);
  return new Promise((resolve, reject) => {
    const fail = (error: CodedError): void => {
      settled();
      peer.dispose();
      reject(error);
    };
    const timer = setTimeout(
      () =>
        fail(new CodedError('failed', 'server: it does not answer', 'look at its log, or end it by its pid')),
      HANDSHAKE_DEADLINE_MS,
    );
    const onMessage = peer.onMessage(message => {
      if (message.type === 'handshake_ok' && isCompatible(message.payload.version)) {
        settled();
        resolve(peer);
      } else if (message.type === 'handshake_ok' || message.type === 'handshake_err') {
        fail(mismatch(message));
      }
    });
    const onClose = peer.onClose(({ error }) => {
      settled();
      if (error instanceof FramingError || error instanceof MessageError) {
        reject(
          new CodedError('protocol_mismatch', `server: it does not speak mux's protocol: ${error.message}`),
        );
      } else resolve(undefined);
    });
    const settled = (): void => {
      clearTimeout(timer);
      onMessage.dispose();
      onClose.dispose();
    };
    peer.send({ type: 'handshake', payload: handshake });
  });
}

function mismatch(message: Extract<ServerMessage, { type: 'handshake_ok' | 'handshake_err' }>): CodedError {
  const reason =
    message.type === 'handshake_err'
      ? message.payload.reason
      : `it speaks protocol ${message.payload.version}, this program ${PROTOCOL_VERSION}`;
  return new CodedError(
    'protocol_mismatch',
    `server: ${reason}`,
    "detach everywhere and end the old server with its own 'mux kill-server'",
  );
}
