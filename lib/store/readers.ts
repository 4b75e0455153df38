/**
 * Reading values that anybody may have written: each reader gives a value of its type or throws Invalid.
 */

/** A value is not what stands in its place. Caught by who reads the whole. */
export class Invalid extends Error {}

/** @throws Invalid */
export type Reader<T> = (value: unknown, at: string) => T;

/** A reader for each key of T, whether it may be absent or not. */
export type Readers<T> = { readonly [K in keyof T]-?: Reader<T[K]> };

function fail(at: string, wanted: string): never {
  throw new Invalid(`${at}: it is no ${wanted}`);
}

/** What a JSON object holds, keys of its prototype left out. */
export const object: Reader<Readonly<Record<string, unknown>>> = (value, at) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : fail(at, 'object');

export const boolean: Reader<boolean> = (value, at) =>
  typeof value === 'boolean' ? value : fail(at, 'true or false');

/** A whole number within both bounds. */
export function integer(least: number, most: number): Reader<number> {
  return (value, at) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : fail(at, `whole number from ${least} to ${most}`);
}

/** Milliseconds since 1970, up to the last time that a Date can hold (ECMA-262, 21.4.1.1). */
export const time: Reader<number> = (value, at) =>
  typeof value === 'number' && value >= 0 && value <= 8.64e15 ? value : fail(at, 'time');

/** One line that is shown: what would act on a terminal is taken out, what is too long is cut. */
export function line(most: number): Reader<string> {
  return (value, at) =>
    typeof value === 'string'
      ? value.slice(0, most).replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '')
      : fail(at, 'text');
}

/** Text for the kernel: anything but NUL, which would end it. */
export function raw(most: number): Reader<string> {
  return (value, at) =>
    typeof value === 'string' && value.length <= most && !value.includes('\0')
      ? value
      : fail(at, `text of at most ${most} characters without NUL`);
}

/** Text of a given form. */
export function matching(pattern: RegExp, what: string): Reader<string> {
  return (value, at) => (typeof value === 'string' && pattern.test(value) ? value : fail(at, what));
}

export function oneOf<T extends string>(values: readonly T[]): Reader<T> {
  return (value, at) => values.find(one => one === value) ?? fail(at, `one of ${values.join(', ')}`);
}

export function list<T>(item: Reader<T>, most: number): Reader<T[]> {
  return (value, at) => {
    if (!Array.isArray(value) || value.length > most) return fail(at, `list of at most ${most}`);
    return value.map((one, i) => item(one, `${at}[${i}]`));
  };
}

/** An object with any keys that `key` takes. */
export function map<T>(key: Reader<string>, item: Reader<T>, most: number): Reader<Record<string, T>> {
  return (value, at) => {
    const entries = Object.entries(object(value, at));
    if (entries.length > most) return fail(at, `object of at most ${most} keys`);
    // Entries, not assignments: a key `__proto__` is a key like any other then.
    return Object.fromEntries(entries.map(([k, v]) => [key(k, at), item(v, `${at}.${k.slice(0, 40)}`)]));
  };
}

/** Absent is undefined. */
export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, at) => (value === undefined ? undefined : reader(value, at));
}

/** Absent, as in a document of before the key was there, is `missing`. */
export function orElse<T>(reader: Reader<T>, missing: T): Reader<T> {
  return (value, at) => (value === undefined ? missing : reader(value, at));
}

/** The keys of `readers`; others are passed over. */
export function record<T>(readers: Readers<T>): Reader<T> {
  const rows = Object.entries(readers) as [string, Reader<unknown>][];
  return (value, at) => {
    const from = object(value, at);
    return Object.fromEntries(
      rows.map(([key, reader]) => [
        key,
        reader(Object.hasOwn(from, key) ? from[key] : undefined, `${at}.${key}`),
      ]),
    ) as T;
  };
}
