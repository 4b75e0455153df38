/**
 * What is known of a method and of its messages, wherever it was found: in a .proto file, or by reflection.
 */
import type { Rules } from './rules.ts';

/** Kinds of fields, by what JSON has for them. `integer64`: JSON may have digits in a string (proto3 JSON mapping). */
export type Kind = 'string' | 'bytes' | 'boolean' | 'integer' | 'integer64' | 'number' | 'enum' | 'message';

/** google.api.FieldBehavior (AIP-203), as far as it changes what a model is told. */
export type Behavior = 'REQUIRED' | 'OUTPUT_ONLY' | 'IMMUTABLE' | 'IDENTIFIER';

export interface FieldInfo {
  /** As in the .proto: snake_case. */
  readonly name: string;
  readonly comment: string;
  readonly kind: Kind;
  readonly isRepeated: boolean;
  /** Set for a map: what its values are. */
  readonly mapValue?: FieldInfo | undefined;
  /** Of kind `message`. */
  readonly message?: (() => MessageInfo) | undefined;
  /** Names of the values, of kind `enum`. */
  readonly values?: readonly string[] | undefined;
  readonly behaviors: ReadonlySet<Behavior>;
  /** buf.validate.field. */
  readonly rules?: Rules | undefined;
}

export interface OneofInfo {
  readonly name: string;
  readonly fields: readonly string[];
  /** buf.validate.oneof: exactly one of them is set. */
  readonly isRequired: boolean;
}

export interface MessageInfo {
  /** Without a leading dot. */
  readonly fullName: string;
  readonly comment: string;
  readonly fields: readonly FieldInfo[];
  /** Without those that `optional` makes. */
  readonly oneofs: readonly OneofInfo[];
}

export interface MethodInfo {
  readonly name: string;
  /** Full name of the service. */
  readonly service: string;
  readonly comment: string;
  /** `idempotency_level = NO_SIDE_EFFECTS`. */
  readonly isReadOnly: boolean;
  /** A standard method by which fields are left out (AIP-133, AIP-134). */
  readonly standard: 'create' | 'update' | undefined;
  readonly request: MessageInfo;
  readonly response: MessageInfo;
  readonly streamsRequest: boolean;
  readonly streamsResponse: boolean;
}

/** Number of the option that marks a method as one of AIP's standard ones. */
export const STANDARD_METHOD_OPTION = 93_000;

/** Which standard method one is, if it is marked as one. AIP-133 and AIP-134 give the names. */
export function standardOf(name: string, isMarked: boolean): MethodInfo['standard'] {
  if (!isMarked) return undefined;
  if (name.startsWith('Create')) return 'create';
  return name.startsWith('Update') ? 'update' : undefined;
}

const BEHAVIORS: Readonly<Record<string, Behavior>> = {
  2: 'REQUIRED',
  3: 'OUTPUT_ONLY',
  5: 'IMMUTABLE',
  8: 'IDENTIFIER',
  REQUIRED: 'REQUIRED',
  OUTPUT_ONLY: 'OUTPUT_ONLY',
  IMMUTABLE: 'IMMUTABLE',
  IDENTIFIER: 'IDENTIFIER',
};

/** By their names or numbers; others are left out. */
export function behaviorsOf(given: readonly unknown[]): ReadonlySet<Behavior> {
  return new Set(
    given.flatMap(one => (Object.hasOwn(BEHAVIORS, String(one)) ? BEHAVIORS[String(one)]! : [])),
  );
}

/** Names of scalar types in a .proto, by kind. */
const SCALARS: Readonly<Record<string, Kind>> = {
  string: 'string',
  bytes: 'bytes',
  bool: 'boolean',
  double: 'number',
  float: 'number',
  int32: 'integer',
  uint32: 'integer',
  sint32: 'integer',
  fixed32: 'integer',
  sfixed32: 'integer',
  int64: 'integer64',
  uint64: 'integer64',
  sint64: 'integer64',
  fixed64: 'integer64',
  sfixed64: 'integer64',
};

/** The kind of a scalar type by its name; undefined where the name is none of a scalar. */
export function scalarKind(type: string): Kind | undefined {
  return Object.hasOwn(SCALARS, type) ? SCALARS[type] : undefined;
}

/** A comment as models get it: each line trimmed, the blank ones at both ends gone. */
export function trimmedComment(text: string | null | undefined): string {
  return (text ?? '')
    .split('\n')
    .map(line => line.trim())
    .join('\n')
    .trim();
}

/**
 * A comment as models get it, with `@comment(full.Name)` in it replaced by the comment of that other thing. What is copied is
 * not looked into, so nothing goes round in circles.
 *
 * @param commentOf undefined where there is no such thing, or it has no comment
 */
export function wholeComment(
  text: string | null | undefined,
  commentOf: (fullName: string) => string | null | undefined,
): string {
  return trimmedComment(text).replace(/@comment\(([\w.]+)\)/g, (whole, name: string) => {
    const other = commentOf(name);
    return other ? trimmedComment(other) : whole;
  });
}
