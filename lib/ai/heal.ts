/** JSON whose end has not come yet, read as far as it goes. */
import type { Json, JsonObject } from './provider.ts';

/** Characters that are tried: what a person sees of arguments that come is their beginning. */
const HEAL_MAX = 256 * 1024;

/**
 * The object that `text` begins: open strings, lists and objects are closed, and a key without a value or a word that is
 * not complete is left out. `{}` where it begins none.
 */
export function healedObject(text: string): JsonObject {
  const value = parse(text) ?? parse(closed(text.slice(0, HEAL_MAX)));
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // SyntaxError: it is not complete.
    return undefined;
  }
}

/** Cuts behind the last complete value and closes what is open there. */
function closed(text: string): string {
  const open: string[] = [];
  let isString = false;
  // Where the text can be cut, and what is open there.
  let cut = { at: 0, open: '' };
  let isKey = false;
  const mark = (at: number): void => void (cut = { at, open: open.toReversed().join('') });
  let at = 0;
  for (; at < text.length; at++) {
    const c = text[at]!;
    if (isString) {
      if (c === '\\') at++;
      else if (c === '"') {
        isString = false;
        if (!isKey) mark(at + 1);
      }
    } else if (c === '"') {
      isString = true;
      isKey = open.at(-1) === '}' && !/:\s*$/.test(text.slice(0, at));
    } else if (c === '{' || c === '[') {
      open.push(c === '{' ? '}' : ']');
      mark(at + 1);
    } else if (c === '}' || c === ']') {
      open.pop();
      mark(at + 1);
    } else if (c === ',') mark(at);
  }
  if (isString && !isKey) {
    // A backslash at the end begins an escape that is not there yet; so does \u with less than four digits.
    const whole = text.slice(0, Math.min(at, text.length)).replace(/\\(?:u[\da-fA-F]{0,3})?$/, '');
    return `${whole}"${open.toReversed().join('')}`;
  }
  return text.slice(0, cut.at) + cut.open;
}
