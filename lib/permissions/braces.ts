/**
 * Brace lists, `a{b,c}` and `{1..3}`, as bash makes words of them (Bash manual, 3.5.1).
 */
import { UNKNOWN } from './types.ts';

/** Most words that one list may become; behind that it is not known. */
const WORDS_MAX = 64;

/** The alternatives of one brace list with its braces; quotes in it are taken away. */
export function expandBraces(text: string): string[] {
  const plain = text.replace(/\$\{[^}]*\}?|\$\([^)]*\)?|`[^`]*`?|\$\w+/g, UNKNOWN);
  const words = expand(plain, { left: WORDS_MAX });
  return words.map(word => word.replace(/['"]|\\(?=.)/g, ''));
}

function expand(text: string, budget: { left: number }): string[] {
  const open = text.indexOf('{');
  const close = open < 0 ? -1 : closing(text, open);
  if (close < 0) return [text];
  const before = text.slice(0, open);
  const rests = expand(text.slice(close + 1), budget);
  const words: string[] = [];
  for (const one of alternatives(text.slice(open + 1, close)))
    for (const middle of one.isDone ? [one.text] : expand(one.text, budget))
      for (const rest of rests) {
        if (--budget.left < 0) return [UNKNOWN];
        words.push(before + middle + rest);
      }
  return words;
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

interface Alternative {
  readonly text: string;
  readonly isDone: boolean;
}

function alternatives(inside: string): Alternative[] {
  const range = /^(-?\d{1,9}|\w)\.\.(-?\d{1,9}|\w)(?:\.\.(-?\d{1,9}))?$/.exec(inside);
  if (range) return series(range[1]!, range[2]!, Number(range[3] ?? 1));
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inside.length; at++) {
    if (inside[at] === '{') depth++;
    else if (inside[at] === '}') depth--;
    else if (inside[at] === ',' && depth === 0) {
      parts.push(inside.slice(from, at));
      from = at + 1;
    }
  }
  if (parts.length === 0) return [{ text: `{${inside}}`, isDone: true }];
  return [...parts, inside.slice(from)].map(text => ({ text, isDone: false }));
}

function series(from: string, to: string, step: number): Alternative[] {
  const isNumber = /\d/.test(from);
  const start = isNumber ? Number(from) : from.charCodeAt(0);
  const end = isNumber ? Number(to) : to.charCodeAt(0);
  const by = Math.abs(step) || 1;
  if (!Number.isFinite(end) || Math.abs(end - start) / by > WORDS_MAX)
    return [{ text: UNKNOWN, isDone: true }];
  const list: Alternative[] = [];
  const sign = end < start ? -1 : 1;
  for (let at = start; sign * at <= sign * end; at += sign * by)
    list.push({ text: isNumber ? String(at) : String.fromCharCode(at), isDone: true });
  return list;
}
