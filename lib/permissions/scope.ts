/**
 * What a line says about itself: variables with literal values, functions, aliases, and files it writes. They are
 * gathered before anything is judged, wherever in the line they stand, and only ever raise a tier.
 */
import { normalPath } from './paths.ts';
import type { Arg } from './types.ts';

/** Values kept for one variable: whoever assigns more does not mean to be read. */
const VALUES_MAX = 8;
/** Names kept of each kind. */
const NAMES_MAX = 500;

/** A value as words: one for a scalar, several for an array. */
export type Value = readonly Arg[];

export class Scope {
  readonly #variables = new Map<string, Value[]>();
  readonly #functions = new Set<string>();
  readonly #aliases = new Map<string, string>();
  readonly #written = new Set<string>();
  /** Variables that are read with another text for where they are not set, or are. */
  readonly #optional = new Set<string>();

  assign(name: string, value: Value): void {
    const values = this.#variables.get(name) ?? [];
    if (values.length >= VALUES_MAX || this.#variables.size >= NAMES_MAX) return;
    if (!values.some(one => sameWords(one, value))) this.#variables.set(name, [...values, value]);
  }

  /** Every value that the line gives it. */
  valuesOf(name: string): readonly Value[] {
    return this.#variables.get(name) ?? [];
  }

  /** Notes that a variable is read as `${x:-text}`: one value more than it is given. */
  hasOther(name: string): void {
    if (this.#optional.size < NAMES_MAX) this.#optional.add(name);
  }

  /** Grows with everything that is kept. */
  get size(): number {
    const values = [...this.#variables.values()].reduce((sum, list) => sum + list.length, 0);
    return values + this.#functions.size + this.#aliases.size;
  }

  /** How many readings of a command tell all values apart. */
  get readings(): number {
    const counts = [...this.#variables].map(
      ([name, { length }]) => length + (this.#optional.has(name) ? 1 : 0),
    );
    return Math.max(0, ...counts);
  }

  define(name: string): void {
    if (this.#functions.size < NAMES_MAX) this.#functions.add(name);
  }

  isFunction(name: string): boolean {
    return this.#functions.has(name);
  }

  alias(name: string, text: string): void {
    if (this.#aliases.size < NAMES_MAX) this.#aliases.set(name, text);
  }

  aliasOf(name: string): string | undefined {
    return this.#aliases.get(name);
  }

  wrote(path: string): void {
    if (this.#written.size < NAMES_MAX) this.#written.add(normalPath(path));
  }

  hasWritten(path: string): boolean {
    return this.#written.has(normalPath(path));
  }
}

function sameWords(a: Value, b: Value): boolean {
  return a.length === b.length && a.every((arg, at) => arg.text === b[at]!.text);
}
