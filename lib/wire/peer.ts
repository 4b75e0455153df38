/**
 * One end of a connection: frames over a socket, in both directions.
 */
import { Emitter, type Disposable } from '../base/event.ts';
import { CHANNEL, encodeFrame, FrameDecoder, FramingError, MAX_PAYLOAD } from './framing.ts';
import { encodeMessage, MessageError, type Envelope } from './envelope.ts';

/** What a connection needs of a socket; a `net.Socket` has it. */
export interface ByteStream {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  write(bytes: Uint8Array): boolean;
  /** `done` is called once the kernel has taken everything. */
  end(done: () => void): unknown;
  destroy(): unknown;
  readonly writable: boolean;
}

/** Why a connection ended; `error` is set where the other side broke the protocol or the socket failed. */
export interface Closed {
  readonly error: Error | undefined;
}

/**
 * A connection that receives `In` and sends `Out`. A malformed, over-long or unknown message closes it and nothing
 * else; the reason is in `onClose`.
 */
export class Peer<In extends Envelope, Out extends Envelope> implements Disposable {
  readonly #socket: ByteStream;
  readonly #decoder = new FrameDecoder();
  readonly #message = new Emitter<In>();
  readonly #bytes = new Emitter<Buffer>();
  readonly #closed = new Emitter<Closed>();
  #error: Error | undefined;
  #isClosed = false;

  readonly onMessage = this.#message.event;
  /** Terminal bytes (channel 1). */
  readonly onBytes = this.#bytes.event;
  readonly onClose = this.#closed.event;

  constructor(socket: ByteStream, parse: (payload: Uint8Array) => In) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk, parse));
    socket.on('error', error => (this.#error ??= error));
    socket.on('close', () => this.#close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(message: Out): void {
    this.#write(CHANNEL.control, encodeMessage(message));
  }

  /** Sends terminal bytes, cut into as many frames as the limit asks for. */
  sendBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_PAYLOAD) {
      this.#write(CHANNEL.bytes, bytes.subarray(at, at + MAX_PAYLOAD));
    }
  }

  /** Closes once what was sent has left, whether or not the other side closes too. */
  end(): void {
    this.#socket.end(() => this.#socket.destroy());
  }

  dispose(): void {
    this.#socket.destroy();
  }

  #write(channel: 0 | 1, payload: Uint8Array): void {
    if (!this.#isClosed && this.#socket.writable) this.#socket.write(encodeFrame(channel, payload));
  }

  #receive(chunk: Buffer, parse: (payload: Uint8Array) => In): void {
    try {
      for (const frame of this.#decoder.push(chunk)) {
        if (this.#error) return;
        if (frame.channel === CHANNEL.bytes) this.#bytes.fire(frame.payload);
        else this.#message.fire(parse(frame.payload));
      }
    } catch (error) {
      if (!(error instanceof FramingError || error instanceof MessageError)) throw error;
      this.#error ??= error;
      this.#socket.destroy();
    }
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closed.fire({ error: this.#error });
  }
}
