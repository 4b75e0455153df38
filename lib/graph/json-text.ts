/**
 * JSON with places. One reader for two dialects: strict (RFC 8259) for tool sets, relaxed for `.sgpt.json`, where
 * comments, bare keys, single quotes and trailing commas are allowed. It goes on after a mistake, so that one does not
 * hide the next.
 */
import { Lines } from './parsed.ts';
import type { Place, Problems } from './parsed.ts';
import { quote, withoutBom } from './printable.ts';

/** Which notation is right. */
export type JsonDialect = 'strict' | 'relaxed';

/** A member of an object. */
export interface JsonMember {
  readonly key: string;
  readonly place: Place;
  readonly value: JsonNode;
}

/** A value and where it starts. `invalid` stands where something was told as a problem. */
export type JsonNode = { readonly place: Place } & (
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'invalid' }
);

/** Deeper nesting than any of the messages has; keeps recursion off the end of the stack. */
const MAX_DEPTH = 32;

const STRICT_NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const RELAXED_NUMBER = /[+-]?(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const SPACE = /[ \t\r\n]+/y;
const COMMENT = /(?:\/\/|#)[^\r\n]*|\/\*[^]*?(?:\*\/|$)/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads one value. What is wrong goes to `problems`. */
export function readJson(text: string, dialect: JsonDialect, problems: Problems): JsonNode {
  return new Reader(withoutBom(text), dialect, problems).document();
}

class Reader {
  readonly #text: string;
  readonly #strict: boolean;
  readonly #problems: Problems;
  readonly #lines: Lines;
  #pos = 0;

  constructor(text: string, dialect: JsonDialect, problems: Problems) {
    this.#text = text;
    this.#strict = dialect === 'strict';
    this.#problems = problems;
    this.#lines = new Lines(text);
  }

  document(): JsonNode {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#pos < this.#text.length && !this.#problems.full)
      this.#fail(this.#pos, 'json-syntax', `expected the end of the file, found ${this.#found()}`);
    return value;
  }

  #value(depth: number): JsonNode {
    this.#skipSpace();
    const start = this.#pos;
    const place = this.#lines.at(start);
    const char = this.#text[start];
    if (char === '{' || char === '[') {
      if (depth >= MAX_DEPTH) return this.#giveUp(start, `nested deeper than ${MAX_DEPTH} levels`);
      this.#pos++;
      return char === '{'
        ? { kind: 'object', place, members: this.#members(start, depth + 1) }
        : { kind: 'array', place, items: this.#items(start, depth + 1) };
    }
    if (char === '"' || char === "'") return { kind: 'string', place, value: this.#string() };
    const word = this.#take(WORD);
    if (word !== undefined) return this.#literal(word, start);
    const number = this.#take(this.#strict ? STRICT_NUMBER : RELAXED_NUMBER);
    if (number !== undefined) return { kind: 'number', place, value: Number(number) };
    return this.#giveUp(start, `expected a value, found ${this.#found()}`);
  }

  #literal(word: string, start: number): JsonNode {
    const place = this.#lines.at(start);
    if (word === 'true' || word === 'false') return { kind: 'boolean', place, value: word === 'true' };
    if (word === 'null') return { kind: 'null', place };
    return this.#giveUp(start, `expected a value, found ${quote(word)}`, 'strings stand in double quotes');
  }

  #members(open: number, depth: number): JsonMember[] {
    const members: JsonMember[] = [];
    while (!this.#ended('}', open)) {
      const start = this.#pos;
      const key = this.#key();
      if (key === undefined) {
        this.#giveUp(start, `expected a field name, found ${this.#found()}`);
        this.#separator('}');
        continue;
      }
      this.#skipSpace();
      if (this.#text[this.#pos] === ':') {
        this.#pos++;
        members.push({ key, place: this.#lines.at(start), value: this.#value(depth) });
      } else this.#giveUp(this.#pos, `expected ':' after ${quote(key)}, found ${this.#found()}`);
      this.#separator('}');
    }
    return members;
  }

  #items(open: number, depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    while (!this.#ended(']', open)) {
      items.push(this.#value(depth));
      this.#separator(']');
    }
    return items;
  }

  /** Whether the list opened at `open` ends here; takes its closing bracket. */
  #ended(close: '}' | ']', open: number): boolean {
    this.#skipSpace();
    if (this.#problems.full) return true;
    const char = this.#text[this.#pos];
    if (char === close) {
      this.#pos++;
      return true;
    }
    if (char === undefined) this.#fail(open, 'json-syntax', `'${this.#text[open]}' is never closed`);
    else if (char === '}' || char === ']')
      this.#fail(this.#pos, 'json-syntax', `expected '${close}', found '${char}'`);
    else return false;
    return true;
  }

  /** Takes the comma between two entries. Where it is missing that is told, and reading goes on as if it were there. */
  #separator(close: '}' | ']'): void {
    this.#skipSpace();
    const at = this.#pos;
    const char = this.#text[at];
    if (char === undefined || char === '}' || char === ']') return;
    if (char !== ',') {
      this.#fail(at, 'json-syntax', `expected ',' or '${close}', found ${this.#found()}`);
      if (!/["'\w{[]/.test(char)) this.#recover();
      if (this.#text[this.#pos] !== ',') return;
    }
    this.#pos++;
    this.#skipSpace();
    if (this.#strict && this.#text[this.#pos] === close)
      this.#fail(at, 'json-syntax', `comma before '${close}'`, 'remove the comma');
  }

  #key(): string | undefined {
    const char = this.#text[this.#pos];
    if (char === '"' || char === "'") return this.#string();
    const start = this.#pos;
    const word = this.#take(WORD);
    if (word !== undefined && this.#strict)
      this.#fail(start, 'json-syntax', `field name ${quote(word)} is not quoted`, `write "${word}"`);
    return word;
  }

  #string(): string {
    const start = this.#pos;
    const mark = this.#text[this.#pos++]!;
    if (mark === "'" && this.#strict)
      this.#fail(start, 'json-syntax', 'string in single quotes', 'use double quotes');
    let value = '';
    for (;;) {
      const char = this.#text[this.#pos];
      if (char === undefined || char === '\n' || char === '\r') {
        this.#fail(start, 'json-syntax', 'string is never closed', `close it with ${mark} on the same line`);
        return value;
      }
      this.#pos++;
      if (char === mark) return value;
      if (char === '\\') value += this.#escape();
      else {
        if (char < ' ' && this.#strict)
          this.#fail(this.#pos - 1, 'json-syntax', 'control character in a string', 'write it as \\u00XX');
        value += char;
      }
    }
  }

  #escape(): string {
    const at = this.#pos - 1;
    const char = this.#text[this.#pos];
    if (char === undefined || char === '\n' || char === '\r') return '';
    this.#pos++;
    if (char === 'u') {
      const digits = /^[\da-fA-F]{4}/.exec(this.#text.slice(this.#pos, this.#pos + 4))?.[0];
      if (digits !== undefined) {
        this.#pos += 4;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    } else if (Object.hasOwn(ESCAPES, char) && !(char === "'" && this.#strict)) return ESCAPES[char]!;
    this.#fail(
      at,
      'json-syntax',
      `unknown escape ${quote('\\' + char)} in a string`,
      'a backslash is written \\\\',
    );
    return char;
  }

  #skipSpace(): void {
    for (;;) {
      this.#take(SPACE);
      const at = this.#pos;
      const comment = this.#take(COMMENT);
      if (comment === undefined) return;
      if (this.#strict) this.#fail(at, 'json-syntax', 'comments are not allowed here', 'remove the comment');
      if (comment.startsWith('/*') && (comment.length < 4 || !comment.endsWith('*/')))
        this.#fail(at, 'json-syntax', 'comment is never closed', "close it with '*/'");
    }
  }

  /** Tells a problem at `at` and moves on to the next entry or closing bracket. */
  #giveUp(at: number, message: string, hint = ''): JsonNode {
    this.#fail(at, 'json-syntax', message, hint);
    this.#recover();
    return { kind: 'invalid', place: this.#lines.at(at) };
  }

  /** Skips to the next comma or closing bracket of the list we are in, over strings and nested brackets. */
  #recover(): void {
    let depth = 0;
    for (; this.#pos < this.#text.length; this.#pos++) {
      const char = this.#text[this.#pos]!;
      if (depth === 0 && /[,}\]]/.test(char)) return;
      if (char === '"' || char === "'") this.#pos = stringEnd(this.#text, this.#pos);
      else if (/[{[(]/.test(char)) depth++;
      else if (/[}\])]/.test(char)) depth = Math.max(0, depth - 1);
    }
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#pos;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.#pos += match.length;
    return match;
  }

  #found(): string {
    const rest = this.#text.slice(this.#pos, this.#pos + 12).split(/[\r\n]/, 1)[0]!;
    return rest === '' ? 'the end of the ' + (this.#pos >= this.#text.length ? 'file' : 'line') : quote(rest);
  }

  #fail(at: number, code: string, message: string, hint = ''): void {
    this.#problems.error(this.#lines.at(at), code, message, hint);
  }
}

/** Index of the closing quote of the string that starts at `start`, or of the last character of its line. */
function stringEnd(text: string, start: number): number {
  const mark = text[start];
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === mark) return i;
    if (text[i] === '\n') return i - 1;
    if (text[i] === '\\') i++;
  }
  return text.length;
}
