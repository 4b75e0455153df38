/**
 * What every parser of a graph file hands back: a value if there is one to use, and everything that is wrong.
 */
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

/** More problems than this in one file are one problem; a person mends the first few and looks again. */
export const MAX_FILE_DIAGNOSTICS = 20;

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

  /** Adds an error: the file, or part of it, is not used. */
  error(place: Place, code: string, message: string, hint = ''): void {
    this.#errors++;
    this.#add(place, 'error', code, message, hint);
  }

  /** Adds a warning: all is used, but probably not as meant. */
  warn(place: Place, code: string, message: string, hint = ''): void {
    this.#add(place, 'warning', code, message, hint);
  }

  /** Whether any error was added, kept or not. */
  get failed(): boolean {
    return this.#errors > 0;
  }

  /** Whether no more are kept: parsers that could go on for long stop here. */
  get full(): boolean {
    return this.#list.length >= MAX_FILE_DIAGNOSTICS;
  }

  /** Everything found, by place. */
  list(): readonly Diagnostic[] {
    return this.#list.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }

  #add(place: Place, severity: Diagnostic['severity'], code: string, message: string, hint: string): void {
    if (this.full) return;
    const { line, column } = place;
    this.#list.push({ file: this.#file, line, column, severity, code, message, hint });
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
