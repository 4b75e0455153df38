/**
 * A message as a JSON schema, for models to fill in.
 */
import type { Schema } from '../../ai/wire.ts';
import type { FieldInfo, Kind, MessageInfo, MethodInfo, OneofInfo } from './model.ts';
import { listSchema, ruleSchema, ruleWords } from './rules.ts';
import { specialSchema } from './special.ts';

/** What JSON has for a field that is no message. */
const JSON_TYPES: Readonly<Record<Exclude<Kind, 'message'>, string>> = {
  string: 'string',
  bytes: 'string',
  boolean: 'boolean',
  integer: 'integer',
  integer64: 'integer',
  number: 'number',
  enum: 'string',
};

/** How much of a message is shown. */
export interface SchemaOptions {
  /** Levels of fields, 1 to 10; DEPTH if absent. What is deeper is left out, which also bounds recursion. */
  readonly depth?: number;
  /** Paths of fields, `a.b`; only these are shown then, and always. Empty or with `*`: all. */
  readonly mask?: readonly string[];
  /** Which fields a standard method leaves out. */
  readonly standard?: MethodInfo['standard'];
  /** An answer, of which output is shown too and nothing is required. */
  readonly isResponse?: boolean;
}

/** Deeper than this nobody fills in a form. */
const DEPTH = 5;
const DEPTH_MAX = 10;
/** Properties in one schema: a message whose fields branch out at every level would fill the whole context otherwise. */
const PROPERTIES_MAX = 1000;

/** The schema of a message. Hostile descriptors give a smaller one. */
export function messageSchema(message: MessageInfo, options: SchemaOptions = {}): Schema {
  const depth = Math.min(options.depth || DEPTH, DEPTH_MAX);
  return new SchemaWriter(options).object(message, depth, maskTree(options.mask ?? []), '');
}

/** The fields that a mask names, by name; undefined: all. */
interface Mask {
  readonly fields: ReadonlyMap<string, Mask | undefined>;
}

function maskTree(paths: readonly string[]): Mask | undefined {
  if (paths.length === 0 || paths.some(path => path === '' || path === '*')) return undefined;
  const heads = new Map<string, string[]>();
  for (const path of paths) {
    const [head = '', ...rest] = path.split('.');
    heads.set(head, [...(heads.get(head) ?? []), rest.join('.')]);
  }
  return { fields: new Map([...heads].map(([head, rest]) => [head, maskTree(rest)])) };
}

class SchemaWriter {
  readonly #options: SchemaOptions;
  #left = PROPERTIES_MAX;

  constructor(options: SchemaOptions) {
    this.#options = options;
  }

  /** @param comment of the field that has the message; '' for the outermost */
  object(message: MessageInfo, depth: number, mask: Mask | undefined, comment: string): Schema {
    const shown = message.fields.filter(field => this.#isShown(field, mask));
    const properties: [string, Schema][] = [];
    if (depth > 0 || mask)
      for (const field of shown) {
        if (this.#left-- <= 0) break;
        properties.push([field.name, this.#field(field, depth - 1, mask?.fields.get(field.name))]);
      }
    const names = new Set(properties.map(([name]) => name));
    const required = shown.filter(field => names.has(field.name) && this.#isRequired(field));
    const oneofs = message.oneofs.flatMap(one => oneofWords(one, names));
    const own = [message.comment, ...oneofs].filter(Boolean).join(' ');
    const description = comment && own ? `${comment} (${own})` : comment || own;
    return {
      type: 'object',
      ...(description ? { description } : {}),
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required: required.map(field => field.name) } : {}),
    };
  }

  #isShown({ name, behaviors }: FieldInfo, mask: Mask | undefined): boolean {
    if (mask) return mask.fields.has(name);
    const { standard, isResponse } = this.#options;
    if (isResponse) return true;
    if (behaviors.has('OUTPUT_ONLY')) return false;
    if (standard === 'create' && behaviors.has('IDENTIFIER')) return false;
    return !(standard === 'update' && behaviors.has('IMMUTABLE'));
  }

  #isRequired({ behaviors, rules }: FieldInfo): boolean {
    if (this.#options.isResponse) return false;
    if (rules?.required) return true;
    return behaviors.has(this.#options.standard === 'update' ? 'IDENTIFIER' : 'REQUIRED');
  }

  #field(field: FieldInfo, depth: number, mask: Mask | undefined): Schema {
    const comment = [field.comment, ruleWords(field.rules)].filter(Boolean).join(' ');
    const described = comment ? { description: comment } : {};
    if (field.mapValue)
      return {
        type: 'object',
        ...described,
        additional_properties: this.#value(field.mapValue, depth, mask, ''),
      };
    if (!field.isRepeated) return this.#value(field, depth, mask, comment);
    const items = this.#value({ ...field, rules: field.rules?.repeated?.items }, depth, mask, '');
    return { type: 'array', ...described, items, ...listSchema(field.rules) };
  }

  #value(field: FieldInfo, depth: number, mask: Mask | undefined, comment: string): Schema {
    if (field.kind === 'message') return this.#message(field.message!(), depth, mask, comment);
    const described = comment ? { description: comment } : {};
    const values = field.kind === 'enum' ? { enum: field.values ?? [] } : {};
    return { type: JSON_TYPES[field.kind], ...described, ...ruleSchema(field.rules), ...values };
  }

  #message(message: MessageInfo, depth: number, mask: Mask | undefined, comment: string): Schema {
    const special = specialSchema(message.fullName);
    if (!special) return this.object(message, depth, mask, comment);
    const description = [comment, special.description ? `(${special.description})` : '']
      .filter(Boolean)
      .join(' ');
    return { ...special, ...(description ? { description } : {}) };
  }
}

/** Providers do not understand `oneOf`, so it is said. */
function oneofWords({ fields, isRequired }: OneofInfo, shown: ReadonlySet<string>): string[] {
  const names = fields.filter(name => shown.has(name));
  if (names.length < 2) return [];
  return [`Set ${isRequired ? 'exactly' : 'at most'} one of ${names.join(', ')}.`];
}
