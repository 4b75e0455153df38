/**
 * JSON Schema, as a server writes it, as the schema that goes over AiService (malonaz.json.v1.Schema). What that cannot say is
 * left out: a schema only helps the model, and the server checks what it gets. Never throws, whatever the server wrote.
 */
import { cutText } from '../text.ts';
import type { Schema } from '../../ai/wire.ts';

/** Nested deeper than this, a schema says nothing to a model any more. References that lead back to themselves end here. */
const DEPTH_MAX = 10;
/** Parts of one schema: what a model is told of one tool is to stay small beside what it is asked. */
const NODES_MAX = 1000;
/** Characters of a text in a schema, and entries of a list in it. */
const TEXT_MAX = 1000;
const LIST_MAX = 200;

type Node = Readonly<Record<string, unknown>>;
interface Work {
  readonly root: Node;
  left: number;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema of a tool's arguments: always one of an object. */
export function wireSchema(given: unknown): Schema {
  const root = isObject(given) ? given : {};
  const schema = convert(root, DEPTH_MAX, { root, left: NODES_MAX });
  return { ...schema, type: 'object' };
}

function convert(given: unknown, depth: number, work: Work): Schema {
  if (depth === 0 || work.left-- <= 0) return {};
  const node = resolved(given, work);
  const below = (value: unknown): Schema => convert(value, depth - 1, work);
  const types = typeof node.type === 'string' ? [node.type] : texts(node.type);
  const named = types.filter(type => type !== 'null');
  return clean({
    type: named.length === 1 ? named[0] : undefined,
    description: describe(node),
    format: short(node.format),
    pattern: short(node.pattern),
    enum: enumOf(node),
    default: scalar(node.default),
    examples: list(node.examples).flatMap(one => scalar(one) ?? []),
    required: texts(node.required),
    properties: isObject(node.properties) ? properties(node.properties, below) : undefined,
    items: isObject(node.items) ? below(node.items) : undefined,
    additional_properties: isObject(node.additionalProperties) ? below(node.additionalProperties) : undefined,
    any_of:
      named.length > 1
        ? named.map(type => ({ type: cutText(type, TEXT_MAX) }))
        : list(node.anyOf).filter(isObject).map(below),
    one_of: list(node.oneOf).filter(isObject).map(below),
    all_of: list(node.allOf).filter(isObject).map(below),
    not: isObject(node.not) ? below(node.not) : undefined,
    ...numbers(node),
  });
}

/** Follows references into the schema itself (JSON Pointer, RFC 6901); those to elsewhere are not followed. */
function resolved(given: unknown, { root }: Work): Node {
  let node = isObject(given) ? given : {};
  for (let hops = 0; typeof node.$ref === 'string' && hops < DEPTH_MAX; hops++) {
    if (!node.$ref.startsWith('#')) return {};
    const steps = node.$ref
      .slice(1)
      .split('/')
      .slice(1, 1 + DEPTH_MAX);
    const target = steps.reduce<unknown>((at, step) => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }, root);
    const { $ref: _, ...beside } = node;
    node = isObject(target) ? { ...target, ...beside } : {};
  }
  return node;
}

function properties(given: Node, below: (value: unknown) => Schema): Record<string, Schema> {
  const entries = Object.entries(given).slice(0, LIST_MAX);
  return Object.fromEntries(
    entries.filter(([key]) => key.length <= TEXT_MAX).map(([key, one]) => [key, below(one)]),
  );
}

/** Providers want values of an enum to be of its type, and over the wire they are texts: other ones are told in words. */
function enumOf(node: Node): string[] {
  const values = 'const' in node ? [node.const] : list(node.enum);
  return values.every(one => typeof one === 'string') ? texts(values) : [];
}

function describe(node: Node): string | undefined {
  const own = short(node.description) ?? short(node.title);
  const values = 'const' in node ? [node.const] : list(node.enum);
  if (values.every(one => typeof one === 'string')) return own;
  const told = `One of: ${values.flatMap(one => scalar(one) ?? []).join(', ')}.`;
  return cutText(own ? `${own} ${told}` : told, TEXT_MAX);
}

/** Our name and that of JSON Schema. */
const NUMBERS = {
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  minimum: 'minimum',
  maximum: 'maximum',
  exclusive_minimum: 'exclusiveMinimum',
  exclusive_maximum: 'exclusiveMaximum',
  multiple_of: 'multipleOf',
} as const satisfies Partial<Record<keyof Schema, string>>;

/** Counts go over the wire as 64-bit integers; a fraction or a number out of range would make the message unreadable. */
function numbers(node: Node): Schema {
  const entries = Object.entries(NUMBERS).flatMap(([own, name]) => {
    const value = node[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) return [];
    return name.endsWith('Items') || name.endsWith('Length')
      ? Number.isSafeInteger(value) && value >= 0
        ? [[own, value]]
        : []
      : [[own, value]];
  });
  return Object.fromEntries(entries) as Schema;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, LIST_MAX) : [];
}

function texts(value: unknown): string[] {
  return list(value).filter((one): one is string => typeof one === 'string' && one.length <= TEXT_MAX);
}

function short(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? cutText(value, TEXT_MAX) : undefined;
}

function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return cutText(value, TEXT_MAX);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function clean(schema: { readonly [K in keyof Schema]?: Schema[K] | undefined }): Schema {
  const entries = Object.entries(schema).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries) as Schema;
}
