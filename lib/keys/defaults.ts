/**
 * The keys as they come: every binding before a person changes one. The help screen is made from these rows.
 */
import { MODE_KEYS } from './default-modes.ts';
import { PREFIX_KEYS } from './default-prefix.ts';
import type { KeyRow } from './tables.ts';

/** Headings of the help screen, in its order. */
export const KEY_GROUPS = ['General', 'Sessions', 'Windows', 'Panes', 'Graph', 'Copy mode'] as const;

export type KeyGroup = (typeof KEY_GROUPS)[number];

/** A default binding with its place on the help screen. */
export interface DefaultKey extends KeyRow {
  readonly group: KeyGroup;
}

/** All default bindings. The table 'root' has none: every key is the program's but the prefix. */
export const DEFAULT_KEYS: readonly DefaultKey[] = [...PREFIX_KEYS, ...MODE_KEYS];
