/**
 * What a default binding says beyond its key and command.
 */
import type { KeyRow } from './tables.ts';

/** Headings of the help screen, in its order. */
export const KEY_GROUPS = ['General', 'Sessions', 'Windows', 'Panes', 'Graph', 'Copy mode'] as const;

export type KeyGroup = (typeof KEY_GROUPS)[number];

/** A default binding with its place on the help screen. */
export interface DefaultKey extends KeyRow {
  readonly group: KeyGroup;
}
