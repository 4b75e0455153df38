/** gRPC hosts for specs: a real server with real descriptors, which can be made to lie, hang and flood. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  Server,
  ServerCredentials,
  status,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { AI_ENGINE } from '../../lib/tools/engines/remote-set.ts';
import { CONTRACT, type Anything } from './ai/foreign-client.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** What of a host is broken. */
export type Lie =
  /** Tells nothing, by no version. */
  | 'silent'
  | 'alpha'
  /** Sends each file alone, not with what it builds upon. */
  | 'one-file'
  | 'no-files'
  | 'junk'
  | 'endless-files'
  /** Declares messages of two bytes each. */
  | 'many-messages'
  | 'hanging'
  | 'bad-answer'
  | 'gigantic-answer'
  | 'slow-answer'
  | 'failing';

export interface EngineHost {
  readonly address: string;
  /** Metadata of the calls that came, newest last. */
  readonly calls: { readonly path: string; readonly metadata: Readonly<Record<string, unknown>> }[];
  /** Streams that have ended by being cancelled. */
  readonly ended: string[];
  close(): void;
}

const REFLECTION = `
syntax = "proto3";
message Request { string host = 1; string file_by_filename = 3; string file_containing_symbol = 4; string list_services = 7; }
message Response { Files file_descriptor_response = 4; Services list_services_response = 6; Error error_response = 7; }
message Files { repeated bytes file_descriptor_proto = 1; }
message Services { repeated Service service = 1; }
message Service { string name = 1; }
message Error { int32 error_code = 1; string error_message = 2; }
message Set { repeated bytes file = 1; }
message Head { string name = 1; }
message Item { string name = 1; }
message Count { int32 count = 1; }
`;
const types = protobuf.parse(REFLECTION, { keepCase: true }).root;
const SERVICE = 'spec.library.v1.Library';
const same = (bytes: Buffer): Buffer => bytes;

/** Descriptors as the compiler makes them, comments and all. */
export function compiled(): Map<string, Buffer> {
  const bytes = execFileSync(
    join(ROOT, 'node_modules/.bin/buf'),
    ['build', 'spec/fixtures/engines', '--as-file-descriptor-set', '-o', '-'],
    { cwd: ROOT, maxBuffer: 64e6 },
  );
  const { file } = types.lookupType('Set').decode(bytes) as unknown as { file: Buffer[] };
  return new Map(
    file.map(one => [
      (types.lookupType('Head').decode(one) as unknown as { name: string }).name,
      Buffer.from(one),
    ]),
  );
}

export interface HostOptions {
  readonly address?: string;
  /** Serves AiEngine: the set that it makes of a request, or why it fails. */
  readonly engine?: (request: Anything) => object;
}

