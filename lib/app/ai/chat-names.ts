/** Chats as people write them: the last part of their name, or the whole of it. */
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { parseChat } from '../../ai/names.ts';
import type { Config } from '../../config/load.ts';

/** As many digits as the ids of other clients have. */
const ID_BYTES = 4;

export function chatNamed(user: string, given: string): string {
  return parseChat(given) ? given : `${user}/chats/${given}`;
}

export function newChat(user: string): string {
  return `${user}/chats/${randomBytes(ID_BYTES).toString('hex')}`;
}

/** What people read and write of a name. */
export function shortName(name: string): string {
  return parseChat(name)?.id ?? name;
}

/** Whose chats are used: the parent of their names. */
export function chatUser({ ai }: Config): string {
  // A name that may stand in a resource's name.
  const name = userInfo().username.replace(/[/\s]/g, '-') || 'me';
  return ai.user.replaceAll('{user}', name);
}
