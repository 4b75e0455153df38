/**
 * FileDescriptorProto from its bytes, with what is needed to tell a model of methods. Options are kept as bytes, and those that
 * count are read by their numbers: google.api.field_behavior (1052), buf.validate (1159), idempotency_level (34).
 */
import protobuf from 'protobufjs';
import { STANDARD_METHOD_OPTION } from './model.ts';
import type { NumberRules, Rules } from './rules.ts';

/** Names and numbers of descriptor.proto and validate.proto; fields that are not needed are left out. */
const PROTO = `
syntax = "proto2";
message File {
  optional string name = 1;
  optional string package = 2;
  repeated Message message_type = 4;
  repeated Enum enum_type = 5;
  repeated Service service = 6;
  optional SourceInfo source_code_info = 9;
}
message Message {
  optional string name = 1;
  repeated Field field = 2;
  repeated Message nested_type = 3;
  repeated Enum enum_type = 4;
  optional MessageOptions options = 7;
  repeated Oneof oneof_decl = 8;
}
message MessageOptions { optional bool map_entry = 7; }
message Field {
  optional string name = 1;
  optional int32 label = 4;
  optional int32 type = 5;
  optional string type_name = 6;
  optional FieldOptions options = 8;
  optional int32 oneof_index = 9;
  optional bool proto3_optional = 17;
}
message FieldOptions {
  repeated int32 behavior = 1052;
  optional FieldRules rules = 1159;
}
message Oneof {
  optional string name = 1;
  optional OneofOptions options = 2;
}
message OneofOptions { optional OneofRules rules = 1159; }
message OneofRules { optional bool required = 1; }
message Enum {
  optional string name = 1;
  repeated EnumValue value = 2;
}
message EnumValue {
  optional string name = 1;
  optional int32 number = 2;
}
message Service {
  optional string name = 1;
  repeated Method method = 2;
}
message Method {
  optional string name = 1;
  optional string input_type = 2;
  optional string output_type = 3;
  optional bytes options = 4;
  optional bool client_streaming = 5;
  optional bool server_streaming = 6;
}
message SourceInfo { repeated Location location = 1; }
message Location {
  repeated int32 path = 1 [packed = true];
  optional string leading_comments = 3;
  optional string trailing_comments = 4;
}
message FieldRules {
  optional FloatRules float = 1;
  optional DoubleRules double = 2;
  optional Int32Rules int32 = 3;
  optional Int64Rules int64 = 4;
  optional Uint32Rules uint32 = 5;
  optional Uint64Rules uint64 = 6;
  optional Sint32Rules sint32 = 7;
  optional Sint64Rules sint64 = 8;
  optional Fixed32Rules fixed32 = 9;
  optional Fixed64Rules fixed64 = 10;
  optional Sfixed32Rules sfixed32 = 11;
  optional Sfixed64Rules sfixed64 = 12;
  optional StringRules string = 14;
  optional EnumRules enum = 16;
  optional RepeatedRules repeated = 18;
  optional bool required = 25;
}
message StringRules {
  optional uint64 min_len = 2;
  optional uint64 max_len = 3;
  optional string pattern = 6;
  repeated string in = 10;
  optional bool email = 12;
  optional bool uri = 17;
  optional uint64 len = 19;
  optional bool uuid = 22;
}
message EnumRules {
  repeated int32 in = 3;
  repeated int32 not_in = 4;
}
message RepeatedRules {
  optional uint64 min_items = 1;
  optional uint64 max_items = 2;
  optional FieldRules items = 4;
}
`;

/** Types of numbers whose rules are alike but for the encoding of the bounds. */
const NUMBERS = [
  'float',
  'double',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed32',
  'sfixed64',
] as const;

const numberRules = (type: string): string =>
  `message ${type[0]!.toUpperCase()}${type.slice(1)}Rules {
    optional ${type} lt = 2; optional ${type} lte = 3; optional ${type} gt = 4; optional ${type} gte = 5;
  }`;

