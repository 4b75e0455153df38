/**
 * Methods and messages as descriptors have them (descriptor.proto), which is what reflection gives. The bytes come from a
 * host: hostile.
 */
import { CodedError } from '../../base/errors.ts';
import {
  methodOptions,
  rulesOf,
  DescriptorReader,
  type EnumProto,
  type FieldProto,
  type FileProto,
  type MessageProto,
  type MethodProto,
} from './descriptor-bytes.ts';
import {
  behaviorsOf,
  scalarKind,
  standardOf,
  wholeComment,
  type FieldInfo,
  type Kind,
  type MessageInfo,
  type MethodInfo,
  type OneofInfo,
} from './model.ts';
import { allowedValues } from './rules.ts';

/** Names of scalar types by number (FieldDescriptorProto.Type); a group is a message by another encoding. */
const SCALARS: Readonly<Record<number, string>> = {
  1: 'double',
  2: 'float',
  3: 'int64',
  4: 'uint64',
  5: 'int32',
  6: 'fixed64',
  7: 'fixed32',
  8: 'bool',
  9: 'string',
  12: 'bytes',
  13: 'uint32',
  15: 'sfixed32',
  16: 'sfixed64',
  17: 'sint32',
  18: 'sint64',
};
const TYPE_ENUM = 14;
const LABEL_REPEATED = 3;

/** Numbers of fields in descriptor.proto that make up the path of a thing with a comment. */
const PATH = { message: 4, service: 6, nested: 3, field: 2, method: 2 } as const;

interface Declared<T> {
  readonly proto: T;
  readonly file: Comments;
  readonly path: readonly number[];
}

/** The services that a set of descriptors has, by full name, with their methods by name in the order of the file. */
export type Services = ReadonlyMap<string, ReadonlyMap<string, MethodInfo>>;

/**
 * Reads descriptors: bytes of FileDescriptorProto, with all that they import.
 *
 * @throws CodedError `failed` where they are none, or speak of types that they do not have
 */
export function describedServices(files: Iterable<Uint8Array>, reader = new DescriptorReader()): Services {
  try {
    return new Descriptors([...files].map(bytes => reader.read(bytes))).services();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    // Errors of the decoder, or a message nested so deep that the stack ends: the host sends something else.
    throw new CodedError('failed', 'descriptors: the bytes are none', undefined, { cause: error });
  }
}

/** Comments of a file by the path of what they stand at. */
class Comments {
  readonly #texts = new Map<string, string>();
  readonly #named: ReadonlyMap<string, string>;

  /** @param named comments by full name, of all files: they may stand for each other */
  constructor({ source_code_info }: FileProto, named: ReadonlyMap<string, string>) {
    this.#named = named;
    for (const { path = [], leading_comments, trailing_comments } of source_code_info?.location ?? [])
      this.#texts.set(path.join('.'), (leading_comments || trailing_comments) ?? '');
  }

  raw(path: readonly number[]): string {
    return this.#texts.get(path.join('.')) ?? '';
  }

  at(path: readonly number[]): string {
    return wholeComment(this.raw(path), name => this.#named.get(name));
  }
}

class Descriptors {
  readonly #files: readonly FileProto[];
  readonly #messages = new Map<string, Declared<MessageProto>>();
  readonly #enums = new Map<string, EnumProto>();
  readonly #made = new Map<string, MessageInfo>();
  /** Comments of messages, fields and methods by full name. */
  readonly #comments = new Map<string, string>();

  constructor(files: readonly FileProto[]) {
    this.#files = files;
    for (const file of files) {
      const comments = new Comments(file, this.#comments);
      const home = file.package ? `.${file.package}` : '';
      for (const one of file.enum_type ?? []) this.#enums.set(`${home}.${one.name}`, one);
      for (const [at, one] of (file.message_type ?? []).entries())
        this.#declare(`${home}.${one.name}`, { proto: one, file: comments, path: [PATH.message, at] });
    }
  }

  #declare(name: string, declared: Declared<MessageProto>): void {
    const { proto, file, path } = declared;
    this.#messages.set(name, declared);
    this.#comments.set(name.slice(1), file.raw(path));
    for (const [at, field] of (proto.field ?? []).entries())
      this.#comments.set(`${name.slice(1)}.${field.name}`, file.raw([...path, PATH.field, at]));
    for (const one of proto.enum_type ?? []) this.#enums.set(`${name}.${one.name}`, one);
    for (const [at, one] of (proto.nested_type ?? []).entries())
      this.#declare(`${name}.${one.name}`, { proto: one, file, path: [...path, PATH.nested, at] });
  }

