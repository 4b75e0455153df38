/**
 * Regular expressions of RE2 (https://github.com/google/re2/wiki/Syntax): without look-around and back references, and
 * so without patterns that take for ever.
 */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { CodedError } from '../base/errors.ts';
import { printable } from './printable.ts';

/** Longest pattern, in UTF-16 units: more than anyone types. */
const MAX_PATTERN = 500;
/** What people write that RE2 has not, and what to say of it. */
const MISSING: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, 'RE2 looks neither ahead nor behind: write what is to match itself'],
  [/\\[1-9]|\(\?P=|\\k</, 'RE2 does not refer back to groups: write them twice'],
  [/\(\?>|[*+?}]\+/, 'RE2 never goes back: leave that out'],
];

/** A pattern made ready. Upper and lower case are alike. */
export interface Pattern {
  /** Whether a line, or what has none, matches somewhere. */
  test(text: string): boolean;
  /** Where the first match in a line that matches begins, in UTF-16 units. */
  indexIn(line: string): number;
  /** False only where no line of the text matches: one look instead of one for each line. */
  mayBeIn(text: string): boolean;
}

/** @throws CodedError usage where RE2 refuses it */
export function patternOf(pattern: string): Pattern {
  if (pattern === '') throw new CodedError('usage', 'search: the pattern is empty');
  if (pattern.length > MAX_PATTERN)
    throw new CodedError('usage', `search: the pattern is longer than ${MAX_PATTERN} characters`);
  const regex = compile(pattern, RE2JS.CASE_INSENSITIVE);
  // The ends of a text are no ends of its lines.
  const whole = /\\[Az]|\(\?[^)]*m/.test(pattern)
    ? undefined
    : compile(pattern, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  return {
    test: text => regex.test(text),
    indexIn: line => {
      const matcher = regex.matcher(line);
      return matcher.find() ? matcher.start() : 0;
    },
    mayBeIn: text => whole?.test(text) ?? true,
  };
}

function compile(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const why = error instanceof RE2JSSyntaxException ? error.getDescription() : error.message;
    const part = error instanceof RE2JSSyntaxException ? (error.getPattern() ?? '') : '';
    const hint =
      MISSING.find(([wish]) => wish.test(pattern))?.[1] ?? 'put a \\ before ( [ { * + ? that mean themselves';
    const place = part === '' ? '' : ` at '${printable(part.replace(/^\(\?i?m?\)/, ''))}'`;
    throw new CodedError('usage', `search: not a regular expression: ${printable(why)}${place}`, hint, {
      cause: error,
    });
  }
}

/**
 * The alternatives of a pattern, `a|b` outside groups and classes, as patterns of their own: what somebody looks for in
 * other words. A pattern without is one alternative.
 */
export function alternatives(pattern: string): readonly string[] {
  const found: string[] = [];
  let at = '';
  let depth = 0;
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === '\\') {
      // What is quoted at length is taken whole.
      if (pattern[i + 1] === 'Q') return [pattern];
      at += char + (pattern[++i] ?? '');
      continue;
    }
    if (inClass) inClass = char !== ']' || /\[\^?$/.test(at);
    else if (char === '[') inClass = true;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    if (char === '|' && depth === 0 && !inClass) {
      found.push(at);
      at = '';
    } else at += char;
  }
  const all = [...found, at].filter(part => part !== '');
  return all.length > 0 ? all : [pattern];
}
