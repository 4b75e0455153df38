/** JSON as google.protobuf.Struct and Value and back, and times as milliseconds. */
import type { Json, JsonObject } from './provider.ts';
import type { Duration, Struct, Timestamp, WireValue } from './wire.ts';

export function toStruct(object: JsonObject): Struct {
  return { fields: Object.fromEntries(Object.entries(object).map(([key, value]) => [key, toValue(value)])) };
}

export function toValue(json: Json): WireValue {
  if (json === null) return { nullValue: 'NULL_VALUE' };
  if (typeof json === 'string') return { stringValue: json };
  if (typeof json === 'number') return { numberValue: json };
  if (typeof json === 'boolean') return { boolValue: json };
  if (Array.isArray(json)) return { listValue: { values: (json as readonly Json[]).map(toValue) } };
  return { structValue: toStruct(json as JsonObject) };
}

/** A Struct without fields, or none, is `{}`. */
export function fromStruct(struct: Struct | undefined): JsonObject {
  const entries = Object.entries(struct?.fields ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, fromValue(value)]));
}

export function fromValue(value: WireValue): Json {
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.numberValue !== undefined) return value.numberValue;
  if (value.boolValue !== undefined) return value.boolValue;
  if (value.structValue !== undefined) return fromStruct(value.structValue);
  if (value.listValue !== undefined) return (value.listValue.values ?? []).map(fromValue);
  return null;
}

/** Of milliseconds since 1970. */
export function toTimestamp(ms: number): Timestamp {
  const seconds = Math.floor(ms / 1000);
  return { seconds, nanos: Math.round((ms - seconds * 1000) * 1e6) };
}

/** Milliseconds since 1970. */
export function fromTimestamp({ seconds = 0, nanos = 0 }: Timestamp): number {
  return seconds * 1000 + nanos / 1e6;
}

/** Of milliseconds. */
export function toDuration(ms: number): Duration {
  return toTimestamp(Math.max(0, ms));
}
