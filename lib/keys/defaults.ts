/**
 * The keys as they come: every binding before a person changes one. The help screen is made from these rows.
 */
import { CHAT_KEYS } from './default-chat.ts';
import type { DefaultKey } from './default-key.ts';
import { MESSAGE_KEYS } from './default-messages.ts';
import { MODE_KEYS } from './default-modes.ts';
import { PREFIX_KEYS } from './default-prefix.ts';
import { TREE_KEYS } from './default-trees.ts';

/** All default bindings. The table 'root' has none: every key is the program's but the prefix. */
export const DEFAULT_KEYS: readonly DefaultKey[] = [
  ...PREFIX_KEYS,
  ...MODE_KEYS,
  ...TREE_KEYS,
  ...MESSAGE_KEYS,
  ...CHAT_KEYS,
];
