/**
 * Constraints of fields (buf.validate, version 1) as a schema has them, and in words: providers ignore most keywords.
 */
import type { Schema } from '../../ai/wire.ts';

/** buf.validate.FieldRules, as far as it says something to a model. Names are those of validate.proto. */
export interface Rules {
  readonly required?: boolean;
  readonly number?: NumberRules;
  readonly string?: StringRules;
  readonly enum?: EnumRules;
  readonly repeated?: RepeatedRules;
}
export interface NumberRules {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}
export interface StringRules {
  readonly len?: number;
  readonly min_len?: number;
  readonly max_len?: number;
  readonly pattern?: string;
  readonly in?: readonly string[];
  readonly email?: boolean;
  readonly uri?: boolean;
  readonly uuid?: boolean;
}
/** By number. */
export interface EnumRules {
  readonly in?: readonly number[];
  readonly not_in?: readonly number[];
}
export interface RepeatedRules {
  readonly min_items?: number;
  readonly max_items?: number;
  readonly items?: Rules;
}

/** Longest pattern that is told, UTF-16 units: one that is longer says nothing to a model. */
const PATTERN_MAX = 200;
/** Values of `in` that are told. */
const VALUES_MAX = 100;

/** What the rules of a single value add to its schema; those of enums are told by its values. */
export function ruleSchema(rules: Rules | undefined): Partial<Schema> {
  return { ...numberSchema(rules?.number ?? {}), ...stringSchema(rules?.string ?? {}) };
}

function numberSchema({ gt, gte, lt, lte }: NumberRules): Partial<Schema> {
  return {
    ...(gt === undefined ? {} : { exclusive_minimum: gt }),
    ...(gte === undefined ? {} : { minimum: gte }),
    ...(lt === undefined ? {} : { exclusive_maximum: lt }),
    ...(lte === undefined ? {} : { maximum: lte }),
  };
}

function stringSchema(rules: StringRules): Partial<Schema> {
  const min = rules.len ?? rules.min_len;
  const max = rules.len ?? rules.max_len;
  const format = formatOf(rules);
  return {
    ...(min === undefined ? {} : { min_length: min }),
    ...(max === undefined ? {} : { max_length: max }),
    ...(rules.pattern && rules.pattern.length <= PATTERN_MAX ? { pattern: rules.pattern } : {}),
    ...(rules.in && rules.in.length > 0 ? { enum: rules.in.slice(0, VALUES_MAX) } : {}),
    ...(format ? { format } : {}),
  };
}

function formatOf({ uuid, email, uri }: StringRules): string | undefined {
  if (uuid) return 'uuid';
  if (email) return 'email';
  return uri ? 'uri' : undefined;
}

/** What the rules of a list add to its schema. */
export function listSchema(rules: Rules | undefined): Partial<Schema> {
  const { min_items, max_items } = rules?.repeated ?? {};
  return {
    ...(min_items === undefined ? {} : { min_items }),
    ...(max_items === undefined ? {} : { max_items }),
  };
}

/** `Constraints: at least 1 items, a valid uuid.`; '' where there is nothing to say. Numbers have their keywords alone. */
export function ruleWords(rules: Rules | undefined): string {
  const words = [...listWords(rules), ...stringWords(rules?.string), ...itemWords(rules?.repeated?.items)];
  return words.length > 0 ? `Constraints: ${words.join(', ')}.` : '';
}

function listWords(rules: Rules | undefined): string[] {
  const { min_items, max_items } = rules?.repeated ?? {};
  return [
    ...(min_items ? [`at least ${min_items} items`] : []),
    ...(max_items === undefined ? [] : [`at most ${max_items} items`]),
  ];
}

function stringWords(rules: StringRules = {}): string[] {
  const { min_length: min, max_length: max, pattern, enum: values, format } = stringSchema(rules);
  return [
    ...(min ? [`at least ${min} characters`] : []),
    ...(max === undefined ? [] : [`at most ${max} characters`]),
    ...(pattern ? [`matches ${pattern}`] : []),
    ...(values ? [`one of ${values.join(', ')}`] : []),
    ...(format ? [`a valid ${format}`] : []),
  ];
}

function itemWords(items: Rules | undefined): string[] {
  return stringWords(items?.string).map(words => `each ${words}`);
}

/** Names of the values of an enum that may be given. `numbers` stand beside the names. */
export function allowedValues(
  names: readonly string[],
  numbers: readonly number[],
  rules: EnumRules | undefined,
): readonly string[] {
  const only = rules?.in ?? [];
  const not = rules?.not_in ?? [];
  return names.filter((_, at) => {
    const number = numbers[at]!;
    return (only.length === 0 || only.includes(number)) && !not.includes(number);
  });
}
