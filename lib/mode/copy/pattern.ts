/**
 * What is searched for, as a regular expression. Without an upper-case letter it finds both cases, as in tmux.
 */
import { CodedError } from '../../base/errors.ts';

/** The longest pattern: no person types more, and compiling grows with it. */
const MAX_PATTERN = 1_000;

/** Where a line matches: UTF-16 units, `end` is behind the last one. Never empty. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Finds matches in lines. What takes too long gives undefined: a regular expression can take for ever. */
export type LineMatcher = (
  pattern: RegExp,
  lines: readonly string[],
) => readonly (readonly Match[])[] | undefined;

/** @throws CodedError `usage` for a regular expression that is none */
export function compilePattern(text: string, isRegex: boolean): RegExp {
  if (text.length > MAX_PATTERN)
    throw new CodedError('usage', `search: the pattern is longer than ${MAX_PATTERN} characters`);
  const flags = /\p{Lu}/u.test(text) ? 'gu' : 'giu';
  if (!isRegex) return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, escaped), flags);
  try {
    return new RegExp(text, flags);
  } catch (error) {
    // "Invalid regular expression: /a(/giu: Unterminated group": the pattern is on the screen already.
    const why = (error as Error).message.replace(/^.*\/[a-z]*: /s, '');
    throw new CodedError('usage', `search: '${text}' is no regular expression: ${why}`);
  }
}

function escaped(character: string): string {
  // Under the flag u a hyphen may not be escaped by itself.
  return character === '-' ? '\\x2d' : `\\${character}`;
}

/** Matches of every line, without a bound on time: for patterns that are known to be harmless. */
export function matchLines(pattern: RegExp, lines: readonly string[]): Match[][] {
  return lines.map(line => matchesIn(pattern, line));
}

function matchesIn(pattern: RegExp, line: string): Match[] {
  const matches: Match[] = [];
  pattern.lastIndex = 0;
  for (;;) {
    const found = pattern.exec(line);
    if (!found) return matches;
    const start = found.index;
    const end = start + found[0].length;
    if (end > start) matches.push({ start, end });
    else pattern.lastIndex += (line.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  }
}
