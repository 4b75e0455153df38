/**
 * Messages of Google's that JSON has another form for than an object of their fields (proto3 JSON mapping), or that models get
 * on better with as a text.
 */
import type { Schema } from '../../ai/wire.ts';

const text = (description: string, format?: string): Schema => ({
  type: 'string',
  description,
  ...(format ? { format } : {}),
});
const field = (type: string, description: string): Schema => ({ type, description });

const POSTAL_ADDRESS: Schema = {
  type: 'object',
  properties: {
    region_code: field('string', 'Country as two letters (CLDR)'),
    postal_code: field('string', 'Postal code'),
    administrative_area: field('string', 'State, province or prefecture'),
    locality: field('string', 'City or town'),
    address_lines: { type: 'array', items: { type: 'string' }, description: 'Lines of the address' },
    recipients: { type: 'array', items: { type: 'string' }, description: 'Names' },
    organization: field('string', 'Organization'),
  },
  required: ['region_code'],
};

const STATUS: Schema = {
  type: 'object',
  properties: {
    code: field('integer', 'A code of google.rpc.Code'),
    message: field('string', 'What went wrong'),
  },
};

/** Schemas by full name. */
const SPECIAL: Readonly<Record<string, Schema>> = {
  'google.protobuf.Timestamp': text('A time as RFC 3339: 2026-01-31T15:04:05Z', 'date-time'),
  'google.protobuf.Duration': text('A duration: 1h30m, 90s'),
  'google.protobuf.FieldMask': text('Paths of fields with commas between them: title,author.name'),
  'google.type.Date': text('A date: 2026-01-31', 'date'),
  'google.type.TimeOfDay': text('A time of day: 15:04:05'),
  'google.type.Interval': text('Two times as RFC 3339 with a slash between them: start/end'),
  'google.type.Money': text('A currency and an amount: USD 25.50'),
  'google.type.Decimal': text('A decimal number: 12.50'),
  'google.type.PostalAddress': POSTAL_ADDRESS,
  'google.rpc.Status': STATUS,
  'google.protobuf.Any': { type: 'object' },
  'google.protobuf.Struct': { type: 'object' },
  'google.protobuf.Value': { type: 'object' },
  'google.protobuf.ListValue': { type: 'array' },
  'google.protobuf.Empty': { type: 'object' },
  'google.protobuf.StringValue': { type: 'string' },
  'google.protobuf.BytesValue': { type: 'string' },
  'google.protobuf.BoolValue': { type: 'boolean' },
  'google.protobuf.DoubleValue': { type: 'number' },
  'google.protobuf.FloatValue': { type: 'number' },
  'google.protobuf.Int32Value': { type: 'integer' },
  'google.protobuf.UInt32Value': { type: 'integer' },
  'google.protobuf.Int64Value': { type: 'integer' },
  'google.protobuf.UInt64Value': { type: 'integer' },
};

/** The schema of a message that has one of its own; undefined for all others. */
export function specialSchema(fullName: string): Schema | undefined {
  return Object.hasOwn(SPECIAL, fullName) ? SPECIAL[fullName] : undefined;
}