export async function engineHost(
  lie?: Lie,
  files = compiled(),
  { address = '127.0.0.1:0', engine }: HostOptions = {},
): Promise<EngineHost> {
  const server = new Server();
  const host: { -readonly [K in keyof EngineHost]: EngineHost[K] } = {
    address: '',
    calls: [],
    ended: [],
    close: () => server.forceShutdown(),
  };
  const note = (call: { getPath(): string; metadata: { getMap(): Record<string, unknown> } }): void =>
    void host.calls.push({ path: call.getPath(), metadata: call.metadata.getMap() });
  const method = (path: string, requestStream = false, responseStream = false): object => ({
    path,
    requestStream,
    responseStream,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  });
  const unary = (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>): void => {
    note(call);
    if (lie === 'slow-answer') return void call.on('cancelled', () => host.ended.push(call.getPath()));
    if (lie === 'failing') return done({ code: status.FAILED_PRECONDITION, details: 'not \u001b[31mnow' });
    if (lie === 'bad-answer') return done(null, Buffer.from([0x0a, 0xff, 0xff, 0xff]));
    if (lie === 'gigantic-answer') return done(null, Buffer.alloc(30_000_000));
    done(null, call.request);
  };
  const list = (call: ServerWritableStream<Buffer, Buffer>): void => {
    note(call);
    const { count } = types.lookupType('Count').decode(call.request) as unknown as { count: number };
    call.on('cancelled', () => host.ended.push(call.getPath()));
    let sent = 0;
    const more = (): void => {
      while (!call.cancelled && (count === 0 || sent < count)) {
        const book = types
          .lookupType('Item')
          .encode({ name: `books/${++sent}` })
          .finish();
        if (!call.write(Buffer.from(book))) return void call.once('drain', more);
      }
      if (!call.cancelled) call.end();
    };
    more();
  };
  const library = {
    GetBook: method(`/${SERVICE}/GetBook`),
    EchoBook: method(`/${SERVICE}/EchoBook`),
    ListBooks: method(`/${SERVICE}/ListBooks`, false, true),
  };
  if (engine) {
    const make = (call: { request: unknown }, done: sendUnaryData<object>): void => {
      try {
        done(null, engine(call.request));
      } catch (error) {
        done({ code: status.INTERNAL, details: (error as Error).message });
      }
    };
    const { CreateServiceToolSet } = CONTRACT.definition[AI_ENGINE] as unknown as Record<string, object>;
    server.addService({ CreateServiceToolSet } as never, { CreateServiceToolSet: make } as never);
  }
  server.addService(library as never, { GetBook: unary, EchoBook: unary, ListBooks: list } as never);
  if (lie !== 'silent') {
    const version = lie === 'alpha' ? 'grpc.reflection.v1alpha' : 'grpc.reflection.v1';
    const info = {
      ServerReflectionInfo: method(`/${version}.ServerReflection/ServerReflectionInfo`, true, true),
    };
    server.addService(
      info as never,
      { ServerReflectionInfo: reflection(lie, files, engine !== undefined) } as never,
    );
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  host.address = `http://127.0.0.1:${port}`;
  return host;
}

function reflection(
  lie: Lie | undefined,
  files: ReadonlyMap<string, Buffer>,
  hasEngine: boolean,
): (call: ServerDuplexStream<Buffer, Buffer>) => void {
  const main = files.get('spec/library/v1/library.proto')!;
  let made = 0;
  const answer = (given: Record<string, string>): object => {
    if (given.file_by_filename && lie === 'endless-files') {
      // Each file builds upon another one.
      const name = given.file_by_filename;
      const next = `endless/${++made}.proto`;
      const bytes = Buffer.concat([
        Buffer.from([0x0a, name.length]),
        Buffer.from(name),
        Buffer.from([0x1a, next.length]),
        Buffer.from(next),
      ]);
      return { file_descriptor_response: { file_descriptor_proto: [bytes] } };
    }
    if (given.file_by_filename) {
      const found = files.get(given.file_by_filename);
      return found
        ? { file_descriptor_response: { file_descriptor_proto: [found] } }
        : { error_response: { error_code: 5, error_message: 'no such file' } };
    }
    if (given.file_containing_symbol) {
      if (given.file_containing_symbol !== SERVICE || lie === 'no-files')
        return { error_response: { error_code: 5, error_message: 'no such symbol' } };
      if (lie === 'junk')
        return { file_descriptor_response: { file_descriptor_proto: [Buffer.from([0x0a, 0xff, 0xff])] } };
      if (lie === 'many-messages')
        return {
          file_descriptor_response: {
            file_descriptor_proto: [Buffer.alloc(4_000_000, Buffer.from([0x22, 0]))],
          },
        };
      const all = lie === 'one-file' || lie === 'endless-files' ? [main] : [...files.values()];
      return { file_descriptor_response: { file_descriptor_proto: all } };
    }
    const names = [SERVICE, ...(hasEngine ? [AI_ENGINE] : [])];
    return { list_services_response: { service: names.map(name => ({ name })) } };
  };
  return call => {
    call.on('error', () => undefined);
    call.on('data', (bytes: Buffer) => {
      if (lie === 'hanging') return;
      const given = types.lookupType('Request').toObject(types.lookupType('Request').decode(bytes)) as Record<
        string,
        string
      >;
      call.write(Buffer.from(types.lookupType('Response').encode(answer(given)).finish()));
    });
    call.on('end', () => call.end());
  };
}
