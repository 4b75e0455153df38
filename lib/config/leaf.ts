/**
 * The kinds of value that config.yaml holds. Each is a zod codec: decode turns what the YAML says into what the
 * program uses (ms, bytes, booleans), encode turns it back into what a person would have written.
 */
import { z } from 'zod';
import { formatDuration, formatSize, parseDuration, parseSize } from '../base/duration.ts';
import { CodedError, nearest } from '../base/errors.ts';
import type { Size } from '../base/geometry.ts';
import { placeholderProblem } from './agent-arguments.ts';

/** A value that is wrong: the message ends a sentence that starts with the key. */
class Wrong {
  readonly message: string;
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    this.message = message;
    this.hint = hint;
  }
}

interface Kind<T> {
  /** 'expected …': one noun phrase. */
  readonly expected: string;
  /** The value, a Wrong, or undefined when it is not of this kind at all. */
  read(value: unknown): T | Wrong | undefined;
  write?(value: T): unknown;
  /** The value may be a secret put in the wrong place: never repeat it. */
  readonly secret?: boolean;
}

/** A codec of one kind; a key that is absent and has no default is reported as missing. */
function leaf<T>(kind: Kind<T>) {
  return z.codec(z.unknown(), z.custom<T>(), {
    decode(value, ctx) {
      const result = value === undefined ? new Wrong('it is missing') : attempt(kind, value);
      if (!(result instanceof Wrong)) return result;
      ctx.issues.push({
        code: 'custom',
        message: result.message,
        params: { hint: result.hint },
        input: value,
      });
      return z.NEVER;
    },
    encode: value => (kind.write ? kind.write(value) : value),
  });
}

function attempt<T>(kind: Kind<T>, value: unknown): T | Wrong {
  try {
    const result = kind.read(value);
    if (result !== undefined) return result;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return new Wrong(error.message, error.hint);
  }
  return new Wrong(`expected ${kind.expected}${kind.secret ? '' : `, found ${describeValue(value)}`}`);
}

/** What a wrong value is, in a few words on one line: `text 'abc'`, `a list`, `the number 5`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return `the ${typeof value} ${String(value)}`;
  const safe = JSON.stringify(value.length > 40 ? value.slice(0, 39) + '…' : value);
  return `the text ${safe}`;
}

/** Text of any content but control characters: it ends up on screens and in argument lists. */
export const text = () => leaf<string>({ expected: 'text', read: value => readText(value) });

function readText(value: unknown): string | Wrong | undefined {
  if (typeof value !== 'string') {
    const scalar = typeof value === 'number' || typeof value === 'boolean';
    return scalar ? new Wrong(`expected text, found ${describeValue(value)}`, 'put it in quotes') : undefined;
  }
  return /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(value)
    ? new Wrong('it holds a control character')
    : value;
}

/** As `text`, but never empty. */
export const name = () =>
  leaf<string>({
    expected: 'text',
    read: value => (value === '' ? new Wrong('it is empty') : readText(value)),
  });

/** An argument of an agent: text in which `{name}` stands for what mux knows. */
export const template = () =>
  leaf<string>({
    expected: 'text',
    read(value) {
      const read = readText(value);
      const problem = typeof read === 'string' ? placeholderProblem(read) : undefined;
      return problem ? new Wrong(problem.message, problem.hint) : read;
    },
  });

