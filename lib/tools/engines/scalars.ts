/** Scalars on the wire and in JSON (protobuf: encoding, and the JSON mapping of proto3). */
import type { Reader, Writer } from 'protobufjs';

/** Wire types (protobuf, encoding). */
export const WIRE = { varint: 0, bits64: 1, bytes: 2, bits32: 5 } as const;

/** How a scalar is written and read. */
export interface Scalar {
  readonly wire: number;
  /** Undefined: JSON of that kind is none of this type, or is out of its range. */
  write(writer: Writer, json: unknown): Writer | undefined;
  read(reader: Reader): unknown;
  /** What is meant where it is not on the wire. */
  readonly zero: unknown;
}

const INT32_MAX = 2 ** 31 - 1;
const UINT32_MAX = 2 ** 32 - 1;
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

type NumberMethod = 'int32' | 'uint32' | 'sint32' | 'fixed32' | 'sfixed32';
type LongMethod = 'int64' | 'uint64' | 'sint64' | 'fixed64' | 'sfixed64';
type FloatMethod = 'double' | 'float';

function small(method: NumberMethod, wire: number, min: number, max: number): Scalar {
  return {
    wire,
    write: (writer, json) => {
      const value = Number(json);
      return Number.isInteger(value) && value >= min && value <= max ? writer[method](value) : undefined;
    },
    read: reader => reader[method](),
    zero: 0,
  };
}

/** 64 bits are digits in JSON: a number would lose some. */
function long(method: LongMethod, wire: number, min: bigint, max: bigint): Scalar {
  return {
    wire,
    write: (writer, json) => {
      if (typeof json !== 'string' && !Number.isSafeInteger(json)) return undefined;
      if (!/^-?\d{1,20}$/.test(String(json))) return undefined;
      const value = BigInt(json as string | number);
      return value >= min && value <= max ? writer[method](value.toString()) : undefined;
    },
    read: reader => String(reader[method]()),
    zero: '0',
  };
}

/** What numbers cannot be in JSON, they are as words. */
const WORDS: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity };

function float(method: FloatMethod, wire: number): Scalar {
  return {
    wire,
    write: (writer, json) => {
      const value = typeof json === 'string' && Object.hasOwn(WORDS, json) ? WORDS[json] : json;
      return typeof value === 'number' ? writer[method](value) : undefined;
    },
    read: reader => {
      const value = reader[method]();
      return Number.isFinite(value) ? value : String(value);
    },
    zero: 0,
  };
}

/** By FieldDescriptorProto.Type. */
export const SCALARS: ReadonlyMap<number, Scalar> = new Map<number, Scalar>([
  [1, float('double', WIRE.bits64)],
  [2, float('float', WIRE.bits32)],
  [3, long('int64', WIRE.varint, -INT64_MAX - 1n, INT64_MAX)],
  [4, long('uint64', WIRE.varint, 0n, UINT64_MAX)],
  [5, small('int32', WIRE.varint, -INT32_MAX - 1, INT32_MAX)],
  [6, long('fixed64', WIRE.bits64, 0n, UINT64_MAX)],
  [7, small('fixed32', WIRE.bits32, 0, UINT32_MAX)],
  [
    8,
    {
      wire: WIRE.varint,
      write: (writer, json) => (typeof json === 'boolean' ? writer.bool(json) : undefined),
      read: reader => reader.bool(),
      zero: false,
    },
  ],
  [
    9,
    {
      wire: WIRE.bytes,
      write: (writer, json) => (typeof json === 'string' ? writer.string(json) : undefined),
      read: reader => reader.string(),
      zero: '',
    },
  ],
  [
    12,
    {
      wire: WIRE.bytes,
      // Buffer takes both alphabets of base64, as the mapping wants.
      write: (writer, json) =>
        typeof json === 'string' ? writer.bytes(Buffer.from(json, 'base64')) : undefined,
      read: reader => Buffer.from(reader.bytes()).toString('base64'),
      zero: '',
    },
  ],
  [13, small('uint32', WIRE.varint, 0, UINT32_MAX)],
  [15, small('sfixed32', WIRE.bits32, -INT32_MAX - 1, INT32_MAX)],
  [16, long('sfixed64', WIRE.bits64, -INT64_MAX - 1n, INT64_MAX)],
  [17, small('sint32', WIRE.varint, -INT32_MAX - 1, INT32_MAX)],
  [18, long('sint64', WIRE.varint, -INT64_MAX - 1n, INT64_MAX)],
]);
