/**
 * Filters of lists (AIP-160): words and comparisons become a condition of SQL with its values beside it. Nothing of a
 * filter's text ever stands in the SQL.
 */
import type { Value } from '../../sqlite/statements.ts';
import { invalid } from '../service-error.ts';

/** What may be compared, and what it is in the database. */
export interface Field {
  readonly kind: 'text' | 'number' | 'time' | 'map';
  /** SQL of the value; of a map the JSON of it. */
  readonly sql: string;
}

export interface FilterRules {
  readonly fields: Readonly<Record<string, Field>>;
  /** SQL of what a bare word is looked for in, with one `?` for a pattern of LIKE or a query of FTS5. */
  readonly words: string;
  /** The value of that place. */
  readonly word: (text: string) => string;
}

/** A condition and the values of its places. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Characters of a filter; longer ones are refused. */
const LENGTH_MAX = 4096;
/** Parentheses within parentheses. */
const DEPTH_MAX = 32;

const TOKEN =
  /\s*(?:(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<op><=|>=|!=|=|<|>|:)|(?<mark>[()])|(?<minus>-(?=[\w"'(]))|(?<word>[^\s()"'<>=!:]+))/uy;

type Kind = 'string' | 'op' | 'mark' | 'minus' | 'word';
interface Token {
  readonly kind: Kind;
  readonly text: string;
  /** Whether it follows the one before it without a space. */
  readonly isJoined: boolean;
}

/** The condition of a filter; undefined for an empty one. Throws INVALID_ARGUMENT for one that is wrong. */
export function filterCondition(filter: string, rules: FilterRules): Condition | undefined {
  if (filter.trim() === '') return undefined;
  if (filter.length > LENGTH_MAX) throw wrong(`is longer than ${LENGTH_MAX} characters`);
  return new FilterParser(tokens(filter), rules).whole();
}

function wrong(description: string): Error {
  return invalid([{ field: 'filter', description }]);
}

function tokens(filter: string): Token[] {
  const found: Token[] = [];
  const scanner = new RegExp(TOKEN);
  while (scanner.lastIndex < filter.trimEnd().length) {
    const from = scanner.lastIndex;
    const match = scanner.exec(filter);
    if (!match) throw wrong(`cannot be read at character ${from + 1}`);
    const [kind, raw] = Object.entries(match.groups!).find(([, text]) => text !== undefined) as [
      Kind,
      string,
    ];
    const text = kind === 'string' ? raw.slice(1, -1).replace(/\\(.)/gsu, '$1') : raw;
    found.push({ kind, text, isJoined: match[0] === raw });
  }
  return found;
}

class FilterParser {
  readonly #tokens: readonly Token[];
  readonly #rules: FilterRules;
  #at = 0;
  #depth = 0;

  constructor(all: readonly Token[], rules: FilterRules) {
    this.#tokens = all;
    this.#rules = rules;
  }

  whole(): Condition {
    const condition = this.#expression();
    if (this.#next) throw wrong(`'${this.#next.text}' does not belong here`);
    return condition;
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #isWord(text: string): boolean {
    return this.#next?.kind === 'word' && this.#next.text === text;
  }

  /** Terms beside each other are all wanted, as with AND. */
  #expression(): Condition {
    if (++this.#depth > DEPTH_MAX) throw wrong(`nests deeper than ${DEPTH_MAX}`);
    const all = [this.#factor()];
    while (this.#next && this.#next.text !== ')') {
      if (this.#isWord('AND')) this.#at++;
      all.push(this.#factor());
    }
    this.#depth--;
    return joined(all, 'AND');
  }

  /** OR binds closer than AND. */
  #factor(): Condition {
    const all = [this.#term()];
    while (this.#isWord('OR')) {
      this.#at++;
      all.push(this.#term());
    }
    return joined(all, 'OR');
  }

  #term(): Condition {
    const isNot = this.#isWord('NOT') || this.#next?.kind === 'minus';
    if (isNot) this.#at++;
    const condition = this.#simple();
    return isNot ? { sql: `NOT coalesce(${condition.sql}, 0)`, values: condition.values } : condition;
  }

  #simple(): Condition {
    const token = this.#next;
    if (!token) throw wrong('ends too early');
    if (token.kind === 'mark' && token.text === '(') {
      this.#at++;
      const condition = this.#expression();
      if (this.#next?.text !== ')') throw wrong('misses a )');
      this.#at++;
      return condition;
    }
    if (token.kind !== 'word' && token.kind !== 'string') throw wrong(`'${token.text}' does not belong here`);
    const path = this.#path();
    if (this.#next?.kind !== 'op') return this.#word(path.join('.'));
    const { text: op } = this.#next;
    this.#at++;
    const value = this.#next;
    if (!value || (value.kind !== 'word' && value.kind !== 'string' && value.kind !== 'minus'))
      throw wrong(`misses a value after ${op}`);
    this.#at++;
    const number = value.kind === 'minus' ? `-${this.#tokens[this.#at++]?.text ?? ''}` : value.text;
    return this.#compare(path, op, number);
  }

  /** `labels."a/b"`, `labels.a` and `title`: steps with dots between. */
  #path(): string[] {
    const first = this.#tokens[this.#at++]!;
    if (first.kind === 'string') return [first.text];
    const steps = first.text.split('.');
    if (steps.at(-1) === '' && this.#next?.kind === 'string' && this.#next.isJoined) {
      steps[steps.length - 1] = this.#next.text;
      this.#at++;
    }
    return steps;
  }

  #word(text: string): Condition {
    return { sql: this.#rules.words, values: [this.#rules.word(text)] };
  }

  #compare([name = '', ...steps]: readonly string[], op: string, value: string): Condition {
    const field = Object.hasOwn(this.#rules.fields, name) ? this.#rules.fields[name] : undefined;
    if (!field) throw wrong(`cannot ask for ${[name, ...steps].join('.')}; it can for ${this.#names()}`);
    if (field.kind === 'map') return compareMap(field, steps.join('.'), op, value);
    if (steps.length > 0) throw wrong(`${name} has no parts`);
    return compareValue(field, op, value);
  }

  #names(): string {
    return Object.keys(this.#rules.fields).join(', ');
  }
}

function joined(all: readonly Condition[], how: 'AND' | 'OR'): Condition {
  if (all.length === 1) return all[0]!;
  const sql = `(${all.map(one => one.sql).join(` ${how} `)})`;
  return { sql, values: all.flatMap(one => one.values) };
}

const ENTRY = '(SELECT e.value FROM json_each(MAP) e WHERE e.key = ?)';

/** `labels:k` has the key, `labels.k:*` too, `labels.k = "v"` has this value. */
function compareMap({ sql }: Field, key: string, op: string, value: string): Condition {
  const entry = ENTRY.replace('MAP', sql);
  if (key === '') {
    if (op !== ':') throw wrong('a map is asked with : or by one of its keys');
    return { sql: `${entry} IS NOT NULL`, values: [value] };
  }
  if (op === ':' && value === '*') return { sql: `${entry} IS NOT NULL`, values: [key] };
  if (op === '!=') return { sql: `${entry} IS NOT ?`, values: [key, value] };
  if (op === ':') return { sql: `${entry} LIKE ? ESCAPE '\\'`, values: [key, `%${escaped(value)}%`] };
  return { sql: `${entry} ${op} ?`, values: [key, value] };
}

function compareValue({ kind, sql }: Field, op: string, value: string): Condition {
  // `field:*` asks whether it is set; a text that is empty is not.
  if (op === ':' && value === '*')
    return { sql: kind === 'text' ? `${sql} <> ''` : `${sql} IS NOT NULL`, values: [] };
  if (kind === 'number' || kind === 'time') {
    const number = kind === 'time' ? Date.parse(value) : Number(value);
    if (Number.isNaN(number) || value === '')
      throw wrong(`'${value}' is no ${kind === 'time' ? 'time (RFC 3339)' : 'number'}`);
    return { sql: `${sql} ${op === ':' ? '=' : op} ?`, values: [number] };
  }
  if (op === ':') return { sql: `${sql} LIKE ? ESCAPE '\\'`, values: [`%${escaped(value)}%`] };
  // A star at an end stands for anything there.
  if ((op === '=' || op === '!=') && /^\*|\*$/.test(value) && value !== '*') {
    const like = escaped(value.replace(/^\*|\*$/g, ''));
    const pattern = `${value.startsWith('*') ? '%' : ''}${like}${value.endsWith('*') ? '%' : ''}`;
    return { sql: `${sql} ${op === '=' ? 'LIKE' : 'NOT LIKE'} ? ESCAPE '\\'`, values: [pattern] };
  }
  return { sql: `${sql} ${op} ?`, values: [value] };
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
