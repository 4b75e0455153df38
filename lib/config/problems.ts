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
export interface Complaint {
  readonly path: KeyPath;
  readonly part: 'key' | 'value';
  readonly message: string;
  /** Asked only for problems that are shown: finding what was meant takes longer than finding what is wrong. */
  readonly hint?: () => string | undefined;
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

/** `list` with its places, in the order of the file, at most PROBLEMS_MAX and a line about the rest. */
export function place(file: string, yaml: YamlFile, list: readonly Complaint[]): Problem[] {
  const placed = list
    .map(complaint => ({ complaint, at: yaml.locate(complaint.path, complaint.part) }))
    .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  const problems = placed.slice(0, PROBLEMS_MAX).map(({ complaint, at }) => {
    const where = complaint.path.length === 0 ? 'the file' : pathText(complaint.path);
    const hint = complaint.hint?.();
    return { file, ...at, message: `${where}: ${complaint.message}`, ...(hint ? { hint } : {}) };
  });
  const next = placed[PROBLEMS_MAX];
  if (!next) return problems;
  return [
    ...problems,
    { file, ...next.at, message: `and ${placed.length - PROBLEMS_MAX} more problems from here on` },
  ];
}

/** `permissions[0].tool`. */
function pathText(path: KeyPath): string {
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
  if (issue.code === 'invalid_union') return unionComplaints(root, value, { ...issue, path });
  if (issue.code === 'invalid_type') {
    const shape = SHAPES[issue.expected] ?? issue.expected;
    return [
      { path, part: 'value', message: `expected ${shape}, found ${describeValue(valueAt(value, path))}` },
    ];
  }
  const hint = issue.code === 'custom' ? (issue.params?.['hint'] as string | undefined) : undefined;
  return [{ path, part: 'value', message: issue.message, hint: () => hint }];
}

/** Of the forms a value may have, the one it was meant to have says what is wrong; where it is none, all are named. */
function unionComplaints(
  root: z.ZodType,
  value: unknown,
  issue: { readonly path: KeyPath; readonly errors: readonly (readonly Issue[])[] },
): Complaint[] {
  const meant = issue.errors.find(list =>
    list.every(i => i.path.length > 0 || i.code === 'unrecognized_keys'),
  );
  if (meant)
    return meant.flatMap(inner =>
      complaints(root, value, { ...inner, path: [...issue.path, ...inner.path] }),
    );
  const forms = issue.errors
    .flatMap(list => list.slice(0, 1))
    .map(inner => {
      if (inner.code === 'invalid_value') return inner.values.map(String).join(' or ');
      return inner.code === 'invalid_type' ? (SHAPES[inner.expected] ?? inner.expected) : inner.message;
    });
  const found = describeValue(valueAt(value, issue.path));
  return [{ path: issue.path, part: 'value', message: `expected ${forms.join(' or ')}, found ${found}` }];
}

function unknownKey(root: z.ZodType, path: KeyPath, key: string): Complaint {
  const known = keysOf(path.reduce<z.ZodType | undefined>(childSchema, root));
  return { path: [...path, key], part: 'key', message: 'unknown key', hint: () => keyHint(root, known, key) };
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
