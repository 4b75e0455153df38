/**
 * The one client of AiService, whether it is embedded, beside, or far away: the same calls, dead-lines, retries and errors.
 */
import { randomUUID } from 'node:crypto';
import {
  Client,
  credentials,
  Metadata,
  status,
  type ChannelCredentials,
  type ServiceError,
} from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/grpc-js';
import { CodedError, type ErrorCode } from '../base/errors.ts';
import type { Contract } from './contract.ts';
import { MESSAGE_MAX, SERVICE } from './service/listen.ts';
import { NO_RETRY } from './service/service.ts';
import type { GenerateRequest, StreamEvent } from './wire.ts';

/** How a service is reached. */
export interface ClientOptions {
  readonly contract: Contract;
  /** `unix:PATH`, `http://HOST[:PORT]`, `https://HOST[:PORT]`, or a bare host, which is reached by TLS. */
  readonly baseUrl: string;
  /** Sent with every call, in lower case; the value is a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Certificates to trust beside those of the system (PEM). */
  readonly ca?: Buffer;
}

/** A service that is reached. */
export interface AiClient {
  /** One call. Throws CallFailure. */
  call<T>(method: string, request: object, options?: CallOptions): Promise<T>;
  /** A generation's events. Throws CallFailure; leaving the loop or aborting cancels it. */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<StreamEvent>;
  close(): void;
}

export interface CallOptions {
  /** Milliseconds; a call that a person waits for gets no answer after this. */
  readonly deadline?: number;
  readonly signal?: AbortSignal;
}

/** A call that takes longer has met a service that hangs, in ms; generations have no end of their own. */
const DEADLINE_MS = 10_000;
/** Calls that add something: each has an id, so that one that is sent again because nothing was heard of it adds it once. */
const ADDING: ReadonlySet<string> = new Set(['CreateChat', 'CreateMessage', 'GenerateMessage']);
/** A service that is being started or exchanged is back within these tries: 100 ms, doubled each time. */
const RETRY = {
  methodConfig: [
    {
      name: [{ service: SERVICE }],
      retryPolicy: {
        maxAttempts: 5,
        initialBackoff: '0.1s',
        maxBackoff: '2s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    },
  ],
};
/** A connection that carries a call and says nothing for this long is asked whether it is there, in ms. */
const KEEPALIVE_MS = 30_000;

/** What a status means to the shell; all others are failures. */
const CODES: Partial<Record<status, ErrorCode>> = {
  [status.NOT_FOUND]: 'not_found',
  [status.UNAUTHENTICATED]: 'refused',
  [status.PERMISSION_DENIED]: 'refused',
  [status.FAILED_PRECONDITION]: 'refused',
  [status.DEADLINE_EXCEEDED]: 'timeout',
  [status.CANCELLED]: 'cancelled',
};

/** A call that was answered by another status than OK. */
export class CallFailure extends CodedError {
  /** The status' number, as in `grpc.status`. */
  readonly status: number;
  /** google.rpc.Status with its details, encoded; undefined where none came. */
  readonly detail: Buffer | undefined;

  /** The service is away: nobody knows what it has of the call. */
  get isAway(): boolean {
    return this.status === status.UNAVAILABLE && !this.#isTold;
  }

  /** The service has said so itself. */
  readonly #isTold: boolean;

  constructor({ code, details, metadata }: ServiceError, where: string) {
    const isGone = code === status.UNAVAILABLE && /connect|ECONN|ENOENT|No connection/i.test(details);
    super(
      CODES[code] ?? 'failed',
      isGone
        ? `${where}: it cannot be reached: ${details.replace(/\s*Resolution note:\s*$/, '')}`
        : details || 'the call failed',
    );
    this.name = 'CallFailure';
    this.status = code;
    this.#isTold = (metadata?.get(NO_RETRY) ?? []).length > 0;
    const [detail] = metadata?.get('grpc-status-details-bin') ?? [];
    this.detail = Buffer.isBuffer(detail) ? detail : undefined;
  }
}

/** Throws CodedError `invalid_config` for an address that is none. Connects with the first call. */
export function connectAi(options: ClientOptions): AiClient {
  const { contract, baseUrl, headers = {} } = options;
  const { target, isSecure } = targetOf(baseUrl);
  const secure: ChannelCredentials = isSecure
    ? credentials.createSsl(options.ca ?? null)
    : credentials.createInsecure();
  const client = new Client(target, secure, {
    'grpc.max_receive_message_length': MESSAGE_MAX,
    'grpc.max_send_message_length': MESSAGE_MAX,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.service_config': JSON.stringify(RETRY),
  });
  const methods = contract.definition[SERVICE] as unknown as Record<string, MethodDefinition<object, object>>;
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name.toLowerCase(), value);
  const where = `AiService at ${baseUrl}`;
  return {
    call: (method, request, { deadline = DEADLINE_MS, signal } = {}) => {
      const { path, requestSerialize, responseDeserialize } = methods[method]!;
      return new Promise((resolve, reject) => {
        const until = { deadline: Date.now() + deadline };
        const call = client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          ADDING.has(method) ? withId(request) : request,
          metadata,
          until,
          (error, answer) => (error ? reject(new CallFailure(error, where)) : resolve(answer as never)),
        );
        signal?.addEventListener('abort', () => call.cancel(), { once: true });
        if (signal?.aborted) call.cancel();
      });
    },
    async *generate(request, signal) {
      const { path, requestSerialize, responseDeserialize } = methods.StreamGenerateMessage!;
      const call = client.makeServerStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        withId(request),
        metadata,
      );
      const cancel = (): void => call.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      try {
        for await (const event of call) yield event as StreamEvent;
      } catch (error) {
        throw new CallFailure(error as ServiceError, where);
      } finally {
        signal.removeEventListener('abort', cancel);
        call.cancel();
      }
    },
    close: () => client.close(),
  };
}

function withId(request: object & { readonly request_id?: string }): object {
  return request.request_id ? request : { ...request, request_id: randomUUID() };
}

/** What gRPC connects to: the target in its own form, and whether by TLS. Throws CodedError. */
export function targetOf(baseUrl: string): { readonly target: string; readonly isSecure: boolean } {
  if (baseUrl.startsWith('unix:')) return { target: baseUrl, isSecure: false };
  const text = /^[a-z]+:\/\//i.test(baseUrl) ? baseUrl : `https://${baseUrl}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname.replace('/', '') !== '')
    throw new CodedError(
      'invalid_config',
      `${baseUrl}: it is no address of a service`,
      'say unix:PATH, http://HOST:PORT or https://HOST:PORT',
    );
  const isSecure = url.protocol === 'https:';
  return { target: `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`, isSecure };
}
