/**
 * Keys of the settings file in the key tables: a changed file changes what it said itself and nothing else.
 */
import { errorText, toCoded } from '../base/errors.ts';
import { checkCommandText } from '../cmd/registry.ts';
import { keyId, parseKey } from '../input/keyname.ts';
import { DEFAULT_KEYS } from '../keys/defaults.ts';
import { bindRows, type KeyTables } from '../keys/tables.ts';

/** `keys:` of the settings: table → key → command text. */
export type KeySettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Row {
  readonly table: string;
  readonly key: string;
  readonly command: string;
}

export class FileBindings {
  readonly #tables: KeyTables;
  /** What the file said last, by place. */
  #bound: ReadonlyMap<string, Row> = new Map();

  constructor(tables: KeyTables) {
    this.#tables = tables;
  }

  /**
   * Binds what the file says now and gives back the defaults where it no longer says anything. A key that was bound
   * anew since, in the running server, keeps that until the file says something else of it.
   */
  apply(keys: KeySettings): void {
    const next = new Map(rowsOf(keys).flatMap(row => (problemOf(row) ? [] : [[placeOf(row), row] as const])));
    for (const [place, row] of this.#bound) if (!next.has(place)) this.#restore(row);
    for (const [place, row] of next) {
      if (this.#bound.get(place)?.command !== row.command) bindRows(this.#tables, [{ ...row, note: '' }]);
    }
    this.#bound = next;
  }

  #restore(row: Row): void {
    const key = parseKey(row.key);
    const now = this.#tables.list(row.table).find(bound => keyId(bound.key) === keyId(key));
    if (now?.binding.command !== row.command) return;
    this.#tables.unbind(row.table, key);
    bindRows(
      this.#tables,
      DEFAULT_KEYS.filter(one => placeOf(one) === placeOf(row)),
    );
  }
}

/** What is wrong with `keys:`, a line each: keys that are none, commands that are none. */
export function keyProblems(keys: KeySettings): string[] {
  return rowsOf(keys).flatMap(row => problemOf(row) ?? []);
}

function rowsOf(keys: KeySettings): Row[] {
  return Object.entries(keys).flatMap(([table, rows]) =>
    Object.entries(rows).map(([key, command]) => ({ table, key, command })),
  );
}

function placeOf({ table, key }: Pick<Row, 'table' | 'key'>): string {
  return `${table} ${keyId(parseKey(key))}`;
}

function problemOf({ table, key, command }: Row): string | undefined {
  try {
    parseKey(key);
    checkCommandText(command);
    return undefined;
  } catch (error) {
    return `keys.${table}.${key}: ${errorText(toCoded(error))}`;
  }
}
