/**
 * Role files: directives and prompt.
 *
 * A line that starts in column one with `@name(` is a directive, everything else is prompt. Lines inside a fenced code
 * block are always prompt, so that samples with decorators may stand in it.
 */
import { nearest } from '../base/errors.ts';
import { addressOf } from './address.ts';
import { CodeFence } from './code-fence.ts';
import type { DiagnosticCode } from './codes.ts';
import { Problems } from './parsed.ts';
import type { Parsed, Place } from './parsed.ts';
import { isPrintable, printable, quote, withoutBom } from './printable.ts';
import type { GraphRole } from './types.ts';

/** What a directive says, with where it stands: some can only be checked once the whole graph is known. */
export interface Reference extends Place {
  readonly directive: DirectiveName;
  readonly value: string;
}

/** A role with what it mentions. */
export interface ParsedRole {
  readonly role: GraphRole;
  readonly references: readonly Reference[];
  /** The one-based line of the file for each line of the prompt. */
  readonly promptLines: readonly number[];
}

/** The directives: whether one may stand more than once. */
const DIRECTIVES = {
  alias: { many: false },
  model: { many: false },
  tool: { many: true },
  file: { many: true },
  role: { many: true },
} as const satisfies Record<string, { many: boolean }>;
/** A directive without its '@'. */
export type DirectiveName = keyof typeof DIRECTIVES;
const NAMES = Object.keys(DIRECTIVES).map(name => `@${name}`);

const OPENING = /^@([a-z_]+)\((.*)$/;
/** Quoted strings between commas; a string holds anything but a quote. Linear: no part can match two ways. */
const ARGUMENTS = /^\s*"[^"]*"(?:\s*,\s*"[^"]*")*\s*$/;

interface Directive extends Place {
  readonly name: string;
  /** The arguments, or undefined where what stands in the parentheses is not all quoted. */
  readonly args: readonly string[] | undefined;
}

/** A role's reading. What its directives mention is there also where the role cannot be used: that may be wrong, too. */
export interface RoleReading extends Parsed<ParsedRole> {
  readonly references: readonly Reference[];
}

/** Reads a role. A role with any error has no value; every error in it is told. */
export function parseRole(file: string, text: string): RoleReading {
  const problems = new Problems(file);
  const address = addressOf(file);
  const { directives, prompt, promptLines } = splitRole(withoutBom(text), problems);
  const values = new Map<DirectiveName, string[]>();
  const references: Reference[] = [];
  for (const directive of directives) {
    const argument = checkDirective(directive, values, problems);
    const { line, column, name } = directive;
    if (argument !== undefined && isDirective(name))
      references.push({ directive: name, value: argument, line, column });
  }
  if (problems.failed || address?.kind !== 'role') return { diagnostics: problems.list(), references };
  const all = (name: DirectiveName): readonly string[] => values.get(name) ?? [];
  const role: GraphRole = {
    selector: address.selector,
    title: address.title,
    file,
    alias: all('alias')[0] ?? '',
    model: all('model')[0] ?? '',
    tools: all('tool'),
    files: all('file'),
    roles: all('role'),
    prompt,
  };
  return { value: { role, references, promptLines }, diagnostics: problems.list(), references };
}