export interface FieldProto {
  readonly name?: string;
  readonly label?: number;
  readonly type?: number;
  readonly type_name?: string;
  readonly oneof_index?: number;
  readonly proto3_optional?: boolean;
  readonly options?: { readonly behavior?: readonly number[]; readonly rules?: RulesProto };
}
export interface OneofProto {
  readonly name?: string;
  readonly options?: { readonly rules?: { readonly required?: boolean } };
}
export interface EnumProto {
  readonly name?: string;
  readonly value?: readonly { readonly name?: string; readonly number?: number }[];
}
export interface MessageProto {
  readonly name?: string;
  readonly field?: readonly FieldProto[];
  readonly nested_type?: readonly MessageProto[];
  readonly enum_type?: readonly EnumProto[];
  readonly oneof_decl?: readonly OneofProto[];
  readonly options?: { readonly map_entry?: boolean };
}
export interface MethodProto {
  readonly name?: string;
  readonly input_type?: string;
  readonly output_type?: string;
  readonly options?: Uint8Array;
  readonly client_streaming?: boolean;
  readonly server_streaming?: boolean;
}
export interface ServiceProto {
  readonly name?: string;
  readonly method?: readonly MethodProto[];
}
export interface FileProto {
  readonly name?: string;
  readonly package?: string;
  readonly message_type?: readonly MessageProto[];
  readonly enum_type?: readonly EnumProto[];
  readonly service?: readonly ServiceProto[];
  readonly source_code_info?: {
    readonly location?: readonly {
      readonly path?: readonly number[];
      readonly leading_comments?: string;
      readonly trailing_comments?: string;
    }[];
  };
}
/** buf.validate.FieldRules as its bytes have it. */
export interface RulesProto extends Partial<Record<(typeof NUMBERS)[number], NumberRules>> {
  readonly required?: boolean;
  readonly string?: NonNullable<Rules['string']>;
  readonly enum?: NonNullable<Rules['enum']>;
  readonly repeated?: {
    readonly min_items?: number;
    readonly max_items?: number;
    readonly items?: RulesProto;
  };
}

/** Reads descriptors. Made once for many: its own types take milliseconds to put together. */
export class DescriptorReader {
  readonly #file: protobuf.Type;

  constructor() {
    const { root } = protobuf.parse(PROTO + NUMBERS.map(numberRules).join('\n'), { keepCase: true });
    this.#file = root.lookupType('File');
  }

  /** Throws where the bytes are no descriptor. */
  read(bytes: Uint8Array): FileProto {
    return this.#file.toObject(this.#file.decode(bytes), { longs: Number }) as FileProto;
  }
}

/** Rules in the form that says nothing of the type of a number. Items of items do not exist, so this ends. */
export function rulesOf(proto: RulesProto | undefined): Rules | undefined {
  if (!proto) return undefined;
  const number = NUMBERS.map(type => proto[type]).find(Boolean);
  const { required, string, enum: values, repeated } = proto;
  const items = rulesOf(repeated?.items);
  return {
    ...(required ? { required } : {}),
    ...(string ? { string } : {}),
    ...(values ? { enum: values } : {}),
    ...(number ? { number } : {}),
    ...(repeated ? { repeated: { ...repeated, items } as NonNullable<Rules['repeated']> } : {}),
  };
}

/** Number of MethodOptions.idempotency_level, and of the level that says that nothing is changed. */
const IDEMPOTENCY_LEVEL = 34;
const NO_SIDE_EFFECTS = 1;

/** What counts of the options of a method. Bytes that are no options say nothing, which is the careful answer. */
export function methodOptions(bytes: Uint8Array | undefined): {
  readonly isReadOnly: boolean;
  readonly isStandard: boolean;
} {
  let isReadOnly = false;
  let isStandard = false;
  try {
    const reader = protobuf.Reader.create(bytes ?? new Uint8Array());
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      isStandard ||= tag >>> 3 === STANDARD_METHOD_OPTION;
      // The last one counts, as everywhere on the wire.
      if (tag === IDEMPOTENCY_LEVEL << 3) isReadOnly = reader.int32() === NO_SIDE_EFFECTS;
      else reader.skipType(tag & 7);
    }
  } catch {
    // RangeError, or a wire type that does not exist: cut off or no options at all.
    return { isReadOnly: false, isStandard };
  }
  return { isReadOnly, isStandard };
}
