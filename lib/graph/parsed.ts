/**
 * What every parser of a graph file hands back: a value if there is one to use, and everything that is wrong.
 */
import { DIAGNOSTIC_CODES } from './codes.ts';
import type { DiagnosticCode } from './codes.ts';
import { printable } from './printable.ts';
import type { Diagnostic } from './types.ts';

/** A parser's answer. `value` is absent where the file cannot be used at all; warnings never take it away. */
export interface Parsed<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** A file of the graph: path relative to the root with '/', and its text. */
export interface GraphFile {
  readonly file: string;
  readonly text: string;
}

/** More problems than this in one file are one more problem: a person mends the first few and looks again. */
export const MAX_FILE_DIAGNOSTICS = 100;

/** Line and column of a place, both one-based; the column counts UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Collects the diagnostics of one file, at most MAX_FILE_DIAGNOSTICS of them. */
export class Problems {
  readonly #file: string;
  readonly #list: Diagnostic[] = [];
  #errors = 0;

  constructor(file: string) {
    this.#file = printable(file);
  }

  /** Adds a problem; how bad it is, and the remedy if none is given, stand in the table of codes. */
  tell(place: Place, code: DiagnosticCode, message: string, hint = ''): void {
    const { severity, remedy } = DIAGNOSTIC_CODES[code];
    if (severity === 'error') this.#errors++;
    if (this.full) return;
    const { line, column } = place;
    this.#list.push({ file: this.#file, line, column, severity, code, message, hint: hint || remedy });
  }

  /** Whether any error was added, kept or not. */
  get failed(): boolean {
    return this.#errors > 0;
  }

  /** Whether no more are kept: parsers that could go on for long stop here. */
  get full(): boolean {
    return this.#list.length >= MAX_FILE_DIAGNOSTICS;
  }

  /** Everything found, by place; where more was found than is kept, that is the last. */
  list(): readonly Diagnostic[] {
    const found = this.#list.toSorted((a, b) => a.line - b.line || a.column - b.column);
    const last = found.at(-1);
    if (!this.full || !last) return found;
    const code = 'too-many-problems';
    const { severity, remedy } = DIAGNOSTIC_CODES[code];
    const message = `more than ${MAX_FILE_DIAGNOSTICS} problems in this file: the rest is not listed`;
    const { file, line, column } = last;
    return [...found, { file, line, column, severity, code, message, hint: remedy }];
  }
}

/** Turns offsets of a text into places. */
export class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (const match of text.matchAll(/\r\n|\n|\r/g)) this.#starts.push(match.index + match[0].length);
  }

  /** Place of a zero-based UTF-16 offset. */
  at(offset: number): Place {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 };
  }
}

/** The whole file. */
export const WHOLE_FILE: Place = { line: 0, column: 0 };
