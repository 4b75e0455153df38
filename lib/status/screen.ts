/**
 * What the bottom of a screen tells, by patterns. Only what is on the screen now is looked at, and of that only its live
 * end: menus and spinners that have scrolled up are history.
 */
import type { Meaning } from './types.ts';

/** A screen as text, and where its cursor is. */
export interface ScreenText {
  /** Rows from the top, blanks at their ends left out. */
  readonly rows: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number };
}

/** A screen's parts that patterns look at. */
export interface ScreenParts {
  /** Rows that are not blank, the last one first. */
  readonly tail: readonly string[];
  /** What stands below the last horizontal rule, the last row first; of a screen without one, nothing. */
  readonly footer: readonly string[];
  /** The row of the cursor, up to it. */
  readonly cursor: string;
}

/** One thing that a screen may tell. */
export interface ScreenRow {
  readonly part: keyof ScreenParts;
  /** How many rows from the end are looked at. */
  readonly within?: number;
  /** Each must match one of them. */
  readonly all: readonly RegExp[];
  /** The last row that is not blank must match it. */
  readonly last?: RegExp;
  readonly means: Meaning;
  /** What was seen. */
  readonly evidence: string;
}

/** Rows from the end that are ever looked at: the longest dialogs have about 20. */
const TAIL_MAX = 24;
const RULE = /^\s*[─━═╌]{8,}/;

/** The parts of a screen. */
export function screenParts({ rows, cursor }: ScreenText): ScreenParts {
  const tail = rows
    .filter(row => row.trim() !== '')
    .slice(-TAIL_MAX)
    .reverse();
  const rule = tail.findIndex(row => RULE.test(row));
  return {
    tail,
    footer: rule < 0 ? [] : tail.slice(0, rule),
    cursor: (rows[cursor.y] ?? '').slice(0, cursor.x),
  };
}

/** The first row of `table` that holds, undefined if none does. */
export function readScreen(parts: ScreenParts, table: readonly ScreenRow[]): ScreenRow | undefined {
  return table.find(({ part, within = TAIL_MAX, all, last }) => {
    if (last && !last.test(parts.tail[0] ?? '')) return false;
    const rows = part === 'cursor' ? [parts.cursor] : parts[part].slice(0, within);
    return all.every(pattern => rows.some(row => pattern.test(row)));
  });
}
