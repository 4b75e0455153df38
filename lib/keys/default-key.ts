/**
 * What a default binding says beyond its key and command.
 */
import type { KeyRow } from './tables.ts';

/** Headings of the help screen, in its order. */
export const KEY_GROUPS = [
  'General',
  'Sessions',
  'Messages',
  'Windows',
  'Panes',
  'Graph',
  'Copy mode',
  'Chat',
] as const;

export type KeyGroup = (typeof KEY_GROUPS)[number];

/** A default binding with its place on the help screen. */
export interface DefaultKey extends KeyRow {
  readonly group: KeyGroup;
}

/** Keys that do one thing in a mode, its name behind `send-keys -X`, and the note. */
export type ModeRow = readonly [keys: readonly string[], name: string, note: string];

/** Rows of a mode's table as bindings. */
export function modeRows(table: string, group: KeyGroup, list: readonly ModeRow[]): readonly DefaultKey[] {
  return list.flatMap(([keys, name, note]) =>
    keys.map(key => ({ table, key, command: `send-keys -X ${name}`, note, group })),
  );
}