/** Hours of a day, `HH:MM-HH:MM`, or '' for none. */
export const hours = () =>
  leaf<string>({
    expected: 'hours like 22:00-07:00',
    read: value =>
      typeof value === 'string' && /^(?:(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d)?$/.test(value)
        ? value
        : undefined,
  });

/** A value for the environment: numbers and booleans count as their text. */
export const envValue = () =>
  leaf<string>({
    expected: 'text',
    read: value => readText(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  });

/** The NAME of an environment variable, or '' for none. Its value is never repeated: it might be the secret. */
export const variableName = () =>
  leaf<string>({
    expected: 'the name of an environment variable (secrets are never written here)',
    secret: true,
    read: value => (typeof value === 'string' && /^([A-Za-z_]\w*)?$/.test(value) ? value : undefined),
  });

/** An http or https address, or '' for none. */
export const httpUrl = () =>
  leaf<string>({
    expected: 'an address like https://host/path',
    read(value) {
      if (value === '') return '';
      if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return undefined;
      if (new URL(value).password !== '') return new Wrong('it holds a password', 'use api_key_env');
      return value;
    },
  });

/** Text of a given form. `example` shows it. */
export const pattern = (regex: RegExp, example: string) =>
  leaf<string>({
    expected: `text like ${example}`,
    read: value => (typeof value === 'string' && regex.test(value) ? value : undefined),
  });

/** on or off; true and false are read too. */
export const flag = () =>
  leaf<boolean>({
    expected: 'on or off',
    read: value =>
      value === true || value === 'on' ? true : value === false || value === 'off' ? false : undefined,
    write: value => (value ? 'on' : 'off'),
  });

/** true or false; on and off are read too. */
export const bool = () =>
  leaf<boolean>({
    expected: 'true or false',
    read: value =>
      value === true || value === 'on' ? true : value === false || value === 'off' ? false : undefined,
  });

/** One of some words. Where on and off are among them, true and false are read as those. */
export const choice = <const T extends string>(words: readonly T[]) =>
  leaf<T>({
    expected: `one of ${words.join(', ')}`,
    read(value) {
      const word = value === true ? 'on' : value === false ? 'off' : value;
      const found = words.find(w => w === word);
      if (found !== undefined || typeof word !== 'string') return found;
      const near = nearest(word, words);
      if (near === undefined) return undefined;
      return new Wrong(
        `expected one of ${words.join(', ')}, found ${describeValue(value)}`,
        `did you mean ${near}?`,
      );
    },
  });

/** A whole number between two bounds, both included. */
export const count = (min: number, max: number) =>
  leaf<number>({
    expected: `a whole number from ${min} to ${max}`,
    read: value =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? value
        : undefined,
  });

/** A price in US dollars: not negative, finite. */
export const price = () =>
  leaf<number>({
    expected: 'a price in dollars, zero or more',
    read: value => (typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined),
  });

/** A duration; milliseconds once decoded. */
export const duration = () =>
  leaf<number>({
    expected: 'a duration like 30s, 5m, 2h or 7d12h',
    read: value =>
      typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : undefined,
    write: ms => (ms === 0 ? 0 : formatDuration(ms)),
  });

/** A size; bytes once decoded. */
export const size = () =>
  leaf<number>({
    expected: 'a size like 16KiB or 256MB',
    read: value => (typeof value === 'string' || typeof value === 'number' ? parseSize(value) : undefined),
    write: bytes => (bytes === 0 ? 0 : formatSize(bytes)),
  });

/** Larger than any screen, small enough that a screen of that size fits in memory many times. */
const CELLS_MAX = 1000;

/** A screen size, `COLSxROWS`, in cells. */
export const cells = () =>
  leaf<Size>({
    expected: `a size in cells like 80x24, at most ${CELLS_MAX}x${CELLS_MAX}`,
    read(value) {
      const match = typeof value === 'string' ? /^(\d{1,4})x(\d{1,4})$/.exec(value) : null;
      const [cols, rows] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
      return [cols, rows].every(n => n >= 1 && n <= CELLS_MAX) ? { cols, rows } : undefined;
    },
    write: value => `${value.cols}x${value.rows}`,
  });

/** Where a sandboxed program may connect to. */
export type Network = 'none' | 'open' | { readonly allow: readonly string[] };

/** `none`, `open`, or `allow: [HOST…]`. */
export const network = () =>
  leaf<Network>({
    expected: 'none, open, or a mapping like { allow: [example.com] }',
    read(value) {
      if (value === 'none' || value === 'open') return value;
      if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'allow')
        return undefined;
      const allow = (value as { allow: unknown }).allow;
      const hosts =
        Array.isArray(allow) && allow.every(h => typeof h === 'string' && /^[\w.*:[\]-]+$/.test(h));
      return hosts ? { allow: allow as string[] } : undefined;
    },
  });
