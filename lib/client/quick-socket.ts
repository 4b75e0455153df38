/**
 * A connection that is read the short way: what arrives goes to one function, past the queues and ticks of a Node
 * stream, which cost a key's echo more than all that is done with it.
 */
import { createConnection, type OnReadOpts, type Socket } from 'node:net';
import type { ByteStream } from '../wire/peer.ts';
import { isConnected } from './daemon-process.ts';

/** Bytes read at a time: what libuv would ask for, too. */
const READ_BYTES = 64 * 1024;

/** Options of a socket or terminal whose data go to `received` instead of 'data' events; the bytes are the receiver's own. */
export function quickRead(received: (bytes: Buffer) => void): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    callback(count, buffer) {
      // The buffer is used again for the next read.
      received(Buffer.from(buffer.subarray(0, count)));
      return true;
    },
  };
}

/** A socket whose data are read the short way. What came before somebody listens is kept: it is little. */
class QuickSocket implements ByteStream {
  readonly #socket: Socket;
  #early: Buffer[] = [];
  #data: ((chunk: Buffer) => void) | undefined;

  constructor(path: string) {
    this.#socket = createConnection({
      path,
      onread: quickRead(bytes => (this.#data ? this.#data(bytes) : void this.#early.push(bytes))),
    });
  }

  get socket(): Socket {
    return this.#socket;
  }

  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  on(event: string, listener: ((chunk: Buffer) => void) | ((error: Error) => void) | (() => void)): unknown {
    if (event !== 'data') return this.#socket.on(event, listener);
    this.#data = listener as (chunk: Buffer) => void;
    for (const chunk of this.#early.splice(0)) this.#data(chunk);
    return this;
  }

  write(bytes: Uint8Array): boolean {
    return this.#socket.write(bytes);
  }

  end(done: () => void): unknown {
    return this.#socket.end(done);
  }

  destroy(): unknown {
    return this.#socket.destroy();
  }

  get writable(): boolean {
    return this.#socket.writable;
  }
}

/** Like `tryConnect`, read the short way. */
export async function tryConnectQuick(path: string): Promise<ByteStream | undefined> {
  const quick = new QuickSocket(path);
  return (await isConnected(quick.socket, path)) ? quick : undefined;
}
