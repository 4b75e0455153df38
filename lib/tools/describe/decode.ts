/**
 * Arguments that a model gives, read by the message that they are to be. Models are sloppy about form, which is forgiven:
 * a list or an object as JSON in a string, an envelope around it all, one value where a list is wanted. They are not
 * forgiven what would change the meaning: a value of another type, or a name that an enum does not have.
 */
import { CodedError, nearest } from '../../base/errors.ts';
import type { Arguments } from '../../agent/tool.ts';
import type { FieldInfo, Kind, MessageInfo } from './model.ts';
import { specialSchema } from './special.ts';

/** How strictly arguments are read. */
export interface Reading {
  /** Named in errors. */
  readonly tool: string;
  /** Fields that the message does not have are left out; otherwise they are an error. */
  readonly isLenient?: boolean;
}

/** What a decoded value is made of: as JSON, with the fields' own names. */
export type Decoded = Readonly<Record<string, unknown>>;

/** Objects within objects, at most: JSON.parse takes thousands, and nobody means them. */
const DEPTH_MAX = 32;
/** What models wrap arguments in. */
const ENVELOPES = ['arguments', 'request', 'input', 'parameters'];

/** The arguments in the message's form. Throws CodedError `usage`, which names the argument by its path. */
export function decodeArguments(message: MessageInfo, given: Arguments, reading: Reading): Decoded {
  return new Decoder(reading).message(message, unwrapped(message, given), '', 0);
}

/** `{"arguments": {…}}` where the message has no such field. */
function unwrapped(message: MessageInfo, given: unknown): unknown {
  if (!isObject(given)) return given;
  const [key = '', ...others] = Object.keys(given);
  if (others.length > 0 || !ENVELOPES.includes(key)) return given;
  if (message.fields.some(field => field.name === key)) return given;
  const inner = parsedText(given[key]);
  return isObject(inner) ? inner : given;
}

class Decoder {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  message(message: MessageInfo, given: unknown, path: string, depth: number): Decoded {
    if (depth > DEPTH_MAX) throw this.#wrong(path, 'it is nested too deeply');
    const value = parsedText(given);
    if (!isObject(value)) throw this.#wrong(path, `it is ${named(given)}, not an object`);
    const fields = new Map(message.fields.map(field => [field.name, field]));
    this.#checkNames(fields, value, path);
    const entries = message.fields.flatMap((field): [string, unknown][] => {
      const one = valueOf(value, field.name);
      const at = path ? `${path}.${field.name}` : field.name;
      if (one === undefined || one === null) {
        if (isRequired(field)) throw this.#wrong(at, 'it is missing');
        return [];
      }
      return [[field.name, this.#field(field, one, at, depth)]];
    });
    this.#checkOneofs(message, new Set(entries.map(([name]) => name)), path);
    return Object.fromEntries(entries);
  }

  #checkNames(fields: ReadonlyMap<string, FieldInfo>, value: Arguments, path: string): void {
    if (this.#reading.isLenient) return;
    const unknown = Object.keys(value).find(key => !fields.has(key) && !fields.has(snake(key)));
    if (unknown === undefined) return;
    const meant = nearest(unknown, fields.keys());
    const hint = meant ? `did you mean ${meant}?` : `there are ${[...fields.keys()].join(', ')}`;
    throw this.#wrong(path ? `${path}.${unknown}` : unknown, 'there is no such argument', hint);
  }

  #checkOneofs(message: MessageInfo, set: ReadonlySet<string>, path: string): void {
    for (const { fields, isRequired: isNeeded } of message.oneofs) {
      const given = fields.filter(name => set.has(name));
      if (given.length > 1) throw this.#wrong(path, `only one of ${given.join(', ')} can be given`);
      if (isNeeded && given.length === 0) throw this.#wrong(path, `one of ${fields.join(', ')} is missing`);
    }
  }

  #field(field: FieldInfo, given: unknown, path: string, depth: number): unknown {
    if (field.mapValue) return this.#map(field.mapValue, given, path, depth);
    if (!field.isRepeated) return this.#value(field, given, path, depth);
    const list = listOf(given);
    // One value is a list of one: models forget the brackets.
    const values = list ?? [given];
    return values.map((one, at) =>
      this.#value(field, one, list === undefined ? path : `${path}[${at}]`, depth),
    );
  }

