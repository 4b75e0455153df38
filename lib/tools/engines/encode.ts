/** JSON as a message of a host's type (proto3 JSON mapping, fields by their own names). */
import protobuf from 'protobufjs';
import { CodedError } from '../../base/errors.ts';
import { TYPE, type TypeTable, type WireField, type WireMessage } from './descriptors.ts';
import { SCALARS, WIRE } from './scalars.ts';
import { SPECIAL, type Fields } from './special.ts';

/** Messages within messages; arguments are checked before, but what stands in a Struct is not. */
const DEPTH_MAX = 64;
const ANY = 'google.protobuf.Any';
const VALUE = 'google.protobuf.Value';
/** What stands before the name of the type in an Any. */
const ANY_PREFIX = 'type.googleapis.com/';

/** The bytes of a message. Throws CodedError `usage`, which names the field. */
export function encodeMessage(types: TypeTable, fullName: string, json: unknown): Buffer {
  const writer = new protobuf.Writer();
  new Encoder(types).message(writer, types.message(fullName), json, '', 0);
  return Buffer.from(writer.finish());
}

class Encoder {
  readonly #types: TypeTable;

  constructor(types: TypeTable) {
    this.#types = types;
  }

  message(writer: protobuf.Writer, message: WireMessage, json: unknown, path: string, depth: number): void {
    if (depth > DEPTH_MAX) throw wrong(path, 'it is nested too deep');
    for (const [name, value] of Object.entries(this.#fieldsOf(message, json, path))) {
      const field = message.byName.get(name);
      if (!field) throw wrong(`${path}${name}`, 'there is no such field');
      // null is the same as not given, but for a Value, where it is a value.
      const isNothing = value === null && message.fullName !== VALUE && field.typeName !== VALUE;
      if (value === undefined || isNothing) continue;
      this.#field(writer, field, value, `${path}${name}`, depth);
    }
  }

  #fieldsOf({ fullName }: WireMessage, json: unknown, path: string): Fields {
    if (fullName === ANY) return this.#any(json, path);
    const special = SPECIAL.get(fullName);
    const fields = special ? special.toFields(json) : json;
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw wrong(path, `it is no ${fullName.split('.').at(-1) ?? ''}`);
    return fields as Fields;
  }

  /** `{"@type": NAME, …fields}`; of a special type `{"@type": NAME, "value": …}`. */
  #any(json: unknown, path: string): Fields {
    const { '@type': url, ...rest } = (json ?? {}) as Fields;
    if (typeof url !== 'string') throw wrong(path, 'it has no @type');
    const name = url.slice(url.lastIndexOf('/') + 1);
    if (!this.#types.has(name)) throw wrong(path, `the host has no type ${name}`);
    const inner = new protobuf.Writer();
    this.message(inner, this.#types.message(name), SPECIAL.has(name) ? rest.value : rest, path, 1);
    const value = Buffer.from(inner.finish()).toString('base64');
    return { type_url: url.includes('/') ? url : ANY_PREFIX + name, value };
  }

  #field(writer: protobuf.Writer, field: WireField, json: unknown, path: string, depth: number): void {
    const entry = field.type === TYPE.message ? this.#types.message(field.typeName) : undefined;
    if (entry?.isMapEntry) {
      if (typeof json !== 'object' || json === null || Array.isArray(json))
        throw wrong(path, 'it is no object');
      for (const [key, value] of Object.entries(json))
        this.#value(writer, field, { key: keyOf(entry, key), value }, `${path}.${key}`, depth);
      return;
    }
    if (!field.isRepeated) return this.#value(writer, field, json, path, depth);
    if (!Array.isArray(json)) throw wrong(path, 'it is no list');
    for (const [at, one] of json.entries()) this.#value(writer, field, one, `${path}[${at}]`, depth);
  }

  #value(writer: protobuf.Writer, field: WireField, json: unknown, path: string, depth: number): void {
    const { number, type, typeName } = field;
    if (type === TYPE.message) {
      const inner = writer.uint32(tag(number, WIRE.bytes)).fork();
      this.message(inner, this.#types.message(typeName), json, `${path}.`, depth + 1);
      inner.ldelim();
      return;
    }
    if (type === TYPE.enum) {
      const known = this.#types.enum(typeName).numbers.get(String(json));
      const value = known ?? (json === 'NULL_VALUE' ? 0 : json);
      if (!Number.isInteger(value)) throw wrong(path, 'the enum has no such value');
      writer.uint32(tag(number, WIRE.varint)).int32(value as number);
      return;
    }
    const scalar = SCALARS.get(type);
    if (!scalar) throw wrong(path, 'fields of its type cannot be written');
    if (!scalar.write(writer.uint32(tag(number, scalar.wire)), json)) throw wrong(path, 'it is out of range');
  }
}

/** Keys are texts in JSON, whatever they are on the wire. */
function keyOf(entry: WireMessage, key: string): unknown {
  const BOOL = 8;
  return entry.byName.get('key')?.type === BOOL ? key === 'true' : key;
}

function tag(number: number, wire: number): number {
  return ((number << 3) | wire) >>> 0;
}

function wrong(path: string, why: string): CodedError {
  const where = path.replace(/\.$/, '');
  return new CodedError('usage', where === '' ? `the arguments: ${why}` : `argument ${where}: ${why}`);
}
