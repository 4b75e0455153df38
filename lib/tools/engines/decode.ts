/**
 * A message of a host's type as JSON. What is not on the wire is not in the JSON; fields that nobody described are left out.
 * The bytes are hostile: what they come to is bounded, not only how many they are.
 */
import protobuf from 'protobufjs';
import { CodedError } from '../../base/errors.ts';
import { TYPE, type TypeTable, type WireField, type WireMessage } from './descriptors.ts';
import { SCALARS, WIRE } from './scalars.ts';
import { SPECIAL } from './special.ts';

/** Messages within messages (protobuf's own parsers end at 100). */
const DEPTH_MAX = 64;
/** Values in one answer: an empty message takes two bytes on the wire and much more in memory. */
const VALUES_MAX = 200_000;
const ANY = 'google.protobuf.Any';

/** Throws CodedError `failed` where the bytes are no such message, or come to too much. */
export function decodeMessage(types: TypeTable, fullName: string, bytes: Uint8Array): unknown {
  try {
    const reader = protobuf.Reader.create(bytes);
    return new Decoder(types).message(reader, reader.len, types.message(fullName), 0);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError('failed', `the answer is no ${fullName}`, undefined, { cause: error });
  }
}

class Decoder {
  readonly #types: TypeTable;
  #left = VALUES_MAX;

  constructor(types: TypeTable) {
    this.#types = types;
  }

  message(reader: protobuf.Reader, end: number, message: WireMessage, depth: number): unknown {
    if (depth > DEPTH_MAX) throw new CodedError('failed', 'the answer is nested too deep');
    // Without a prototype: a host may call a field what it likes.
    const fields = Object.create(null) as Record<string, unknown>;
    while (reader.pos < end) {
      if (this.#left-- <= 0) throw new CodedError('failed', `the answer has more than ${VALUES_MAX} values`);
      const tag = reader.uint32();
      const field = message.byNumber.get(tag >>> 3);
      if (field) this.#read(reader, tag & 7, field, fields, depth);
      else reader.skipType(tag & 7);
    }
    if (reader.pos !== end) throw new RangeError('a field goes beyond its message');
    return this.#shown(message, fields, depth);
  }

  #shown({ fullName }: WireMessage, fields: Record<string, unknown>, depth: number): unknown {
    if (fullName === ANY) return this.#any(fields, depth);
    return SPECIAL.get(fullName)?.toJson(fields) ?? (SPECIAL.has(fullName) ? null : fields);
  }

  #any({ type_url: url = '', value = '' }: Record<string, unknown>, depth: number): unknown {
    const name = String(url).slice(String(url).lastIndexOf('/') + 1);
    if (!this.#types.has(name)) return { '@type': url, value };
    const bytes = Buffer.from(String(value), 'base64');
    const inner = this.message(
      protobuf.Reader.create(bytes),
      bytes.length,
      this.#types.message(name),
      depth + 1,
    );
    return SPECIAL.has(name) ? { '@type': url, value: inner } : { '@type': url, ...(inner as object) };
  }

  #read(
    reader: protobuf.Reader,
    wire: number,
    field: WireField,
    fields: Record<string, unknown>,
    depth: number,
  ): void {
    const { name, type, typeName, isRepeated } = field;
    const own = this.#wireOf(type);
    if (isRepeated && wire === WIRE.bytes && own !== undefined && own !== WIRE.bytes)
      return this.#readPacked(reader, field, fields);
    // Another encoding than described, or a type that is none: as unknown as a field that nobody described.
    if (wire !== own) return void reader.skipType(wire);
    const value = this.#value(reader, field, depth);
    const entry = type === TYPE.message ? this.#types.message(typeName) : undefined;
    if (entry?.isMapEntry) {
      const map = (fields[name] ??= Object.create(null)) as Record<string, unknown>;
      const pair = value as { key?: unknown; value?: unknown };
      map[String(pair.key ?? this.#zero(entry, 'key'))] =
        'value' in pair ? pair.value : this.#zero(entry, 'value');
    } else if (isRepeated) ((fields[name] ??= []) as unknown[]).push(value);
    else fields[name] = value;
  }

  /** Undefined for what is no type, and for groups. */
  #wireOf(type: number): number | undefined {
    if (type === TYPE.enum) return WIRE.varint;
    return type === TYPE.message ? WIRE.bytes : SCALARS.get(type)?.wire;
  }

  /** What is meant by a part of an entry that is not on the wire. */
  #zero(entry: WireMessage, name: 'key' | 'value'): unknown {
    const field = entry.byName.get(name);
    if (field?.type === TYPE.message) return this.#shown(this.#types.message(field.typeName), {}, 0);
    if (field?.type === TYPE.enum) return this.#types.enum(field.typeName).names.get(0) ?? 0;
    return SCALARS.get(field?.type ?? 0)?.zero ?? null;
  }

  #readPacked(reader: protobuf.Reader, field: WireField, fields: Record<string, unknown>): void {
    const end = reader.uint32() + reader.pos;
    if (end > reader.len) throw new RangeError('a list goes beyond its message');
    const list = (fields[field.name] ??= []) as unknown[];
    while (reader.pos < end) {
      if (this.#left-- <= 0) throw new CodedError('failed', `the answer has more than ${VALUES_MAX} values`);
      list.push(this.#value(reader, field, 0));
    }
  }

  #value(reader: protobuf.Reader, { type, typeName }: WireField, depth: number): unknown {
    if (type === TYPE.message) {
      const length = reader.uint32();
      const end = reader.pos + length;
      if (end > reader.len) throw new RangeError('a message goes beyond the one around it');
      return this.message(reader, end, this.#types.message(typeName), depth + 1);
    }
    if (type === TYPE.enum) {
      const number = reader.int32();
      return this.#types.enum(typeName).names.get(number) ?? number;
    }
    return SCALARS.get(type)!.read(reader);
  }
}
