/**
 * AiService on a socket: a Unix socket that its folder's mode guards, or TCP with TLS and a token. Health and reflection
 * come with it, as every gRPC tool expects them.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync } from 'node:fs';
import {
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  status,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { CodedError } from '../../base/errors.ts';
import type { Contract } from '../contract.ts';
import type { Background } from './context.ts';
import { encodedToo, serviceMethods, type ServiceOptions } from './service.ts';

/** As in proto/. */
export const SERVICE = 'malonaz.ai.ai_service.v1.AiService';
/** Bytes of a message either way: pictures and long files fit, a memory does not. */
export const MESSAGE_MAX = 20 * 1024 * 1024;
/** Calls that one connection has open at a time: 64 streams, and what goes on beside them. */
const STREAMS_MAX = 256;
/** A connection that says nothing for this long is asked whether it is there, and closed where it is not, in ms. */
const KEEPALIVE_MS = 60_000;
const KEEPALIVE_ANSWER_MS = 20_000;
/** Calls that run when the service ends have this long, in ms. */
const END_MS = 2000;
/** Services that any client may ask without a token: probes have none. */
const OPEN_PATHS = /^\/grpc\.health\.v1\.Health\//;

export interface ListenOptions extends ServiceOptions {
  /** `unix:PATH` or `HOST:PORT`; port 0 takes one that is free. */
  readonly address: string;
  /** PEM of the certificate and its key; without them the connection is not encrypted. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  /** What a client must bring as `authorization: Bearer TOKEN` or `x-api-key: TOKEN`. */
  readonly token?: string;
}

export interface Listening {
  /** Where it listens, with the port that was taken. */
  readonly address: string;
  /** Lets calls that run end, for a moment, and closes. */
  close(): Promise<void>;
}

/** Listens. Throws CodedError where the address cannot be had. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_MAX,
    'grpc.max_send_message_length': MESSAGE_MAX,
    'grpc.max_concurrent_streams': STREAMS_MAX,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_ANSWER_MS,
    'grpc.keepalive_permit_without_calls': 1,
    ...(options.token ? { interceptors: [tokenGuard(options.token)] } : {}),
  } as ConstructorParameters<typeof Server>[0]);
  addServices(server, options, options.contract);
  const port = await bind(server, options);
  if (options.address.startsWith('unix:')) chmodSync(options.address.slice('unix:'.length), 0o600);
  const address = options.address.replace(/:0$/, `:${port}`);
  return { address, close: () => closed(server, options.context.background) };
}

function addServices(server: Server, options: ServiceOptions, { definition }: Contract): void {
  const service = definition[SERVICE];
  if (!service || 'format' in service) throw new Error(`proto/ has no service ${SERVICE}`);
  server.addService(encodedToo(service), serviceMethods(options) as never);
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE]: 'SERVING' });
  health.addToServer(server);
  new ReflectionService(definition, { services: [SERVICE] }).addToServer(server);
}

function bind(server: Server, { address, tls }: ListenOptions): Promise<number> {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ cert_chain: tls.cert, private_key: tls.key }])
    : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (!error) return resolve(port);
      const why = error.message.replaceAll('\n', ' ');
      reject(
        new CodedError('failed', `ai serve: cannot listen on ${address}: ${why}`, undefined, {
          cause: error,
        }),
      );
    });
  });
}

async function closed(server: Server, background: Background): Promise<void> {
  await new Promise<void>(resolve => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, END_MS);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  await background.done();
}

/** Refuses calls that do not bring the token. */
function tokenGuard(token: string): ServerInterceptor {
  const wanted = digest(token);
  return (method, call) => {
    if (OPEN_PATHS.test(method.path)) return new ServerInterceptingCall(call);
    return new ServerInterceptingCall(call, {
      start: next =>
        next({
          onReceiveMetadata: (metadata, go) => {
            const given = [...metadata.get('authorization'), ...metadata.get('x-api-key')].map(String);
            const isRight = given.some(one => timingSafeEqual(digest(one.replace(/^Bearer /i, '')), wanted));
            if (isRight) return go(metadata);
            const details = 'the token is missing or wrong: send authorization: Bearer TOKEN';
            call.sendStatus({ code: status.UNAUTHENTICATED, details, metadata: null });
          },
        }),
    });
  };
}

/** Digests are of one length, so comparing them tells nothing of the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