  #map(field: FieldInfo, given: unknown, path: string, depth: number): Decoded {
    const value = parsedText(given);
    if (!isObject(value)) throw this.#wrong(path, `it is ${named(given)}, not an object`);
    const entries = Object.entries(value).map(([key, one]): [string, unknown] => [
      key,
      this.#value(field, one, `${path}.${key}`, depth),
    ]);
    return Object.fromEntries(entries);
  }

  #value(field: FieldInfo, given: unknown, path: string, depth: number): unknown {
    const special = field.message ? specialSchema(field.message().fullName) : undefined;
    if (special) return this.#special(special.type ?? '', field, given, path);
    if (field.message) return this.message(field.message(), given, path, depth + 1);
    const check = CHECKS[field.kind as Exclude<Kind, 'message'>];
    const value = check.read(given, field);
    if (value === undefined) throw this.#wrong(path, `it is ${named(given)}, not ${check.what(field)}`);
    return value;
  }

  /** Messages with a form of their own are not looked into: who calls knows them better. */
  #special(type: string, field: FieldInfo, given: unknown, path: string): unknown {
    const isValue = field.message!().fullName === 'google.protobuf.Value';
    const value = type === 'object' || type === 'array' ? parsedText(given) : given;
    if (isValue || typeIs(type, value)) return value;
    throw this.#wrong(path, `it is ${named(given)}, not of type ${type}`);
  }

  #wrong(path: string, why: string, hint?: string): CodedError {
    const what = path ? `${this.#reading.tool}: argument ${path}` : `${this.#reading.tool}: the arguments`;
    return new CodedError('usage', `${what}: ${why.replace(/^it is/, path ? 'it is' : 'they are')}`, hint);
  }
}

interface Check {
  what(field: FieldInfo): string;
  /** Undefined: it is of another type. */
  read(given: unknown, field: FieldInfo): unknown;
}

const DIGITS = /^-?\d{1,20}$/;
const isInteger = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value);
const text: Check = {
  what: () => 'a string',
  read: given => (typeof given === 'string' ? given : undefined),
};

/** Scalars, by kind. */
const CHECKS: Readonly<Record<Exclude<Kind, 'message'>, Check>> = {
  string: text,
  bytes: text,
  boolean: { what: () => 'true or false', read: given => (typeof given === 'boolean' ? given : undefined) },
  integer: { what: () => 'a whole number', read: given => (isInteger(given) ? given : undefined) },
  integer64: {
    what: () => 'a whole number',
    // JSON of protobuf writes 64 bits as digits.
    read: given =>
      isInteger(given) || (typeof given === 'string' && DIGITS.test(given)) ? given : undefined,
  },
  number: {
    what: () => 'a number',
    read: given => (typeof given === 'number' && Number.isFinite(given) ? given : undefined),
  },
  enum: {
    what: ({ values = [] }) => `one of ${values.join(', ')}`,
    read: (given, { values = [] }) => (typeof given === 'string' ? enumValue(given, values) : undefined),
  },
};

/** The name, or its end in any case, where only one name ends so: `done` for `TODO_STATUS_DONE` is no doubt. */
function enumValue(given: string, values: readonly string[]): string | undefined {
  if (values.includes(given)) return given;
  const ends = values.filter(value => value.endsWith(`_${given.toUpperCase()}`));
  return ends.length === 1 ? ends[0] : undefined;
}

function isRequired({ behaviors, rules }: FieldInfo): boolean {
  return behaviors.has('REQUIRED') || rules?.required === true;
}

function isObject(value: unknown): value is Arguments {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** By its name, or by the same in camelCase, which JSON of protobuf allows. */
function valueOf(value: Arguments, name: string): unknown {
  if (Object.hasOwn(value, name)) return value[name];
  const key = Object.keys(value).find(one => snake(one) === name);
  return key === undefined ? undefined : value[key];
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** An object or a list out of the text that it is in; anything else as it is. What is cut off is not guessed. */
function parsedText(given: unknown): unknown {
  if (typeof given !== 'string' || !/^\s*[{[]/.test(given)) return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

function listOf(given: unknown): readonly unknown[] | undefined {
  const value = parsedText(given);
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

function typeIs(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  // JSON of protobuf writes 64 bits as digits.
  if (type === 'integer') return isInteger(value) || (typeof value === 'string' && DIGITS.test(value));
  return typeof value === type;
}

/** What a value is, for people. */
function named(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string')
    return /^\s*[{[]/.test(value) ? 'a string whose JSON is not complete' : 'a string';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
