/**
 * Regular expressions for `#{s/…/…/:…}`: POSIX extended syntax, simulated state by state, so that no pattern of a
 * stranger can take more than linear time (a backtracking engine would let one format string stop the server).
 *
 * Supported: `. [abc] [^a-z] [[:alpha:]] * + ? {m,n} ^ $ ( ) |` and `\` before a special character. Of several matches
 * at one place the first alternative wins.
 */

/** One instruction; jumps are relative to it. */
type Instruction =
  | { readonly op: 'char'; readonly test: (char: string) => boolean }
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'jump'; readonly by: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'start' }
  | { readonly op: 'end' };

type Code = readonly Instruction[];

/** A compiled pattern. */
export interface Pattern {
  readonly code: Code;
  readonly groups: number;
}

/** Instructions; repeats multiply them. Far above what a person types, low enough to stay fast. */
const MAX_CODE = 400;
/** Nesting of groups: keeps the parser's stack small. */
const MAX_NESTING = 20;
/** `\1` to `\9` can be used in a replacement. */
const MAX_GROUPS = 10;

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /\p{L}/u,
  digit: /[0-9]/,
  alnum: /[\p{L}0-9]/u,
  space: /\s/,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  punct: /[\p{P}\p{S}]/u,
};

/** Thrown inside this file only: a pattern that cannot be read. */
class BadPattern extends Error {}

/** The pattern in `source`, or undefined where it cannot be read or is too large. */
export function compilePattern(source: string, ignoreCase: boolean): Pattern | undefined {
  try {
    const compiler = new Compiler(source, ignoreCase);
    return { code: compiler.whole(), groups: compiler.groups };
  } catch (error) {
    if (error instanceof BadPattern) return undefined;
    throw error;
  }
}

function checked(code: Code): Code {
  if (code.length > MAX_CODE) throw new BadPattern();
  return code;
}

const optional = (a: Code): Code => [{ op: 'split', first: 1, second: a.length + 1 }, ...a];
const star = (a: Code): Code => [
  { op: 'split', first: 1, second: a.length + 2 },
  ...a,
  { op: 'jump', by: -a.length - 1 },
];

