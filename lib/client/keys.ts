/**
 * What the terminal sends, on its way to the server. While a person types, the server reads the terminal itself, which
 * spares a key the wake-up of this process; there is one reader at any time, so no byte is lost, doubled or overtaken:
 * the client stops, then says so, and begins again only when the server says that it has stopped.
 */
import type { ReadStream } from 'node:tty';
import type { Answer } from './answer.ts';
import type { ServerPeer } from './connect.ts';

/** A server that does not give the terminal back in this time hangs; it looks after the client before it reads on. */
const TAKE_BACK_MS = 500;

export class TerminalKeys {
  readonly #input: ReadStream;
  readonly #peer: ServerPeer;
  readonly #answer: Answer;
  /** The server has said that it can read. */
  #mayHandOver = false;
  /** The server reads. */
  #isHandedOver = false;
  /** This process is about to stop, or has: it keeps the terminal. */
  #isKept = false;
  #given: (() => void) | undefined;

  /** Nothing is read before `start`. */
  constructor(input: ReadStream, peer: ServerPeer, answer: Answer) {
    this.#input = input;
    this.#peer = peer;
    this.#answer = answer;
    input.on('data', (bytes: Buffer) => this.#receive(bytes));
    peer.onMessage(message => {
      if (message.type === 'read') this.#readAgain(message.payload.may_hand_over);
    });
  }

  start(): void {
    this.#input.resume();
  }

  /** Resolves once this process alone reads the terminal, and goes on doing so until `release`. */
  async keep(): Promise<void> {
    this.#isKept = true;
    if (!this.#isHandedOver || this.#peer.isClosed) return;
    await new Promise<void>(resolve => {
      const late = setTimeout(resolve, TAKE_BACK_MS);
      this.#given = () => {
        clearTimeout(late);
        resolve();
      };
      this.#peer.send({ type: 'take_back', payload: {} });
    });
  }

  /** The server may be given the terminal again. */
  release(): void {
    this.#isKept = false;
  }

  #receive(bytes: Buffer): void {
    this.#answer.received(bytes);
    this.#peer.sendBytes(bytes);
    // An answer that is due must be seen here: who leaves before it has come waits for it.
    if (!this.#mayHandOver || this.#isKept || this.#answer.isPending) return;
    this.#mayHandOver = false;
    this.#input.pause();
    // Only in the next turn Node has stopped reading for certain, and shows what it had read by then.
    setImmediate(() => this.#handOver());
  }

  #handOver(): void {
    if (this.#isKept || this.#input.readableLength > 0) {
      this.#mayHandOver = true;
      this.#input.resume();
      return;
    }
    this.#isHandedOver = true;
    this.#peer.send({ type: 'hand_over', payload: {} });
  }

  #readAgain(mayHandOver: boolean): void {
    this.#mayHandOver = mayHandOver;
    this.#isHandedOver = false;
    this.#input.resume();
    this.#given?.();
    this.#given = undefined;
  }
}
