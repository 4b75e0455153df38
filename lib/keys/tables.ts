/**
 * Key tables: which command a key runs, by table name.
 */
import { CodedError } from '../base/errors.ts';
import type { Key } from '../input/event.ts';
import { ANY_KEY, formatKey, keyId, parseKey } from '../input/keyname.ts';

/** What a key does. */
export interface Binding {
  /** Command text, in the language of the prompt. */
  readonly command: string;
  /** One sentence for the help screen; '' if nobody wrote one. */
  readonly note: string;
  /** After it, keys of the prefix table work for a moment without the prefix. */
  readonly repeat: boolean;
}

/** A binding with its place. */
export interface BoundKey {
  readonly table: string;
  readonly key: Key;
  readonly binding: Binding;
}

/**
 * Most bindings of one server. The defaults are about 150; thousands more can only come from a program that binds
 * keys in a loop.
 */
export const MAX_BINDINGS = 4096;

/**
 * Keys that only some terminals tell apart, in both directions where they are one byte under two names (0x1f, 0x1e,
 * 0x00), else from the key of the extended protocols to the one it is everywhere else: a binding of Escape holds
 * for `C-[` too, but one of `C-i` never takes the Tab key.
 */
const TWINS: ReadonlyMap<string, string> = new Map([
  ['C-[', 'Escape'],
  ['C-i', 'Tab'],
  ['C-m', 'Enter'],
  ['C-@', 'C-Space'],
  ['C-Space', 'C-@'],
  ['C-/', 'C-_'],
  ['C-_', 'C-/'],
  ['C-6', 'C-^'],
  ['C-^', 'C-6'],
]);

/** Whether `pressed` counts as `bound`: the same key, or its twin. */
export function isKey(pressed: Key, bound: Key): boolean {
  const id = keyId(pressed);
  const wanted = keyId(bound);
  return id === wanted || TWINS.get(id) === wanted;
}

/** The key tables of a server. */
export class KeyTables {
  readonly #tables = new Map<string, Map<string, BoundKey>>();
  #count = 0;

  /**
   * Binds a key, in place of what it did before.
   * @throws CodedError `refused` beyond MAX_BINDINGS
   */
  bind(table: string, key: Key, binding: Binding): void {
    const rows = this.#tables.get(table) ?? new Map<string, BoundKey>();
    const id = keyId(key);
    if (!rows.has(id)) {
      if (this.#count >= MAX_BINDINGS)
        throw new CodedError(
          'refused',
          `bind ${formatKey(key)}: ${MAX_BINDINGS} keys are bound`,
          'unbind some first',
        );
      this.#count++;
    }
    rows.set(id, { table, key, binding });
    this.#tables.set(table, rows);
  }

  /** Takes a binding away; false if there was none. */
  unbind(table: string, key: Key): boolean {
    const rows = this.#tables.get(table);
    if (!rows?.delete(keyId(key))) return false;
    this.#count--;
    if (rows.size === 0) this.#tables.delete(table);
    return true;
  }

  /** What the key does in the table: its own binding, its twin's, or that of `Any`. */
  lookup(table: string, key: Key): Binding | undefined {
    const rows = this.#tables.get(table);
    if (!rows) return undefined;
    const id = keyId(key);
    const twin = TWINS.get(id);
    const row = rows.get(id) ?? (twin === undefined ? undefined : rows.get(twin)) ?? rows.get(ANY_KEY);
    return row?.binding;
  }

  /** All bindings, or those of one table, in the order they were made. */
  list(table?: string): readonly BoundKey[] {
    const tables = table === undefined ? [...this.#tables.values()] : [this.#tables.get(table)];
    return tables.flatMap(rows => (rows ? [...rows.values()] : []));
  }
}

/** A binding as it is written down. */
export interface KeyRow {
  readonly table: string;
  /** In tmux's spelling. */
  readonly key: string;
  readonly command: string;
  readonly note: string;
  readonly repeat?: boolean;
}

/** Two rows for one key of one table: the later one counts. */
export interface KeyConflict {
  readonly table: string;
  readonly key: string;
  /** The commands, in the order of the rows. */
  readonly commands: readonly string[];
}

/**
 * Binds all rows and says which keys stand twice among them. That a row replaces a binding made before is no
 * conflict: that is how a person changes a default.
 * @throws CodedError `invalid_key` for a key that is none
 */
export function bindRows(tables: KeyTables, rows: Iterable<KeyRow>): readonly KeyConflict[] {
  const seen = new Map<
    string,
    { readonly table: string; readonly key: string; readonly commands: string[] }
  >();
  for (const { table, key: spelled, command, note, repeat } of rows) {
    const key = parseKey(spelled);
    const place = `${table} ${keyId(key)}`;
    const entry = seen.get(place) ?? { table, key: keyId(key), commands: [] };
    entry.commands.push(command);
    seen.set(place, entry);
    tables.bind(table, key, { command, note, repeat: repeat ?? false });
  }
  return [...seen.values()].filter(({ commands }) => commands.length > 1);
}