  services(): Services {
    return new Map(
      this.#files.flatMap(file => {
        const comments = new Comments(file, this.#comments);
        return (file.service ?? []).map(({ name = '', method = [] }, index) => {
          const service = file.package ? `${file.package}.${name}` : name;
          const methods = method.map((one, at): [string, MethodInfo] => {
            const path = [PATH.service, index, PATH.method, at];
            return [one.name ?? '', this.#method(one, service, comments.at(path))];
          });
          return [service, new Map(methods)] as const;
        });
      }),
    );
  }

  #method(proto: MethodProto, service: string, comment: string): MethodInfo {
    const { name = '', input_type = '', output_type = '' } = proto;
    const { isReadOnly, isStandard } = methodOptions(proto.options);
    return {
      name,
      service,
      comment,
      isReadOnly,
      standard: standardOf(name, isStandard),
      request: this.#message(input_type),
      response: this.#message(output_type),
      streamsRequest: proto.client_streaming === true,
      streamsResponse: proto.server_streaming === true,
    };
  }

  #message(name: string): MessageInfo {
    const known = this.#made.get(name);
    if (known) return known;
    const declared = this.#messages.get(name);
    if (!declared)
      throw new CodedError('failed', `descriptors: ${name || 'a type without a name'} is missing`);
    const { proto, file, path } = declared;
    const message = {
      fullName: name.slice(1),
      comment: file.at(path),
      fields: (proto.field ?? []).map((field, at) => this.#field(field, file.at([...path, PATH.field, at]))),
      oneofs: oneofsOf(proto),
    };
    this.#made.set(name, message);
    return message;
  }

  #field(proto: FieldProto, comment: string): FieldInfo {
    const rules = rulesOf(proto.options?.rules);
    const { type = 0, type_name = '' } = proto;
    const map = type === TYPE_ENUM ? undefined : this.#mapEntry(type_name);
    const base = {
      name: proto.name ?? '',
      comment,
      behaviors: behaviorsOf(proto.options?.behavior ?? []),
      rules,
    };
    if (map) return { ...base, kind: 'message', isRepeated: false, mapValue: this.#field(map, '') };
    const kind = kindOf(type);
    const values = this.#enums.get(type_name)?.value ?? [];
    const names = values.map(value => value.name ?? '');
    const numbers = values.map(value => value.number ?? 0);
    return {
      ...base,
      kind,
      isRepeated: proto.label === LABEL_REPEATED,
      ...(kind === 'message' ? { message: () => this.#message(type_name) } : {}),
      ...(kind === 'enum' ? { values: allowedValues(names, numbers, rules?.enum) } : {}),
    };
  }

  /** The value of a map, whose entries are messages on the wire. */
  #mapEntry(name: string): FieldProto | undefined {
    const proto = this.#messages.get(name)?.proto;
    return proto?.options?.map_entry ? proto.field?.find(field => field.name === 'value') : undefined;
  }
}

function kindOf(type: number): Kind {
  if (type === TYPE_ENUM) return 'enum';
  return scalarKind(SCALARS[type] ?? '') ?? 'message';
}

function oneofsOf({ field = [], oneof_decl = [] }: MessageProto): OneofInfo[] {
  return oneof_decl.flatMap(({ name = '', options }, at) => {
    const members = field.filter(one => one.oneof_index === at);
    if (members.some(one => one.proto3_optional)) return [];
    const fields = members.map(one => one.name ?? '');
    return [{ name, fields, isRequired: options?.rules?.required === true }];
  });
}
