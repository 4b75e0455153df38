/**
 * Message types as a host describes them (descriptor.proto), for reading and writing messages of theirs. No code is made of
 * them, and names are keys of maps only: a host that means harm can give types that are useless, and nothing else.
 */
import protobuf from 'protobufjs';
import { CodedError } from '../../base/errors.ts';

/** Names and numbers of descriptor.proto, as far as the wire needs them. */
const PROTO = `
syntax = "proto2";
message File {
  optional string name = 1;
  optional string package = 2;
  repeated string dependency = 3;
  repeated Message message_type = 4;
  repeated Enum enum_type = 5;
  repeated Service service = 6;
}
message Service { optional string name = 1; }
message Message {
  optional string name = 1;
  repeated Field field = 2;
  repeated Message nested_type = 3;
  repeated Enum enum_type = 4;
  optional Options options = 7;
}
message Options { optional bool map_entry = 7; }
message Field {
  optional string name = 1;
  optional int32 number = 3;
  optional int32 label = 4;
  optional int32 type = 5;
  optional string type_name = 6;
}
message Enum {
  optional string name = 1;
  repeated Value value = 2;
}
message Value {
  optional string name = 1;
  optional int32 number = 2;
}
`;

interface EnumProto {
  readonly name?: string;
  readonly value?: readonly { readonly name?: string; readonly number?: number }[];
}
interface MessageProto {
  readonly name?: string;
  readonly field?: readonly {
    readonly name?: string;
    readonly number?: number;
    readonly label?: number;
    readonly type?: number;
    readonly type_name?: string;
  }[];
  readonly nested_type?: readonly MessageProto[];
  readonly enum_type?: readonly EnumProto[];
  readonly options?: { readonly map_entry?: boolean };
}
/** A file, as far as it is needed to find what it builds upon. */
export interface FileProto {
  readonly name?: string;
  readonly package?: string;
  readonly dependency?: readonly string[];
  readonly message_type?: readonly MessageProto[];
  readonly enum_type?: readonly EnumProto[];
  readonly service?: readonly { readonly name?: string }[];
}

/** FieldDescriptorProto.Type and Label. */
export const TYPE = { group: 10, message: 11, bytes: 12, enum: 14 } as const;
const LABEL_REPEATED = 3;
/** Largest number of a field (protobuf, language guide). */
const NUMBER_MAX = 2 ** 29 - 1;
/** Levels of messages within messages in a file; compilers end earlier. */
const NESTED_MAX = 64;

export interface WireField {
  readonly name: string;
  readonly number: number;
  /** FieldDescriptorProto.Type. */
  readonly type: number;
  /** Full name of a message or enum, without the leading dot; '' for scalars. */
  readonly typeName: string;
  readonly isRepeated: boolean;
}

export interface WireMessage {
  readonly fullName: string;
  readonly byName: ReadonlyMap<string, WireField>;
  readonly byNumber: ReadonlyMap<number, WireField>;
  readonly isMapEntry: boolean;
}

export interface WireEnum {
  readonly numbers: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<number, string>;
}

/** Reads files. Made once for a process: its own types take milliseconds. */
export class FileReader {
  readonly #file: protobuf.Type;

  constructor() {
    this.#file = protobuf.parse(PROTO, { keepCase: true }).root.lookupType('File');
  }

  /** Throws CodedError `failed` where the bytes are no descriptor. */
  read(bytes: Uint8Array): FileProto {
    try {
      return this.#file.toObject(this.#file.decode(bytes)) as FileProto;
    } catch (error) {
      throw new CodedError('failed', 'reflection: the host sends descriptors that are none', undefined, {
        cause: error,
      });
    }
  }
}

/** All messages and enums of some files, by full name. */
export class TypeTable {
  readonly #messages = new Map<string, WireMessage>();
  readonly #enums = new Map<string, WireEnum>();

  constructor(files: readonly FileProto[]) {
    for (const { package: home = '', message_type = [], enum_type = [] } of files) {
      for (const one of enum_type) this.#addEnum(home, one);
      for (const one of message_type) this.#addMessage(home, one, NESTED_MAX);
    }
  }

  /** Throws CodedError where there is none of the name. */
  message(fullName: string): WireMessage {
    const found = this.#messages.get(fullName);
    if (!found)
      throw new CodedError('failed', `descriptors: ${fullName || 'a type without a name'} is missing`);
    return found;
  }

  /** Whether there is one. */
  has(fullName: string): boolean {
    return this.#messages.has(fullName);
  }

  /** One that is not there has no values. */
  enum(fullName: string): WireEnum {
    return this.#enums.get(fullName) ?? { numbers: new Map(), names: new Map() };
  }

  #addEnum(home: string, { name = '', value = [] }: EnumProto): void {
    const pairs = value.map(one => [one.name ?? '', one.number ?? 0] as const);
    const names = new Map<number, string>();
    // Of two names of one number the first is the one that is written (allow_alias).
    for (const [text, number] of pairs) if (!names.has(number)) names.set(number, text);
    this.#enums.set(joined(home, name), { numbers: new Map(pairs), names });
  }

  #addMessage(home: string, proto: MessageProto, depth: number): void {
    if (depth === 0) throw new CodedError('failed', 'descriptors: messages are nested too deep');
    const fullName = joined(home, proto.name ?? '');
    const fields = (proto.field ?? []).flatMap((field): WireField[] => {
      const { name = '', number = 0, label, type = 0, type_name = '' } = field;
      if (name === '' || number < 1 || number > NUMBER_MAX) return [];
      return [
        { name, number, type, typeName: type_name.replace(/^\./, ''), isRepeated: label === LABEL_REPEATED },
      ];
    });
    this.#messages.set(fullName, {
      fullName,
      byName: new Map(fields.map(field => [field.name, field])),
      byNumber: new Map(fields.map(field => [field.number, field])),
      isMapEntry: proto.options?.map_entry === true,
    });
    for (const one of proto.enum_type ?? []) this.#addEnum(fullName, one);
    for (const one of proto.nested_type ?? []) this.#addMessage(fullName, one, depth - 1);
  }
}

function joined(home: string, name: string): string {
  return home === '' ? name : `${home}.${name}`;
}
