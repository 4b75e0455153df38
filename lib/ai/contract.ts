/**
 * The wire of AiService as proto/ has it, read at run time. Every field is declared there, so nothing is dropped on its way
 * through mux.
 */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import { withWholeDescriptors } from './descriptors.ts';

/** How messages look as objects: names as in the files, enums by name, 64-bit integers as numbers, absent is absent. */
const OPTIONS = {
  keepCase: true,
  longs: Number,
  enums: String,
  defaults: false,
  arrays: true,
  oneofs: true,
} as const;

/** Messages that are read and written outside calls: stored ones, and details of statuses. */
const CODECS = {
  message: 'malonaz.ai.v1.Message',
  generate: 'malonaz.ai.ai_service.v1.GenerateMessageResponse',
  status: 'google.rpc.Status',
  badRequest: 'google.rpc.BadRequest',
  recoverable: 'malonaz.ai.v1.ToolCallRecoverableError',
} as const;

const PAGE = 'malonaz.ai.ai_service.v1.ListMessagesResponse';
/** The wire type of strings, bytes and messages. */
const LENGTH_DELIMITED = 2;

/** Objects to bytes and back. */
export interface Codec {
  /** The full name of the message. */
  readonly type: string;
  encode(value: object): Uint8Array;
  /** Throws where the bytes are no such message. */
  decode(bytes: Uint8Array): unknown;
}

/** A page of messages from messages that are encoded already. */
export interface PageCodec {
  /** `more` are fields of a message that stand beside its encoded part, and count where both have them. */
  encode(
    messages: readonly { readonly body: Uint8Array; readonly more: object }[],
    token: string,
  ): Uint8Array;
}

/** The contracts of proto/. */
export interface Contract {
  /** For gRPC: services with their methods, and what reflection tells of them. */
  readonly definition: PackageDefinition;
  readonly codecs: Readonly<Record<keyof typeof CODECS, Codec>>;
  /** ListMessagesResponse. */
  readonly messagePage: PageCodec;
}

/** Reads the contracts; takes tens of milliseconds, so once for a process. */
export function readContract(): Contract {
  const root = fileURLToPath(new URL('../../../proto', import.meta.url));
  const folders = ['malonaz', 'google/rpc'];
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.proto') && folders.some(folder => name.startsWith(`${folder}/`)))
    .sort();
  const definition = withWholeDescriptors(loadSync(files, { ...OPTIONS, includeDirs: [root] }));
  const types = new protobuf.Root();
  types.resolvePath = (_, target) =>
    target.startsWith('google/protobuf/') ? target : join(root, relative(root, join(root, target)));
  types.loadSync(files, { keepCase: true });
  const codecs = Object.entries(CODECS).map(([name, type]) => [name, codecOf(types.lookupType(type), type)]);
  return {
    definition,
    codecs: Object.fromEntries(codecs) as Contract['codecs'],
    messagePage: pageCodec(types),
  };
}

/** Source: protobuf.dev, "Encoding": a message that comes in parts is the parts behind each other, the last value counts. */
function pageCodec(types: protobuf.Root): PageCodec {
  const message = types.lookupType(CODECS.message);
  const { messages, next_page_token: next } = types.lookupType(PAGE).fields;
  const tag = ({ id = 0 }: { id?: number } = {}): number => ((id << 3) | LENGTH_DELIMITED) >>> 0;
  return {
    encode(all, token) {
      const writer = protobuf.Writer.create();
      for (const { body, more } of all) {
        const rest = message.encode(more).finish();
        writer.uint32(tag(messages)).bytes(Buffer.concat([body, rest]));
      }
      if (token !== '') writer.uint32(tag(next)).string(token);
      return writer.finish();
    },
  };
}

function codecOf(message: protobuf.Type, type: string): Codec {
  return {
    type,
    encode: value => message.encode(message.fromObject(value)).finish(),
    decode: bytes => message.toObject(message.decode(bytes), { ...OPTIONS, bytes: Buffer }),
  };
}
