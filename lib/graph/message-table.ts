/**
 * Messages as tables, and the check of JSON against them by the rules of the protobuf JSON mapping: fields by their
 * own name or in lowerCamelCase, null as absent, unknown fields refused.
 */
import { nearest } from '../base/errors.ts';
import type { Problems } from './parsed.ts';
import { printable, quote } from './printable.ts';
import type { JsonMember, JsonNode } from './json-text.ts';

/**
 * What a field holds. A field mask is a comma-separated list of paths in one string; a secret is a string that may come
 * from a variable which is not set here.
 */
export type FieldType = 'string' | 'secret' | 'bool' | 'int32' | 'field_mask' | 'any' | MessageTable;

/** A field of a message. */
export interface FieldTable {
  readonly name: string;
  readonly type: FieldType;
  /** How many: `map` is keyed by strings. */
  readonly label?: 'repeated' | 'map';
  /** Inclusive bounds of an int32. */
  readonly range?: readonly [number, number];
}

/** A message. */
export interface MessageTable {
  readonly name: string;
  readonly fields: readonly FieldTable[];
}

/** Tells everything in `node` that is not the message. */
export function checkMessage(node: JsonNode, table: MessageTable, problems: Problems): void {
  if (node.kind === 'invalid') return;
  if (node.kind !== 'object') {
    problems.tell(
      node.place,
      'wrong-type',
      `expected ${table.name} as an object, found ${article(node.kind)}`,
    );
    return;
  }
  const seen = new Set<string>();
  for (const member of node.members) {
    if (problems.full) return;
    const field = fieldOf(table, member.key);
    if (!field) unknownField(member, table, problems);
    else if (seen.has(field.name))
      problems.tell(member.place, 'duplicate-field', `field ${quote(member.key)} stands twice`);
    else {
      seen.add(field.name);
      checkField(member.value, field, problems);
    }
  }
}

function unknownField(member: JsonMember, table: MessageTable, problems: Problems): void {
  const names = table.fields.map(f => f.name);
  const near = nearest(snakeCase(member.key), names);
  const hint = near ? `did you mean '${near}'?` : `fields are ${names.join(', ')}`;
  problems.tell(member.place, 'unknown-field', `unknown field ${quote(member.key)} in ${table.name}`, hint);
}

function checkField(node: JsonNode, field: FieldTable, problems: Problems): void {
  if (node.kind === 'null' || node.kind === 'invalid') return;
  if (field.label === undefined) checkOne(node, field, problems);
  else if (field.label === 'repeated') {
    if (node.kind === 'array') for (const item of node.items) checkOne(item, field, problems);
    else wrongType(node, field, 'a list', problems);
  } else if (node.kind === 'object') {
    for (const member of node.members) checkOne(member.value, field, problems);
  } else wrongType(node, field, 'an object', problems);
}

function checkOne(node: JsonNode, field: FieldTable, problems: Problems): void {
  const { type } = field;
  if (node.kind === 'invalid' || type === 'any') return;
  if (typeof type === 'object') checkMessage(node, type, problems);
  else if (type === 'int32') checkInteger(node, field, problems);
  else if (type === 'bool') {
    if (node.kind !== 'boolean') wrongType(node, field, 'true or false', problems);
  } else if (node.kind !== 'string') wrongType(node, field, 'a string', problems);
  else if (node.unset !== undefined && type !== 'secret')
    problems.tell(
      node.place,
      'unset-variable',
      `${field.name}: the variable ${quote(node.unset)} is not set: taken as empty`,
      `set ${printable(node.unset)}`,
    );
}

function checkInteger(node: JsonNode, field: FieldTable, problems: Problems): void {
  // The mapping allows integers as strings too.
  const value =
    node.kind === 'number' ? node.value : node.kind === 'string' ? Number(node.value) : Number.NaN;
  const [min, max] = field.range ?? [-(2 ** 31), 2 ** 31 - 1];
  if (!Number.isInteger(value)) wrongType(node, field, 'an integer', problems);
  else if (value < min || value > max)
    problems.tell(node.place, 'out-of-range', `${field.name}: ${value} is not between ${min} and ${max}`);
}

function wrongType(node: JsonNode, field: FieldTable, wanted: string, problems: Problems): void {
  problems.tell(node.place, 'wrong-type', `${field.name}: expected ${wanted}, found ${article(node.kind)}`);
}

function article(kind: string): string {
  return kind === 'null' ? 'null' : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** The field called `key`, in either spelling. */
function fieldOf(table: MessageTable, key: string): FieldTable | undefined {
  return table.fields.find(field => field.name === key || camelCase(field.name) === key);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, char: string) => char.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, char => '_' + char.toLowerCase());
}

/** The value of a field, in either spelling; undefined where it is absent or null. */
export function fieldNode(node: JsonNode | undefined, name: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  const value = node.members.find(m => m.key === name || m.key === camelCase(name))?.value;
  return value?.kind === 'null' ? undefined : value;
}

/** A string field, '' where it is absent or something else. */
export function stringField(node: JsonNode | undefined, name: string): string {
  const value = fieldNode(node, name);
  return value?.kind === 'string' ? value.value : '';
}

/** The entries of a repeated field. */
export function listField(node: JsonNode | undefined, name: string): readonly JsonNode[] {
  const value = fieldNode(node, name);
  return value?.kind === 'array' ? value.items : [];
}

/** The strings of a repeated field. */
export function stringsField(node: JsonNode | undefined, name: string): readonly string[] {
  return listField(node, name).flatMap(item => (item.kind === 'string' ? [item.value] : []));
}
