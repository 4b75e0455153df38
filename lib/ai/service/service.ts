/** AiService for gRPC: one table of its methods, and how their outcomes become statuses. */
import {
  Metadata,
  status,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { toCoded } from '../../base/errors.ts';
import type { Contract } from '../contract.ts';
import { ServiceError, StorageError } from '../service-error.ts';
import type { MessagePage } from '../store/messages.ts';
import type { GenerateRequest, GenerateResponse, ListRequest, StreamEvent } from '../wire.ts';
import * as chats from './chat-calls.ts';
import type { ServiceContext } from './context.ts';
import { DeltaWriter } from './deltas.ts';
import { generate } from './generate.ts';
import { READ_MASK, readMasked } from './mask.ts';
import * as messages from './message-calls.ts';
import * as models from './model-calls.ts';

type Unary = (context: ServiceContext, request: never, signal: AbortSignal) => object | Promise<object>;

/** Methods with one answer. */
const UNARY: Readonly<Record<string, Unary>> = {
  CreateChat: chats.createChat,
  GetChat: chats.getChat,
  UpdateChat: chats.updateChat,
  DeleteChat: chats.deleteChat,
  UndeleteChat: chats.undeleteChat,
  ListChats: chats.listChats,
  BatchGetChats: chats.batchGetChats,
  CreateMessage: messages.createMessage,
  GetMessage: messages.getMessage,
  UpdateMessage: messages.updateMessage,
  DeleteMessage: messages.deleteMessage,
  UndeleteMessage: messages.undeleteMessage,
  ListMessages: (context, request: ListRequest) => new Encoded(messages.listMessages(context, request)),
  BatchGetMessages: messages.batchGetMessages,
  GetModel: models.getModel,
  ListModels: models.listModels,
  GenerateMessage: generateWhole,
};

export interface ServiceOptions {
  readonly context: ServiceContext;
  readonly contract: Contract;
}

/** The implementation that a gRPC server takes for AiService. */
export function serviceMethods(options: ServiceOptions): Record<string, Handler> {
  const unary = Object.entries(UNARY).map(([name, call]) => [name, unaryHandler(options, call)] as const);
  return { ...Object.fromEntries(unary), StreamGenerateMessage: streamHandler(options) };
}

/** An answer that is on the wire's form already, or can be had as an object. */
export class Encoded {
  readonly page: MessagePage;

  constructor(page: MessagePage) {
    this.page = page;
  }
}

/** The service with answers that may be encoded already. */
export function encodedToo(service: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(service).map(([name, method]) => {
    const { responseSerialize: own } = method;
    const responseSerialize = (value: object): Buffer =>
      value instanceof Encoded ? Buffer.from(value.page.bytes()) : own(value);
    return [name, { ...method, responseSerialize }] as const;
  });
  return Object.fromEntries(methods);
}

type Handler = handleUnaryCall<object, object> | handleServerStreamingCall<object, object>;

function unaryHandler(options: ServiceOptions, call: Unary): handleUnaryCall<object, object> {
  return (grpc, answer) => {
    const gone = new AbortController();
    grpc.on('cancelled', () => gone.abort());
    const [mask] = grpc.metadata.get(READ_MASK);
    const run = async (): Promise<object> => call(options.context, grpc.request as never, gone.signal);
    const answered = run().then(
      response => {
        if (mask === undefined) return answer(null, response);
        const whole = response instanceof Encoded ? response.page.object() : response;
        return answer(null, readMasked(whole, String(mask)));
      },
      (error: unknown) => answer(grpcStatus(options, error)),
    );
    options.context.background.add(answered);
  };
}

function streamHandler(options: ServiceOptions): handleServerStreamingCall<object, object> {
  return grpc => {
    const gone = new AbortController();
    grpc.on('cancelled', () => gone.abort());
    const deltas = new DeltaWriter(event => grpc.write(event));
    const run = async (): Promise<void> => {
      for await (const event of generate(options.context, grpc.request as GenerateRequest, gone.signal)) {
        // One that reads slowly holds back its own stream alone.
        if (!deltas.write(event) && !gone.signal.aborted) await drained(grpc, gone.signal);
      }
    };
    const ended = run().then(
      () => {
        deltas.flush();
        deltas.dispose();
        grpc.end();
      },
      (error: unknown) => {
        deltas.flush();
        deltas.dispose();
        grpc.emit('error', grpcStatus(options, error));
      },
    );
    options.context.background.add(ended);
  };
}

function drained(stream: NodeJS.EventEmitter, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      stream.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    stream.on('drain', done);
    signal.addEventListener('abort', done);
  });
}

async function generateWhole(
  context: ServiceContext,
  request: GenerateRequest,
  signal: AbortSignal,
): Promise<GenerateResponse> {
  const whole: { -readonly [K in keyof StreamEvent]: StreamEvent[K] } = {};
  for await (const event of generate(context, request, signal)) Object.assign(whole, event);
  const { block: _, ...response } = whole;
  return response;
}

/** google.rpc.Status in the trailer, as clients expect it for errors with details. */
const DETAILS = 'grpc-status-details-bin';

/**
 * Of a failure that the service itself tells of: it has tried what can be tried, and a client that sends the call again, as
 * it would where the service is away, only repeats that. Source: gRPC proposal A6, "Pushback".
 */
export const NO_RETRY = 'grpc-retry-pushback-ms';

function grpcStatus(options: ServiceOptions, thrown: unknown): Partial<ErrorStatus> {
  const {
    contract,
    context: { log, store },
  } = options;
  const error = store.trouble(thrown) ?? thrown;
  if (!(error instanceof ServiceError)) {
    const { message } = toCoded(error);
    log.log('error', 'AiService: a call failed', { error });
    return { code: status.INTERNAL, details: message };
  }
  const metadata = new Metadata();
  if (error.code === status.UNAVAILABLE && !(error instanceof StorageError)) metadata.set(NO_RETRY, '-1');
  if (error.details.length > 0) {
    const details = error.details.map(({ codec, value }) => {
      const { type, encode } = contract.codecs[codec];
      return { type_url: `type.googleapis.com/${type}`, value: encode(value) };
    });
    const { code, message } = error;
    metadata.set(DETAILS, Buffer.from(contract.codecs.status.encode({ code, message, details })));
  }
  return { code: error.code, details: error.message, metadata };
}

interface ErrorStatus {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
}
