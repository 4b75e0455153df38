/**
 * What the schema has against a file, in words and with the place it stands at.
 */
import type { z } from 'zod';
import { nearest } from '../base/errors.ts';
import type { KeyPath, Problem, YamlFile } from './document.ts';
import { describeValue } from './leaf.ts';
import { childSchema, keysOf } from './schema-walk.ts';

type Issue = z.core.$ZodIssue;

/** A complaint before it has a place. */
interface Complaint {
  readonly path: KeyPath;
  readonly part: 'key' | 'value';
  readonly message: string;
  readonly hint?: string | undefined;
}

/** More than a person reads; the rest is counted in one line. */
const PROBLEMS_MAX = 100;

const SHAPES: Readonly<Record<string, string>> = {
  object: 'a mapping (key: value)',
  record: 'a mapping (key: value)',
  array: 'a list',
};

/** Keys that people look for where secrets are not written. */
const SECRET_KEYS = new Set(['api_key', 'key', 'token', 'secret', 'password']);

/** Every issue as a problem of `file`, in the order of the file, at most PROBLEMS_MAX of them. */
export function toProblems(
  file: string,
  yaml: YamlFile,
  schema: z.ZodType,
  issues: readonly Issue[],
): Problem[] {
  return place(
    file,
    yaml,
    issues.flatMap(issue => complaints(schema, yaml.value, issue)),
  );
}

/** `complaints` with their places. */
export function place(file: string, yaml: YamlFile, list: readonly Complaint[]): Problem[] {
  const problems = list
    .map(({ path, part, message, hint }) => {
      const where = path.length === 0 ? 'the file' : pathText(path);
      return { file, ...yaml.locate(path, part), message: `${where}: ${message}`, ...(hint ? { hint } : {}) };
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
  if (problems.length <= PROBLEMS_MAX) return problems;
  const rest = problems.length - PROBLEMS_MAX;
  const last = problems[PROBLEMS_MAX]!;
  return [...problems.slice(0, PROBLEMS_MAX), { ...last, message: `and ${rest} more problems from here on` }];
}

/** `permissions[0].tool`. */
export function pathText(path: KeyPath): string {
  const text = path.map(step => (typeof step === 'number' ? `[${step}]` : `.${safeKey(step)}`)).join('');
  return text.startsWith('.') ? text.slice(1) : text;
}

/** One problem in one line, as compilers write it: `FILE:LINE:COLUMN: MESSAGE (HINT)`. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, message, hint } = problem;
  return `${file}:${line}:${column}: ${message}${hint ? ` (${hint})` : ''}`;
}

function safeKey(key: string): string {
  return /^[\w-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64));
}

function complaints(root: z.ZodType, value: unknown, issue: Issue): Complaint[] {
  const path = issue.path.map(step => (typeof step === 'number' ? step : String(step)));
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownKey(root, path, key));
  if (issue.code === 'invalid_key')
    return [
      {
        path,
        part: 'key',
        message: issue.issues[0]?.message.replace(/^expected/, 'the name must be') ?? 'wrong name',
      },
    ];
  if (issue.code === 'invalid_type') {
    const shape = SHAPES[issue.expected] ?? issue.expected;
    return [
      { path, part: 'value', message: `expected ${shape}, found ${describeValue(valueAt(value, path))}` },
    ];
  }
  const hint = issue.code === 'custom' ? (issue.params?.['hint'] as string | undefined) : undefined;
  return [{ path, part: 'value', message: issue.message, hint }];
}

function unknownKey(root: z.ZodType, path: KeyPath, key: string): Complaint {
  const known = keysOf(path.reduce<z.ZodType | undefined>(childSchema, root));
  return { path: [...path, key], part: 'key', message: 'unknown key', hint: keyHint(root, known, key) };
}

function keyHint(root: z.ZodType, known: readonly string[], key: string): string | undefined {
  if (SECRET_KEYS.has(key) && known.includes('api_key_env'))
    return 'secrets are never written here: name a variable with api_key_env';
  const near = nearest(key, known);
  if (near !== undefined) return `did you mean ${near}?`;
  const home = keysOf(root).find(section => keysOf(childSchema(root, section)).includes(key));
  if (home !== undefined) return `it belongs under ${home}`;
  return known.length <= 12 && known.length > 0 ? `known here: ${known.join(', ')}` : undefined;
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (v, step) => (v as Record<string | number, unknown> | undefined)?.[step],
    value,
  );
}