/** Takes the directives out of the text; what remains, trimmed, is the prompt. */
function splitRole(
  text: string,
  problems: Problems,
): { directives: Directive[]; prompt: string; promptLines: number[] } {
  const lines = text.split(/\r\n|\n|\r/);
  const lastClose = lines.findLastIndex(isClose);
  const directives: Directive[] = [];
  const body: string[] = [];
  const numbers: number[] = [];
  const fence = new CodeFence();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const inside = fence.feed(line, i + 1);
    const match = inside ? null : OPENING.exec(line);
    if (!match) {
      if (inside && OPENING.test(line)) fence.note();
      body.push(line);
      numbers.push(i + 1);
      continue;
    }
    const place = { line: i + 1, column: 1 };
    const end = endOf(lines, i, lastClose);
    if (end === undefined) {
      problems.tell(
        place,
        'unclosed-directive',
        `@${match[1]}(…: the parenthesis is never closed`,
        "close it on the same line, or with a line that is only ')'",
      );
      continue;
    }
    directives.push({ ...place, name: match[1]!, args: end === i ? argumentsOf(match[2]!) : undefined });
    i = end;
  }
  warnOpenFence(fence, problems);
  const first = body.findIndex(line => line.trim() !== '');
  const last = body.findLastIndex(line => line.trim() !== '');
  const promptLines = first < 0 ? [] : numbers.slice(first, last + 1);
  return { directives, prompt: body.join('\n').trim(), promptLines };
}

/** Index of the line that ends the directive opened on line `start`: the same, or the next that is only ')'. */
function endOf(lines: readonly string[], start: number, lastClose: number): number | undefined {
  if (lines[start]!.trimEnd().endsWith(')')) return start;
  // Without this a file of nothing but openings would be searched to its end once for each.
  if (lastClose <= start) return undefined;
  let end = start + 1;
  while (!isClose(lines[end]!)) end++;
  return end;
}

function isClose(line: string): boolean {
  return line.trimEnd() === ')';
}

/** The quoted strings of `"a", "b")`; undefined where something in it is not quoted. */
function argumentsOf(rest: string): readonly string[] | undefined {
  const interior = rest.trimEnd().slice(0, -1);
  if (interior.trim() === '') return [];
  if (!ARGUMENTS.test(interior)) return undefined;
  return Array.from(interior.matchAll(/"([^"]*)"/g), match => match[1]!);
}

/** Adds the directive's argument to `values` and returns it, or tells what is wrong with it. */
function checkDirective(
  directive: Directive,
  values: Map<DirectiveName, string[]>,
  problems: Problems,
): string | undefined {
  const { name, args } = directive;
  const example = `@${name}("…")`;
  const fail = (code: DiagnosticCode, message: string, hint = ''): undefined =>
    problems.tell(directive, code, message, hint) as undefined;
  if (!isDirective(name)) {
    const near = nearest(`@${name}`, NAMES);
    return fail(
      'unknown-directive',
      `unknown directive @${printable(name)}: there are ${NAMES.join(', ')}`,
      `${near ? `did you mean ${near}? ` : ''}code samples go between \`\`\` fences`,
    );
  }
  if (!args) return fail('unquoted-argument', `@${name}: the argument is not quoted`, `write ${example}`);
  const value = args[0];
  if (args.length !== 1 || value === undefined)
    return fail(
      'argument-count',
      `@${name}: takes 1 argument, not ${args.length}`,
      `one ${example} per line`,
    );
  if (value.trim() === '') return fail('empty-argument', `@${name}: the argument is empty`);
  if (!isPrintable(value))
    return fail('control-character', `@${name}: ${quote(value)} holds control characters`);
  const list = values.get(name) ?? [];
  if (list.length > 0 && !DIRECTIVES[name].many)
    return fail('repeated-directive', `@${name}: stands twice, but a role has one`, 'remove one of them');
  if (list.includes(value)) {
    problems.tell(directive, 'duplicate', `@${name}: ${quote(value)} is already there`);
    return undefined;
  }
  values.set(name, [...list, value]);
  return value;
}

function isDirective(name: string): name is DirectiveName {
  return Object.hasOwn(DIRECTIVES, name);
}

/** A fence left open swallows the directives below it: better said than found out. */
function warnOpenFence(fence: CodeFence, problems: Problems): void {
  if (!fence.openedAt || fence.noted === 0) return;
  problems.tell(
    { line: fence.openedAt, column: 1 },
    'unclosed-fence',
    `code fence is never closed: ${fence.noted} directive${fence.noted > 1 ? 's' : ''} below it read as text`,
    'close the fence',
  );
}
