/**
 * What the terminal sends, on its way to the server. While a person types, the server reads the terminal itself, which
 * spares a key the wake-up of this process; there is one reader at any time, so no byte is lost, doubled or overtaken:
 * the client stops, then says so, and begins again only when the server says that it has stopped, or is gone. What is
 * typed while there is no server waits for the next one.
 */
import type { ReadStream } from 'node:tty';
import type { Answer } from './answer.ts';
import type { ServerPeer } from './connect.ts';

/** A server that does not give the terminal back in this time hangs; it looks after the client before it reads on. */
const TAKE_BACK_MS = 500;

/** Bytes typed without a server at most: more than anyone types in that time; a paste may lose its end. */
const MAX_WAITING = 1024 * 1024;

export class TerminalKeys {
  readonly #input: ReadStream;
  #peer: ServerPeer | undefined;
  #answer: Answer | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** The server has said that it can read. */
  #mayHandOver = false;
  /** The server reads. */
  #isHandedOver = false;
  /** This process is about to stop, or has: it keeps the terminal. */
  #isKept = false;
  #given: (() => void) | undefined;

  /** Nothing is read before `start`. */
  constructor(input: ReadStream) {
    this.#input = input;
    input.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  /** Sends to `peer` from now on, what waits first. `answer`: what this server has asked the terminal. */
  serve(peer: ServerPeer, answer: Answer): void {
    this.#peer = peer;
    this.#answer = answer;
    peer.onMessage(message => {
      if (message.type === 'read' && peer === this.#peer) this.#readAgain(message.payload.may_hand_over);
    });
    for (const bytes of this.#waiting.splice(0)) peer.sendBytes(bytes);
    this.#waitingBytes = 0;
  }

  /** The server is gone, and reads no more. */
  lost(): void {
    this.#peer = undefined;
    this.#readAgain(false);
  }

  start(): void {
    this.#input.resume();
  }

  /** Resolves once this process alone reads the terminal, and goes on doing so until `release`. */
  async keep(): Promise<void> {
    this.#isKept = true;
    const peer = this.#peer;
    if (!this.#isHandedOver || !peer || peer.isClosed) return;
    await new Promise<void>(resolve => {
      const late = setTimeout(resolve, TAKE_BACK_MS);
      this.#given = () => {
        clearTimeout(late);
        resolve();
      };
      peer.send({ type: 'take_back', payload: {} });
    });
  }

  /** The server may be given the terminal again. */
  release(): void {
    this.#isKept = false;
  }

  #receive(bytes: Buffer): void {
    this.#answer?.received(bytes);
    if (!this.#peer) return this.#wait(bytes);
    this.#peer.sendBytes(bytes);
    // An answer that is due must be seen here: who leaves before it has come waits for it.
    if (!this.#mayHandOver || this.#isKept || this.#answer?.isPending) return;
    this.#mayHandOver = false;
    this.#input.pause();
    // Only in the next turn Node has stopped reading for certain, and shows what it had read by then.
    setImmediate(() => this.#handOver());
  }

  #wait(bytes: Buffer): void {
    if (this.#waitingBytes + bytes.length > MAX_WAITING) return;
    this.#waitingBytes += bytes.length;
    this.#waiting.push(Buffer.from(bytes));
  }

  #handOver(): void {
    const peer = this.#peer;
    if (!peer || this.#isKept || this.#input.readableLength > 0) {
      this.#mayHandOver = peer !== undefined;
      this.#input.resume();
      return;
    }
    this.#isHandedOver = true;
    peer.send({ type: 'hand_over', payload: {} });
  }

  #readAgain(mayHandOver: boolean): void {
    this.#mayHandOver = mayHandOver;
    this.#isHandedOver = false;
    this.#input.resume();
    this.#given?.();
    this.#given = undefined;
  }
}
