/**
 * Messages that JSON has another form for (proto3 JSON mapping), and those of google.type that models are told to write as a
 * text. `toFields` is undefined for JSON that is none of the kind.
 */

/** A message as an object of its fields. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Special {
  toFields(json: unknown): Fields | undefined;
  toJson(fields: Fields): unknown;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const NANO_DIGITS = 9;

/** `12.000000034` s as the fields of Timestamp and Duration have them. */
function nanosOf(digits = ''): number {
  return Number(digits.padEnd(NANO_DIGITS, '0').slice(0, NANO_DIGITS));
}

function fraction(nanos: unknown): string {
  const digits = String(Math.abs(Number(nanos ?? 0)))
    .padStart(NANO_DIGITS, '0')
    .replace(/0+$/, '');
  return digits === '' ? '' : `.${digits}`;
}

const timestamp: Special = {
  toFields: json => {
    const match =
      typeof json === 'string' ? /^([\d-]+T[\d:]+)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/i.exec(json) : undefined;
    const ms = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
    return match && Number.isFinite(ms)
      ? { seconds: String(ms / 1000), nanos: nanosOf(match[2]) }
      : undefined;
  },
  toJson: ({ seconds = '0', nanos }) => {
    const at = new Date(Number(seconds) * 1000);
    // Beyond what dates can be, the seconds are what is known.
    return Number.isNaN(at.getTime())
      ? `${String(seconds)}s`
      : at.toISOString().replace('.000Z', `${fraction(nanos)}Z`);
  },
};

/** Seconds of the units in which models write durations. */
const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };

const duration: Special = {
  toFields: json => {
    if (typeof json !== 'string' || !/^-?(?:\d+(?:\.\d+)?(?:h|ms|m|us|ns|s))+$/.test(json)) return undefined;
    const sign = json.startsWith('-') ? -1 : 1;
    const parts = [...json.matchAll(/(\d+)(?:\.(\d+))?(h|ms|m|us|ns|s)/g)];
    // Whole seconds and parts of them apart: a float would lose the last nanoseconds.
    const isPlain = parts.length === 1 && parts[0]![3] === 's';
    const seconds = isPlain
      ? Number(parts[0]![1])
      : parts.reduce(
          (sum, [, whole, part, unit]) => sum + Number(`${whole}.${part ?? 0}`) * UNITS[unit!]!,
          0,
        );
    const nanos = isPlain ? nanosOf(parts[0]![2]) : Math.round((seconds % 1) * 1e9);
    const full = Math.trunc(seconds) + Math.floor(nanos / 1e9);
    return { seconds: String(sign * full), nanos: sign * (nanos % 1e9) };
  },
  toJson: ({ seconds = '0', nanos }) => {
    const sign = Number(nanos ?? 0) < 0 && Number(seconds) === 0 ? '-' : '';
    return `${sign}${String(seconds)}${fraction(nanos)}s`;
  },
};

const fieldMask: Special = {
  toFields: json =>
    typeof json === 'string'
      ? {
          paths: json
            .split(',')
            .map(path => path.trim().replace(/[A-Z]/g, one => `_${one.toLowerCase()}`))
            .filter(Boolean),
        }
      : undefined,
  toJson: ({ paths }) => (Array.isArray(paths) ? paths.join(',') : ''),
};

/** google.protobuf.Value and its kin: what is decoded of them is fields, one of them set. */
function valueToFields(json: unknown): Fields {
  if (json === null || json === undefined) return { null_value: 'NULL_VALUE' };
  if (typeof json === 'boolean') return { bool_value: json };
  if (typeof json === 'number') return { number_value: json };
  if (typeof json === 'string') return { string_value: json };
  // Encoded by the rules of Struct and ListValue in turn.
  return Array.isArray(json) ? { list_value: json } : { struct_value: json };
}

