/** A whole AiService on a socket of its own, and a client that knows nothing of ours: method by name, object in, object out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, Metadata, type ChannelCredentials, type MethodDefinition } from '@grpc/grpc-js';
import { readContract } from '../../../lib/ai/contract.ts';
import { serviceContext } from '../../../lib/ai/service/context.ts';
import { listen, SERVICE, type ListenOptions } from '../../../lib/ai/service/listen.ts';
import { openChatStore } from '../../../lib/ai/store/chat-store.ts';
import { systemClock } from '../../../lib/base/clock.ts';
import { CodedError } from '../../../lib/base/errors.ts';
import { ABLE, OLD, PLAIN, ScriptedProvider } from './scripted.ts';

export const CONTRACT = readContract();
const METHODS = CONTRACT.definition[SERVICE] as unknown as Record<string, MethodDefinition<object, object>>;

/** An error of a call, as gRPC gives it. */
export interface CallError extends Error {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked at field by field, as a foreign client does
export type Anything = any;

export class ServiceHome {
  readonly dir = mkdtempSync(join(tmpdir(), 'mux-ai-'));
  readonly provider = new ScriptedProvider();
  readonly path = join(this.dir, 'chats.sqlite');
  #end: () => Promise<void> = async () => undefined;
  #client: Client | undefined;
  #metadata = new Metadata();

  /** Listens on a Unix socket, or where `options` say. */
  async start(options: Partial<Pick<ListenOptions, 'address' | 'token'>> = {}): Promise<this> {
    const store = openChatStore({
      path: this.path,
      contract: CONTRACT,
      now: () => systemClock.now(),
      isRunning: pid => pid === process.pid,
    });
    const models = [PLAIN, ABLE, OLD];
    let ids = 0;
    const context = serviceContext({
      store,
      clock: systemClock,
      registry: {
        list: () => models,
        find: name => {
          const model = models.find(one => one.name === name);
          if (!model) throw new CodedError('not_found', `model ${name}: there is no such model`);
          return model;
        },
      },
      newId: () => `made-${process.hrtime.bigint().toString(36)}-${ids++}`,
      pid: process.pid,
      provider: () => this.provider,
    });
    const address = options.address ?? `unix:${join(this.dir, 'ai.sock')}`;
    const log = { log: () => undefined };
    const listening = await listen({ context, contract: CONTRACT, log, ...options, address });
    this.#end = async () => {
      await listening.close();
      store.close();
    };
    if (options.token) this.#metadata.set('authorization', `Bearer ${options.token}`);
    this.connect(listening.address);
    return this;
  }

  connect(address: string, how: ChannelCredentials = credentials.createInsecure()): void {
    this.#client = new Client(address, how);
  }

  /** One call. Throws CallError. */
  call(method: string, request: object, headers: Readonly<Record<string, string>> = {}): Promise<Anything> {
    const { path, requestSerialize, responseDeserialize } = METHODS[method]!;
    const metadata = this.#metadata.clone();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return new Promise((resolve, reject) => {
      this.#client!.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        (error, answer) => (error ? reject(error) : resolve(answer)),
      );
    });
  }

  /** The error of a call; throws where there is none. */
  async fails(method: string, request: object): Promise<CallError> {
    try {
      await this.call(method, request);
    } catch (error) {
      return error as CallError;
    }
    throw new Error(`${method} did not fail`);
  }

  /** The error of a method that proto/ does not have. */
  unknown(method: string): Promise<CallError> {
    const pass = (value: Buffer): Buffer => value;
    return new Promise(resolve => {
      this.#client!.makeUnaryRequest(
        `/${SERVICE}/${method}`,
        pass,
        pass,
        Buffer.alloc(0),
        this.#metadata,
        error => resolve(error as CallError),
      );
    });
  }

  /** All events of a stream; `onEvent` may cancel it. Rejects with CallError. */
  stream(
    request: object,
    onEvent: (event: Anything, cancel: () => void) => void = () => undefined,
  ): Promise<Anything[]> {
    const { path, requestSerialize, responseDeserialize } = METHODS.StreamGenerateMessage!;
    const call = this.#client!.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      this.#metadata,
    );
    const events: Anything[] = [];
    return new Promise((resolve, reject) => {
      call.on('data', (event: Anything) => {
        events.push(event);
        onEvent(event, () => call.cancel());
      });
      call.on('error', (error: CallError) => reject(Object.assign(error, { events })));
      call.on('end', () => resolve(events));
    });
  }

  /** Field violations of an error. */
  violations(error: CallError): { readonly field: string; readonly description: string }[] {
    return this.detail(error, 'badRequest').field_violations;
  }

  /** The first detail of an error, read by a codec. */
  detail(error: CallError, codec: keyof typeof CONTRACT.codecs): Anything {
    const [bytes] = error.metadata.get('grpc-status-details-bin');
    const status = CONTRACT.codecs.status.decode(bytes as Buffer) as Anything;
    return CONTRACT.codecs[codec].decode(status.details[0].value);
  }

  async stop(): Promise<void> {
    this.#client?.close();
    await this.#end();
    this.#end = async () => undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
