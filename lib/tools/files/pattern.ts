/**
 * Patterns of file names as shells and git know them, matched in time that grows with the name alone.
 */
import { RE2JS } from 're2js';
import { CodedError } from '../../base/errors.ts';

/** Longest pattern, UTF-16 units, and alternatives that braces may come to. */
const PATTERN_MAX = 1000;

/** Tells whether a path relative to the start matches. A pattern without / is about the last part of the path. */
export function namePattern(pattern: string, what: string): (path: string) => boolean {
  if (pattern === '' || pattern.length > PATTERN_MAX)
    throw new CodedError('usage', `${what}: the pattern is ${pattern === '' ? 'empty' : 'too long'}`);
  const isBase = !pattern.includes('/');
  const regex = compiled(`^(?:${asRegex(pattern.replace(/^\.?\//, ''))})$`, pattern, what);
  return path => regex.matches(isBase ? path.slice(path.lastIndexOf('/') + 1) : path);
}

function compiled(source: string, pattern: string, what: string): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.DOTALL);
  } catch (error) {
    throw new CodedError('usage', `${what}: ${pattern} is no pattern of names`, undefined, { cause: error });
  }
}

/** Signs of a pattern, longest first, and what they are as a regular expression. */
const SIGNS: readonly (readonly [RegExp, string | ((text: string) => string)])[] = [
  [/^\*\*\//, '(?:.*/)?'],
  [/^\/\*\*$/, '/.*'],
  [/^\*\*/, '.*'],
  [/^\*/, '[^/]*'],
  [/^\?/, '[^/]'],
  [/^\[[!^]?[^\]/]+\]/, text => text.replace(/^\[!/, '[^').replaceAll('\\', '\\\\')],
  [/^\{/, '(?:'],
  [/^\}/, ')'],
  [/^\\./, text => RE2JS.quote(text.slice(1))],
];

function asRegex(pattern: string): string {
  let out = '';
  let rest = pattern;
  let depth = 0;
  while (rest !== '') {
    const [sign, made] = SIGNS.find(([one]) => one.test(rest)) ?? [/^[^]/, undefined];
    const text = sign.exec(rest)![0];
    rest = rest.slice(text.length);
    if (text === '{') depth++;
    if (text === '}') depth--;
    if (text === ',' && depth > 0) out += '|';
    else if (made === undefined) out += RE2JS.quote(text);
    else out += typeof made === 'string' ? made : made(text);
  }
  return out;
}