const value: Special = {
  toFields: valueToFields,
  toJson: fields => {
    const [found] = Object.entries(fields);
    return found === undefined || found[0] === 'null_value' ? null : found[1];
  },
};
const struct: Special = {
  toFields: json => (isObject(json) ? { fields: json } : undefined),
  toJson: ({ fields }) => fields ?? {},
};
const listValue: Special = {
  toFields: json => (Array.isArray(json) ? { values: json } : undefined),
  toJson: ({ values }) => values ?? [],
};

/** Wrappers are their value; one that is not on the wire is the zero of its type. */
function wrapper(zero: unknown): Special {
  return { toFields: json => ({ value: json }), toJson: fields => fields.value ?? zero };
}

const two = (number: unknown): string => String(number ?? 0).padStart(2, '0');

const date: Special = {
  toFields: json => {
    const match = typeof json === 'string' ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(json) : undefined;
    return match ? { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) } : undefined;
  },
  toJson: ({ year, month, day }) => `${String(year ?? 0).padStart(4, '0')}-${two(month)}-${two(day)}`,
};

const timeOfDay: Special = {
  toFields: json => {
    const match = typeof json === 'string' ? /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?$/.exec(json) : undefined;
    return match
      ? {
          hours: Number(match[1]),
          minutes: Number(match[2]),
          seconds: Number(match[3] ?? 0),
          nanos: nanosOf(match[4]),
        }
      : undefined;
  },
  toJson: ({ hours, minutes, seconds, nanos }) =>
    `${two(hours)}:${two(minutes)}:${two(seconds)}${fraction(nanos)}`,
};

const interval: Special = {
  toFields: json => {
    const [start, end, ...more] = typeof json === 'string' ? json.split('/') : [];
    return start && end && more.length === 0 ? { start_time: start, end_time: end } : undefined;
  },
  toJson: ({ start_time, end_time }) => `${String(start_time ?? '')}/${String(end_time ?? '')}`,
};

const money: Special = {
  toFields: json => {
    const match = typeof json === 'string' ? /^([A-Z]{3}) (-?)(\d+)(?:\.(\d+))?$/.exec(json) : undefined;
    if (!match) return undefined;
    const sign = match[2] === '-' ? -1 : 1;
    return { currency_code: match[1], units: `${match[2]}${match[3]}`, nanos: sign * nanosOf(match[4]) };
  },
  toJson: ({ currency_code, units = '0', nanos }) => {
    const sign = Number(nanos ?? 0) < 0 && Number(units) === 0 ? '-' : '';
    return `${String(currency_code ?? '')} ${sign}${String(units)}${fraction(nanos)}`;
  },
};

const decimal: Special = {
  toFields: json => (typeof json === 'string' ? { value: json } : undefined),
  toJson: fields => fields.value ?? '0',
};

/** By full name. google.protobuf.Any needs the types beside it and is done where they are. */
export const SPECIAL: ReadonlyMap<string, Special> = new Map([
  ['google.protobuf.Timestamp', timestamp],
  ['google.protobuf.Duration', duration],
  ['google.protobuf.FieldMask', fieldMask],
  ['google.protobuf.Value', value],
  ['google.protobuf.Struct', struct],
  ['google.protobuf.ListValue', listValue],
  ['google.protobuf.DoubleValue', wrapper(0)],
  ['google.protobuf.FloatValue', wrapper(0)],
  ['google.protobuf.Int64Value', wrapper('0')],
  ['google.protobuf.UInt64Value', wrapper('0')],
  ['google.protobuf.Int32Value', wrapper(0)],
  ['google.protobuf.UInt32Value', wrapper(0)],
  ['google.protobuf.BoolValue', wrapper(false)],
  ['google.protobuf.StringValue', wrapper('')],
  ['google.protobuf.BytesValue', wrapper('')],
  ['google.type.Date', date],
  ['google.type.TimeOfDay', timeOfDay],
  ['google.type.Interval', interval],
  ['google.type.Money', money],
  ['google.type.Decimal', decimal],
]);