class Compiler {
  groups = 1;
  readonly #chars: readonly string[];
  readonly #ignoreCase: boolean;
  #at = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.#chars = [...source];
    this.#ignoreCase = ignoreCase;
  }

  whole(): Code {
    const code = this.#alternatives(0);
    if (this.#at < this.#chars.length) throw new BadPattern();
    return [{ op: 'save', slot: 0 }, ...code, { op: 'save', slot: 1 }];
  }

  #alternatives(depth: number): Code {
    if (depth > MAX_NESTING) throw new BadPattern();
    let code = this.#sequence(depth);
    while (this.#take('|')) {
      const other = this.#sequence(depth);
      code = checked([
        { op: 'split', first: 1, second: code.length + 2 },
        ...code,
        { op: 'jump', by: other.length + 1 },
        ...other,
      ]);
    }
    return code;
  }

  #sequence(depth: number): Code {
    let code: Code = [];
    while (this.#at < this.#chars.length && this.#peek() !== '|' && this.#peek() !== ')') {
      code = checked([...code, ...this.#repeated(this.#atom(depth))]);
    }
    return code;
  }

  #repeated(atom: Code): Code {
    let code = atom;
    for (;;) {
      if (this.#take('*')) code = star(code);
      else if (this.#take('+')) code = [...code, ...star(code)];
      else if (this.#take('?')) code = optional(code);
      else if (this.#peek() === '{') code = this.#counted(code);
      else return code;
      checked(code);
    }
  }

  /** `{m}`, `{m,}` and `{m,n}`. */
  #counted(code: Code): Code {
    const match = /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(this.#chars.slice(this.#at, this.#at + 9).join(''));
    if (!match) throw new BadPattern();
    this.#at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === '' ? Infinity : Number(match[3]);
    if (max < min || min * code.length > MAX_CODE) throw new BadPattern();
    const required = Array.from({ length: min }, () => code).flat();
    if (max === Infinity) return [...required, ...star(code)];
    let rest: Code = [];
    for (let i = min; i < max; i++) rest = checked(optional([...code, ...rest]));
    return [...required, ...rest];
  }

  #atom(depth: number): Code {
    const char = this.#chars[this.#at++]!;
    if (char === '(') return this.#group(depth);
    if (char === '^') return [{ op: 'start' }];
    if (char === '$') return [{ op: 'end' }];
    if (char === '.') return [{ op: 'char', test: () => true }];
    if (char === '[') return [{ op: 'char', test: this.#set() }];
    if ('*+?{'.includes(char)) throw new BadPattern();
    const literal = char === '\\' ? this.#chars[this.#at++] : char;
    if (literal === undefined) throw new BadPattern();
    return [{ op: 'char', test: this.#same(literal) }];
  }

  #group(depth: number): Code {
    const slot = 2 * this.groups++;
    if (this.groups > MAX_GROUPS) throw new BadPattern();
    const code = this.#alternatives(depth + 1);
    if (!this.#take(')')) throw new BadPattern();
    return [{ op: 'save', slot }, ...code, { op: 'save', slot: slot + 1 }];
  }

  #same(literal: string): (char: string) => boolean {
    if (!this.#ignoreCase) return char => char === literal;
    const lower = literal.toLowerCase();
    return char => char.toLowerCase() === lower;
  }

  /** A bracket expression; `[` has been read. A `]` that comes first is itself. */
  #set(): (char: string) => boolean {
    const negated = this.#take('^');
    const tests: ((char: string) => boolean)[] = [];
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      const named = /^\[:([a-z]+):\]/.exec(this.#chars.slice(this.#at, this.#at + 12).join(''));
      const from = this.#chars[this.#at++];
      if (from === undefined) throw new BadPattern();
      if (named) {
        const pattern = CLASSES[named[1]!];
        if (!pattern) throw new BadPattern();
        this.#at += named[0].length - 1;
        tests.push(char => pattern.test(char));
      } else if (this.#peek() === '-' && this.#chars[this.#at + 1] !== ']') {
        tests.push(this.#range(from));
      } else tests.push(this.#same(from));
    }
    this.#at++;
    return char => tests.some(test => test(char)) !== negated;
  }

  #range(from: string): (char: string) => boolean {
    const to = this.#chars[this.#at + 1];
    if (to === undefined) throw new BadPattern();
    this.#at += 2;
    const inside = (char: string): boolean => char >= from && char <= to;
    return this.#ignoreCase ? char => inside(char.toLowerCase()) || inside(char.toUpperCase()) : inside;
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }
}

/** A place in the code, with the group ends seen on the way. */
interface Thread {
  readonly pc: number;
  readonly saved: readonly number[];
}

/** How many threads may still be stepped: shared by all substitutions of one text, so that their sum is bounded too. */
export interface StepBudget {
  steps: number;
}

/**
 * Every match of `pattern` in `text` replaced; `\\0`–`\\9` in `replacement` stand for groups. When the budget is used up
 * the rest of the text stays as it is.
 */
export function substitute(pattern: Pattern, text: string, replacement: string, budget: StepBudget): string {
  const chars = [...text];
  let out = '';
  let at = 0;
  while (at <= chars.length) {
    const found = search(pattern.code, chars, at, budget);
    if (!found) break;
    const [start, end] = [found[0]!, found[1]!];
    out += chars.slice(at, start).join('');
    out += replacement.replace(/\\([0-9\\])/g, (_, which: string) => {
      if (which === '\\') return '\\';
      const from = found[2 * Number(which)];
      const to = found[2 * Number(which) + 1];
      return from === undefined || to === undefined ? '' : chars.slice(from, to).join('');
    });
    // An empty match moves on by a character, else it would be found for ever.
    if (end === start) out += chars[end] ?? '';
    at = end === start ? end + 1 : end;
  }
  return out + chars.slice(at).join('');
}

/** The leftmost match at or after `from`: ends of groups by slot. */
function search(
  code: Code,
  chars: readonly string[],
  from: number,
  budget: StepBudget,
): readonly number[] | undefined {
  let threads: Thread[] = [];
  let found: readonly number[] | undefined;
  for (let at = from; at <= chars.length; at++) {
    const seen = new Set<number>();
    const now: Thread[] = [];
    for (const thread of threads) follow(code, thread, at, chars.length, seen, now);
    if (!found) follow(code, { pc: 0, saved: [] }, at, chars.length, seen, now);
    threads = [];
    for (const { pc, saved } of now) {
      if (--budget.steps < 0) return undefined;
      const instruction = code[pc];
      if (!instruction) {
        found = saved;
        break;
      }
      const char = chars[at];
      if (char !== undefined && instruction.op === 'char' && instruction.test(char))
        threads.push({ pc: pc + 1, saved });
    }
    if (threads.length === 0 && found) break;
  }
  return found;
}

/** Follows jumps from `thread` to the places that read a character or end the pattern, in order of preference. */
function follow(code: Code, thread: Thread, at: number, end: number, seen: Set<number>, out: Thread[]): void {
  const stack = [thread];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { pc, saved } = next;
    if (seen.has(pc)) continue;
    seen.add(pc);
    const instruction = code[pc];
    if (!instruction || instruction.op === 'char') out.push(next);
    else if (instruction.op === 'jump') stack.push({ pc: pc + instruction.by, saved });
    else if (instruction.op === 'split')
      stack.push({ pc: pc + instruction.second, saved }, { pc: pc + instruction.first, saved });
    else if (instruction.op === 'save') {
      const ends = [...saved];
      ends[instruction.slot] = at;
      stack.push({ pc: pc + 1, saved: ends });
    } else if (at === (instruction.op === 'start' ? 0 : end)) stack.push({ pc: pc + 1, saved });
  }
}
