/**
 * Methods and messages as a .proto file has them, read with its comments when mux runs.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import {
  behaviorsOf,
  scalarKind,
  STANDARD_METHOD_OPTION,
  standardOf,
  wholeComment,
  type FieldInfo,
  type MessageInfo,
  type MethodInfo,
  type OneofInfo,
} from './model.ts';
import { allowedValues, type NumberRules, type Rules } from './rules.ts';

const PROTO = fileURLToPath(new URL('../../../../proto', import.meta.url));
const DESCRIPTOR = 'google/protobuf/descriptor.proto';

/** Reads files below `folder`, and what they import. Throws where they are wrong: they are part of the program. */
export function readProtos(files: readonly string[], folder = PROTO): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) =>
    target === DESCRIPTOR
      ? createRequire(import.meta.url).resolve(`protobufjs/${DESCRIPTOR}`)
      : join(folder, target);
  root.loadSync([...files], { keepCase: true, alternateCommentMode: true });
  root.resolveAll();
  return root;
}

/** The methods of a service by name, in the order of the file. Throws where there is no such service. */
export function sourceMethods(root: protobuf.Root, service: string): ReadonlyMap<string, MethodInfo> {
  const source = new Source(root);
  return new Map(
    root.lookupService(service).methodsArray.map(method => [method.name, source.method(method, service)]),
  );
}

/** Options as they are written, `(google.api.field_behavior)` and all. */
type Options = readonly (readonly [name: string, value: unknown])[];

class Source {
  readonly #root: protobuf.Root;
  readonly #messages = new Map<protobuf.Type, MessageInfo>();

  constructor(root: protobuf.Root) {
    this.#root = root;
  }

  method(method: protobuf.Method, service: string): MethodInfo {
    const options = optionsOf(method);
    const isMarked = options.some(([name]) => this.#numberOf(name) === STANDARD_METHOD_OPTION);
    return {
      name: method.name,
      service,
      comment: this.#comment(method.comment),
      isReadOnly: valueOf(options, 'idempotency_level') === 'NO_SIDE_EFFECTS',
      standard: standardOf(method.name, isMarked),
      request: this.#message(method.resolvedRequestType!),
      response: this.#message(method.resolvedResponseType!),
      streamsRequest: method.requestStream === true,
      streamsResponse: method.responseStream === true,
    };
  }

  #message(type: protobuf.Type): MessageInfo {
    const known = this.#messages.get(type);
    if (known) return known;
    const message = {
      fullName: type.fullName.slice(1),
      comment: this.#comment(type.comment),
      fields: type.fieldsArray.map(field => this.#field(field)),
      oneofs: type.oneofsArray.filter(one => !one.isProto3Optional).map(oneofOf),
    };
    this.#messages.set(type, message);
    return message;
  }

  #field(field: protobuf.Field): FieldInfo {
    const options = optionsOf(field);
    const rules = rulesOf(valueOf(options, '(buf.validate.field)'));
    const type = field.resolvedType;
    const base = {
      name: field.name,
      comment: this.#comment(field.comment),
      isRepeated: field.repeated,
      behaviors: behaviorsOf(
        options
          .filter(([name]) => name === '(google.api.field_behavior)')
          .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value])),
      ),
      rules,
    };
    const what = {
      kind:
        scalarKind(field.type) ?? (type instanceof protobuf.Enum ? ('enum' as const) : ('message' as const)),
      ...(type instanceof protobuf.Type ? { message: () => this.#message(type) } : {}),
      ...(type instanceof protobuf.Enum
        ? { values: allowedValues(Object.keys(type.values), Object.values(type.values), rules?.enum) }
        : {}),
    };
    if (!field.map) return { ...base, ...what };
    const mapValue = { ...base, ...what, name: 'value', comment: '', isRepeated: false, rules: undefined };
    return { ...base, kind: 'message', mapValue };
  }

  #comment(text: string | null | undefined): string {
    return wholeComment(text, name => this.#root.lookup(name)?.comment);
  }

  #numberOf(option: string): number | undefined {
    const extension = option.startsWith('(') ? this.#root.lookup(option.slice(1, -1)) : null;
    return extension instanceof protobuf.Field ? extension.id : undefined;
  }
}

function oneofOf(oneof: protobuf.OneOf): OneofInfo {
  const required = valueOf(optionsOf(oneof), '(buf.validate.oneof)') as
    { readonly required?: unknown } | undefined;
  return {
    name: oneof.name,
    fields: oneof.fieldsArray.map(field => field.name),
    isRequired: required?.required === true,
  };
}

function optionsOf(thing: protobuf.ReflectionObject): Options {
  const parsed = thing.parsedOptions as readonly Record<string, unknown>[] | null | undefined;
  return Array.isArray(parsed)
    ? parsed.flatMap(one => Object.entries(one as Record<string, unknown>))
    : Object.entries(thing.options ?? {});
}

function valueOf(options: Options, name: string): unknown {
  return options.find(([one]) => one === name)?.[1];
}

/** Rules of numbers stand under the name of the type there. */
function rulesOf(value: unknown): Rules | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const { required, string, enum: values, repeated, ...types } = value as Record<string, never>;
  const number = Object.entries(types).find(([type]) => scalarKind(type))?.[1] as NumberRules | undefined;
  return {
    ...(required ? { required } : {}),
    ...(string ? { string } : {}),
    ...(values ? { enum: values } : {}),
    ...(number ? { number } : {}),
    ...(repeated ? { repeated: repeatedOf(repeated) } : {}),
  };
}

function repeatedOf({ items, ...rest }: { readonly items?: unknown }): NonNullable<Rules['repeated']> {
  const rules = rulesOf(items);
  return { ...rest, ...(rules ? { items: rules } : {}) };
}
