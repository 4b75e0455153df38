/**
 * Finding the server of a name, and starting it where none runs.
 */
import type { Socket } from 'node:net';
import { CodedError } from '../base/errors.ts';
import {
  isCompatible,
  parseServerMessage,
  PROTOCOL_VERSION,
  type ClientMessage,
  type Handshake,
  type ServerMessage,
} from '../wire/messages.ts';
import { MessageError } from '../wire/envelope.ts';
import { FramingError } from '../wire/framing.ts';
import { Peer } from '../wire/peer.ts';
import { startDaemon, startFailure, tryConnect, type DaemonCommand } from './daemon-process.ts';

/** Where a server lives and how it is started. */
export interface ServerPlace {
  readonly name: string;
  readonly socket: string;
  /** How it is started. */
  readonly daemon: DaemonCommand;
  /** Makes and checks the folders of socket and log. Throws CodedError where they cannot be used or trusted. */
  readonly prepare: () => Promise<void>;
  /** Longest wait for its first word, in ms; without it a server is given the time that a start takes. */
  readonly patience?: number;
  /** Called once where the server lets a person wait. */
  readonly onSilence?: () => void;
  /** What to do where none runs. */
  readonly remedy: () => string;
}

export type ServerPeer = Peer<ServerMessage, ClientMessage>;

export interface Connection {
  readonly peer: ServerPeer;
  /** Whether this call started the server. */
  readonly started: boolean;
}

/** A server is there and says nothing: it hangs, or is stopped. */
export class ServerSilent extends CodedError {}

/** A server that ends while we connect is tried again: once gone it is replaced, and a new one does not end at once. */
const CONNECT_TRIES = 3;
/** A server answers within a frame; one that has just begun also starts what holds the terminals, and is waited for as long. */
const HANDSHAKE_DEADLINE_MS = 30_000;
/** A wait of this long is told: nobody should guess what a prompt that stays away means. */
const SILENCE_MS = 2000;

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
      if (!start) throw new CodedError('no_server', `server ${place.name}: none is running`, place.remedy());
      started = await startDaemon(place.daemon);
      socket = await tryConnect(place.socket);
      if (!socket) throw startFailure(place.daemon, 'it ended right after starting');
    }
    const peer = await shakeHands(socket, handshake, place);
    if (peer) return { peer, started };
  }
  throw new CodedError(
    'failed',
    `server ${place.name}: it closes every connection`,
    `its log is ${place.daemon.log}`,
  );
}

/** The peer once it has answered; undefined where the server ended instead. */
function shakeHands(
  socket: Socket,
  handshake: Handshake,
  { onSilence, patience = HANDSHAKE_DEADLINE_MS }: ServerPlace,
): Promise<ServerPeer | undefined> {
  const peer: ServerPeer = new Peer(socket, parseServerMessage);
  return new Promise((resolve, reject) => {
    const fail = (error: CodedError): void => {
      settled();
      peer.dispose();
      reject(error);
    };
    const timer = setTimeout(
      () =>
        fail(
          new ServerSilent(
            'failed',
            'server: it does not answer',
            "look at its log; 'mux server restart --force' puts another in its place",
          ),
        ),
      patience,
    );
    const silence = setTimeout(() => onSilence?.(), SILENCE_MS);
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
      clearTimeout(silence);
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
