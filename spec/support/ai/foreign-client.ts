/** A client of AiService that knows nothing of ours: method by name, object in, object out. */
import { Client, credentials, Metadata, type ChannelCredentials, type MethodDefinition } from '@grpc/grpc-js';
import { readContract } from '../../../lib/ai/contract.ts';
import { SERVICE } from '../../../lib/ai/service/listen.ts';

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

export class ForeignClient {
  #client: Client | undefined;
  protected readonly metadata = new Metadata();

  connect(address: string, how: ChannelCredentials = credentials.createInsecure()): void {
    this.#client = new Client(address, how);
  }

  /** One call. Throws CallError. */
  call(method: string, request: object, headers: Readonly<Record<string, string>> = {}): Promise<Anything> {
    const { path, requestSerialize, responseDeserialize } = METHODS[method]!;
    const metadata = this.metadata.clone();
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
        this.metadata,
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
      this.metadata,
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

  disconnect(): void {
    this.#client?.close();
  }
}
