/** A gRPC host that is dialled with the first call, and whatever it sends: bytes, so many of them, for so long. */
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { targetOf } from '../../ai/client.ts';
import { CodedError, type ErrorCode } from '../../base/errors.ts';
import { formatDuration, formatSize } from '../../base/duration.ts';
import { visible } from '../../base/visible.ts';
import { cutText } from '../text.ts';

/** Bytes of one message of a host: what gRPC takes by itself, too. */
export const ANSWER_MAX = 4 * 1024 * 1024;
/** A connection that carries a call and says nothing for this long is asked whether it is there, in ms. */
const KEEPALIVE_MS = 30_000;
/** Characters of what a host says about a failure. */
const DETAILS_MAX = 2000;

/** How a host is reached: what an entry of grpc_clients comes to. */
export interface EngineAddress {
  readonly name: string;
  readonly baseUrl: string;
  /** Sent with every call; values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates to trust beside those of the system (PEM). */
  readonly ca?: Buffer | undefined;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** ms until the whole call has to be over. */
  readonly deadline: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a stream ends that a host does not end. */
export interface StreamBounds {
  readonly messages: number;
  readonly bytes: number;
}

export interface Streamed {
  readonly messages: readonly Buffer[];
  /** Why not all of it is there, for the model; '' where it is. */
  readonly cut: string;
}

/** What a status means to the shell; all others are failures. */
const CODES: Partial<Record<status, ErrorCode>> = {
  [status.NOT_FOUND]: 'not_found',
  [status.UNAUTHENTICATED]: 'refused',
  [status.PERMISSION_DENIED]: 'refused',
  [status.DEADLINE_EXCEEDED]: 'timeout',
  [status.CANCELLED]: 'cancelled',
};

/** A call that a host answered by another status than OK, or that did not reach it. */
export class EngineFailure extends CodedError {
  readonly status: status;

  constructor({ code, details }: ServiceError, name: string) {
    const isGone = code === status.UNAVAILABLE;
    const told = cutText(visible(details.replace(/\s*Resolution note:\s*$/, '')), DETAILS_MAX);
    const why = isGone
      ? `it cannot be reached: ${told}`
      : told || `the call failed (${status[code] ?? code})`;
    super(CODES[code] ?? 'failed', `${name}: ${why}`);
    this.name = 'EngineFailure';
    this.status = code;
  }

  /** The host could not be spoken to: it says nothing of the call. */
  get isGone(): boolean {
    return this.status === status.UNAVAILABLE;
  }
}

const same = (bytes: Buffer): Buffer => bytes;

export class EngineConnection {
  readonly #address: EngineAddress;
  #client: Client | undefined;

  constructor(address: EngineAddress) {
    this.#address = address;
  }

  /** One message for one. Throws EngineFailure. */
  async unary(path: string, request: Buffer, options: CallOptions): Promise<Buffer> {
    const { messages } = await this.stream(path, request, options, { messages: 1, bytes: ANSWER_MAX });
    const [answer] = messages;
    if (!answer) throw new CodedError('failed', `${this.#address.name}: the call gave no answer`);
    return answer;
  }

  /** The messages of a server stream, up to the bounds: beyond them the call is cancelled. Throws EngineFailure. */
  async stream(path: string, request: Buffer, options: CallOptions, bounds: StreamBounds): Promise<Streamed> {
    if (options.signal.aborted) throw this.#cancelled();
    const deadline = Date.now() + options.deadline;
    const call = this.#dialled().makeServerStreamRequest(path, same, same, request, this.#metadata(options), {
      deadline,
    });
    const stop = (): void => call.cancel();
    options.signal.addEventListener('abort', stop, { once: true });
    const messages: Buffer[] = [];
    let left = bounds.bytes;
    let cut = '';
    try {
      for await (const message of call as AsyncIterable<Buffer>) {
        left -= message.length;
        if (messages.length >= bounds.messages) cut = `it has more than ${bounds.messages} messages`;
        else if (left < 0) cut = `it has more than ${formatSize(bounds.bytes)}`;
        if (cut !== '') break;
        messages.push(message);
      }
    } catch (error) {
      if (options.signal.aborted) throw this.#cancelled();
      const failure = new EngineFailure(error as ServiceError, this.#address.name);
      // What came until then is worth something.
      if (failure.status !== status.DEADLINE_EXCEEDED || messages.length === 0) throw failure;
      cut = `it went on for more than ${formatDuration(options.deadline)}`;
    } finally {
      options.signal.removeEventListener('abort', stop);
      call.cancel();
    }
    return { messages, cut };
  }

  /** A stream both ways on which each request waits for its answer. `end` has to be called. */
  converse(path: string, options: CallOptions): { ask(request: Buffer): Promise<Buffer>; end(): void } {
    const deadline = Date.now() + options.deadline;
    const call = this.#dialled().makeBidiStreamRequest(path, same, same, this.#metadata(options), {
      deadline,
    });
    const stop = (): void => call.cancel();
    options.signal.addEventListener('abort', stop, { once: true });
    call.on('error', () => undefined);
    const answers = (call as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    return {
      ask: async request => {
        call.write(request);
        const { done, value } = await answers.next().catch((error: unknown) => {
          if (options.signal.aborted) throw this.#cancelled();
          throw new EngineFailure(error as ServiceError, this.#address.name);
        });
        if (done) throw new CodedError('failed', `${this.#address.name}: it ended the conversation`);
        return value;
      },
      end: () => {
        options.signal.removeEventListener('abort', stop);
        call.cancel();
      },
    };
  }

  close(): void {
    this.#client?.close();
    this.#client = undefined;
  }

  #dialled(): Client {
    const { baseUrl, ca } = this.#address;
    if (this.#client) return this.#client;
    const { target, isSecure } = targetOf(baseUrl);
    const secure = isSecure ? credentials.createSsl(ca ?? null) : credentials.createInsecure();
    this.#client = new Client(target, secure, {
      'grpc.max_receive_message_length': ANSWER_MAX,
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      // One connection each: a host that stops one has not stopped the others.
      'grpc.use_local_subchannel_pool': 1,
    });
    return this.#client;
  }

  #metadata({ headers = {} }: CallOptions): Metadata {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries({ ...this.#address.headers, ...headers }))
      metadata.set(name.toLowerCase(), value);
    return metadata;
  }

  #cancelled(): CodedError {
    return new CodedError('cancelled', `${this.#address.name}: cancelled`);
  }
}
