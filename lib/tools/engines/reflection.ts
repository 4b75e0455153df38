/** What a host serves, as it tells by reflection (grpc.reflection.v1, and v1alpha where it has only that). */
import { status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import { cutText } from '../text.ts';
import { EngineFailure, type EngineConnection } from './connection.ts';
import { partsOf } from './descriptor-size.ts';
import { FileReader } from './descriptors.ts';

/** Both versions have the same messages; numbers are those of reflection.proto. */
const VERSIONS = ['grpc.reflection.v1', 'grpc.reflection.v1alpha'] as const;
const PROTO = `
syntax = "proto3";
message Request {
  string host = 1;
  oneof message_request {
    string file_by_filename = 3;
    string file_containing_symbol = 4;
    string list_services = 7;
  }
}
message Response {
  Files file_descriptor_response = 4;
  Services list_services_response = 6;
  Error error_response = 7;
}
message Files { repeated bytes file_descriptor_proto = 1; }
message Services { repeated Service service = 1; }
message Service { string name = 1; }
message Error { int32 error_code = 1; string error_message = 2; }
`;

/** A host that takes longer to tell what it is, is not there, in ms. */
const DEADLINE_MS = 10_000;
/** Files and bytes of what a service builds upon, and services of one host. */
const FILES_MAX = 1000;
const BYTES_MAX = 16 * 1024 * 1024;
const SERVICES_MAX = 1000;
/** Declarations and comments in all of these files; the largest public interfaces have a tenth of it. */
const PARTS_MAX = 500_000;

interface Response {
  readonly file_descriptor_response?: { readonly file_descriptor_proto?: readonly Uint8Array[] };
  readonly list_services_response?: { readonly service?: readonly { readonly name?: string }[] };
  readonly error_response?: { readonly error_code?: number; readonly error_message?: string };
}
type Question = Readonly<
  Partial<Record<'file_by_filename' | 'file_containing_symbol' | 'list_services', string>>
>;
type Ask = (question: Question) => Promise<Response>;

/** What was sent so far. */
interface Used {
  bytes: number;
  parts: number;
}

/** Files as bytes, each once, by name. */
export type FileSet = ReadonlyMap<string, Uint8Array>;

export class Reflection {
  readonly #connection: EngineConnection;
  readonly #name: string;
  readonly #request: protobuf.Type;
  readonly #response: protobuf.Type;
  readonly #files = new FileReader();

  /** @param name of the host, in errors */
  constructor(connection: EngineConnection, name: string) {
    this.#connection = connection;
    this.#name = name;
    const { root } = protobuf.parse(PROTO, { keepCase: true });
    this.#request = root.lookupType('Request');
    this.#response = root.lookupType('Response');
  }

  /** Full names of all that it serves. Throws CodedError. */
  services(signal: AbortSignal): Promise<string[]> {
    return this.#converse(signal, async ask => {
      const answer = await ask({ list_services: '' });
      const list = answer.list_services_response?.service ?? [];
      return list.slice(0, SERVICES_MAX).flatMap(({ name }) => name ?? []);
    });
  }

  /** The files that define some services, with all that they build upon. Throws CodedError. */
  files(services: readonly string[], signal: AbortSignal): Promise<FileSet> {
    return this.#converse(signal, async ask => {
      const found = new Map<string, Uint8Array>();
      const missing = new Set<string>();
      const used = { bytes: 0, parts: 0 };
      for (const service of services)
        this.#add(await ask({ file_containing_symbol: service }), found, missing, used);
      // Hosts may send all that a file builds upon with it, or only the file.
      for (const name of missing) {
        if (found.has(name)) continue;
        this.#add(await ask({ file_by_filename: name }), found, missing, used);
        if (!found.has(name)) throw this.#wrong(`it has no file ${cutText(visible(name), 200)}`);
      }
      return found;
    });
  }

  /** How many parts it has. Throws CodedError where it is no descriptor. */
  #measure(file: Uint8Array): number {
    try {
      return partsOf(file);
    } catch (error) {
      throw new CodedError('failed', `${this.#name}: it sends descriptors that are none`, undefined, {
        cause: error,
      });
    }
  }

  #add(answer: Response, found: Map<string, Uint8Array>, missing: Set<string>, used: Used): void {
    for (const file of answer.file_descriptor_response?.file_descriptor_proto ?? []) {
      const parts = this.#measure(file);
      // Before anything is made of it.
      if (parts > PARTS_MAX) throw this.#wrong('its descriptors do not end');
      const { name = '', dependency = [] } = this.#files.read(file);
      // Answers about two services share most of their files.
      if (found.has(name)) continue;
      used.parts += parts;
      used.bytes += file.length;
      if (used.parts > PARTS_MAX || used.bytes > BYTES_MAX) throw this.#wrong('its descriptors do not end');
      found.set(name, file);
      for (const one of dependency) missing.add(one);
      if (found.size > FILES_MAX) throw this.#wrong('its descriptors do not end');
    }
  }

  /** Speaks the first version that it knows. */
  async #converse<T>(signal: AbortSignal, talk: (ask: Ask) => Promise<T>): Promise<T> {
    for (const version of VERSIONS)
      try {
        return await this.#talk(version, signal, talk);
      } catch (error) {
        const isUnknown = error instanceof EngineFailure && error.status === status.UNIMPLEMENTED;
        if (!isUnknown) throw error;
      }
    throw new CodedError(
      'failed',
      `${this.#name}: it does not tell what it serves`,
      'the host has to offer gRPC server reflection',
    );
  }

  async #talk<T>(version: string, signal: AbortSignal, talk: (ask: Ask) => Promise<T>): Promise<T> {
    const path = `/${version}.ServerReflection/ServerReflectionInfo`;
    const talking = this.#connection.converse(path, { signal, deadline: DEADLINE_MS });
    try {
      return await talk(async question => {
        const answer = this.#read(await talking.ask(Buffer.from(this.#request.encode(question).finish())));
        const { error_code: code, error_message: why = '' } = answer.error_response ?? {};
        if (code !== undefined)
          throw this.#wrong(cutText(visible(why), 500) || `reflection failed (${code})`);
        return answer;
      });
    } finally {
      talking.end();
    }
  }

  #read(bytes: Buffer): Response {
    try {
      return this.#response.toObject(this.#response.decode(bytes)) as Response;
    } catch (error) {
      throw new CodedError('failed', `${this.#name}: its reflection sends something else`, undefined, {
        cause: error,
      });
    }
  }

  #wrong(why: string): CodedError {
    return new CodedError('failed', `${this.#name}: ${why}`);
  }
}
