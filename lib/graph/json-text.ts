/**
 * JSON with places. One reader for two dialects: strict (RFC 8259) for tool sets, relaxed for `.sgpt.json`, where
 * all of JSON5 is allowed, `#` comments, and calls of `env`. It goes on after a mistake, so that one does not hide the
 * next.
 */
import type { DiagnosticCode } from './codes.ts';
import { ENV_CALL, ENV_OPENING, VARIABLES, bindingEnd, featureAt, textBlockEnd } from './jsonnet.ts';
import type { Feature } from './jsonnet.ts';
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
  /** `unset` is the variable it was to be taken from, where there is no such. */
  | { readonly kind: 'string'; readonly value: string; readonly unset?: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'invalid' }
);

/** Values of environment variables; what is absent is not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Deeper nesting than any of the messages has; keeps recursion off the end of the stack. */
const MAX_DEPTH = 32;

const STRICT_NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const RELAXED_NUMBER = /[+-]?(?:0[xX][\da-fA-F]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const LINE_END = /\r\n|\n|\r/y;
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
/** Those of JSON5 alone. */
const RELAXED_ESCAPES: Readonly<Record<string, string>> = { v: '\v', '0': '\0' };

/** Reads one value. What is wrong goes to `problems`. `env` holds what calls of `env` are answered with. */
export function readJson(
  text: string,
  dialect: JsonDialect,
  problems: Problems,
  env: Environment = {},
): JsonNode {
  return new Reader(withoutBom(text), dialect, problems, env).document();
}

class Reader {
  readonly #text: string;
  readonly #strict: boolean;
  readonly #problems: Problems;
  readonly #lines: Lines;
  readonly #env: Environment;
  #pos = 0;
  /** Whether the file has variables: then an unknown word is one. */
  #hasVariables = false;

  constructor(text: string, dialect: JsonDialect, problems: Problems, env: Environment) {
    this.#env = env;
    this.#text = text;
    this.#strict = dialect === 'strict';
    this.#problems = problems;
    this.#lines = new Lines(text);
  }

  document(): JsonNode {
    const value = this.#value(0);
    this.#skipSpace();
    const feature = this.#feature('afterValue');
    if (feature) return this.#foreign(this.#pos, feature);
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
    const call = this.#envCall(place);
    if (call) return call;
    const feature = this.#feature('value');
    if (feature) return this.#foreignValue(start, feature, depth);
    const word = this.#take(WORD);
    if (word !== undefined && !(/^(?:Infinity|NaN)$/.test(word) && !this.#strict))
      return this.#literal(word, start);
    this.#pos = start;
    const number = this.#take(this.#strict ? STRICT_NUMBER : RELAXED_NUMBER);
    if (number !== undefined) return { kind: 'number', place, value: Number(number) };
    return this.#giveUp(start, `expected a value, found ${this.#found()}`);
  }

  #literal(word: string, start: number): JsonNode {
    const place = this.#lines.at(start);
    if (word === 'true' || word === 'false') return { kind: 'boolean', place, value: word === 'true' };
    if (word === 'null') return { kind: 'null', place };
    if (this.#hasVariables) return this.#foreign(start, VARIABLES);
    this.#skipSpace();
    const feature = this.#feature('afterValue');
    if (feature) return this.#foreign(start, feature);
    this.#pos = start + word.length;
    return this.#giveUp(start, `expected a value, found ${quote(word)}`, 'strings stand in double quotes');
  }

  /** A call of `env`, if one stands here. */
  #envCall(place: Place): JsonNode | undefined {
    const start = this.#pos;
    if (this.#strict || this.#take(ENV_OPENING) === undefined) return undefined;
    this.#pos = start;
    ENV_CALL.lastIndex = start;
    const match = ENV_CALL.exec(this.#text);
    const name = match?.[1] ?? match?.[2] ?? '';
    if (!match || name === '') {
      this.#fail(start, 'env-call', 'env takes the name of one variable, in quotes');
      this.#recover();
      return { kind: 'invalid', place };
    }
    this.#pos += match[0].length;
    const value = Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
    if (value === undefined) return { kind: 'string', place, value: '', unset: name };
    return { kind: 'string', place, value };
  }

  #feature(place: Parameters<typeof featureAt>[2]): Feature | undefined {
    return this.#strict ? undefined : featureAt(this.#text, this.#pos, place);
  }

  /** Tells of a part of Jsonnet at `at` and moves on to the next entry. */
  #foreign(at: number, { name, hint }: Feature): JsonNode {
    this.#fail(
      at,
      'jsonnet-feature',
      `Jsonnet's ${name} ${name.endsWith('s') ? 'are' : 'is'} not read`,
      hint,
    );
    if (this.#text.startsWith('|||', at)) this.#pos = textBlockEnd(this.#text, at);
    this.#recover();
    return { kind: 'invalid', place: this.#lines.at(at) };
  }

  /** The same in place of a value: behind a binding or an assertion the value itself still comes. */
  #foreignValue(at: number, feature: Feature, depth: number): JsonNode {
    const isBinding = /^(?:local|assert)\b/.test(this.#text.slice(at, at + 8));
    const end = isBinding ? bindingEnd(this.#text, at) : undefined;
    if (end === undefined) return this.#foreign(at, feature);
    this.#fail(at, 'jsonnet-feature', `Jsonnet's ${feature.name} are not read`, feature.hint);
    this.#hasVariables = true;
    this.#pos = end;
    return this.#problems.full || depth >= MAX_DEPTH ? this.#foreign(at, feature) : this.#value(depth + 1);
  }

  #members(open: number, depth: number): JsonMember[] {
    const members: JsonMember[] = [];
    while (!this.#ended('}', open)) {
      const start = this.#pos;
      const foreign = this.#feature('key');
      if (foreign) {
        this.#hasVariables ||= foreign.name === VARIABLES.name;
        this.#foreign(start, foreign);
        this.#separator('}');
        continue;
      }
      const key = this.#key();
      if (key === undefined) {
        this.#giveUp(start, `expected a field name, found ${this.#found()}`);
        this.#separator('}');
        continue;
      }
      this.#skipSpace();
      const visibility = this.#feature('afterKey');
      if (visibility) this.#foreign(this.#pos, visibility);
      else if (this.#text[this.#pos] === ':') {
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
    // Two objects in a list without a comma are a slip, though Jsonnet would make them one.
    const isSlip = char === ',' || (char === '{' && close === ']');
    const feature = isSlip ? undefined : this.#feature('afterValue');
    if (feature) {
      this.#foreign(at, feature);
      if (this.#text[this.#pos] !== ',') return;
    } else if (char !== ',') {
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
    const continued = this.#strict ? undefined : this.#take(LINE_END);
    if (continued !== undefined) return '';
    if (char === undefined || char === '\n' || char === '\r') return '';
    this.#pos++;
    if (char === 'u') {
      const digits = /^[\da-fA-F]{4}/.exec(this.#text.slice(this.#pos, this.#pos + 4))?.[0];
      if (digits !== undefined) {
        this.#pos += 4;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    } else if (Object.hasOwn(ESCAPES, char) && !(char === "'" && this.#strict)) return ESCAPES[char]!;
    else if (!this.#strict && Object.hasOwn(RELAXED_ESCAPES, char)) return RELAXED_ESCAPES[char]!;
    else if (!this.#strict && char === 'x') {
      const digits = /^[\da-fA-F]{2}/.exec(this.#text.slice(this.#pos, this.#pos + 2))?.[0];
      if (digits !== undefined) {
        this.#pos += 2;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    }
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

  #fail(at: number, code: DiagnosticCode, message: string, hint = ''): void {
    this.#problems.tell(this.#lines.at(at), code, message, hint);
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
