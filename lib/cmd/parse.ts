/**
 * The command language of key bindings, the prompt and files, as in tmux: words parted by blanks, commands by `;` or
 * a new line, '…' and "…" quotes, `\` escapes, `{ … }` as one word holding a command line, `#` comments to the end
 * of a line.
 */
import { CodedError } from '../base/errors.ts';

/** One command: its words, the first being its name. */
export type CommandLine = readonly string[];

/** Nothing a person writes is longer; a key binding made by a program is not trusted to be short. */
const MAX_LENGTH = 64 * 1024;

/** Splits a text into commands. Throws CodedError `usage` with the line where a quote or brace is left open. */
export function parseCommands(text: string): CommandLine[] {
  if (text.length > MAX_LENGTH)
    throw new CodedError('usage', `command: longer than ${MAX_LENGTH} characters`);
  return new Parser(text).commands();
}

/** A word written so that parseCommands reads it back. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./^~!?*<>[\]()|&$-]+$/.test(word) && !word.startsWith('~')) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What a backslash inside double quotes or outside quotes turns into; anything else stands for itself. */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\x1b' };

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  commands(): CommandLine[] {
    const commands: CommandLine[] = [];
    let words: string[] = [];
    const finish = (): void => {
      if (words.length > 0) commands.push(words);
      words = [];
    };
    for (;;) {
      const c = this.#text[this.#at];
      if (c === undefined) break;
      if (c === ';' || c === '\n') {
        this.#at++;
        finish();
      } else if (c === ' ' || c === '\t' || c === '\r') {
        this.#at++;
      } else if (c === '\\' && this.#text[this.#at + 1] === '\n') {
        this.#at += 2;
      } else if (c === '#' && words.length === 0) {
        this.#skipComment();
      } else if (c === '{' && words.length > 0) {
        words.push(this.#braces());
      } else {
        words.push(this.#word());
      }
    }
    finish();
    return commands;
  }

  #skipComment(): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== '\n') this.#at++;
  }

  /** Up to a blank, `;` or the end, with quotes and escapes taken away. */
  #word(): string {
    let word = '';
    for (;;) {
      const c = this.#text[this.#at];
      if (c === undefined || /[\s;]/.test(c)) return word;
      this.#at++;
      if (c === "'") word += this.#until("'");
      else if (c === '"') word += this.#doubleQuoted();
      else if (c === '\\') word += this.#escape();
      else word += c;
    }
  }

  #escape(): string {
    const c = this.#text[this.#at];
    if (c === undefined) return '\\';
    this.#at++;
    return c === '\n' ? '' : (ESCAPES[c] ?? c);
  }

  #until(quote: string): string {
    const end = this.#text.indexOf(quote, this.#at);
    if (end < 0) throw this.#open(quote);
    const inside = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return inside;
  }

  #doubleQuoted(): string {
    let word = '';
    for (;;) {
      const c = this.#text[this.#at++];
      if (c === undefined) throw this.#open('"');
      if (c === '"') return word;
      word += c === '\\' ? this.#escape() : c;
    }
  }

  /** What stands between a brace and its partner, untouched: it is read again when it runs. */
  #braces(): string {
    const start = ++this.#at;
    let depth = 1;
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text[this.#at]!;
      if (c === '{') depth++;
      else if (c === '}' && --depth === 0) return this.#text.slice(start, this.#at++).trim();
      else if (c === "'" || c === '"') {
        const end = this.#text.indexOf(c, this.#at + 1);
        if (end < 0) throw this.#open(c);
        this.#at = end;
      }
    }
    throw this.#open('{');
  }

  #open(what: string): CodedError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new CodedError('usage', `command line ${line}: ${what} is not closed`);
  }
}

/** Words of a shell's command line as commands: a word `;`, or one that ends with it, parts them, as in tmux. */
export function splitCommands(words: readonly string[]): CommandLine[] {
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === ';') commands.push([]);
    else if (word.endsWith(';') && !word.endsWith('\\;')) {
      commands.at(-1)!.push(word.slice(0, -1));
      commands.push([]);
    } else commands.at(-1)!.push(word.endsWith('\\;') ? `${word.slice(0, -2)};` : word);
  }
  return commands.filter(line => line.length > 0);
}
