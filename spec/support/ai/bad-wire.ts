/**
 * A proxy between a client and a service that passes bytes on as badly as a network does: byte by byte, late, not at all, or
 * not any more.
 */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export interface BadWireOptions {
  /** Bytes of a piece; all that came at once without it. */
  readonly piece?: number;
  /** Each piece waits for this, in ms. */
  readonly delay?: number;
  /** Nothing is passed on from the service. */
  readonly isDeaf?: boolean;
}

export class BadWire {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ noDelay: true }, client => this.#join(client));
  readonly #target: string;
  options: BadWireOptions = {};
  /** Bytes of the service that were passed on. */
  passed = 0;

  /** @param target `HOST:PORT` */
  constructor(target: string) {
    this.#target = target;
  }

  async start(): Promise<this> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts every connection; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async end(): Promise<void> {
    this.cut();
    await new Promise(done => this.#server.close(done));
  }

  #join(client: Socket): void {
    const [host = '', port] = this.#target.split(':');
    const service = createConnection({ host, port: Number(port), noDelay: true });
    this.#pass(client, service, false);
    this.#pass(service, client, true);
  }

  #pass(from: Socket, to: Socket, isAnswer: boolean): void {
    this.#sockets.add(from);
    let queue = Promise.resolve();
    from.on('data', (bytes: Buffer) => (queue = queue.then(() => this.#send(bytes, to, isAnswer))));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      void queue.then(() => to.destroy());
    });
  }

  async #send(bytes: Buffer, to: Socket, isAnswer: boolean): Promise<void> {
    const { piece = bytes.length, delay, isDeaf } = this.options;
    if (isAnswer && isDeaf) return;
    for (let at = 0; at < bytes.length && !to.destroyed; at += piece) {
      if (delay) await new Promise(done => setTimeout(done, delay));
      const part = bytes.subarray(at, at + piece);
      if (isAnswer) this.passed += part.length;
      // Each piece goes before the next is given to the system.
      await new Promise(done => to.write(part, done));
    }
  }
}
