/**
 * A loopback server that answers as badly as it is told to: raw bytes in pieces, statuses, silence, cut connections. It keeps
 * what it was asked, and tells when a client closes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one request gets. */
export interface BadAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent one after the other, each in a write of its own. */
  readonly pieces?: readonly (string | Buffer)[];
  /** What then happens: the end, a cut connection, or nothing more. */
  readonly ending?: 'end' | 'cut' | 'silence';
}

export class ModelServer {
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: unknown;
  }[] = [];
  readonly #answers: BadAnswer[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  /** Requests whose client has gone before the end. */
  closed = 0;

  async start(): Promise<this> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  answers(...answers: readonly BadAnswer[]): this {
    this.#answers.push(...answers);
    return this;
  }

  /** Cuts every connection, and goes on. */
  cutAll(): void {
    this.#server.closeAllConnections();
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(done => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || 'null');
    this.requests.push({ path: request.url ?? '', headers: request.headers, body });
    response.on('close', () => void (response.writableFinished || this.closed++));
    const {
      status = 200,
      headers = { 'content-type': 'text/event-stream' },
      pieces = [],
      ending = 'end',
    } = this.#answers.shift() ?? { status: 500 };
    response.writeHead(status, headers);
    for (const piece of pieces) {
      response.write(piece);
      // Each piece reaches the client as a piece.
      await new Promise(done => setImmediate(done));
    }
    if (ending === 'end') response.end();
    else if (ending === 'cut') response.destroy();
  }
}

/** Server-sent events of objects, as text. */
export function events(...objects: readonly object[]): string {
  return objects.map(one => `data: ${JSON.stringify(one)}\n\n`).join('');
}
